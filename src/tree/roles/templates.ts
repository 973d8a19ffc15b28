const engines =
  /\.(?:erb|haml|slim|ejs|hbs|handlebars|mustache|twig|blade\.php|phtml|jinja2?|j2|njk|pug|liquid|cshtml|razor|tmpl|gohtml|eex|heex|leex|ftl|jsp)$/i;
const pages = /(?:^|\/)(?:_?(?:layouts|includes)|views?|templates?|partials)\/(?:.*\/)?[\w.-]+\.x?html?$/i;

/**
 * Whether a file is a page that the program fills in and shows: its words are labels and buttons, which do not explain
 * how to use the program.
 */
export function isTemplate(path: string): boolean {
  return engines.test(path) || pages.test(path);
}

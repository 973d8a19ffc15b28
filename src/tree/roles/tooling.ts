/**
 * Folders at the top of a project with files that build, check, release and package it. In deeper folders, the same
 * name may be a part of the product (django/contrib).
 */
const folders = /^(?:scripts?|tools?|misc|contrib|hack|ci|\.?build|packaging|debian|completions?|\.[\w-]+)\//i;
const files =
  /(?:^|\/)(?:Rakefile|Gruntfile\.\w+|gulpfile\.\w+|Jakefile|setup\.py|configure\.py|noxfile\.py|[\w.-]+\.config\.[cm]?[jt]s|[\w.-]*completions?\.\w+|[\w.-]+\.(?:rake|gemspec|zsh|fish|css|scss|sass|less|styl))$/i;

/**
 * Whether a file, by its path, is for building, packaging, shell completion or style: such files answer few questions
 * about what the project does.
 */
export function isTooling(path: string): boolean {
  return folders.test(path) || files.test(path);
}

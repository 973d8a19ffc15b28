/**
 * Syntax that a cut must respect: comments, strings, brackets. One row per language; patterns are regular expression
 * sources.
 */
export type Syntax = {
  /** Written before and after the text of a comment on one line. */
  comment: readonly [before: string, after: string];
  /** The beginnings of comments that run to the end of the line. */
  lineComments: readonly string[];
  /** Comments with an end, and strings. */
  texts: readonly EnclosedText[];
  /** Round, square and curly brackets are counted. */
  brackets: boolean;
  /** How a declaration's head ends: at a colon, at an opening brace, or with its line. */
  head: "colon" | "brace" | "line";
  /** A line that ends a block opened by a keyword. */
  blockEnd?: RegExp;
  /** Slashes may delimit a regular expression. */
  regularExpressions?: boolean;
  /** Lines of backticks or tildes delimit code. */
  fences?: boolean;
  /** Lines with `#if` and `#endif` choose what is compiled. */
  directives?: boolean;
  /** Blocks are recognised by indentation alone. */
  indents?: boolean;
};

export type EnclosedText = {
  open: string;
  close: string | ((opening: string) => string);
  comment?: boolean;
  /** It may continue after a line end. */
  lines?: boolean;
  /** A backslash is a character like any other. */
  raw?: boolean;
  /** The opening pattern matches the whole literal. */
  whole?: boolean;
  /** It nests: an opening inside needs a closing of its own. */
  nested?: boolean;
  /** The opening of embedded code, which ends with its bracket. */
  code?: string;
  /** It begins with the next line, and ends at a line that begins with its close. */
  nextLine?: boolean;
};

const blockComment: EnclosedText = { open: "/\\*", close: "*/", comment: true, lines: true, raw: true };
const nestedComment: EnclosedText = { ...blockComment, nested: true };
const markupComment: EnclosedText = { open: "<!--", close: "-->", comment: true, lines: true, raw: true };
const parenComment: EnclosedText = { open: "\\(\\*", close: "*)", comment: true, lines: true, raw: true, nested: true };
const double: EnclosedText = { open: '"', close: '"' };
const single: EnclosedText = { open: "'", close: "'" };
const doubleLines: EnclosedText = { ...double, lines: true };
const singleLines: EnclosedText = { ...single, lines: true };
const tripleDouble: EnclosedText = { open: '"""', close: '"""', lines: true };
const tripleSingle: EnclosedText = { open: "'''", close: "'''", lines: true };
const rawBacktick: EnclosedText = { open: "`", close: "`", lines: true, raw: true };
// A lone quote is a lifetime, a digit separator or a prime, so the literal is matched whole or not at all.
const character: EnclosedText = { open: "'(?:\\\\[^']{1,10}|[^\\\\'])'", close: "'", whole: true };
const template: EnclosedText = { open: "`", close: "`", lines: true, code: "${" };
const rustRaw: EnclosedText = {
  open: 'b?r#*"',
  close: (open) => `"${"#".repeat(open.split("#").length - 1)}`,
  lines: true,
  raw: true,
};
const cppRaw: EnclosedText = {
  open: 'R"[^()\\s\\\\"]{0,16}\\(',
  close: (open) => `)${open.slice(2, -1)}"`,
  lines: true,
  raw: true,
};
const verbatim: EnclosedText = { open: '\\$?@\\$?"', close: '"', lines: true, raw: true };
/** `<<~SQL`, `<<-'EOS'`, `<<<HTML`: the opening names the word that ends the text. */
const heredocOf = (open: string): EnclosedText => ({
  open,
  close: (opening) => opening.replace(/^<+[~-]?|["'`\s]/g, ""),
  lines: true,
  raw: true,
  nextLine: true,
});
const heredoc = heredocOf("<<[~-][\"'`]?[A-Za-z_]\\w*[\"'`]?|<<[A-Z_]{2,}\\b");
const longBracket = (prefix: string, comment: boolean): EnclosedText => ({
  open: `${prefix}\\[=*\\[`,
  close: (open) => `]${"=".repeat(open.split("=").length - 1)}]`,
  comment,
  lines: true,
  raw: true,
});

const slashes = { comment: ["// ", ""], lineComments: ["//"], brackets: true, head: "brace" } as const;
const hash = { comment: ["# ", ""], lineComments: ["#"], brackets: true, head: "line" } as const;
const dashes = { comment: ["-- ", ""], lineComments: ["--"], brackets: true, head: "line" } as const;
const semicolons = { comment: ["; ", ""], lineComments: [";"], brackets: true, head: "line" } as const;
const percent = { comment: ["% ", ""], lineComments: ["%"], brackets: true, head: "line" } as const;

const c: Syntax = { ...slashes, directives: true, texts: [blockComment, double, character] };
const javascript: Syntax = { ...slashes, texts: [blockComment, template, double, single], regularExpressions: true };
const markup: Syntax = {
  comment: ["<!-- ", " -->"],
  lineComments: [],
  texts: [markupComment],
  brackets: false,
  head: "line",
};
const shell: Syntax = {
  ...hash,
  lineComments: ["(?<![^\\s;&|(])#"],
  texts: [heredocOf("(?<!<)<<-?\\s*[\"']?[A-Za-z_]\\w*[\"']?"), doubleLines, { ...singleLines, raw: true }],
  blockEnd: /^\s*(fi|done|esac)\b[\s;&|)]*$/,
};
const keywordEnd = /^\s*end\b[\s)\],;.]*$/;
/** Text in no known language: a mark is in square brackets, and no character opens a comment, string or bracket. */
const prose: Syntax = { comment: ["[", "]"], lineComments: [], texts: [], brackets: false, head: "line" };

const syntaxes: Record<string, Syntax> = {
  ada: { ...dashes, texts: [double, character] },
  assembly: { ...semicolons, texts: [double] },
  bash: shell,
  c,
  clojure: { ...semicolons, texts: [doubleLines] },
  cmake: { ...hash, texts: [doubleLines] },
  cpp: { ...slashes, directives: true, texts: [blockComment, cppRaw, double, character] },
  csharp: { ...slashes, directives: true, texts: [blockComment, tripleDouble, verbatim, double, character] },
  css: {
    comment: ["/* ", " */"],
    lineComments: [],
    texts: [blockComment, double, single],
    brackets: true,
    head: "brace",
  },
  dart: { ...slashes, texts: [nestedComment, tripleDouble, tripleSingle, double, single] },
  dockerfile: { ...hash, texts: [double, single], brackets: false },
  elixir: {
    ...hash,
    texts: [
      tripleDouble,
      tripleSingle,
      { open: "~[a-zA-Z]/", close: "/" },
      { open: "~[a-zA-Z]\\|", close: "|" },
      { open: "\\?\\\\?[\"'(){}\\[\\]#]", close: "", whole: true },
      doubleLines,
      single,
    ],
    blockEnd: keywordEnd,
  },
  elm: { ...dashes, texts: [{ ...nestedComment, open: "\\{-", close: "-}" }, tripleDouble, double, character] },
  erlang: { ...percent, texts: [double, single] },
  fortran: { comment: ["! ", ""], lineComments: ["!"], texts: [double, single], brackets: true, head: "line" },
  fsharp: { ...slashes, head: "line", texts: [parenComment, tripleDouble, double, character] },
  go: { ...slashes, texts: [blockComment, rawBacktick, double, character] },
  graphql: { ...hash, head: "brace", texts: [tripleDouble, double] },
  groovy: { ...slashes, texts: [blockComment, tripleDouble, tripleSingle, double, single] },
  haskell: { ...dashes, texts: [{ ...nestedComment, open: "\\{-", close: "-}" }, double, character] },
  hcl: { ...hash, head: "brace", lineComments: ["#", "//"], texts: [blockComment, double] },
  html: markup,
  ini: { ...semicolons, lineComments: ["(?<!\\S)[;#]"], texts: [], brackets: false },
  java: { ...slashes, texts: [blockComment, tripleDouble, double, character] },
  javascript,
  json: { ...slashes, texts: [blockComment, double], head: "line" },
  julia: {
    ...hash,
    texts: [{ open: "#=", close: "=#", comment: true, lines: true, raw: true }, tripleDouble, double, character],
    blockEnd: keywordEnd,
  },
  kotlin: { ...slashes, texts: [nestedComment, tripleDouble, double, character] },
  latex: { ...percent, texts: [], brackets: false },
  less: { ...slashes, texts: [blockComment, double, single] },
  lua: { ...dashes, texts: [longBracket("--", true), longBracket("", false), double, single], blockEnd: keywordEnd },
  teal: { ...dashes, texts: [longBracket("--", true), longBracket("", false), double, single], blockEnd: keywordEnd },
  make: { ...hash, texts: [], brackets: false },
  markdown: { ...markup, fences: true },
  matlab: { ...percent, texts: [], blockEnd: keywordEnd },
  nix: { ...hash, texts: [blockComment, { open: "''", close: "''", lines: true, raw: true }, doubleLines] },
  objc: c,
  ocaml: {
    comment: ["(* ", " *)"],
    lineComments: [],
    texts: [parenComment, doubleLines, character],
    brackets: true,
    head: "line",
  },
  pascal: { ...slashes, head: "line", texts: [parenComment, single] },
  perl: { ...hash, head: "brace", lineComments: ["(?<!\\$)#"], texts: [doubleLines, singleLines] },
  php: {
    ...slashes,
    lineComments: ["//", "#(?!\\[)"],
    texts: [blockComment, heredocOf("<<<\\s*[\"']?\\w+[\"']?"), doubleLines, singleLines],
  },
  powershell: {
    ...hash,
    head: "brace",
    texts: [
      { open: "<#", close: "#>", comment: true, lines: true, raw: true },
      { ...doubleLines, raw: true },
      { ...singleLines, raw: true },
    ],
  },
  protobuf: { ...slashes, texts: [blockComment, double, single] },
  python: { ...hash, head: "colon", texts: [tripleDouble, tripleSingle, double, single] },
  r: { ...hash, head: "brace", texts: [doubleLines, singleLines] },
  rescript: { ...slashes, texts: [blockComment, double, character] },
  restructuredtext: { comment: [".. ", ""], lineComments: [], texts: [], brackets: false, head: "line" },
  ruby: {
    ...hash,
    texts: [
      { open: "^=begin\\b", close: "=end", comment: true, lines: true, raw: true },
      heredoc,
      doubleLines,
      singleLines,
    ],
    regularExpressions: true,
    blockEnd: keywordEnd,
  },
  rust: { ...slashes, texts: [nestedComment, rustRaw, doubleLines, character] },
  scala: { ...slashes, texts: [nestedComment, tripleDouble, double, character] },
  scss: { ...slashes, texts: [blockComment, double, single] },
  solidity: { ...slashes, texts: [blockComment, double, single] },
  sql: { ...dashes, texts: [blockComment, { ...singleLines, raw: true }, { ...double, raw: true }] },
  svelte: markup,
  swift: { ...slashes, texts: [nestedComment, tripleDouble, double] },
  text: prose,
  toml: { ...hash, texts: [tripleDouble, tripleSingle, double, { ...single, raw: true }] },
  typescript: javascript,
  verilog: c,
  vim: { comment: ['" ', ""], lineComments: [], texts: [], brackets: false, head: "line" },
  visualbasic: {
    comment: ["' ", ""],
    lineComments: ["'"],
    texts: [{ ...double, raw: true }],
    brackets: true,
    head: "line",
  },
  vue: markup,
  xml: markup,
  yaml: {
    ...hash,
    lineComments: ["(?<!\\S)#"],
    texts: [double, { ...single, raw: true }],
    head: "line",
    indents: true,
  },
  zig: { ...slashes, texts: [double, character] },
};

const aliases: Record<string, string> = {
  "c#": "csharp",
  "c++": "cpp",
  "f#": "fsharp",
  "objective-c": "objc",
  objectivec: "objc",
  c_sharp: "csharp",
  cs: "csharp",
  js: "javascript",
  jsx: "javascript",
  javascriptreact: "javascript",
  mjs: "javascript",
  ts: "typescript",
  tsx: "typescript",
  typescriptreact: "typescript",
  json5: "json",
  jsonc: "json",
  py: "python",
  rb: "ruby",
  rs: "rust",
  kt: "kotlin",
  sh: "bash",
  shell: "bash",
  shellscript: "bash",
  zsh: "bash",
  fish: "bash",
  golang: "go",
  md: "markdown",
  mdx: "markdown",
  rst: "restructuredtext",
  yml: "yaml",
  htm: "html",
  svg: "xml",
  docker: "dockerfile",
  makefile: "make",
  terraform: "hcl",
  tf: "hcl",
  proto: "protobuf",
  sass: "scss",
  plain: "text",
  plaintext: "text",
  properties: "ini",
  conf: "ini",
  tex: "latex",
  lisp: "clojure",
  scheme: "clojure",
  emacs_lisp: "clojure",
  elisp: "clojure",
  vb: "visualbasic",
  ps1: "powershell",
  systemverilog: "verilog",
  astro: "html",
  ejs: "html",
  embedded_template: "html",
};

/** The syntax of a language by name, any case; that of plain text when the language is unknown. */
export function syntaxOf(language: string | undefined): Syntax {
  const name = (language ?? "text").toLowerCase();
  const canonical = Object.hasOwn(aliases, name) ? aliases[name]! : name;
  return Object.hasOwn(syntaxes, canonical) ? syntaxes[canonical]! : prose;
}

/** Names of the languages in the table. */
export const syntaxLanguages = Object.keys(syntaxes);

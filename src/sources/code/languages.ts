/**
 * The language of a file, and its grammar. A language without a grammar is read line by line (generic.ts): its
 * functions and classes are still found.
 */

export type Grammar = {
  package: string;
  file: string;
  /**
   * The package is only installed for development, because its bindings need a compiler; the build puts the grammar
   * into dist.
   */
  bundled?: boolean;
  /**
   * The grammar's lexer is one huge function: Node 20's optimising compiler takes 8 to 19 seconds for it, Node 24's
   * half a gigabyte.
   */
  heavy?: boolean;
};

export type Language = {
  /** Lower case, as items show it. */
  id: LanguageId;
  name: string;
  /** File extensions, with the dot. */
  extensions: readonly string[];
  /** Whole file names, lower case. */
  files?: readonly string[];
  /** Programs that a `#!` line may name. */
  interpreters?: readonly string[];
  grammar?: Grammar;
  /** Extensions whose files another grammar reads. */
  grammars?: Readonly<Record<string, Grammar>>;
};

function repomix(name: string): Grammar {
  return { package: "@repomix/tree-sitter-wasms", file: `out/tree-sitter-${name}.wasm` };
}

function vscode(name: string): Grammar {
  return { package: "@vscode/tree-sitter-wasm", file: `wasm/tree-sitter-${name}.wasm` };
}

/** `name`: the package, which also names its wasm unless it contains several. */
function bundled(name: string, file = name.slice(name.lastIndexOf("/") + 1)): Grammar {
  return { package: name, file: `${file}.wasm`, bundled: true };
}

/** For the scripts of Svelte and Vue files. */
export function scriptGrammar(hasElements: boolean): Grammar {
  return repomix(hasElements ? "tsx" : "typescript");
}

/** For the markup around the scripts of Svelte and Vue files. */
export const markupGrammar: Grammar = bundled("@tree-sitter-grammars/tree-sitter-svelte");

// If both packages have a grammar, the newer one is used: C# (ABI 15 instead of 14) and Rust (0.24 instead of 0.23)
// from @vscode. The others have equal versions and are from @repomix.
const table = [
  {
    id: "python",
    name: "Python",
    extensions: [".py", ".pyi", ".pyw", ".pyx", ".pxd"],
    files: ["sconstruct", "sconscript", "wscript"],
    interpreters: ["python", "python2", "python3", "pypy", "pypy3"],
    grammar: repomix("python"),
  },
  {
    id: "javascript",
    name: "JavaScript",
    extensions: [".js", ".mjs", ".cjs", ".es6"],
    files: ["jakefile"],
    interpreters: ["node", "nodejs", "bun"],
    grammar: repomix("javascript"),
  },
  { id: "jsx", name: "JSX", extensions: [".jsx"], grammar: repomix("javascript") },
  {
    id: "typescript",
    name: "TypeScript",
    extensions: [".ts", ".mts", ".cts"],
    interpreters: ["deno", "ts-node", "tsx"],
    grammar: repomix("typescript"),
  },
  { id: "tsx", name: "TSX", extensions: [".tsx"], grammar: repomix("tsx") },
  { id: "vue", name: "Vue", extensions: [".vue"], grammar: repomix("typescript") },
  { id: "svelte", name: "Svelte", extensions: [".svelte"], grammar: repomix("typescript") },
  { id: "go", name: "Go", extensions: [".go"], grammar: repomix("go") },
  { id: "rust", name: "Rust", extensions: [".rs"], grammar: vscode("rust") },
  { id: "java", name: "Java", extensions: [".java"], grammar: repomix("java") },
  { id: "c", name: "C", extensions: [".c", ".h"], grammar: repomix("c") },
  {
    id: "cpp",
    name: "C++",
    extensions: [
      ".cc",
      ".cpp",
      ".cxx",
      ".c++",
      ".hh",
      ".hpp",
      ".hxx",
      ".h++",
      ".ipp",
      ".inl",
      ".tpp",
      ".ino",
      ".cu",
      ".cuh",
    ],
    grammar: repomix("cpp"),
  },
  {
    id: "csharp",
    name: "C#",
    extensions: [".cs", ".csx"],
    interpreters: ["dotnet-script"],
    grammar: vscode("c-sharp"),
  },
  {
    id: "ruby",
    name: "Ruby",
    extensions: [".rb", ".rake", ".gemspec", ".ru", ".podspec", ".jbuilder"],
    files: ["gemfile", "rakefile", "guardfile", "vagrantfile", "capfile", "podfile", "fastfile", "brewfile"],
    interpreters: ["ruby", "jruby"],
    grammar: repomix("ruby"),
  },
  {
    id: "php",
    name: "PHP",
    extensions: [".php", ".phtml", ".inc", ".php5"],
    interpreters: ["php"],
    grammar: repomix("php"),
  },
  {
    id: "swift",
    name: "Swift",
    extensions: [".swift"],
    interpreters: ["swift"],
    grammar: { ...repomix("swift"), heavy: true },
  },
  { id: "dart", name: "Dart", extensions: [".dart"], grammar: repomix("dart") },
  { id: "solidity", name: "Solidity", extensions: [".sol"], grammar: repomix("solidity") },
  { id: "css", name: "CSS", extensions: [".css"], grammar: repomix("css") },
  {
    id: "bash",
    name: "Shell",
    extensions: [".sh", ".bash", ".zsh", ".ksh", ".bats", ".command"],
    files: [".bashrc", ".bash_profile", ".zshrc", ".profile", "pkgbuild"],
    interpreters: ["sh", "bash", "zsh", "ksh", "dash", "ash"],
    grammar: { ...vscode("bash"), heavy: true },
  },
  {
    id: "powershell",
    name: "PowerShell",
    extensions: [".ps1", ".psm1", ".psd1"],
    interpreters: ["pwsh", "powershell"],
    grammar: { ...vscode("powershell"), heavy: true },
  },
  {
    id: "kotlin",
    name: "Kotlin",
    extensions: [".kt", ".kts"],
    interpreters: ["kotlin"],
    grammar: bundled("@tree-sitter-grammars/tree-sitter-kotlin"),
  },
  {
    id: "scala",
    name: "Scala",
    extensions: [".scala", ".sc", ".sbt"],
    interpreters: ["scala"],
    grammar: bundled("tree-sitter-scala"),
  },
  {
    id: "lua",
    name: "Lua",
    extensions: [".lua", ".luau"],
    interpreters: ["lua", "luajit"],
    grammar: bundled("@tree-sitter-grammars/tree-sitter-lua"),
  },
  {
    id: "elixir",
    name: "Elixir",
    extensions: [".ex", ".exs"],
    interpreters: ["elixir"],
    grammar: bundled("tree-sitter-elixir"),
  },
  {
    id: "haskell",
    name: "Haskell",
    extensions: [".hs", ".lhs"],
    interpreters: ["runhaskell", "stack"],
    grammar: bundled("tree-sitter-haskell"),
  },
  {
    id: "ocaml",
    name: "OCaml",
    extensions: [".ml", ".mli"],
    interpreters: ["ocaml"],
    grammar: bundled("tree-sitter-ocaml"),
    grammars: { ".mli": bundled("tree-sitter-ocaml", "tree-sitter-ocaml_interface") },
  },
  { id: "zig", name: "Zig", extensions: [".zig"], grammar: bundled("@tree-sitter-grammars/tree-sitter-zig") },
  {
    id: "julia",
    name: "Julia",
    extensions: [".jl"],
    interpreters: ["julia"],
    grammar: { ...bundled("tree-sitter-julia"), heavy: true },
  },
  { id: "objectivec", name: "Objective-C", extensions: [".mm"], grammar: bundled("tree-sitter-objc") },
  // The following have no grammar.
  { id: "teal", name: "Teal", extensions: [".tl"], interpreters: ["tl"] },
  {
    id: "groovy",
    name: "Groovy",
    extensions: [".groovy", ".gradle", ".gvy"],
    files: ["jenkinsfile"],
    interpreters: ["groovy"],
  },
  { id: "sql", name: "SQL", extensions: [".sql", ".ddl", ".psql", ".pgsql"] },
  { id: "erlang", name: "Erlang", extensions: [".erl", ".hrl"], interpreters: ["escript"] },
  { id: "fsharp", name: "F#", extensions: [".fs", ".fsi", ".fsx"] },
  { id: "elm", name: "Elm", extensions: [".elm"] },
  { id: "clojure", name: "Clojure", extensions: [".clj", ".cljs", ".cljc", ".edn"], interpreters: ["bb", "clojure"] },
  {
    id: "lisp",
    name: "Lisp",
    extensions: [".lisp", ".el", ".scm", ".rkt", ".cl"],
    interpreters: ["racket", "guile", "sbcl"],
  },
  { id: "nim", name: "Nim", extensions: [".nim", ".nims"] },
  { id: "crystal", name: "Crystal", extensions: [".cr"], interpreters: ["crystal"] },
  { id: "d", name: "D", extensions: [".d"] },
  { id: "perl", name: "Perl", extensions: [".pl", ".pm", ".t"], interpreters: ["perl"] },
  { id: "r", name: "R", extensions: [".r"], interpreters: ["rscript"] },
  { id: "matlab", name: "MATLAB", extensions: [".m"] },
  { id: "fortran", name: "Fortran", extensions: [".f", ".f90", ".f95", ".f03", ".for"] },
  { id: "pascal", name: "Pascal", extensions: [".pas", ".pp", ".dpr"] },
  { id: "vb", name: "Visual Basic", extensions: [".vb", ".bas", ".vbs"] },
  { id: "coffeescript", name: "CoffeeScript", extensions: [".coffee"], interpreters: ["coffee"] },
  { id: "gdscript", name: "GDScript", extensions: [".gd"] },
  { id: "tcl", name: "Tcl", extensions: [".tcl"], interpreters: ["tclsh", "wish"] },
  { id: "awk", name: "AWK", extensions: [".awk"], interpreters: ["awk", "gawk"] },
  { id: "fish", name: "fish", extensions: [".fish"], interpreters: ["fish"] },
  { id: "protobuf", name: "Protocol Buffers", extensions: [".proto"] },
  { id: "thrift", name: "Thrift", extensions: [".thrift"] },
  { id: "graphql", name: "GraphQL", extensions: [".graphql", ".gql"] },
  { id: "terraform", name: "Terraform", extensions: [".tf", ".tfvars", ".hcl"] },
  { id: "scss", name: "SCSS", extensions: [".scss", ".sass"] },
  { id: "less", name: "Less", extensions: [".less", ".styl"] },
  { id: "glsl", name: "GLSL", extensions: [".glsl", ".vert", ".frag", ".comp", ".wgsl", ".hlsl", ".metal"] },
  { id: "assembly", name: "Assembly", extensions: [".asm", ".s"] },
  { id: "starlark", name: "Starlark", extensions: [".bzl", ".star"], files: ["build", "build.bazel", "workspace"] },
  { id: "nix", name: "Nix", extensions: [".nix"] },
  { id: "prisma", name: "Prisma", extensions: [".prisma"] },
  { id: "viml", name: "Vim script", extensions: [".vim"], files: [".vimrc"] },
] as const satisfies readonly (Omit<Language, "id"> & { id: string })[];

export type LanguageId = (typeof table)[number]["id"];

export const languages: readonly Language[] = table;

const byExtension = new Map<string, Language>();
const byFile = new Map<string, Language>();
const byInterpreter = new Map<string, Language>();
const byId = new Map<string, Language>();
for (const language of languages) {
  byId.set(language.id, language);
  for (const extension of language.extensions) byExtension.set(extension, language);
  for (const file of language.files ?? []) byFile.set(file, language);
  for (const interpreter of language.interpreters ?? []) byInterpreter.set(interpreter, language);
}

export function grammarOf(id: LanguageId, path: string): Grammar | undefined {
  const { grammar, grammars = {} } = byId.get(id)!;
  const ending = path.slice(path.lastIndexOf(".")).toLowerCase();
  return Object.hasOwn(grammars, ending) ? grammars[ending] : grammar;
}

/** The language of a source file by its name, else by its `#!` line; undefined for other files. */
export function detectLanguage(path: string, firstLine?: string): LanguageId | undefined {
  const file = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const byWholeName = byFile.get(file);
  if (byWholeName) return byWholeName.id;
  const dot = file.lastIndexOf(".");
  if (dot > 0) return byExtension.get(file.slice(dot))?.id;
  return firstLine === undefined ? undefined : interpreterOf(firstLine)?.id;
}

function interpreterOf(firstLine: string): Language | undefined {
  const command = /^#!\s*(\S+)(.*)$/.exec(firstLine);
  if (!command) return undefined;
  let program = command[1]!.slice(command[1]!.lastIndexOf("/") + 1);
  if (program === "env")
    program =
      command[2]!
        .trim()
        .split(/\s+/)
        .find((word) => !word.startsWith("-") && !word.includes("=")) ?? "";
  program = program.toLowerCase();
  return byInterpreter.get(program) ?? byInterpreter.get(program.replace(/[\d.]+$/, ""));
}

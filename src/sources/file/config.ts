import { splitLines } from "../../text/lines.ts";
import type { Extraction } from "../code/extraction.ts";
import { directivesOf } from "./directives.ts";

const byExtension: Record<string, string> = {
  ".json": "json",
  ".jsonc": "json",
  ".json5": "json",
  ".webmanifest": "json",
  ".geojson": "json",
  ".ipynb": "json",
  ".yaml": "yaml",
  ".yml": "yaml",
  ".toml": "toml",
  ".ini": "ini",
  ".cfg": "ini",
  ".conf": "ini",
  ".cnf": "ini",
  ".properties": "properties",
  ".editorconfig": "ini",
  ".xml": "xml",
  ".xsd": "xml",
  ".xsl": "xml",
  ".xslt": "xml",
  ".plist": "xml",
  ".csproj": "xml",
  ".fsproj": "xml",
  ".vbproj": "xml",
  ".vcxproj": "xml",
  ".props": "xml",
  ".targets": "xml",
  ".sln": "text",
  ".bat": "batch",
  ".cmd": "batch",
  ".mk": "makefile",
  ".mak": "makefile",
  ".cmake": "cmake",
  ".dockerfile": "dockerfile",
  ".service": "ini",
  ".desktop": "ini",
  ".bazelrc": "ini",
  ".gitattributes": "ini",
  ".gitignore": "ini",
  ".gitmodules": "ini",
  ".dockerignore": "ini",
  ".npmrc": "ini",
  ".nvmrc": "text",
  ".eslintrc": "json",
  ".prettierrc": "json",
  ".babelrc": "json",
  ".po": "gettext",
  ".pot": "gettext",
  ".csv": "csv",
  ".tsv": "csv",
  ".svg": "xml",
  ".rc": "ini",
  ".dhall": "text",
  ".cue": "text",
  ".jsonnet": "json",
  ".ron": "text",
  ".pbtxt": "text",
  ".mod": "go-mod",
  ".gradle.kts": "kotlin",
  ".lock": "text",
  ".resx": "xml",
  ".strings": "properties",
  ".avsc": "json",
  ".tmpl": "text",
  ".env": "properties",
};

const byName: Record<string, string> = {
  dockerfile: "dockerfile",
  containerfile: "dockerfile",
  makefile: "makefile",
  gnumakefile: "makefile",
  justfile: "makefile",
  "cmakelists.txt": "cmake",
  procfile: "yaml",
  pipfile: "toml",
  "go.mod": "go-mod",
  "go.sum": "text",
  "go.work": "go-mod",
  codeowners: "ini",
  "requirements.txt": "ini",
  "constraints.txt": "ini",
  "manifest.in": "ini",
  ".clang-format": "yaml",
  ".clang-tidy": "yaml",
  "meson.build": "text",
  "meson_options.txt": "text",
};

export const configLanguages: readonly string[] = [
  ...new Set([...Object.values(byExtension), ...Object.values(byName)]),
];

/**
 * Names of files that are only about build files: makefile.rb is a program and dockerfile.md a text, while Makefile.am
 * and Dockerfile.dev are build files.
 */
const isAboutBuildFiles =
  /\.(?:md|rst|adoc|txt|html?|[cm]?[jt]sx?|py|rb|go|rs|java|kt|scala|php|pl|lua|sh|cs|fs|swift|c|h|cc|cpp|hpp|ex|exs|hs|jl|zig)$/;

/** `redis.conf.sample`, `.env.example`: a sample is read like the file that it is a sample of. */
const sample =
  /\.(conf|cnf|ini|cfg|properties|env)\.(?:sample|example|dist|default|template|development|production|test)$/;

/** The display language of a configuration or data file by its name; undefined for other files. */
export function configLanguage(path: string): string | undefined {
  const file = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (Object.hasOwn(byName, file)) return byName[file];
  if (/^(?:dockerfile|makefile)\./.test(file) && !isAboutBuildFiles.test(file)) return file.slice(0, file.indexOf("."));
  if (sample.test(file)) return configLanguage(file.replace(sample, ".$1"));
  if (/^requirements.*\.(?:txt|in)$/.test(file)) return "ini";
  if (/^\.[a-z]+rc$/.test(file)) return byExtension[file] ?? "ini";
  const extension = file.slice(file.lastIndexOf("."));
  return file.includes(".") && Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;
}

const longestDoc = 2000;

/**
 * A configuration file is one item; its top-level keys are its doc, so that they weigh more than values. In a long file
 * of directives, the directives are items too.
 */
export function extractConfig(path: string, text: string): Extraction {
  const language = configLanguage(path) ?? "text";
  const lines = splitLines(text);
  const units = hasDirectives(path, language) ? directivesOf(lines) : [];
  const inUnit = new Set(units.flatMap(({ startLine, endLine }) => range(startLine, endLine)));
  const comment: string[] = [];
  const code: string[] = [];
  for (const [index, line] of lines.entries())
    if (!inUnit.has(index + 1)) (isComment(line, language) ? comment : code).push(line);
  const keys = [...new Set(topKeys(lines, language))].join(" ").slice(0, longestDoc);
  return {
    language,
    kind: "config",
    doc: keys || undefined,
    units,
    imports: [],
    rest: { comment: comment.join("\n"), string: "", code: code.join("\n") },
    references: [],
  };
}

/** Lists of patterns and of packages have no keys. */
function hasDirectives(path: string, language: string): boolean {
  return (
    (language === "ini" || language === "properties") && !/(?:ignore|attributes|codeowners|\.(?:txt|in))$/i.test(path)
  );
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function isComment(line: string, language: string): boolean {
  if (language === "json") return /^\s*\/\//.test(line);
  if (language === "xml") return /^\s*<!--.*-->\s*$/.test(line);
  return /^\s*[#;]/.test(line);
}

const keyPatterns: Record<string, RegExp> = {
  yaml: /^([\w.-]+)\s*:/,
  toml: /^\s*(?:\[+([\w."'-]+)\]+|([\w-]+)\s*=)/,
  ini: /^\s*(?:\[([^\]]+)\]|([\w.-]+)\s*[=:])/,
  properties: /^\s*([\w.-]+)\s*[=:]/,
  makefile: /^([\w./-]+)\s*:(?!=)/,
  dockerfile: /^\s*(?:FROM\s+(\S+)|(?:ENTRYPOINT|CMD|EXPOSE)\s+(.+))/i,
  cmake: /^\s*(?:project|add_(?:executable|library|subdirectory)|option|function|macro)\s*\(\s*([\w${}.-]+)/i,
  "go-mod": /^\s*(?:module|require|replace)?\s*([\w./-]+\.[\w./-]+)/,
};

function topKeys(lines: string[], language: string): string[] {
  if (language === "json") return jsonKeys(lines);
  if (language === "xml")
    return [
      ...new Set(
        lines
          .slice(0, 500)
          .flatMap((line) => [...line.slice(0, 500).matchAll(/<([a-zA-Z][\w:.-]*)/g)].map((match) => match[1]!)),
      ),
    ].slice(0, 40);
  const pattern = keyPatterns[language];
  if (!pattern) return [];
  return lines.flatMap((line) => {
    const match = pattern.exec(line.slice(0, 300));
    const key = match?.slice(1).find((group) => group !== undefined);
    return key ? [key] : [];
  });
}

/** Top-level keys, found by counting brackets outside strings, so that comments and trailing commas do no harm. */
function jsonKeys(lines: string[]): string[] {
  const keys: string[] = [];
  const text = lines.join("\n");
  let depth = 0;
  for (const match of text.matchAll(/"((?:[^"\\\n]|\\.)*)"(\s*:)?|\/\/[^\n]*|[{}[\]]/g)) {
    const token = match[0];
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (match[2] !== undefined && depth === 1 && keys.length < 100) keys.push(match[1]!);
  }
  return keys;
}

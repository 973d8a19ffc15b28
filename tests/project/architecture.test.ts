import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sourceNames } from "../../src/item.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const source = join(root, "src");

/**
 * Which rooms a room may import from, besides itself and the nouns. Reading down is reading from the user to the disk.
 */
const mayImport: Record<string, string[]> = {
  index: ["operations", "results", "workspace", "chat", "text", "package"],
  // The client only for the web inspector, which imports nothing else: a test of its own looks.
  surfaces: ["operations", "text", "package", "client", "engine"],
  // Loaded before everything else, by every command: it uses nothing but Node.
  engine: [],
  // Their types only: a test of the client looks into its bundle.
  client: ["operations"],
  operations: [
    "assemble",
    "engine",
    "chat",
    "evaluation",
    "explain",
    "indexing",
    "learned",
    "notes",
    "recipes",
    "setup",
    "workspace",
    "sources",
    "stores",
    "tree",
    "git",
    "embed",
    "text",
    "package",
  ],
  evaluation: ["assemble", "pipeline", "recipes", "notes", "chat", "sources", "stores", "workspace", "text"],
  explain: ["assemble", "pipeline", "recipes", "stores", "workspace", "text"],
  assemble: ["pipeline", "recipes", "indexing", "workspace", "text"],
  results: ["pipeline", "recipes", "sources", "workspace", "tree", "text"],
  pipeline: ["chat", "formats", "recipes", "sources", "workspace", "tree", "stores", "embed", "text"],
  indexing: ["chat", "notes", "sources", "tree", "git", "stores", "embed", "workspace", "text"],
  sources: ["chat", "learned", "workspace", "stores", "tree", "text", "embed", "package"],
  learned: ["workspace", "stores", "tree", "git", "embed", "text"],
  notes: ["workspace", "recipes", "stores", "tree", "text"],
  chat: ["stores", "text"],
  recipes: ["text"],
  workspace: ["recipes", "stores", "tree", "git", "text"],
  setup: ["workspace", "tree", "text"],
  formats: ["text"],
  stores: ["text"],
  embed: ["stores", "text"],
  tree: ["git", "text"],
  git: ["text"],
  text: ["package"],
  package: [],
};

/** What anyone may import: the nouns, the options and the errors. They import nothing but each other. */
const nouns = ["item", "document", "note", "errors", "options"];

/** Types that several sources yield: they live in one of them and are imported by the others. */
const contracts = ["sources/code/extraction.ts"];

/** Files and folders in one folder, tests aside: what fits one page of contents. */
const fullest = 30;

/** Files that are one long table. */
const tables = [
  "sources/code/generic-rules.ts",
  "text/analysis/phrases/everyday.ts",
  "text/analysis/phrases/infrastructure.ts",
];

const longest = 350;

type Import = { from: string; to: string; specifier: string };

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((path) => path.split(sep).join("/"))
  .filter((path) => /\.tsx?$/.test(path))
  .sort();

const tests = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => join("..", "tests", path));

const production = files.filter((path) => !/\.(test|cases)\.ts$/.test(path));

describe("the house", () => {
  it("has files to check", () => {
    expect(production.length).toBeGreaterThan(20);
  });

  it("imports in one direction only", () => {
    const wrong = imports(production).filter(({ from, to }) => {
      const [here, there] = [roomOf(from), roomOf(to)];
      return here !== there && !nouns.includes(there) && !(mayImport[here] ?? []).includes(there);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  it("knows every room", () => {
    const rooms = new Set(production.map(roomOf));
    expect([...rooms].filter((room) => !(room in mayImport) && !nouns.includes(room))).toEqual([]);
  });

  it("has no circle between rooms", () => {
    const circles = Object.keys(mayImport).filter((room) => reaches(room, room));
    expect(circles).toEqual([]);
  });

  it("keeps the stages of the pipeline apart, and what they share out of them: what one knows of another is the type of its result", () => {
    const into = imports(production, false).filter(
      ({ from, to }) => roomOf(from) === "pipeline" && stageOf(to) !== undefined && stageOf(from) !== stageOf(to),
    );
    expect(into.map(shown)).toEqual([]);
  });

  it("keeps surfaces apart from each other", () => {
    expect(between(imports(files), "surfaces").map(shown)).toEqual([]);
  });

  it("has a web inspector that knows the service by its client only", () => {
    const isWeb = (path: string) => path.startsWith("surfaces/web/");
    const across = imports(files).filter(({ from, to }) => isWeb(from) !== isWeb(to));
    expect(across.filter(({ from, to }) => !isWeb(from) || to !== "client/client.ts").map(shown)).toEqual([]);
    const others = imports(files).filter(({ from, to }) => from.startsWith("surfaces/") && to.startsWith("client/"));
    expect(others.filter(({ from }) => !isWeb(from)).map(shown)).toEqual([]);
  });

  it("keeps sources apart from each other", () => {
    const mixed = between(imports(files), "sources").filter(({ to }) => !contracts.includes(to));
    expect(mixed.map(shown)).toEqual([]);
  });

  it("imports own files by their full name", () => {
    const inexact = imports(files).filter(
      ({ specifier, to }) => !/\.(tsx?|json|mjs|svg|css)$/.test(specifier) || !exists(to),
    );
    expect(inexact.map(shown)).toEqual([]);
  });

  it("has one barrel", () => {
    const barrels = production.filter((path) =>
      /^export\s+(?:type\s+)?(?:\{[^}]*\}|\*[\w\s]*)\s*from\s/m.test(code(path)),
    );
    expect(barrels.filter((path) => path !== "index.ts")).toEqual([]);
  });

  it("exports by name", () => {
    expect(production.filter((path) => /^export default\b/m.test(code(path)))).toEqual([]);
  });

  it("has files short enough to have one subject", () => {
    const long = production.filter((path) => !tables.includes(path) && text(path).split("\n").length - 1 > longest);
    expect(long).toEqual([]);
    expect(tables.filter((path) => !files.includes(path))).toEqual([]);
  });

  it("has folders that can be taken in at a glance", () => {
    const entries = new Map<string, Set<string>>();
    for (const path of production) {
      const parts = path.split("/");
      for (let depth = 1; depth <= parts.length; depth++) {
        const folder = parts.slice(0, depth - 1).join("/");
        entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[depth - 1]!));
      }
    }
    const full = [...entries].filter(([, names]) => names.size > fullest);
    expect(full.map(([folder, names]) => `${folder}: ${names.size}`)).toEqual([]);
  });

  it("calls no two exported types the same, those of tests included", () => {
    const declared = [...files, ...tests].flatMap((path) =>
      [...code(path).matchAll(/^export (?:type|interface|class) (\w+)/gm)].map((match) => ({ name: match[1]!, path })),
    );
    const twice = declared.filter(({ name }, index) => declared.findIndex((other) => other.name === name) !== index);
    expect(twice.map(({ name, path }) => `${name}: ${path}`)).toEqual([]);
  });

  it("registers no hook of tests in a module that several test files share: it would be the first file's only", () => {
    const shared = [...files, ...tests].filter(
      (path) => !path.endsWith(".test.ts") && !path.endsWith("unchanged-process.ts"),
    );
    expect(shared.filter((path) => /^(?:before|after)(?:All|Each)\(/m.test(code(path)))).toEqual([]);
  });

  it("asks for properties of a source, not for its name: a new source has no branch to find", () => {
    const names = sourceNames.join("|");
    const branch = new RegExp(
      `\\bsource\\)?\\s*[!=]==\\s*"|[!=]==\\s*sourceOf\\(|\\bcase "(?:${names})":|\\["(?:${names})"[^\\]]*\\](?: as [\\w\\s[\\]]+\\))?\\)?\\.includes\\(`,
    );
    const rooms = ["pipeline", "formats", "results", "explain"];
    const lines = production
      .filter((path) => rooms.includes(roomOf(path)))
      .flatMap((path) =>
        code(path)
          .split("\n")
          .map((line) => `${path}: ${line.trim()}`),
      );
    expect(lines.filter((line) => branch.test(line))).toEqual([]);
    expect(branch.test('if (item.source === "note") return;')).toBe(true);
  });

  it("is typed throughout", () => {
    const untyped = /(?::\s*|\bas\s+|<)any\b(?=\s*[;,)>\]=[{|&]|\s*$)|,\s*any>/m;
    expect(files.filter((path) => untyped.test(code(path)))).toEqual([]);
  });

  it("swallows no error without a word", () => {
    expect(production.filter((path) => /catch\s*(\([^)]*\)\s*)?\{\s*\}/.test(code(path)))).toEqual([]);
  });
});

/** The first folder, or the file itself at the top: "pipeline", "errors". */
function roomOf(path: string): string {
  return path.split("/")[0]!.replace(/\.tsx?$/, "");
}

/** Stages are numbered as they run; the rest of the pipeline's room is shared by several. */
function stageOf(path: string): string | undefined {
  return /^pipeline\/(\d)-/.exec(path)?.[1];
}

/** Imports that go from one folder inside a room to another one inside it. */
function between(all: Import[], room: string): Import[] {
  const part = (path: string) => (path.split("/").length > 2 ? path.split("/")[1]! : "");
  return all.filter(
    ({ from, to }) =>
      roomOf(from) === room && roomOf(to) === room && part(from) !== "" && part(to) !== "" && part(from) !== part(to),
  );
}

function reaches(from: string, goal: string, seen = new Set<string>()): boolean {
  return (mayImport[from] ?? []).some((next) => {
    if (next === goal) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    return reaches(next, goal, seen);
  });
}

/** Every import of an own file: static, re-exported, dynamic, and `types`: those for types only. */
function imports(paths: string[], types = true): Import[] {
  return paths.flatMap((from) => {
    const patterns = [
      types
        ? /^\s*(?:import|export)\s+[\w\s$,*{}]*?\bfrom\s*["']([^"']+)["']/gm
        : /^\s*(?:import|export)\s+(?!type\s)[\w\s$,*{}]*?\bfrom\s*["']([^"']+)["']/gm,
      /^\s*import\s*["']([^"']+)["']/gm,
      /\bimport\(\s*["']([^"']+)["']/g,
      /\bnew URL\(\s*["'](\.[^"']+\.ts)["']/g,
    ];
    const specifiers = patterns.flatMap((pattern) => [...code(from).matchAll(pattern)].map((match) => match[1]!));
    return specifiers
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => ({ from, specifier, to: resolve(from, specifier) }))
      .filter(({ to }) => !to.startsWith(".."));
  });
}

function resolve(from: string, specifier: string): string {
  return relative(source, join(source, dirname(from), specifier))
    .split(sep)
    .join("/");
}

function exists(path: string): boolean {
  return files.includes(path) || /\.(json|mjs|svg|css)$/.test(path);
}

function text(path: string): string {
  return readFileSync(join(source, path), "utf8");
}

/**
 * Without comments, which may speak about imports and types. Strings are kept: a glob in one may look like a comment.
 */
function code(path: string): string {
  const stringOrComment = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return text(path).replace(stringOrComment, (_, kept?: string) => kept ?? "");
}

function shown({ from, to }: Import): string {
  return `${from} -> ${to}`;
}

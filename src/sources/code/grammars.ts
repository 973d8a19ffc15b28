import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { brotliDecompress } from "node:zlib";
import type { Parser } from "web-tree-sitter";
import { builtFile } from "../../package.ts";
import {
  type CopierProgram,
  copierProgram,
  type ParserExports,
  type ParserMemory,
  type TreeCopier,
  treeCopier,
} from "./copy-tree.ts";
import type { Grammar } from "./languages.ts";

/** A grammar ready to parse, with the meaning of its numbers. */
export type LoadedGrammar = {
  parser: Parser;
  typeNames: string[];
  isNamed: boolean[];
  memory: ParserMemory;
  copier: TreeCopier;
};

type Library = typeof import("web-tree-sitter") & { copier: TreeCopier };
type Engine = {
  memory: ParserMemory;
  library: Promise<Library>;
  grammars: Map<string, Promise<LoadedGrammar>>;
  /** Grammars are loaded one after the other: compiler flags apply to the whole process. */
  last: Promise<unknown>;
};

// Resolved relative to this module, so it works from the source tree, from a bundle and from an installed package.
const require = createRequire(import.meta.url);

let engine: Engine | undefined;

/** The files of the grammars that are worth optimising; undefined for all except the heavy ones. */
let worthOptimising: ReadonlySet<string> | undefined;

/**
 * Declares which grammars will read much text; the others are loaded without optimisation. Optimising one takes 0.2 to
 * 0.8 s, even for a single small file.
 */
export function expectGrammars(much: readonly Grammar[]): void {
  worthOptimising = new Set(much.map(({ file }) => file));
}

/** Loads a grammar on first use. */
export function loadGrammar(grammar: Grammar): Promise<LoadedGrammar> {
  engine ??= startEngine();
  const { grammars, library, memory } = engine;
  let ready = grammars.get(grammar.file);
  if (!ready) {
    ready = engine.last.then(async () => load(await library, grammar, memory));
    // A grammar that fails to load must not fail the next ones; its own caller gets the error.
    engine.last = ready.then(
      () => undefined,
      () => undefined,
    );
    grammars.set(grammar.file, ready);
  }
  return ready;
}

/**
 * After a trap (stack or memory ran out on hostile text) the parser's memory cannot be trusted: the next file gets a
 * new instance, and the old one can be collected.
 */
export function abandonEngine(): void {
  engine = undefined;
}

// Node 20's types do not declare `WebAssembly`, although the runtime has it.
const { Memory, Instance, compile } = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
type WebAssemblyLike = {
  Memory: new (limits: object) => ParserMemory;
  Instance: new (module: object, imports: object) => { exports: object };
  compile(bytes: Uint8Array): Promise<object>;
};
const page = 65_536;

function startEngine(): Engine {
  const memory = new Memory({ initial: (32 << 20) / page, maximum: (192 << 20) / page });
  return { memory, library: startLibrary(memory), grammars: new Map(), last: Promise.resolve() };
}

async function startLibrary(wasmMemory: ParserMemory): Promise<Library> {
  const library = ownCopy();
  const program = await compile(await readFile(require.resolve("web-tree-sitter/web-tree-sitter.wasm")));
  let parserExports: object | undefined;
  let copier: CopierProgram | undefined;
  await library.Parser.init({
    // The module is instantiated here, because its exports are needed here too.
    instantiateWasm(imports: object, receive: (instance: object, module: object) => void) {
      const instance = new Instance(program, imports);
      parserExports = instance.exports;
      copier = copierProgram(parserExports, wasmMemory);
      receive({ exports: { ...parserExports, calloc: copier.calloc } }, program);
      return {};
    },
    wasmMemory,
    // The module would print "Aborted()" although the trap is handled.
    printErr: () => undefined,
  });
  return { ...library, copier: treeCopier(copier!, parserExports as ParserExports, wasmMemory) };
}

/**
 * A private copy of the parser's module. The module can be initialised only once, and the program that uses this
 * library, or another copy of the library, may use the same package. It is loaded by a separate `require`, which keeps
 * no abandoned copy alive.
 */
function ownCopy(): typeof import("web-tree-sitter") {
  const path = require.resolve("web-tree-sitter");
  const theirs = require.cache[path];
  delete require.cache[path];
  try {
    return createRequire(import.meta.url)(path);
  } finally {
    if (theirs) require.cache[path] = theirs;
    else delete require.cache[path];
  }
}

async function load(
  { Language, Parser, copier }: Library,
  grammar: Grammar,
  memory: ParserMemory,
): Promise<LoadedGrammar> {
  const bytes = await wasmOf(grammar);
  const isOptimised = !grammar.heavy && worthOptimising?.has(grammar.file) !== false;
  const language = await (isOptimised ? Language.load(bytes) : withoutOptimising(() => Language.load(bytes)));
  const typeNames = language.types.slice();
  // 65535 is the parser's type for syntax errors; it is stored as type 0, which no node has.
  typeNames[0] = "ERROR";
  return {
    parser: new Parser().setLanguage(language),
    typeNames,
    isNamed: typeNames.map((_, id) => language.nodeTypeIsNamed(id)),
    memory,
    copier,
  };
}

/** The build puts grammars of development dependencies into dist. */
async function wasmOf(grammar: Grammar): Promise<Uint8Array> {
  if (!grammar.bundled) return readFile(require.resolve(`${grammar.package}/${grammar.file}`));
  return promisify(brotliDecompress)(await readFile(builtFile(`grammars/${grammar.file}.br`)));
}

/**
 * The compiler flags for a module that must not be optimised, and the usual ones. Node 20 decides when it loads a
 * module whether its functions may be optimised; later versions give each module a budget of calls when it is loaded.
 */
const [notOptimised, asUsual] =
  Number(process.versions.node.split(".")[0]) < 22
    ? ["--liftoff-only", "--no-liftoff-only"]
    : ["--wasm-tiering-budget=2000000000", "--wasm-tiering-budget=13000000"];

/**
 * Compiles a module without optimisation. The flag applies only during this compilation, so other grammars stay
 * optimised, which makes them parse twice as fast.
 */
async function withoutOptimising<T>(compile: () => Promise<T>): Promise<T> {
  setFlagsFromString(notOptimised!);
  try {
    return await compile();
  } finally {
    setFlagsFromString(asUsual!);
  }
}

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { Language, Parser, type Tree } from "web-tree-sitter";
import { type Grammar, type LanguageId, languageOf } from "./languages.ts";
import { none, type SyntaxTree } from "./tree.ts";

/** Larger files are read line by line: a tree costs some 50 bytes for each byte of text. */
export const longestParsed = 2_000_000;
/** Longest time one file may take; only hostile text comes near it. */
const longestMilliseconds = 5_000;

// Resolved as Node resolves packages from this very module, so it works from the source tree, from a
// bundle and from an installed package alike.
const require = createRequire(import.meta.url);

type Loaded = {
  parser: Parser;
  typeNames: string[];
  isNamed: boolean[];
  /** By the list they were made for: which types are not looked into. */
  leaves: WeakMap<Leaves, Uint8Array>;
};

/** Types that are copied without what is inside them, which saves a third of the copying. */
export type Leaves = {
  always: readonly string[];
  /** Strings: looked into only where a brace says that code may be inside. */
  withoutBraces: readonly string[];
};

const loaded = new Map<string, Promise<Loaded>>();
let started: Promise<void> | undefined;
/** Grammars are loaded one after the other: the compiler's flags are the process's, not the grammar's. */
let loading: Promise<unknown> = Promise.resolve();

function load(grammar: Grammar): Promise<Loaded> {
  let ready = loaded.get(grammar.file);
  if (!ready) {
    ready = loading.then(() => loadAnew(grammar));
    // A grammar that fails to load must not fail those after it; whoever asked for it is told.
    loading = ready.then(
      () => undefined,
      () => undefined,
    );
    loaded.set(grammar.file, ready);
  }
  return ready;
}

async function loadAnew(grammar: Grammar): Promise<Loaded> {
  started ??= Parser.init({ locateFile: () => require.resolve("web-tree-sitter/web-tree-sitter.wasm") });
  await started;
  const bytes = await readFile(require.resolve(`${grammar.package}/${grammar.file}`));
  const language = await (grammar.heavy && stalls
    ? withoutOptimising(() => Language.load(bytes))
    : Language.load(bytes));
  const typeNames = language.types.slice();
  // 65535 is the parser's own type for what it could not read; it is kept as type 0, which no node has.
  typeNames[0] = "ERROR";
  return {
    parser: new Parser().setLanguage(language),
    typeNames,
    isNamed: typeNames.map((_, id) => language.nodeTypeIsNamed(id)),
    leaves: new WeakMap(),
  };
}

const stalls = Number(process.versions.node.split(".")[0]) < 22;

/**
 * The flag counts at the moment a module is compiled, so the other grammars stay optimised: they parse twice as
 * fast as without.
 */
async function withoutOptimising<T>(compile: () => Promise<T>): Promise<T> {
  setFlagsFromString("--liftoff-only");
  try {
    return await compile();
  } finally {
    setFlagsFromString("--no-liftoff-only");
  }
}

/** The syntax tree of a text; undefined when the language has no grammar or the text is too large or too hard to read in time. */
export async function parse(id: LanguageId, text: string, leaves: Leaves): Promise<SyntaxTree | undefined> {
  const { grammar } = languageOf(id);
  if (!grammar || text.length > longestParsed) return undefined;
  const ready = await load(grammar);
  const { parser } = ready;
  const deadline = performance.now() + longestMilliseconds;
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
  if (!tree) {
    parser.reset();
    return undefined;
  }
  try {
    return copy(tree, text, ready, leafTypes(ready, leaves));
  } finally {
    tree.delete();
  }
}

const never = 1;
const unlessBraces = 2;

function leafTypes({ typeNames, leaves: known }: Loaded, leaves: Leaves): Uint8Array {
  let types = known.get(leaves);
  if (!types) {
    types = Uint8Array.from(typeNames, (name) =>
      leaves.always.includes(name) ? never : leaves.withoutBraces.includes(name) ? unlessBraces : 0,
    );
    known.set(leaves, types);
  }
  return types;
}

function copy(tree: Tree, text: string, { typeNames, isNamed }: Loaded, leaves: Uint8Array): SyntaxTree {
  let room = Math.max(64, text.length >> 2);
  let types = new Uint16Array(room);
  let roles = new Uint8Array(room);
  let starts = new Uint32Array(room);
  let ends = new Uint32Array(room);
  let parents = new Int32Array(room);
  let after = new Int32Array(room);
  let count = 0;
  let parent = none;
  const cursor = tree.walk();
  try {
    for (;;) {
      const type = cursor.nodeTypeId;
      const isError = type === 65535;
      if (isError || isNamed[type]) {
        if (count === room) {
          room *= 2;
          types = grown(types, new Uint16Array(room));
          roles = grown(roles, new Uint8Array(room));
          starts = grown(starts, new Uint32Array(room));
          ends = grown(ends, new Uint32Array(room));
          parents = grown(parents, new Int32Array(room));
          after = grown(after, new Int32Array(room));
        }
        types[count] = isError ? 0 : type;
        roles[count] = cursor.currentFieldId;
        starts[count] = cursor.startIndex;
        ends[count] = cursor.endIndex;
        parents[count] = parent;
        count++;
        const leaf = isError ? 0 : leaves[type]!;
        const enter =
          leaf === 0 || (leaf === unlessBraces && text.slice(starts[count - 1], ends[count - 1]).includes("{"));
        if (enter && cursor.gotoFirstChild()) {
          parent = count - 1;
          continue;
        }
        after[count - 1] = count;
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) {
          return {
            text,
            count,
            types,
            typeNames,
            roles,
            fieldNames: tree.language.fields,
            starts,
            ends,
            after,
            parents,
          };
        }
        after[parent] = count;
        parent = parents[parent]!;
      }
    }
  } finally {
    cursor.delete();
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

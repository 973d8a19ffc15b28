import type { Tree } from "web-tree-sitter";
import { abandonEngine, type LoadedGrammar, loadGrammar } from "./grammars.ts";
import type { Grammar } from "./languages.ts";
import { none, type SyntaxTree } from "./tree.ts";

/** Larger files are read line by line. */
export const longestParsed = 2_000_000;
/** Longest time one file may take; only hostile text comes near it. */
const longestMilliseconds = 5_000;
/** Memory one file may make the parser grow to: a megabyte of real code takes less than 40. */
const mostMemory = 128 << 20;
/** Code nests a few dozen deep; the parser's own stack gives way at some tens of thousands. */
const deepestNesting = 1_000;

/** Types that are copied without what is inside them, which saves a third of the copying. */
export type Leaves = {
  always: readonly string[];
  /** Strings: looked into only where a brace says that code may be inside. */
  withoutBraces: readonly string[];
};

/** The syntax tree of a text; undefined when it is too large, too deep or too slow to read. */
export async function parse(grammar: Grammar, text: string, leaves: Leaves): Promise<SyntaxTree | undefined> {
  if (text.length > longestParsed || isTooDeep(text)) return undefined;
  const ready = await loadGrammar(grammar);
  try {
    return parseNow(ready, text, leaves);
  } catch (error) {
    // A trap in the parser, or the call stack's end inside it.
    if (!(error instanceof Error && (error.name === "RuntimeError" || error instanceof RangeError))) throw error;
    abandonEngine();
    return undefined;
  }
}

function parseNow(grammar: LoadedGrammar, text: string, leaves: Leaves): SyntaxTree | undefined {
  const { parser, memory } = grammar;
  const deadline = performance.now() + longestMilliseconds;
  const most = Math.max(mostMemory, memory.buffer.byteLength);
  const tree = parser.parse(text, null, {
    progressCallback: () => memory.buffer.byteLength > most || performance.now() > deadline,
  });
  if (!tree) {
    parser.reset();
    return undefined;
  }
  try {
    return copy(tree, text, grammar, leafTypes(grammar.typeNames, leaves), deadline);
  } finally {
    tree.delete();
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > deepestNesting) return true;
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--;
  }
  return false;
}

const never = 1;
const unlessBraces = 2;

const leafTypesByGrammar = new WeakMap<readonly string[], WeakMap<Leaves, Uint8Array>>();

function leafTypes(typeNames: readonly string[], leaves: Leaves): Uint8Array {
  let known = leafTypesByGrammar.get(typeNames);
  if (!known) {
    known = new WeakMap();
    leafTypesByGrammar.set(typeNames, known);
  }
  let types = known.get(leaves);
  if (!types) {
    types = Uint8Array.from(typeNames, (name) =>
      leaves.always.includes(name) ? never : leaves.withoutBraces.includes(name) ? unlessBraces : 0,
    );
    known.set(leaves, types);
  }
  return types;
}

function copy(
  tree: Tree,
  text: string,
  { typeNames, isNamed }: LoadedGrammar,
  leaves: Uint8Array,
  deadline: number,
): SyntaxTree | undefined {
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
        // Asking for the role of the last of many thousand siblings is slow where a grammar nests them unseen.
        if ((count & 1023) === 1023 && performance.now() > deadline) return undefined;
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

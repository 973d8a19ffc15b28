import { enteredForBraces, named, neverEntered } from "./copy-tree.ts";
import { abandonEngine, type LoadedGrammar, loadGrammar } from "./grammars.ts";
import type { Grammar } from "./languages.ts";
import type { SyntaxTree } from "./tree.ts";

/** Larger files are read line by line. */
export const longestParsed = 2_000_000;
/** Limits per file, of the clock and of the processor: only hostile text comes near both. */
const longestMilliseconds = 5_000;
const mostProcessorMilliseconds = 3_000;
/** Limit of the parser's memory per file: a megabyte of real code takes less than 40. */
const mostMemory = 128 << 20;
/** Limit of nesting. Code nests a few dozen levels; the parser's own stack overflows at some tens of thousands. */
const deepestNesting = 1_000;
/**
 * UTF-16 units of text that the parser copies at a time. It copies again whenever it steps back, and scanners that look
 * at indentation step back for each token: at its own 5,119 units, copying was half of what reading Scala takes, and a
 * third of Julia.
 */
const unitsAtOnce = 256;
/**
 * Code may contain a few terminal colour codes in strings. If there is more than one per this many characters, the
 * whole text is terminal output.
 */
const charactersPerColour = 60;

/** Types that are copied without their descendants, which saves a third of the copying. */
export type Leaves = {
  always: readonly string[];
  /** Strings: entered only where a brace shows that code may be inside. */
  withoutBraces: readonly string[];
};

/** The syntax tree of a text; undefined when it is too large, too deep or too slow to parse. */
export async function parse(grammar: Grammar, text: string, leaves: Leaves): Promise<SyntaxTree | undefined> {
  if (text.length > longestParsed || isTooDeep(text) || isColoured(text)) return undefined;
  const ready = await loadGrammar(grammar);
  try {
    return parseNow(ready, text, leaves);
  } catch (error) {
    // Only a trap in the parser or a stack overflow inside it is handled.
    if (!(error instanceof Error && (error.name === "RuntimeError" || error instanceof RangeError))) throw error;
    abandonEngine();
    return undefined;
  }
}

function parseNow(grammar: LoadedGrammar, text: string, leaves: Leaves): SyntaxTree | undefined {
  const { parser, memory } = grammar;
  // Each text gets a new scanner, so that state left by one text cannot change how the next is read.
  parser.setLanguage(parser.language);
  const isLate = timeLimit();
  const most = Math.max(mostMemory, memory.buffer.byteLength);
  const tree = parser.parse((at) => text.slice(at, at + unitsAtOnce), null, {
    progressCallback: () => memory.buffer.byteLength > most || isLate(),
  });
  if (!tree) {
    parser.reset();
    return undefined;
  }
  try {
    const nodes = grammar.copier.copy(tree, text, kindsOf(grammar, leaves), isLate);
    return nodes && { text, typeNames: grammar.typeNames, fieldNames: tree.language.fields, ...nodes };
  } finally {
    tree.delete();
  }
}

/**
 * True once both limits are reached. With the clock alone, the result for a large file would depend on the load of the
 * machine.
 */
function timeLimit(): () => boolean {
  const [began, processor] = [performance.now(), process.cpuUsage()];
  return () => {
    if (performance.now() - began <= longestMilliseconds) return false;
    const { user, system } = process.cpuUsage(processor);
    return (user + system) / 1000 > mostProcessorMilliseconds;
  };
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

/**
 * True for terminal output of code, with colour codes between all words: no grammar can parse it, and each takes up to
 * a thousand times as long as for code of this size.
 */
function isColoured(text: string): boolean {
  let sequences = 0;
  for (let at = text.indexOf("\x1b["); at >= 0; at = text.indexOf("\x1b[", at + 1)) sequences++;
  return sequences * charactersPerColour > text.length;
}

const kindsByGrammar = new WeakMap<readonly string[], WeakMap<Leaves, Uint8Array>>();

/** By type number, whether a node is copied, and whether it is entered. */
function kindsOf({ typeNames, isNamed }: LoadedGrammar, leaves: Leaves): Uint8Array {
  let byLeaves = kindsByGrammar.get(typeNames);
  if (!byLeaves) {
    byLeaves = new WeakMap();
    kindsByGrammar.set(typeNames, byLeaves);
  }
  let types = byLeaves.get(leaves);
  if (!types) {
    types = Uint8Array.from(typeNames, (name, id) => {
      const leaf = leaves.always.includes(name)
        ? neverEntered
        : leaves.withoutBraces.includes(name)
          ? enteredForBraces
          : 0;
      return leaf | (isNamed[id] ? named : 0);
    });
    byLeaves.set(leaves, types);
  }
  return types;
}

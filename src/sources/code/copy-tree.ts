import type { Tree } from "web-tree-sitter";
import { none, type SyntaxTree } from "./tree.ts";
import { treeCopierBytes } from "./tree-copier.ts";

/** What the parser's own program offers, as far as a copy needs it. */
export type ParserExports = { ts_init(): number; malloc(bytes: number): number; free(address: number): void };

/** What the parser allocates from: it grows and never shrinks. */
export type ParserMemory = { readonly buffer: ArrayBuffer };

/** By type number: what becomes of a node. */
export const named = 1;
export const neverEntered = 2;
export const enteredForBraces = 4;

/** Number of the parser's own type for what it could not read. */
const errorType = 65_535;

/** Copies trees out of the parser's memory. One for each parser program, since it walks in that one's memory. */
export type TreeCopier = {
  /** The named nodes of a tree; undefined when the deadline comes first. `kinds` has a byte for each type. */
  copy(tree: Tree, text: string, kinds: Uint8Array, deadline: number): CopiedNodes | undefined;
};

type CopiedNodes = Pick<SyntaxTree, "count" | "types" | "roles" | "starts" | "ends" | "after" | "parents">;

type Program = {
  begin(): void;
  depth(): number;
  copy(tree: number, out: number, room: number, kinds: number, braces: number, braceCount: number): number;
};

/** Nodes that are copied at once, and numbers for each: few enough to look at the clock in between. */
const nodesAtOnce = 2048;
const numbersPerNode = 5;
/** Braces that there is room for at first. */
const usualBraces = 4096;

// The types of Node 20 do not declare it; the runtime has it.
const { Instance, Module } = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
type WebAssemblyLike = {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
};

export function treeCopier(parser: ParserExports, memory: ParserMemory): TreeCopier {
  const program = new Instance(new Module(Buffer.from(treeCopierBytes, "base64")), { parser: { ...parser, memory } })
    .exports as Program;
  const transfer = parser.ts_init();
  const out = parser.malloc(nodesAtOnce * numbersPerNode * 4);
  const kindsAt = parser.malloc(errorType + 1);
  let braceRoom = usualBraces;
  let bracesAt = parser.malloc(braceRoom * 4);
  let loaded: Uint8Array | undefined;

  /** A grammar's kinds stay where they are until another grammar's are wanted. */
  const load = (kinds: Uint8Array) => {
    if (loaded === kinds) return;
    const table = new Uint8Array(memory.buffer, kindsAt, errorType + 1).fill(0);
    table.set(kinds.subarray(0, errorType));
    table[errorType] = named;
    loaded = kinds;
  };

  /** Where the braces of a text are, ascending. */
  const loadBraces = (text: string): number => {
    const places: number[] = [];
    for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", at + 1)) places.push(at);
    if (places.length > braceRoom) {
      parser.free(bracesAt);
      braceRoom = places.length * 2;
      bracesAt = parser.malloc(braceRoom * 4);
    }
    new Uint32Array(memory.buffer, bracesAt, braceRoom).set(places);
    return places.length;
  };

  return {
    copy(tree, text, kinds, deadline) {
      load(kinds);
      const braceCount = loadBraces(text);
      const cursor = tree.walk();
      const address = (tree as unknown as number[])[0]!;
      const nodes = new NodeArrays(Math.max(64, text.length >> 2));
      program.begin();
      let isLate = false;
      do {
        const count = program.copy(address, out, nodesAtOnce, kindsAt, bracesAt, braceCount);
        // Growing memory has another buffer.
        nodes.add(new Uint32Array(memory.buffer, out, count * numbersPerNode), count);
        isLate = performance.now() > deadline;
      } while (program.depth() >= 0 && !isLate);
      // The cursor's own copy of where it is may point at memory that has been given back since.
      const state = new Int32Array(memory.buffer, transfer, 4);
      for (let i = 0; i < 4; i++) (cursor as unknown as number[])[i] = state[i]!;
      cursor.delete();
      return program.depth() >= 0 ? undefined : nodes.finished();
    },
  };
}

/** Nodes in the order of the text: the depth of each says which of those before it are around it. */
class NodeArrays {
  #count = 0;
  #types: Uint16Array;
  #roles: Uint8Array;
  #starts: Uint32Array;
  #ends: Uint32Array;
  #parents: Int32Array;
  #after: Int32Array;
  /** The nodes around the next one, outermost first. */
  readonly #open: number[] = [];

  constructor(room: number) {
    this.#types = new Uint16Array(room);
    this.#roles = new Uint8Array(room);
    this.#starts = new Uint32Array(room);
    this.#ends = new Uint32Array(room);
    this.#parents = new Int32Array(room);
    this.#after = new Int32Array(room);
  }

  add(numbers: Uint32Array, count: number): void {
    if (this.#count + count > this.#types.length) this.#grow(this.#count + count);
    const open = this.#open;
    for (let i = 0, at = 0; i < count; i++, at += numbersPerNode) {
      const node = this.#count++;
      const type = numbers[at]!;
      const depth = numbers[at + 4]!;
      while (open.length > depth) this.#after[open.pop()!] = node;
      // What could not be read is kept as type 0, which no node has.
      this.#types[node] = type === errorType ? 0 : type;
      this.#roles[node] = numbers[at + 1]!;
      this.#starts[node] = numbers[at + 2]!;
      this.#ends[node] = numbers[at + 3]!;
      this.#parents[node] = open.length > 0 ? open[open.length - 1]! : none;
      open.push(node);
    }
  }

  finished(): CopiedNodes {
    while (this.#open.length > 0) this.#after[this.#open.pop()!] = this.#count;
    return {
      count: this.#count,
      types: this.#types,
      roles: this.#roles,
      starts: this.#starts,
      ends: this.#ends,
      after: this.#after,
      parents: this.#parents,
    };
  }

  #grow(least: number): void {
    const room = Math.max(least, this.#types.length * 2);
    this.#types = grown(this.#types, new Uint16Array(room));
    this.#roles = grown(this.#roles, new Uint8Array(room));
    this.#starts = grown(this.#starts, new Uint32Array(room));
    this.#ends = grown(this.#ends, new Uint32Array(room));
    this.#parents = grown(this.#parents, new Int32Array(room));
    this.#after = grown(this.#after, new Int32Array(room));
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

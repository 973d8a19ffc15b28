import type { Tree } from "web-tree-sitter";
import { none, type SyntaxTree } from "./tree.ts";
import { treeCopierBytes } from "./tree-copier.ts";

/** The functions of the parser's WebAssembly module that a copy needs. */
export type ParserExports = { ts_init(): number; malloc(bytes: number): number; free(address: number): void };

/** The parser's memory: it grows and never shrinks. */
export type ParserMemory = { readonly buffer: ArrayBuffer };

/** Flags by type number: how a node is copied. */
export const named = 1;
export const neverEntered = 2;
export const enteredForBraces = 4;

/** The parser's type number for syntax errors. */
const errorType = 65_535;

/** Copies trees out of the parser's memory. One per parser instance, since it runs in that memory. */
export type TreeCopier = {
  /**
   * The named nodes of a tree; undefined when `isLate` returns true before the end. `kinds` has a byte for each type.
   */
  copy(tree: Tree, text: string, kinds: Uint8Array, isLate: () => boolean): CopiedNodes | undefined;
};

type CopiedNodes = Pick<SyntaxTree, "count" | "types" | "roles" | "starts" | "ends" | "after" | "parents">;

export type CopierProgram = {
  /** Passed to grammars in place of the parser's own function. */
  calloc: object;
  begin(): void;
  depth(): number;
  copy(tree: number, out: number, room: number, kinds: number, braces: number, braceCount: number): number;
};

/** Nodes per batch, and numbers per node: small enough to check the clock in between. */
const nodesAtOnce = 2048;
const numbersPerNode = 5;
/** Initial capacity for braces. */
const usualBraces = 4096;

// Node 20's types do not declare `WebAssembly`, although the runtime has it.
const { Instance, Module } = (globalThis as unknown as { WebAssembly: WebAssemblyLike }).WebAssembly;
type WebAssemblyLike = {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
};

export function copierProgram(parser: object, memory: ParserMemory): CopierProgram {
  return new Instance(new Module(Buffer.from(treeCopierBytes, "base64")), { parser: { ...parser, memory } })
    .exports as CopierProgram;
}

export function treeCopier(program: CopierProgram, parser: ParserExports, memory: ParserMemory): TreeCopier {
  const transfer = parser.ts_init();
  const out = parser.malloc(nodesAtOnce * numbersPerNode * 4);
  const kindsAt = parser.malloc(errorType + 1);
  let braceRoom = usualBraces;
  let bracesAt = parser.malloc(braceRoom * 4);
  let loaded: Uint8Array | undefined;

  /** A grammar's kinds stay in memory until another grammar needs the space. */
  const load = (kinds: Uint8Array) => {
    if (loaded === kinds) return;
    const table = new Uint8Array(memory.buffer, kindsAt, errorType + 1).fill(0);
    table.set(kinds.subarray(0, errorType));
    table[errorType] = named;
    loaded = kinds;
  };

  /** Offsets of the braces in a text, ascending. */
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
    copy(tree, text, kinds, isLate) {
      load(kinds);
      const braceCount = loadBraces(text);
      const cursor = tree.walk();
      const address = (tree as unknown as number[])[0]!;
      const nodes = new NodeArrays(Math.max(64, text.length >> 2));
      program.begin();
      do {
        const count = program.copy(address, out, nodesAtOnce, kindsAt, bracesAt, braceCount);
        // After memory has grown, it has a new buffer.
        nodes.add(new Uint32Array(memory.buffer, out, count * numbersPerNode), count);
      } while (program.depth() >= 0 && !isLate());
      // The cursor's own copy of its position may point at freed memory.
      const state = new Int32Array(memory.buffer, transfer, 4);
      for (let i = 0; i < 4; i++) (cursor as unknown as number[])[i] = state[i]!;
      cursor.delete();
      return program.depth() >= 0 ? undefined : nodes.finished();
    },
  };
}

/** Nodes in text order: the depth of each node shows which earlier nodes contain it. */
class NodeArrays {
  #count = 0;
  #types: Uint16Array;
  #roles: Uint8Array;
  #starts: Uint32Array;
  #ends: Uint32Array;
  #parents: Int32Array;
  #after: Int32Array;
  /** The ancestors of the next node, outermost first. */
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
      // Syntax errors are stored as type 0, which no node has.
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

import { kernelOf } from "../../stores/search/instantiate.ts";
import type { ItemTerms } from "../../stores/store.ts";
import { stopWords } from "../../text/analysis/analyse.ts";
import { stemmerTables } from "../../text/analysis/stem.ts";
import { addTerms, fields, packKeys, stepOf, type TermField, type TermKeys } from "../../text/analysis/terms.ts";
import { termHashes } from "../terms.ts";
import { termCounterBytes } from "./kernel.ts";

/** Counts the terms of a file's items, and of the file itself. */
export type TermCounter = {
  /** Adds the terms of a text to the item, and also to the file if `inFile` is true. */
  add(text: string | undefined, field: TermField, inFile: boolean): void;
  /** Marks the terms added so far as the path's: every item and the file contain them. */
  keepPath(): void;
  beginItem(): void;
  packItem(): ItemTerms;
  packFile(): ItemTerms;
  /** True when there was no room for all terms: the counts are wrong. */
  readonly isFull: boolean;
};

/** A counter in JavaScript, for texts that the kernel has no room for. */
export function listCounter(): TermCounter {
  const file: TermKeys = [];
  let path: TermKeys = [];
  let item: TermKeys = [];
  return {
    isFull: false,
    add(text, field, inFile) {
      const hashes = termHashes(text);
      addTerms(item, field, hashes);
      if (inFile) addTerms(file, field, hashes);
    },
    keepPath() {
      path = item;
    },
    beginItem() {
      item = path.slice();
    },
    packItem: () => packKeys(item),
    packFile: () => packKeys(file),
  };
}

type Kernel = {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  tables: { value: number };
  free: { value: number };
  setTables(step2: number, step3: number, step4: number, irregular: number, kept: number): void;
  addStopWord(address: number): void;
  place(item: number, file: number, path: number, spare: number, bytes: number): void;
  keepPath(): void;
  beginItem(): void;
  add(at: number, size: number, field: number, inFile: number): number;
  addHashes(at: number, count: number, field: number, inFile: number): number;
  itemCount(): number;
  fileCount(): number;
  packItem(): number;
  packFile(): number;
};

const page = 65_536;
/** Fewest characters per term for which there is room; code has a term for every four characters or so. */
const charactersPerTerm = 2;
const leastTerms = 8192;
/** Longer texts are counted in JavaScript: WebAssembly memory is never given back. */
const longestText = 4_000_000;

let opened: { kernel: Kernel; bytes: Buffer } | undefined;

/**
 * A counter in WebAssembly, or in JavaScript if WebAssembly cannot run or the text is too long. `characters`: the
 * length of the file's text and path.
 */
export function openTermCounter(characters: number): TermCounter {
  opened ??= openKernel();
  if (!opened || characters > longestText) return listCounter();
  const { kernel } = opened;
  const listBytes = (Math.ceil(characters / charactersPerTerm) + leastTerms) * 8;
  const [item, file, spare, path] = [0, 1, 2, 3].map((index) => kernel.free.value + index * listBytes);
  const textAt = path! + listBytes;
  // A letter takes up to three bytes, and one byte follows the text.
  const longest = characters + leastTerms;
  const end = textAt + longest * 3 + 4;
  const missing = end - kernel.memory.buffer.byteLength;
  if (missing > 0) {
    kernel.memory.grow(Math.ceil(missing / page));
    opened.bytes = Buffer.from(kernel.memory.buffer);
  }
  const { bytes } = opened;
  kernel.place(item!, file!, path!, spare!, listBytes);
  const packed = (length: number, size: number): ItemTerms => ({
    terms: new Uint8Array(bytes.buffer.slice(spare!, spare! + size)),
    length,
  });
  let isFull = false;
  return {
    get isFull() {
      return isFull;
    },
    add(text, field, inFile) {
      if (text === undefined || text === "") return;
      if (text.length > longest) {
        isFull = true;
        return;
      }
      const index = fields.indexOf(field);
      const size = bytes.write(text, textAt, "utf8");
      // If there are as many bytes as letters, the text is ASCII. Other text is analysed in JavaScript.
      const isAdded =
        size === text.length
          ? kernel.add(textAt, size, index, inFile ? 1 : 0)
          : addHashes(kernel, bytes, textAt, longest, termHashes(text), index, inFile);
      if (!isAdded) isFull = true;
    },
    keepPath: kernel.keepPath,
    beginItem: kernel.beginItem,
    packItem: () => packed(kernel.itemCount(), kernel.packItem()),
    packFile: () => packed(kernel.fileCount(), kernel.packFile()),
  };
}

function addHashes(
  kernel: Kernel,
  bytes: Buffer,
  at: number,
  longest: number,
  hashes: readonly number[],
  field: number,
  inFile: boolean,
): number {
  if (hashes.length * 4 > longest * 3) return 0;
  hashes.forEach((hash, index) => {
    bytes.writeUInt32LE(hash, at + index * 4);
  });
  return kernel.addHashes(at, hashes.length, field, inFile ? 1 : 0);
}

function openKernel(): { kernel: Kernel; bytes: Buffer } | undefined {
  const kernel = kernelOf<Kernel>(termCounterBytes);
  if (!kernel) return undefined;
  const bytes = Buffer.from(kernel.memory.buffer);
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code);
    bytes[256 + code] = /[\w$]/.test(character) ? 1 : /[.\-']/.test(character) ? 2 : 0;
  }
  bytes.set(stepOf, 512);
  let at = kernel.tables.value;
  const put = (...parts: (number | string)[]): void => {
    for (const part of parts) {
      if (typeof part === "number") bytes[at++] = part;
      else at += bytes.write(part, at, "latin1");
    }
  };
  /** Writes a table and a zero after it; returns the table's address. */
  const table = (write: () => void): number => {
    const start = at;
    write();
    put(0);
    return start;
  };
  const { step2, step3, step4, irregular, kept } = stemmerTables;
  const endings = (list: readonly (readonly [string, string])[]) =>
    table(() => {
      for (const [ending, replacement] of list)
        put(ending.length, replacement.length, ruleOf[ending] ?? 0, ending, replacement);
    });
  kernel.setTables(
    endings(step2),
    endings(step3),
    endings(step4),
    table(() => {
      for (const [word, stem] of Object.entries(irregular)) put(word.length, word, stem.length, stem);
    }),
    table(() => {
      for (const word of kept) put(word.length, word);
    }),
  );
  for (const word of stopWords) {
    const start = at;
    put(word.length, word);
    kernel.addStopWord(start);
  }
  return { kernel, bytes };
}

/** Endings with a rule of their own, by its number in the kernel. */
const ruleOf: Record<string, number> = { ogi: 1, li: 2, ative: 3, ion: 4 };

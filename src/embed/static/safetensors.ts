import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { DossierError } from "../../errors.ts";

/** One tensor of a safetensors file: its type, its shape, and the position of its bytes. */
export type TensorInfo = { type: TensorType; shape: number[]; start: number; end: number };

type TensorType = keyof typeof bytesOf;

/** The types that occur in static models. */
const bytesOf = { F64: 8, F32: 4, F16: 2, BF16: 2, I8: 1, I32: 4, I64: 8 };

/** A header of this size would name a million tensors. */
const longestHeader = 100 * 1024 * 1024;

/**
 * An opened safetensors file: eight bytes with the length of the header, the header in JSON, the bytes of the tensors.
 * Tensors are read on demand, whole or by rows: a question needs ten rows of a table of thirty thousand.
 */
export class SafetensorsFile {
  readonly tensors: ReadonlyMap<string, TensorInfo>;
  readonly #file: number;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "r");
    try {
      this.tensors = this.#readHeader();
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** The tensor's numbers, in the order of the file. */
  read(name: string): Numbers {
    const { type, start, end } = this.#tensor(name);
    return numbersOf(type, this.#bytes(start, end));
  }

  /** One row of a two-dimensional tensor. */
  readRow(name: string, row: number): Numbers {
    const { type, shape, start } = this.#tensor(name);
    const length = shape[1]! * bytesOf[type];
    return numbersOf(type, this.#bytes(start + row * length, start + (row + 1) * length));
  }

  close(): void {
    closeSync(this.#file);
  }

  #tensor(name: string): TensorInfo {
    const info = this.tensors.get(name);
    if (!info) throw this.#damaged(`has no tensor "${name}"`);
    return info;
  }

  #readHeader(): Map<string, TensorInfo> {
    const size = fstatSync(this.#file).size;
    if (size < 10) throw this.#damaged("is too short");
    const length = Number(new DataView(this.#bytes(0, 8).buffer).getBigUint64(0, true));
    if (length > longestHeader || length + 8 > size) throw this.#damaged("does not begin with a header");
    let header: unknown;
    try {
      header = JSON.parse(new TextDecoder().decode(this.#bytes(8, 8 + length)));
    } catch (error) {
      throw this.#damaged("does not begin with a header", error);
    }
    if (typeof header !== "object" || header === null) throw this.#damaged("does not begin with a header");
    const tensors = new Map<string, TensorInfo>();
    for (const [name, entry] of Object.entries(header)) {
      // Skips entries that are not tensors, and types that no static model uses.
      if (name === "__metadata__" || !isEntry(entry) || !(entry.dtype in bytesOf)) continue;
      const type = entry.dtype as TensorType;
      const [start, end] = entry.data_offsets.map((offset) => offset + 8 + length) as [number, number];
      const bytes = entry.shape.reduce((product, part) => product * part, bytesOf[type]);
      if (end - start !== bytes || start < 8 + length || end > size) {
        throw this.#damaged(`is cut short, or its header is wrong about the tensor "${name}"`);
      }
      tensors.set(name, { type, shape: entry.shape, start, end });
    }
    return tensors;
  }

  /** Copied into its own memory, so that a view of any type may begin at its first byte. */
  #bytes(start: number, end: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(end - start);
    // One read returns at most 2 GB.
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#file, bytes, at, Math.min(bytes.length - at, 1 << 30), start + at);
      if (read === 0) throw this.#damaged("is cut short");
      at += read;
    }
    return bytes;
  }

  #damaged(problem: string, cause?: unknown): DossierError {
    return new DossierError(
      "model-damaged",
      `${this.#path} ${problem}: ${basename(this.#path)} is not a whole safetensors file.`,
      { cause },
    );
  }
}

/**
 * Numbers as they are in the file, so that a table takes no more memory than its file. Half floats are looked up in
 * `decoded`.
 */
export type Numbers = {
  values: Float64Array | Float32Array | Int32Array | Int8Array | Uint16Array;
  decoded?: Float32Array;
};

/** Adds `length` numbers from `start` on, multiplied by `weight`, to a sum. */
export function addNumbers(sum: Float32Array, { values, decoded }: Numbers, start: number, weight: number): void {
  const length = sum.length;
  if (decoded) for (let i = 0; i < length; i++) sum[i]! += decoded[values[start + i]!]! * weight;
  else for (let i = 0; i < length; i++) sum[i]! += values[start + i]! * weight;
}

/** The numbers of a small tensor, decoded. */
export function decodedNumbers({ values, decoded }: Numbers): ArrayLike<number> {
  return decoded ? Float32Array.from(values, (bits) => decoded[bits]!) : values;
}

function numbersOf(type: TensorType, { buffer }: Uint8Array<ArrayBuffer>): Numbers {
  switch (type) {
    case "F64":
      return { values: new Float64Array(buffer) };
    case "F32":
      return { values: new Float32Array(buffer) };
    case "F16":
      return { values: new Uint16Array(buffer), decoded: halfFloats() };
    case "BF16":
      return { values: new Uint16Array(buffer), decoded: brainFloats() };
    case "I8":
      return { values: new Int8Array(buffer) };
    case "I32":
      return { values: new Int32Array(buffer) };
    case "I64":
      return { values: Float64Array.from(new BigInt64Array(buffer), Number) };
  }
}

let halves: Float32Array | undefined;
let brains: Float32Array | undefined;

/** The values of the 65,536 half floats: one sign bit, five bits of exponent, ten of fraction. */
function halfFloats(): Float32Array {
  halves ??= Float32Array.from({ length: 1 << 16 }, (_, bits) => {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });
  return halves;
}

/** A bfloat16 is the upper half of a 32-bit float. */
function brainFloats(): Float32Array {
  brains ??= new Float32Array(Uint32Array.from({ length: 1 << 16 }, (_, bits) => bits << 16).buffer);
  return brains;
}

type Entry = { dtype: string; shape: number[]; data_offsets: [number, number] };

function isEntry(entry: unknown): entry is Entry {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Partial<Entry>;
  const areCounts = (list: unknown) => Array.isArray(list) && list.every((n) => Number.isSafeInteger(n) && n >= 0);
  return typeof dtype === "string" && areCounts(shape) && areCounts(offsets) && offsets!.length === 2;
}

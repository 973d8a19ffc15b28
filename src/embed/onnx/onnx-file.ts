import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { DossierError } from "../../errors.ts";

/**
 * Reads an ONNX file without a runtime. The file is one protobuf message. Only these fields are read: the names
 * of the inputs, the shapes of the outputs, and the size of the vocabulary table.
 */
export type OnnxGraph = {
  inputs: string[];
  outputs: { name: string; shape: (number | undefined)[] }[];
  /** Components of a vector: the last dimension of the first output. */
  dimensions: number;
  /** Rows of the vocabulary table; undefined if it cannot be recognised. */
  vocabulary?: number;
};

// Numbers of the fields in onnx.proto: ModelProto, GraphProto, TensorProto, ValueInfoProto, TypeProto,
// TensorShapeProto.
const graphField = 7;
const initializerField = 5;
const inputField = 11;
const outputField = 12;

export function readGraph(path: string): OnnxGraph {
  const file = new FileBytes(path);
  let graph: Omit<OnnxGraph, "dimensions"> | undefined;
  try {
    for (const part of fieldsOf(file, file.whole)) {
      if (part.field === graphField && part.message) graph = parseGraph(file, part.message);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw notOnnx(path, error);
  } finally {
    file.close();
  }
  if (!graph || graph.inputs.length === 0 || graph.outputs.length === 0) throw notOnnx(path);
  const dimensions = graph.outputs[0]!.shape.at(-1);
  if (dimensions === undefined || !graph.inputs.includes("input_ids")) {
    throw new DossierError(
      "model-damaged",
      `${path} is a model that takes ${graph.inputs.join(", ")}, not one that turns text into vectors.`,
    );
  }
  return { ...graph, dimensions };
}

function notOnnx(path: string, cause?: unknown): DossierError {
  return new DossierError("model-damaged", `${path} is not an ONNX model, or not a whole one.`, { cause });
}

function parseGraph(file: FileBytes, graph: Range): Omit<OnnxGraph, "dimensions"> {
  const inputs: string[] = [];
  const outputs: OnnxGraph["outputs"] = [];
  const weights = new Set<string>();
  let vocabulary: number | undefined;
  for (const { field, message } of fieldsOf(file, graph)) {
    if (!message) continue;
    if (field === inputField) inputs.push(parseValue(file, message).name);
    if (field === outputField) outputs.push(parseValue(file, message));
    if (field !== initializerField) continue;
    const { name, shape } = parseTensor(file, message);
    weights.add(name);
    if (/word_embeddings|embed_tokens/.test(name) && shape.length === 2) vocabulary = shape[0];
  }
  // Older files list their weights among the inputs.
  return { inputs: inputs.filter((name) => !weights.has(name)), outputs, vocabulary };
}

function parseTensor(file: FileBytes, tensor: Range): { name: string; shape: number[] } {
  const shape: number[] = [];
  let name = "";
  for (const { field, value, message } of fieldsOf(file, tensor)) {
    if (field === 8 && message) name = file.text(message);
    if (field !== 1) continue;
    // The dimensions are packed into one field, or each has its own.
    if (message) for (let at = message.start; at < message.end; ) [shape[shape.length], at] = varint(file, at);
    else shape.push(value);
  }
  return { name, shape };
}

function parseValue(file: FileBytes, described: Range): { name: string; shape: (number | undefined)[] } {
  const shape: (number | undefined)[] = [];
  let name = "";
  for (const { field, message } of fieldsOf(file, described)) {
    if (!message) continue;
    if (field === 1) name = file.text(message);
    if (field !== 2) continue;
    for (const tensor of inside(file, message, 1)) {
      for (const dimensions of inside(file, tensor, 2)) {
        for (const dimension of inside(file, dimensions, 1)) {
          shape.push([...fieldsOf(file, dimension)].find((part) => part.field === 1 && !part.message)?.value);
        }
      }
    }
  }
  return { name, shape };
}

function* inside(file: FileBytes, range: Range, wantedField: number): Generator<Range> {
  for (const { field, message } of fieldsOf(file, range)) if (field === wantedField && message) yield message;
}

type Range = { start: number; end: number };
type Field = { field: number; value: number; message?: Range };

/** The fields of a protobuf message, in sequence. Throws a RangeError for invalid bytes. */
function* fieldsOf(file: FileBytes, range: Range): Generator<Field> {
  for (let at = range.start; at < range.end; ) {
    let tag: number;
    [tag, at] = varint(file, at);
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (field === 0) throw new RangeError("field 0");
    let value = 0;
    let end = at;
    if (wire === 0) [value, end] = varint(file, at);
    else if (wire === 1) end = at + 8;
    else if (wire === 5) end = at + 4;
    else if (wire === 2) {
      [value, at] = varint(file, at);
      end = at + value;
    } else throw new RangeError(`wire type ${wire}`);
    if (end > range.end) throw new RangeError("cut short");
    yield wire === 2 ? { field, value, message: { start: at, end } } : { field, value };
    at = end;
  }
}

/** Reads a number with seven bits per byte; returns it with its end. */
function varint(file: FileBytes, start: number): [number, number] {
  let value = 0;
  for (let at = start, scale = 1; at < start + 10; at++, scale *= 128) {
    const byte = file.byteAt(at);
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at + 1];
  }
  throw new RangeError("a number without an end");
}

/** A longer field is not read as a name. */
const longestText = 10_000;

/** Reads a file's bytes on demand, so that the weights, which are nearly all of it, are skipped. */
class FileBytes {
  readonly whole: Range;
  readonly #file: number;
  readonly #window = Buffer.alloc(16 * 1024);
  #start = 0;
  #length = 0;

  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.whole = { start: 0, end: fstatSync(this.#file).size };
  }

  byteAt(at: number): number {
    if (at < this.#start || at >= this.#start + this.#length) {
      this.#start = at;
      this.#length = readSync(this.#file, this.#window, 0, this.#window.length, at);
    }
    if (this.#length === 0) throw new RangeError("cut short");
    return this.#window[at - this.#start]!;
  }

  text({ start, end }: Range): string {
    if (end - start > longestText) throw new RangeError("a name too long");
    return Buffer.from(Array.from({ length: end - start }, (_, i) => this.byteAt(start + i))).toString("utf8");
  }

  close(): void {
    closeSync(this.#file);
  }
}

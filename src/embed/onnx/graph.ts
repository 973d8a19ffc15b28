import { readFileSync } from "node:fs";
import { DossierError } from "../../errors.ts";

/**
 * What an ONNX file says of its model, read without a runtime. The file is one protobuf message; of its thousands of fields
 * four are looked at: the names of the inputs, the shapes of the outputs, and the size of the table of pieces.
 */
export type Graph = {
  inputs: string[];
  outputs: { name: string; shape: (number | undefined)[] }[];
  /** Components of a vector: the last dimension of the first output. */
  dimensions: number;
  /** Rows of the table that pieces are looked up in, where it can be told from the others. */
  vocabulary?: number;
};

// Numbers of the fields in onnx.proto: ModelProto, GraphProto, TensorProto, ValueInfoProto, TypeProto, TensorShapeProto.
const graphField = 7;
const initializerField = 5;
const inputField = 11;
const outputField = 12;

export function readGraph(path: string): Graph {
  const bytes = readFileSync(path);
  let graph: Omit<Graph, "dimensions"> | undefined;
  try {
    graph = parseModel(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw notOnnx(path, error);
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

function parseModel(bytes: Buffer): Omit<Graph, "dimensions"> | undefined {
  let graph: Omit<Graph, "dimensions"> | undefined;
  for (const { field, message } of fieldsOf(bytes)) if (field === graphField && message) graph = parseGraph(message);
  return graph;
}

function parseGraph(bytes: Buffer): Omit<Graph, "dimensions"> {
  const inputs: string[] = [];
  const outputs: Graph["outputs"] = [];
  const weights = new Set<string>();
  let vocabulary: number | undefined;
  for (const { field, message } of fieldsOf(bytes)) {
    if (!message) continue;
    if (field === inputField) inputs.push(parseValue(message).name);
    if (field === outputField) outputs.push(parseValue(message));
    if (field !== initializerField) continue;
    const { name, shape } = parseTensor(message);
    weights.add(name);
    if (/word_embeddings|embed_tokens/.test(name) && shape.length === 2) vocabulary = shape[0];
  }
  // Older files list their weights among the inputs.
  return { inputs: inputs.filter((name) => !weights.has(name)), outputs, vocabulary };
}

function parseTensor(bytes: Buffer): { name: string; shape: number[] } {
  const shape: number[] = [];
  let name = "";
  for (const { field, value, message } of fieldsOf(bytes)) {
    if (field === 8 && message) name = message.toString("utf8");
    if (field !== 1) continue;
    // Packed into one field, or each in its own.
    if (message) for (let at = 0; at < message.length; ) [shape[shape.length], at] = varint(message, at);
    else shape.push(value);
  }
  return { name, shape };
}

function parseValue(bytes: Buffer): { name: string; shape: (number | undefined)[] } {
  const shape: (number | undefined)[] = [];
  let name = "";
  for (const { field, message } of fieldsOf(bytes)) {
    if (!message) continue;
    if (field === 1) name = message.toString("utf8");
    if (field !== 2) continue;
    for (const tensor of inside(message, 1)) {
      for (const dimensions of inside(tensor, 2)) {
        for (const dimension of inside(dimensions, 1)) {
          shape.push([...fieldsOf(dimension)].find((part) => part.field === 1 && !part.message)?.value);
        }
      }
    }
  }
  return { name, shape };
}

function* inside(bytes: Buffer, wanted: number): Generator<Buffer> {
  for (const { field, message } of fieldsOf(bytes)) if (field === wanted && message) yield message;
}

type Field = { field: number; value: number; message?: Buffer };

/** The fields of a protobuf message, one after the other. Throws a RangeError where the bytes are none. */
function* fieldsOf(bytes: Buffer): Generator<Field> {
  for (let at = 0; at < bytes.length; ) {
    let tag: number;
    [tag, at] = varint(bytes, at);
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (field === 0) throw new RangeError("field 0");
    let value = 0;
    let end = at;
    if (wire === 0) [value, end] = varint(bytes, at);
    else if (wire === 1) end = at + 8;
    else if (wire === 5) end = at + 4;
    else if (wire === 2) {
      [value, at] = varint(bytes, at);
      end = at + value;
    } else throw new RangeError(`wire type ${wire}`);
    if (end > bytes.length) throw new RangeError("cut short");
    yield wire === 2 ? { field, value, message: bytes.subarray(at, end) } : { field, value };
    at = end;
  }
}

/** A number of seven bits a byte, and where it ends. */
function varint(bytes: Buffer, start: number): [number, number] {
  let value = 0;
  for (let at = start, scale = 1; at < start + 10; at++, scale *= 128) {
    const byte = bytes[at];
    if (byte === undefined) throw new RangeError("cut short");
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at + 1];
  }
  throw new RangeError("a number without an end");
}

/** Minimal ONNX files for tests: a graph with names and shapes, and nothing that could run. */

export type GraphShape = {
  inputs: string[];
  outputs: Record<string, (number | string)[]>;
  weights?: Record<string, number[]>;
};

export function onnxFile({ inputs, outputs, weights = {} }: GraphShape): Buffer {
  const graph = Buffer.concat([
    ...Object.entries(weights).map(([name, shape]) =>
      field(5, Buffer.concat([field(1, Buffer.concat(shape.map(varint))), field(8, Buffer.from(name))])),
    ),
    ...inputs.map((name) => field(11, value(name, ["batch", "sequence"]))),
    ...Object.entries(outputs).map(([name, shape]) => field(12, value(name, shape))),
  ]);
  // The first field is a version of the format, as a number.
  return Buffer.concat([varint(8), varint(9), field(7, graph)]);
}

function value(name: string, shape: (number | string)[]): Buffer {
  const dimensions = shape.map((size) =>
    field(1, typeof size === "number" ? Buffer.concat([varint(8), varint(size)]) : field(2, Buffer.from(size))),
  );
  const tensor = Buffer.concat([varint(8), varint(1), field(2, Buffer.concat(dimensions))]);
  return Buffer.concat([field(1, Buffer.from(name)), field(2, field(1, tensor))]);
}

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);
}

function varint(number: number): Buffer {
  const bytes: number[] = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

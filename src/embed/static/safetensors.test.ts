import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { DossierError } from "../../errors.ts";
import { safetensors, temporaryFolder } from "../model.cases.ts";
import { addNumbers, decodedNumbers, SafetensorsFile } from "./safetensors.ts";

describe("SafetensorsFile", () => {
  it("reads every type that static models come in", () => {
    const file = open(
      safetensors({
        double: { dtype: "F64", shape: [2], data: Float64Array.of(1.5, -2) },
        float: { dtype: "F32", shape: [2], data: Float32Array.of(1.5, -2) },
        // 1.5, -2, the smallest half float, and infinity.
        half: { dtype: "F16", shape: [4], data: Uint16Array.of(0x3e00, 0xc000, 1, 0x7c00) },
        brain: { dtype: "BF16", shape: [2], data: Uint16Array.of(0x3fc0, 0xc000) },
        byte: { dtype: "I8", shape: [2], data: Int8Array.of(127, -128) },
        int: { dtype: "I32", shape: [2], data: Int32Array.of(7, -7) },
        long: { dtype: "I64", shape: [2], data: BigInt64Array.of(7n, -7n) },
      }),
    );
    const numbers = (name: string) => [...Array.from(decodedNumbers(file.read(name)))];
    expect(numbers("double")).toEqual([1.5, -2]);
    expect(numbers("float")).toEqual([1.5, -2]);
    expect(numbers("half")).toEqual([1.5, -2, 2 ** -24, Number.POSITIVE_INFINITY]);
    expect(numbers("brain")).toEqual([1.5, -2]);
    expect(numbers("byte")).toEqual([127, -128]);
    expect(numbers("int")).toEqual([7, -7]);
    expect(numbers("long")).toEqual([7, -7]);
  });

  it("reads one row as it is in the whole", () => {
    const data = Float32Array.from({ length: 12 }, (_, i) => i);
    const file = open(safetensors({ table: { dtype: "F32", shape: [4, 3], data } }));
    expect(decodedNumbers(file.readRow("table", 2))).toEqual(Float32Array.of(6, 7, 8));
    const sum = Float32Array.of(1, 1, 1);
    addNumbers(sum, file.read("table"), 6, 2);
    expect(sum).toEqual(Float32Array.of(13, 15, 17));
  });

  it("passes over types that no static model is made of", () => {
    const file = open(safetensors({ flags: { dtype: "BOOL", shape: [2], data: Uint8Array.of(0, 1) } }));
    expect(file.tensors.size).toBe(0);
  });

  it("says of a file that is cut short, or is another thing, that it is not whole", () => {
    const whole = safetensors({ table: { dtype: "F32", shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) } });
    for (const bytes of [Buffer.alloc(0), Buffer.from("PK\x03\x04 an archive"), whole.subarray(0, whole.length - 1)]) {
      expect(() => open(bytes)).toThrowError(
        expect.objectContaining({
          code: "model-damaged",
          message: expect.stringContaining("not a whole safetensors file"),
        }),
      );
    }
  });

  it("fails only with that sentence, whatever the bytes are", () => {
    const whole = safetensors({ table: { dtype: "F32", shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) } });
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }), (at, patch) => {
        const bytes = Buffer.from(whole);
        bytes.set(patch.subarray(0, bytes.length - at), at);
        try {
          const file = open(bytes);
          for (const name of file.tensors.keys()) file.read(name);
        } catch (error) {
          expect(error).toBeInstanceOf(DossierError);
        }
      }),
    );
  });
});

function open(bytes: Buffer): SafetensorsFile {
  const path = join(temporaryFolder(), "model.safetensors");
  writeFileSync(path, bytes);
  const file = new SafetensorsFile(path);
  onTestFinished(() => file.close());
  return file;
}

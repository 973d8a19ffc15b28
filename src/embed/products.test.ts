import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kernelModule } from "../../scripts/build-kernel.ts";
import { openProducts, type Products, type SparseMatrix } from "./products.ts";

describe("the products of training", () => {
  it("are the same in WebAssembly and in JavaScript, to the last digits", () => {
    const size = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(
        size,
        size,
        fc.integer({ min: 1, max: 21 }),
        fc.infiniteStream(number),
        (rows, width, block, numbers) => {
          const matrix = sparse(rows, width, numbers);
          const [inKernel, inJavaScript] = [openProducts(matrix, block), openProducts(matrix, block, { simd: false })];
          expect(inKernel.stride).toBe(inJavaScript.stride);
          const start = Float32Array.from(inKernel.wide, () => numbers.next().value);
          const square = Float64Array.from({ length: inKernel.stride ** 2 }, () => numbers.next().value);
          const [results, expected] = [inKernel, inJavaScript].map((products) => run(products, start, square));
          for (const [index, values] of results!.entries()) {
            expect(values.length).toBe(expected![index]!.length);
            const scale = Math.max(1, ...expected![index]!.map(Math.abs));
            for (const [at, value] of values.entries()) {
              expect(Math.abs(value - expected![index]![at]!) / scale).toBeLessThan(1e-5);
            }
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it("are made from the kernel's source as it stands", async () => {
    const folder = new URL("./", import.meta.url);
    const source = await readFile(new URL("products.wat", folder), "utf8");
    const compiled = await kernelModule(source, "products", "productsBytes");
    expect(await readFile(new URL("products-kernel.ts", folder), "utf8")).toBe(compiled);
  });
});

const number = fc.double({ min: -2, max: 2, noNaN: true });

/** All four products, one after the other; the square matrix once as it is and once with nothing below its diagonal. */
function run(products: Products, start: Float32Array, square: Float64Array): number[][] {
  const { wide, long, stride } = products;
  wide.set(start);
  products.multiply();
  const results = [[...long], [...products.gram(long)]];
  products.multiplyTransposed();
  results.push([...wide], [...products.gram(wide)]);
  products.turn(wide, square, false);
  results.push([...wide]);
  const triangle = square.map((value, at) => (at % stride < Math.floor(at / stride) ? 0 : value));
  products.turn(long, triangle, true);
  results.push([...long]);
  return results;
}

function sparse(rows: number, width: number, numbers: Iterator<number>): SparseMatrix {
  const starts = [0];
  const columns: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < width; column++) {
      const value = numbers.next().value as number;
      if (value < 0.5) continue;
      columns.push(column);
      values.push(value);
    }
    starts.push(values.length);
  }
  // Longer than what is in use, as training makes them.
  columns.push(0, 0);
  values.push(0, 0);
  return {
    rows,
    width,
    starts: Uint32Array.from(starts),
    columns: Uint32Array.from(columns),
    values: Float32Array.from(values),
  };
}

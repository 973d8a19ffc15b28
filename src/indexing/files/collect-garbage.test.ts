import { expect, it } from "vitest";
import { collectGarbage } from "./collect-garbage.ts";

it("frees what nothing holds any more, and leaves no way to do so behind", () => {
  collectGarbage();
  let objects: object[] | undefined = Array.from({ length: 400_000 }, (_, i) => ({ i, text: `text ${i}` }));
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  expect(objects.length).toBe(400_000);
  objects = undefined;
  collectGarbage();
  expect(process.memoryUsage().heapUsed).toBeLessThan(before - 10_000_000);
  expect("gc" in globalThis).toBe(false);
});

import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folder } from "../../../../tests/workspace.ts";
import { sampleFile } from "../../cases/store.samples.ts";
import type { Filter, Hit, StoreChange, VectorSearch } from "../../store.ts";
import { openSqliteStore } from "../engine/open.ts";

const paths = ["a.py", "b.py", "c.py", "d.py", "e.py"];

/** A unit without a vector, or one of a few, so that several are equally near. */
const unit = fc.record({
  name: fc.constantFrom("one", "two", "three", "four"),
  vector: fc.constantFrom<number[] | undefined>(undefined, [9, 1, 0], [1, 9, 0], [0, 1, 9]),
  test: fc.boolean(),
});
const file = fc
  .record({
    path: fc.constantFrom(...paths),
    units: fc.uniqueArray(unit, { maxLength: 3, selector: ({ name }) => name }),
    version: fc.constantFrom("", "# later"),
  })
  .map(({ path, units, version }) => {
    const sampled = units.map(({ name, vector, test }) => ({
      name,
      text: `def ${name}(): ${version}`,
      vector,
      item: test ? { test: true as const } : {},
    }));
    return sampleFile(path, sampled);
  });
const change: fc.Arbitrary<StoreChange> = fc.record({
  files: fc.uniqueArray(file, { maxLength: 3, selector: ({ path }) => path }),
  removed: fc.subarray(paths, { maxLength: 2 }),
});
/**
 * One write, by this process or another one; and whether a question comes before the next. Numbers of removed files are
 * given to others.
 */
const step = fc.record({
  change,
  owner: fc.constantFrom("me", "me", "you"),
  byOther: fc.nat(5).map((number) => number === 0),
  asks: fc.boolean(),
});

const filters: (Filter | undefined)[] = [undefined, { tests: true }, { tests: false }];
const searches: VectorSearch[] = filters.flatMap((filter) =>
  [2, 100].map((limit) => ({ vector: Int8Array.of(9, 2, 1), limit, filter })),
);

describe("a store that answers between writes", () => {
  it("finds what a store that was opened afterwards finds, in the same order", async () => {
    const base = folder({});
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const path = join(base, `${count++}.db`);
        const [store, other] = [await openSqliteStore(path), await openSqliteStore(path)];
        const found = async (asked: typeof store): Promise<Hit[][]> =>
          Promise.all(searches.map((search) => asked.searchVectors("me", search)));
        for (const { change, owner, byOther, asks } of steps) {
          await (byOther ? other : store).write(owner, change);
          if (!asks) continue;
          const fresh = await openSqliteStore(path, { readOnly: true });
          expect(await found(store)).toEqual(await found(fresh));
          await fresh.close();
        }
        await store.close();
        await other.close();
      }),
      { numRuns: 60 },
    );
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BundleStore } from "../bundles.ts";
import type { Store } from "../store.ts";

/** What every engine must do with bundles. */
export function bundleCases(engine: string, open: () => Promise<Store>): void {
  describe(`bundles in ${engine}`, () => {
    let store: Store;
    let bundles: BundleStore;
    beforeEach(async () => {
      store = await open();
      bundles = store.bundles;
    });
    afterEach(() => store.close());
    const bytes = (...values: number[]) => Uint8Array.from(values);
    const read = async (owner: string, name: string) => {
      const bundle = await bundles.get(owner, name);
      return bundle && [...bundle];
    };

    it("gives back what was put, to its owner only", async () => {
      await bundles.put("me", "bun-1", bytes(1, 2), 9);
      await bundles.put("you", "bun-2", bytes(3), 9);
      expect(await read("me", "bun-1")).toEqual([1, 2]);
      expect(await read("you", "bun-1")).toBeUndefined();
      expect(await read("me", "bun-2")).toBeUndefined();
    });

    it("holds nothing, and the same name twice as it came last", async () => {
      await bundles.put("me", "bun-1", bytes(), 9);
      expect(await read("me", "bun-1")).toEqual([]);
      await bundles.put("me", "bun-1", bytes(7), 9);
      expect(await read("me", "bun-1")).toEqual([7]);
    });

    it("forgets the oldest of an owner, and what is put again is not old", async () => {
      await bundles.put("you", "bun-0", bytes(0), 2);
      for (const each of [1, 2, 1, 3]) await bundles.put("me", `bun-${each}`, bytes(each), 2);
      expect(await Promise.all([1, 2, 3].map((each) => read("me", `bun-${each}`)))).toEqual([[1], undefined, [3]]);
      expect(await read("you", "bun-0")).toEqual([0]);
    });
  });
}

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runs } from "../../../tests/seed.ts";
import { type Note, relations } from "../../note.ts";
import { noteItemId } from "../graph.ts";
import type { Store } from "../store.ts";
import { NaiveGraph } from "./graph.cases.model.ts";

/** The engine against the reference model. */
export function graphPropertyCases(name: string, open: () => Promise<Store>): void {
  describe(`${name} graph, whatever is written`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    it("answers like a graph without indexes after any sequence of writes", async () => {
      const { graph } = store;
      let run = 0;
      await fc.assert(
        fc.asyncProperty(steps, fc.integer({ min: 0, max: 4 }), async (sequence, limit) => {
          const owner = `owner ${run++}`;
          const naive = new NaiveGraph();
          for (const { origin, notes, removed, forget } of sequence) {
            if (forget) {
              await graph.forget(owner, origin);
              naive.forget(origin);
            } else {
              await graph.write(owner, origin, { notes, removed });
              naive.write(origin, { notes, removed });
            }
          }
          const ids = origins.flatMap((origin) => allKeys.map((key) => noteItemId(origin, key)));
          expect(await graph.neighbours(owner, ids, relations, limit)).toEqual(naive.neighbours(ids, relations, limit));
          expect(await graph.neighbours(owner, ids, relations, 99)).toEqual(naive.neighbours(ids, relations, 99));
          expect(await graph.ancestors(owner, ids, limit)).toEqual(naive.ancestors(ids, limit));
          expect(await graph.get(owner, ids)).toEqual(naive.get(ids));
          for (const key of [...allKeys, ids[0]!]) expect(await graph.called(owner, key)).toEqual(naive.called(key));
          for (const name of noteNames) expect(await graph.named(owner, name, limit)).toEqual(naive.named(name, limit));
          for (const origin of origins) {
            expect(await graph.hashes(owner, origin)).toEqual(naive.hashes(origin));
            expect(await graph.hashes(owner, origin, "s1")).toEqual(naive.hashes(origin, "s1"));
          }
          expect(await graph.origins(owner)).toEqual(naive.origins());
          expect(await graph.tags(owner, limit)).toEqual(naive.tags(limit));
        }),
        { numRuns: runs(100, 25) },
      );
    });
  });
}

const origins = ["vault", "tana"];
const allKeys = ["a", "b", "c", "dd", "ee", "ff", "é🦊", "nul\0"];
const noteNames = ["One", "one ", "", "Two"];
const key = fc.constantFrom(...allKeys);
const fewKeys = fc.array(key, { maxLength: 4 });

const anyNote = fc
  .record({
    key,
    name: fc.constantFrom(...noteNames),
    aliases: fc.option(fewKeys, { nil: undefined }),
    parent: fc.option(key, { nil: undefined }),
    order: fc.option(fc.constantFrom(0, 1, 2, 70_000, -1), { nil: undefined }),
    references: fewKeys,
    tags: fc.uniqueArray(fc.constantFrom("t", "u", "v"), { maxLength: 2 }),
    values: fewKeys,
  })
  .map(({ key, aliases, parent, order, values, ...rest }): Note => {
    const fields = values.map((value, i) => ({ name: `f${i}`, values: [{ text: value, note: value }, { text: "x" }] }));
    const note: Note = { key, ...rest, fields };
    // Whose alias it is depends on the length of keys, and an engine may have to store this one with other characters.
    if (aliases && key !== "nul\0") note.aliases = aliases;
    if (parent !== undefined) note.parent = parent;
    if (order !== undefined) note.order = order;
    return note;
  });

const steps = fc.array(
  fc.record({
    origin: fc.constantFrom(...origins),
    notes: fc.array(fc.record({ note: anyNote, sheet: fc.constantFrom("s1", "s2"), hash: fc.constantFrom("h", "i") }), {
      maxLength: 8,
    }),
    removed: fewKeys,
    forget: fc.integer({ min: 0, max: 15 }).map((number) => number === 0),
  }),
  { maxLength: 8 },
);

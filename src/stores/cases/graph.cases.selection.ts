import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GraphStore } from "../graph.ts";
import type { Store } from "../store.ts";
import { changesOf, note } from "./graph.samples.ts";

/** Selecting notes by tags and fields. */
export function graphSelectionCases(name: string, open: () => Promise<Store>): void {
  describe(`${name} graph, by what notes are`, () => {
    let store: Store;
    let graph: GraphStore;
    beforeEach(async () => {
      store = await open();
      graph = store.graph;
    });
    afterEach(async () => {
      await store.close();
    });
    const containing = async (names: string[][], owner = "me") => {
      const keys: string[] = [];
      for await (const batch of graph.containing(owner, names)) keys.push(...batch.map(({ key }) => key));
      return keys.sort();
    };
    const field = (called: string, ...values: string[]) => ({ name: called, values: values.map((text) => ({ text })) });

    it("gives the notes that say a name of each list, whatever its case, and all of them without lists", async () => {
      await graph.write(
        "me",
        "vault",
        changesOf([
          note("a", { tags: ["Task"], fields: [field("Due-Date", "2026-01-01")] }),
          note("b", { tags: ["milestone"], inherited: ["task"] }),
          note("c", { tags: ["taskforce"], text: "a task" }),
          note("d", { tags: ['50%_"x"\\'], fields: [field("Fällig", "x")] }),
        ]),
      );
      await graph.write("you", "vault", changesOf([note("e", { tags: ["task"] })]));
      expect(await containing([])).toEqual(["a", "b", "c", "d"]);
      expect(await containing([["task"]])).toEqual(["a", "b"]);
      expect(await containing([["task"], ["due date", "deadline"]])).toEqual(["a"]);
      expect(await containing([['50%_"x"\\']])).toEqual(["d"]);
      expect(await containing([['50%a"x"\\']])).toEqual([]);
      expect(await containing([["FÄLLIG"]])).toEqual(["d"]);
      expect(await containing([[]])).toEqual([]);
      expect(await containing([["task"]], "nobody")).toEqual([]);
    });

    it("tells all of a note but its text, its references and its aliases", async () => {
      const full = note("a", { text: "long", references: ["b"], aliases: ["c"], tags: ["t"], done: true, changed: 5 });
      await graph.write("me", "vault", changesOf([full]));
      for await (const [facts] of graph.containing("me", [])) {
        expect(facts).toMatchObject({ key: "a", origin: "vault", tags: ["t"], done: true, changed: 5 });
        for (const left of ["text", "references", "aliases"]) expect(facts).not.toHaveProperty(left);
      }
    });

    it("gives many notes and long ones in several batches", async () => {
      const many = Array.from({ length: 2500 }, (_, i) => note(`n${i}`, { tags: ["task"] }));
      const long = Array.from({ length: 3 }, (_, i) => note(`l${i}`, { fields: [field("x", "y".repeat(3_000_000))] }));
      await graph.write("me", "vault", changesOf([...many, ...long]));
      let batches = 0;
      let notes = 0;
      for await (const batch of graph.containing("me", [])) {
        batches++;
        notes += batch.length;
      }
      expect(notes).toBe(2503);
      expect(batches).toBeGreaterThan(4);
    });

    it("knows the names of all tags and fields", async () => {
      await graph.write(
        "me",
        "vault",
        changesOf([
          note("a", { tags: ["task"], inherited: ["thing"], fields: [field("Due", "x"), field("Status", "y")] }),
          note("b", { tags: ["task", "area"], fields: [field("Due", "z")] }),
        ]),
      );
      expect(await graph.vocabulary("me")).toEqual({ tags: ["area", "task", "thing"], fields: ["Due", "Status"] });
      expect(await graph.vocabulary("nobody")).toEqual({ tags: [], fields: [] });
    });
  });
}

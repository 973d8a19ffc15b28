import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Note, relations } from "../../note.ts";
import { type GraphStore, noteItemId } from "../graph.ts";
import type { Store } from "../store.ts";
import { graphEdgeCases } from "./graph.cases.edges.ts";
import { graphPropertyCases } from "./graph.cases.property.ts";
import { graphSelectionCases } from "./graph.cases.selection.ts";
import { changesOf, note } from "./graph.samples.ts";

/** What the notes graph of every engine must do. `open` gives a new, empty store each time. */
export function graphCases(name: string, open: () => Promise<Store>): void {
  describe(`${name} graph`, () => {
    let store: Store;
    let graph: GraphStore;
    beforeEach(async () => {
      store = await open();
      graph = store.graph;
    });
    afterEach(async () => {
      await store.close();
    });
    const write = (notes: Note[], removed: string[] = [], origin = "vault", owner = "me") =>
      graph.write(owner, origin, changesOf(notes, removed));
    const id = (key: string, origin = "vault") => noteItemId(origin, key);
    const keys = (notes: { key: string }[]) => notes.map(({ key }) => key);

    it("gives back every field of a note, in the order asked, and leaves out unknown ones", async () => {
      const full: Note = {
        key: "pages/A b.md",
        aliases: ["a b", "A b"],
        name: 'A "quoted" name',
        text: "First\n\nsecond\t`code`",
        tags: ["project", "task"],
        inherited: ["thing"],
        fields: [
          { name: "Status", type: "options", values: [{ text: "Open" }, { text: "Ann", note: "ann" }] },
          { name: "Empty", values: [] },
        ],
        parent: "root",
        order: 3,
        references: ["x", "y", "x"],
        created: -5_000_000_001,
        changed: 253_402_300_799_000,
        done: false,
        place: { path: "pages/A b.md", line: 1 },
      };
      const bare = note("bare", { name: "" });
      await graph.write("me", "vault", {
        notes: [
          { note: full, sheet: "pages/A b.md", hash: "h1" },
          { note: bare, sheet: "other", hash: "h2" },
        ],
        removed: [],
      });
      expect(await graph.get("me", [id("bare"), "not-0000000000000", id("pages/A b.md")])).toStrictEqual([
        { ...bare, id: id("bare"), origin: "vault", sheet: "other" },
        { ...full, id: id("pages/A b.md"), origin: "vault", sheet: "pages/A b.md" },
      ]);
      expect(await graph.get("me", [])).toEqual([]);
    });

    it("hands out notes that cannot be changed by whoever gets them", async () => {
      await write([note("a", { fields: [{ name: "f", values: [{ text: "v" }] }], references: ["b"] })]);
      const [stored] = await graph.get("me", [id("a")]);
      const attempts = [
        () => Object.assign(stored!, { name: "other" }),
        () => stored!.references.push("c"),
        () => stored!.fields[0]!.values.push({ text: "w" }),
        () => Object.assign(stored!.fields[0]!.values[0]!, { text: "w" }),
      ];
      for (const attempt of attempts) expect(attempt).toThrow(TypeError);
    });

    it("keeps any text, and any key, exactly: control characters, any script, lone surrogates, very long ones", async () => {
      const strange = [
        "\u0001\u001f\u007f",
        'a"b\\c\nd',
        '"quoted"',
        "nul\0nul",
        "half \ud83e of it",
        "日本語 العربية 🦊",
        "'; DROP TABLE graph_notes; --",
        "[1,2]",
        "x".repeat(300_000),
        "",
      ];
      const notes = strange.map((text) =>
        note(text, { name: text, text, tags: [text], references: [text, "a"], aliases: [`alias ${text}`] }),
      );
      await graph.write("me", "vault", {
        notes: notes.map((each) => ({ note: each, sheet: each.key, hash: each.key })),
        removed: [],
      });
      expect([...(await graph.hashes("me", "vault")).keys()].sort()).toEqual([...strange].sort());
      for (const each of notes) {
        const whole = { ...each, id: id(each.key), origin: "vault", sheet: each.key };
        expect(await graph.called("me", each.key)).toEqual([whole]);
        expect(await graph.called("me", `alias ${each.key}`)).toEqual([whole]);
        expect(await graph.named("me", each.name, 5)).toEqual(each.name === "" ? [] : [whole]);
        expect([...(await graph.hashes("me", "vault", each.key)).keys()]).toEqual([each.key]);
      }
      await write([], strange);
      expect(await graph.origins("me")).toEqual([counts("vault")]);
    });

    it("keeps origins of any name apart", async () => {
      const names = ["a", 'a"', '"a"', "a\0", "ä", "", "a/b"];
      for (const name of names) await write([note("k", { name: `of ${name}` })], [], name);
      expect(await graph.origins("me")).toEqual([...names].sort().map((name) => counts(name, { notes: 1 })));
      for (const name of names) {
        expect(await graph.get("me", [id("k", name)])).toMatchObject([{ name: `of ${name}`, origin: name }]);
      }
      expect(new Set((await graph.called("me", "k")).map(({ origin }) => origin))).toEqual(new Set(names));
    });

    it("replaces a note that is known; of one that comes twice the last counts, and it stays when it is also removed", async () => {
      await write([note("a", { name: "one", references: ["b"], tags: ["old"] }), note("b"), note("c")]);
      await write([note("a", { name: "two" }), note("a", { name: "three", tags: ["new"] })], ["a", "c", "unknown"]);
      expect(await graph.called("me", "a")).toMatchObject([{ name: "three" }]);
      expect(await graph.neighbours("me", [id("a"), id("b")], relations, 9)).toEqual({ edges: [], more: [] });
      expect([...(await graph.hashes("me", "vault"))]).toEqual([
        ["a", "hash of three"],
        ["b", "hash of b"],
      ]);
      expect(await graph.tags("me", 9)).toEqual([{ name: "new", notes: 1 }]);
      expect(await graph.named("me", "one", 9)).toEqual([]);
    });

    it("lists the hashes of an origin, or of one sheet of it; a note that moves to another sheet leaves its own", async () => {
      const on = (sheet: string, key: string) => ({ note: note(key), sheet, hash: `${sheet} ${key}` });
      await graph.write("me", "vault", { notes: [on("one", "a"), on("one", "b"), on("two", "c")], removed: [] });
      await graph.write("me", "other", { notes: [on("one", "a")], removed: [] });
      expect(await graph.hashes("me", "vault", "one")).toEqual(
        new Map([
          ["a", "one a"],
          ["b", "one b"],
        ]),
      );
      await graph.write("me", "vault", { notes: [on("two", "a")], removed: ["b"] });
      expect(await graph.hashes("me", "vault", "one")).toEqual(new Map());
      expect(await graph.hashes("me", "vault")).toEqual(
        new Map([
          ["a", "two a"],
          ["c", "two c"],
        ]),
      );
      expect(await graph.hashes("me", "other")).toEqual(new Map([["a", "one a"]]));
      expect(await graph.hashes("me", "never")).toEqual(new Map());
    });

    it("finds notes by name whatever its case, blanks around it and way of writing an accent; most edges first", async () => {
      await write([
        note("1", { name: "Café Society" }),
        note("2", { name: "  cafe\u0301 SOCIETY\n", references: ["3"] }),
        note("3", { name: "CAFÉ society" }),
        note("4", { name: "Café", references: ["3"] }),
        note("5", { name: "" }),
        note("6", { name: "  " }),
      ]);
      const named = async (name: string, limit = 9) => keys(await graph.named("me", name, limit));
      expect(await named(" café society")).toEqual(["3", "2", "1"]);
      expect(await named("café society", 1)).toEqual(["3"]);
      expect(await named("café society", 0)).toEqual([]);
      expect(await named("café")).toEqual(["4"]);
      expect(await named("caf")).toEqual([]);
      expect([await named(""), await named(" ")]).toEqual([[], []]);
    });

    it("finds what is called so by key, alias or item id, in every origin", async () => {
      await write([note("a", { aliases: ["first"] }), note("first letter", { aliases: ["b"] })]);
      await write([note("first")], [], "tana");
      const called = async (text: string) => (await graph.called("me", text)).map(({ key, origin }) => [origin, key]);
      expect(await called("a")).toEqual([["vault", "a"]]);
      expect(await called("first")).toEqual([
        ["tana", "first"],
        ["vault", "a"],
      ]);
      expect(await called(id("a"))).toEqual([["vault", "a"]]);
      // The id that a note with the key "first" would have.
      expect(await called(id("first"))).toEqual([]);
      expect(await called("A")).toEqual([]);
      expect(await called("")).toEqual([]);
    });

    it("counts notes, tags, values, mentions and edges that lead nowhere, for each origin", async () => {
      await write([
        note("a", { tags: ["t", "u"], references: ["b", "b", "nowhere"], parent: "none" }),
        note("b", { tags: ["t"], fields: [{ name: "f", values: [{ text: "x" }, { text: "y", note: "gone" }] }] }),
      ]);
      await write([note("a", { references: ["b"], tags: ["t"] })], [], "alpha");
      expect(await graph.origins("me")).toEqual([
        counts("alpha", { notes: 1, tagged: 1, references: 1, dangling: 1 }),
        counts("vault", { notes: 2, tagged: 3, values: 2, references: 3, dangling: 3 }),
      ]);
      expect(await graph.tags("me", 9)).toEqual([
        { name: "t", notes: 3 },
        { name: "u", notes: 1 },
      ]);
      expect(await graph.tags("me", 1)).toEqual([{ name: "t", notes: 3 }]);
      await write([note("nowhere"), note("c", { aliases: ["gone"] })], ["a"], "vault");
      expect((await graph.origins("me"))[1]).toEqual(counts("vault", { notes: 3, tagged: 1, values: 2 }));
    });

    it("forgets one origin and nothing else", async () => {
      const notes = [note("a", { references: ["b"], aliases: ["z"], tags: ["t"] }), note("b", { parent: "a" })];
      await write(notes);
      await write(notes, [], "other");
      await write(notes, [], "vault", "you");
      await graph.forget("me", "vault");
      await graph.forget("me", "never");
      expect(await graph.origins("me")).toMatchObject([{ origin: "other", notes: 2 }]);
      expect((await graph.called("me", "z")).map(({ origin }) => origin)).toEqual(["other"]);
      expect((await graph.neighbours("me", [id("a", "other")], ["child"], 9)).edges).toHaveLength(1);
      expect(await graph.tags("me", 9)).toEqual([{ name: "t", notes: 1 }]);
      expect((await graph.neighbours("you", [id("a")], ["child"], 9)).edges).toHaveLength(1);
      await write([note("c", { references: ["a"] })]);
      expect(await graph.origins("me")).toMatchObject([
        { origin: "other" },
        { origin: "vault", notes: 1, dangling: 1 },
      ]);
    });

    it("never shows one owner the notes of another", async () => {
      await write([note("a", { name: "mine", references: ["b"], tags: ["mine"] })]);
      await write(
        [note("b", { name: "yours", parent: "a", aliases: ["z"] }), note("a", { name: "mine" })],
        [],
        "vault",
        "you",
      );
      expect(await graph.get("me", [id("b")])).toEqual([]);
      expect(await graph.named("me", "yours", 9)).toEqual([]);
      expect(await graph.named("me", "mine", 9)).toHaveLength(1);
      expect([...(await graph.called("me", "z")), ...(await graph.called("me", "b"))]).toEqual([]);
      expect(await graph.neighbours("me", [id("a"), id("b")], relations, 9)).toEqual({ edges: [], more: [] });
      expect(await graph.ancestors("me", [id("b")], 9)).toEqual(new Map());
      expect(await graph.tags("you", 9)).toEqual([]);
      await write([], ["a", "b"]);
      await graph.forget("me", "vault");
      expect(await graph.get("you", [id("a"), id("b")])).toHaveLength(2);
      for (const read of [graph.hashes("nobody", "vault"), graph.origins("nobody"), graph.called("nobody", "a")]) {
        expect([...(await read)]).toEqual([]);
      }
    });

    it("leaves everything as it was when a write fails, and grows the shelf's revision when it does not", async () => {
      const revision = () => store.shelf("note").revision("me");
      await write([note("a", { references: ["b"] })]);
      const before = await revision();
      const broken = { ...note("c"), tags: undefined as unknown as string[] };
      await expect(write([note("b"), broken], ["a"])).rejects.toThrow();
      expect(await revision()).toBe(before);
      expect(await graph.hashes("me", "vault")).toEqual(new Map([["a", "hash of a"]]));
      expect(await graph.origins("me")).toMatchObject([{ notes: 1, dangling: 1 }]);
      await write([note("b")]);
      await graph.forget("me", "vault");
      expect(await revision()).toBe(before + 2);
    });
  });

  graphEdgeCases(name, open);
  graphPropertyCases(name, open);
  graphSelectionCases(name, open);
}

const counts = (origin: string, rest = {}) => ({
  origin,
  notes: 0,
  tagged: 0,
  values: 0,
  references: 0,
  dangling: 0,
  ...rest,
});

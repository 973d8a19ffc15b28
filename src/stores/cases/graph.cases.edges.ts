import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Note, Relation } from "../../note.ts";
import { type GraphStore, noteItemId } from "../graph.ts";
import type { Store } from "../store.ts";
import { changesOf, note } from "./graph.samples.ts";

/** How notes are connected, and their ancestors. */
export function graphEdgeCases(name: string, open: () => Promise<Store>): void {
  describe(`${name} graph's edges`, () => {
    let store: Store;
    let graph: GraphStore;
    beforeEach(async () => {
      store = await open();
      graph = store.graph;
    });
    afterEach(async () => {
      await store.close();
    });
    const write = (notes: Note[], removed: string[] = []) => graph.write("me", "vault", changesOf(notes, removed));
    const id = (key: string) => noteItemId("vault", key);
    /** Keys of the neighbours: `>` for outgoing edges, `<` for incoming ones. */
    const around = async (key: string, relation: Relation, limit = 99) => {
      const { edges } = await graph.neighbours("me", [id(key)], [relation], limit);
      const keys = new Map(
        (
          await graph.get(
            "me",
            edges.map(({ to }) => to),
          )
        ).map((each) => [each.id, each.key]),
      );
      return edges.map(({ to, out }) => `${out ? ">" : "<"}${keys.get(to)}`);
    };
    const byId = (keys: string[]) => [...keys].sort((a, b) => (id(a.slice(1)) < id(b.slice(1)) ? -1 : 1));

    it("follows every relation in both directions, as the data says it", async () => {
      await write([
        note("project", { references: ["idea"], fields: [{ name: "Lead", values: [{ text: "Ann", note: "ann" }] }] }),
        note("task", { parent: "project" }),
        note("idea"),
        note("ann"),
      ]);
      expect(await around("project", "child")).toEqual([">task"]);
      expect(await around("task", "parent")).toEqual(["<project"]);
      expect([await around("project", "parent"), await around("task", "child")]).toEqual([[], []]);
      expect([await around("project", "reference"), await around("idea", "reference")]).toEqual([
        [">idea"],
        ["<project"],
      ]);
      expect([await around("project", "field"), await around("ann", "field")]).toEqual([[">ann"], ["<project"]]);
    });

    it("answers for each note in the order asked, each relation in the order asked, and nothing for unknown notes", async () => {
      await write([note("a", { references: ["b"] }), note("b", { parent: "a" })]);
      const { edges } = await graph.neighbours(
        "me",
        [id("b"), "x", id("a"), id("b")],
        ["reference", "parent", "child"],
        9,
      );
      expect(edges).toEqual([
        { from: id("b"), to: id("a"), relation: "reference", out: false },
        { from: id("b"), to: id("a"), relation: "parent", out: false },
        { from: id("a"), to: id("b"), relation: "reference", out: true },
        { from: id("a"), to: id("b"), relation: "child", out: true },
      ]);
      expect(await graph.neighbours("me", [], ["child"], 9)).toEqual({ edges: [], more: [] });
      expect(await graph.neighbours("me", [id("a")], [], 9)).toEqual({ edges: [], more: [] });
    });

    it("lists children in their order, those without one last, and others by id", async () => {
      const child = (key: string, order?: number) =>
        note(key, { parent: "top", ...(order === undefined ? {} : { order }) });
      await write([child("e"), child("d", 2), child("c", 1), child("b", 0), child("a", Number.NaN), note("top")]);
      await write([child("f", -1)]);
      expect(await around("top", "child")).toEqual([">f", ">b", ">c", ">d", ...byId([">a", ">e"])]);
      const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
      await write([
        note("hub", { references: names.slice(0, 10) }),
        ...names.map((each, i) => note(each, i < 10 ? {} : { references: ["hub"] })),
      ]);
      expect(await around("hub", "reference")).toEqual(
        byId(names.map((each, i) => (i < 10 ? `>${each}` : `<${each}`))),
      );
    });

    it("forgets the place of a child with the child, whatever number it was", async () => {
      const orders = [2.9999999999999996, 0.1 + 0.2, 1e300, -1e300, Number.POSITIVE_INFINITY, -0, 2 ** 53];
      const children = orders.map((order, i) => note(`c${i}`, { parent: "top", order }));
      await write([note("top"), ...children]);
      expect(await around("top", "child")).toHaveLength(orders.length);
      await write(children.map((each) => ({ ...each, order: 0 })));
      expect(await around("top", "child")).toEqual(byId(children.map(({ key }) => `>${key}`)));
      await write(children);
      await write(
        [],
        children.map(({ key }) => key),
      );
      expect(await around("top", "child")).toEqual([]);
    });

    it("connects two notes once by a relation, outwards when both say so, and none with itself", async () => {
      await write([
        note("a", { references: ["b", "b", "a", "same"], aliases: ["same"], parent: "a" }),
        note("b", { references: ["a", "same"], aliases: ["b too"] }),
        note("c", { references: ["b", "b too"] }),
      ]);
      expect(await around("a", "reference")).toEqual([">b"]);
      expect(await around("b", "reference")).toEqual(byId([">a", "<c"]));
      expect([await around("a", "parent"), await around("a", "child")]).toEqual([[], []]);
    });

    it("keeps what others say of a note when it goes: the edges are there again when it is", async () => {
      await write([note("a", { references: ["b"], parent: "b" }), note("b", { references: ["a"] })]);
      await write([], ["b"]);
      expect([await around("a", "reference"), await around("a", "parent")]).toEqual([[], []]);
      expect(await around("b", "child")).toEqual([]);
      await write([note("b")]);
      expect([await around("a", "reference"), await around("b", "child")]).toEqual([[">b"], [">a"]]);
    });

    it("leads an alias to the note with the shortest key that claims it, or to the one whose key it is", async () => {
      await write([note("from", { references: ["home"], parent: "home" })]);
      expect(await around("from", "reference")).toEqual([]);
      const targets = async () => [...(await around("from", "reference")), ...(await around("from", "parent"))];
      await write([note("notes/deep/home.md", { aliases: ["home"] })]);
      expect(await targets()).toEqual([">notes/deep/home.md", "<notes/deep/home.md"]);
      await write([note("b/home.md", { aliases: ["home"] }), note("a/home.md", { aliases: ["home"] })]);
      expect(await targets()).toEqual([">a/home.md", "<a/home.md"]);
      expect(await around("a/home.md", "child")).toEqual([">from"]);
      await write([note("home")]);
      expect(await targets()).toEqual([">home", "<home"]);
      expect(await around("a/home.md", "reference")).toEqual([]);
      await write([note("a/home.md")], ["home"]);
      expect(await targets()).toEqual([">b/home.md", "<b/home.md"]);
      await write([], ["b/home.md"]);
      expect(await targets()).toEqual([">notes/deep/home.md", "<notes/deep/home.md"]);
      await write([], ["notes/deep/home.md"]);
      expect(await targets()).toEqual([]);
    });

    it("gives the first of many and says how many there are in all", async () => {
      const count = 1000;
      const children = Array.from({ length: count }, (_, i) =>
        note(`c${i}`, {
          parent: "hub",
          order: i,
          // Some say it twice, by key and by alias; the hub itself mentions some, and itself.
          references: ["hub", ...(i % 3 === 0 ? ["the hub"] : [])],
          fields: [{ name: "f", values: [{ text: "", note: i % 2 === 0 ? "hub" : "the hub" }] }],
        }),
      );
      const mentioned = ["c1", "c2", "other", "nowhere", "hub"];
      await write([note("hub", { aliases: ["the hub"], references: mentioned }), note("other"), ...children]);
      const { edges, more } = await graph.neighbours("me", [id("hub")], ["child", "reference", "field", "parent"], 10);
      expect(more).toEqual([
        { from: id("hub"), relation: "child", total: count },
        { from: id("hub"), relation: "reference", total: count + 1 },
        { from: id("hub"), relation: "field", total: count },
      ]);
      const first = (relation: Relation) => edges.filter((edge) => edge.relation === relation).map(({ to }) => to);
      const ids = children.map(({ key }) => id(key));
      expect(first("child")).toEqual(ids.slice(0, 10));
      expect(first("reference")).toEqual([...ids, id("other")].sort().slice(0, 10));
      expect(first("field")).toEqual([...ids].sort().slice(0, 10));
      expect(await graph.neighbours("me", [id("hub")], ["child"], 0)).toEqual({ edges: [], more: more.slice(0, 1) });
      expect((await graph.neighbours("me", [id("hub")], ["reference"], count + 1)).more).toEqual([]);
      expect((await graph.neighbours("me", [id("c0")], ["parent"], 1)).more).toEqual([]);
    });

    it("goes up to the note that nothing owns, nearest first, as far as asked", async () => {
      await write([
        note("a"),
        note("b", { parent: "a" }),
        note("c", { parent: "b" }),
        note("lost", { parent: "gone" }),
      ]);
      const up = async (limit: number, ...keys: string[]) => {
        const ancestors = await graph.ancestors("me", keys.map(id), limit);
        return [...ancestors].map(([from, notes]) => [
          keys.find((key) => id(key) === from),
          notes.map(({ key }) => key),
        ]);
      };
      expect(await up(9, "c", "b", "a", "lost", "unknown", "c")).toEqual([
        ["c", ["b", "a"]],
        ["b", ["a"]],
        ["a", []],
        ["lost", []],
      ]);
      expect(await up(1, "c")).toEqual([["c", ["b"]]]);
      expect(await up(0, "c")).toEqual([["c", []]]);
      expect(await up(9)).toEqual([]);
    });

    it("goes up as far from a note on a way that was asked for before", async () => {
      await write([
        note("a"),
        note("b", { parent: "a" }),
        note("c", { parent: "b" }),
        note("d", { parent: "c" }),
        note("e", { parent: "c" }),
      ]);
      const up = async (limit: number, ...keys: string[]) =>
        [...(await graph.ancestors("me", keys.map(id), limit)).values()].map((notes) => notes.map(({ key }) => key));
      expect(await up(2, "d")).toEqual([["c", "b"]]);
      expect(await up(2, "d", "c", "e")).toEqual([
        ["c", "b"],
        ["b", "a"],
        ["c", "b"],
      ]);
      expect(await up(9, "d", "a")).toEqual([["c", "b", "a"], []]);
    });

    it("ends where ownership goes in a circle", async () => {
      await write([
        note("a", { parent: "c" }),
        note("b", { parent: "a" }),
        note("c", { parent: "b" }),
        note("below", { parent: "a" }),
        note("self", { parent: "self" }),
      ]);
      const up = async (key: string) =>
        (await graph.ancestors("me", [id(key)], 1_000_000)).get(id(key))!.map((each) => each.key);
      expect(await up("a")).toEqual(["c", "b"]);
      expect(await up("below")).toEqual(["a", "c", "b"]);
      expect(await up("self")).toEqual([]);
    });

    it("survives ten thousand levels", async () => {
      const depth = 10_000;
      await write(Array.from({ length: depth }, (_, i) => note(`${i}`, i === 0 ? {} : { parent: `${i - 1}` })));
      const bottom = id(`${depth - 1}`);
      const ancestors = await graph.ancestors("me", [bottom, id("5")], depth * 2);
      expect(ancestors.get(bottom)!.map(({ key }) => Number(key))).toEqual(
        Array.from({ length: depth - 1 }, (_, i) => depth - 2 - i),
      );
      expect(ancestors.get(id("5"))!.map(({ key }) => key)).toEqual(["4", "3", "2", "1", "0"]);
      expect((await graph.ancestors("me", [bottom], 3)).get(bottom)!.map(({ key }) => key)).toEqual([
        "9998",
        "9997",
        "9996",
      ]);
    });
  });
}

import { describe, expect, it } from "vitest";
import { noteOf, writeNotes } from "../../../tests/notes/notes-workspace.ts";
import { folder, git } from "../../../tests/workspace.ts";
import { graph, index, remember } from "../../index.ts";
import { openWorkspace } from "../../workspace/workspace.ts";

const shop = {
  "src/cart.ts":
    'import { rate } from "./tax.ts";\n\nexport function total(): number {\n  return sum() * rate();\n}\n\nfunction sum(): number {\n  return 1;\n}\n',
  "src/tax.ts": "export function rate(): number {\n  return 2;\n}\n",
  "src/pay.ts": 'import { total } from "./cart.ts";\n\nexport function pay(): number {\n  return total();\n}\n',
};

type Drawn = Awaited<ReturnType<typeof graph>>;

function namesAt({ nodes }: Drawn, distance: number): string[] {
  return nodes
    .filter((node) => node.distance === distance)
    .map(({ name }) => name)
    .sort();
}

function edgesOf({ nodes, edges }: Drawn, relation: string): string[] {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  return edges
    .filter((edge) => edge.relation === relation)
    .map(({ from, to }) => `${names.get(from)} ${names.get(to)}`)
    .sort();
}

describe("the graph around an item", () => {
  it("is who calls it, what it calls and where it stands, by distance", async () => {
    const path = folder(shop);
    const near = await graph({ query: "total", path, depth: 1 });
    expect(near.found).toBe(false);
    expect(namesAt(near, 0)).toEqual(["total"]);
    expect(namesAt(near, 1)).toEqual(["cart.ts", "pay", "rate", "sum"]);
    expect(edgesOf(near, "calls")).toEqual(["pay total", "total rate", "total sum"]);
    expect(edgesOf(near, "contains")).toContain("cart.ts total");
    const far = await graph({ query: "total", path, depth: 2 });
    expect(namesAt(far, 2)).toEqual(["pay.ts", "tax.ts"]);
    // What is connected at the rim is drawn, too.
    expect(edgesOf(far, "imports")).toEqual(["cart.ts tax.ts", "pay.ts cart.ts"]);
    expect(new Set(far.nodes.map(({ id }) => id)).size).toBe(far.nodes.length);
  });

  it("follows only the relations that are asked for, and says how many edges of each there are", async () => {
    const path = folder(shop);
    const calls = await graph({ query: "total", path, relations: ["calls"] });
    expect(Object.keys(calls.relations)).toEqual(["calls"]);
    expect(calls.relations.calls).toBe(calls.edges.length);
    expect(calls.nodes.every(({ kind }) => kind === "function")).toBe(true);
  });

  it("has no more items than its limit, the nearest ones, and says how many it left out", async () => {
    const path = folder(shop);
    const all = await graph({ query: "total", path });
    const few = await graph({ query: "total", path, limit: 3 });
    expect(few.nodes).toHaveLength(3);
    expect(few.nodes.every(({ distance }) => distance < 2)).toBe(true);
    expect(few.leftOut).toBeGreaterThanOrEqual(2);
    expect(all.leftOut).toBe(0);
    const nodeIds = new Set(few.nodes.map(({ id }) => id));
    expect(few.edges.every(({ from, to }) => nodeIds.has(from) && nodeIds.has(to))).toBe(true);
  });

  it("leads from a file to the commits that touched it, and from a commit to its files", async () => {
    const path = folder(shop, { git: true });
    git(path, "add", ".");
    git(path, "commit", "-q", "-m", "Open the shop");
    const file = await graph({ query: "src/tax.ts", path, depth: 2, relations: ["touches"] });
    expect(edgesOf(file, "touches")).toEqual(["Open the shop cart.ts", "Open the shop pay.ts", "Open the shop tax.ts"]);
    const commit = file.nodes.find(({ source }) => source === "commit")!;
    expect(commit.distance).toBe(1);
    expect(namesAt(await graph({ query: commit.id, path, depth: 1 }), 1)).toEqual(["cart.ts", "pay.ts", "tax.ts"]);
  });

  it("leads from a memory to the code that it names, and from the code to it", async () => {
    const path = folder(shop);
    await index({ path });
    const { memory } = await remember({ content: "The function `total` rounds once, in `src/cart.ts`.", path });
    const drawn = await graph({ query: memory!.id, path, depth: 1 });
    expect(namesAt(drawn, 1)).toContain("total");
    const back = await graph({ query: "total", path, depth: 1 });
    expect(back.nodes.find(({ id }) => id === memory!.id)?.distance).toBe(1);
  });

  it("shows notes with what they mention and own, each link once and in its direction", async () => {
    const path = folder({ "a.md": "# A\n" });
    const workspace = await openWorkspace(path);
    await writeNotes(workspace, [
      noteOf("plan", "The plan", { references: ["budget"] }),
      noteOf("budget", "The budget"),
      noteOf("step", "First step", { parent: "plan" }),
    ]);
    await workspace.close();
    const drawn = await graph({ query: "The plan", path, depth: 2 });
    expect(edgesOf(drawn, "reference")).toEqual(["The plan The budget"]);
    expect(edgesOf(drawn, "child")).toEqual(["The plan First step"]);
    expect(drawn.edges).toHaveLength(2);
  });

  it("around a question begins at what the question finds", async () => {
    const path = folder(shop);
    const drawn = await graph({ query: "how much is the tax rate?", path, depth: 1 });
    expect(drawn.found).toBe(true);
    const centre = drawn.nodes.find(({ name }) => name === "rate")!;
    expect(centre.distance).toBe(0);
    expect(centre.score).toBeGreaterThan(0);
  });

  it("of what is not there is an error for an id, and an empty picture for a question", async () => {
    const path = folder(shop);
    await expect(graph({ query: "cod-nothing", path })).rejects.toMatchObject({ code: "not-found" });
    const nothing = await graph({ query: "zebra crossing", path });
    expect(nothing.nodes).toEqual([]);
    expect(nothing.warnings.length).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from "vitest";
import { context, search, why } from "../../src/index.ts";
import { idOf, noteOf, notesWorkspace } from "./notes-workspace.ts";

const place = (line: number) => ({ path: "garden.md", line });
const other = (line: number) => ({ path: "kitchen.md", line });
const notes = [
  noteOf("garden", "Garden", { place: place(1) }),
  noteOf("g1", "The compost needs turning", { parent: "garden", place: place(2) }),
  noteOf("g2", "Tomatoes want a warm wall", { parent: "garden", place: place(3) }),
  noteOf("g3", "Tomatoes follow beans in the bed", { parent: "garden", place: place(4) }),
  noteOf("kitchen", "Kitchen", { place: other(1) }),
  noteOf("k1", "Tomatoes keep on the wall shelf", { parent: "kitchen", place: other(2) }),
  noteOf("k2", "Knives are sharpened on Fridays", { parent: "kitchen", place: other(3) }),
];

describe("notes of a page", () => {
  it("count with what else their page says", async () => {
    const { root, workspace } = await notesWorkspace(notes);
    const query = "compost and beans for tomatoes";
    const { results } = await search({ query, path: root, sources: ["note"], minScore: 0 }, { workspace });
    const order = results.map(({ id }) => id);
    expect(order.indexOf(idOf("g2"))).toBeGreaterThanOrEqual(0);
    expect(order.indexOf(idOf("g2"))).toBeLessThan(order.indexOf(idOf("k1")));
  });

  it("say by name what they rank by", async () => {
    const { root, workspace } = await notesWorkspace(notes);
    const query = "compost and beans for tomatoes";
    const explanation = await why({ query, item: idOf("g1"), path: root, lens: "general" }, { workspace });
    expect(explanation.because).toHaveProperty("similar");
    expect(explanation.signals).toMatchObject({ whole: 1, text: expect.any(Number), similarity: expect.any(Number) });
    const { items } = await context({ query, path: root, sources: ["note"], minScore: 0 }, { workspace });
    expect(items.find(({ id }) => id === idOf("g1"))?.because).toHaveProperty("whole");
  });
});

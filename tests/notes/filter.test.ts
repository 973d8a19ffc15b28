import { describe, expect, it } from "vitest";
import { context, tanaContext } from "../../src/index.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { day, longAgo, noteOf, notesWorkspace } from "./notes-workspace.ts";

const notes = [
  noteOf("plan", "Plan for the harbour", {
    tags: ["project"],
    changed: longAgo - 400 * day,
    references: ["secret", "old"],
  }),
  noteOf("secret", "Harbour budget", { tags: ["private"], text: "The harbour costs nine millions." }),
  noteOf("old", "Harbour in the old days", { changed: longAgo - 500 * day }),
  noteOf("new", "Harbour crane ordered", { parent: "plan", changed: longAgo }),
];

const since = new Date(longAgo - day).toISOString().slice(0, 10);

async function idsOf(workspace: Workspace, input: Partial<Parameters<typeof context>[0]>): Promise<string[]> {
  const { items } = await context({ query: "harbour plan", path: workspace.root, fill: true, ...input }, { workspace });
  return items.filter(({ source }) => source === "note").map(({ facts }) => String(facts?.id));
}

describe("what is filtered out", () => {
  it("is in no recipe that prints notes, neither found nor reached", async () => {
    const { workspace } = await notesWorkspace(notes, { "README.md": "# Harbour\n\nAbout the harbour plan.\n" });
    for (const recipe of ["auto", "graph"] as const) {
      expect(await idsOf(workspace, { recipe })).toEqual(expect.arrayContaining(["plan", "secret"]));
      const without = await idsOf(workspace, { recipe, excludeTag: ["private"] });
      expect(without).toContain("plan");
      expect(without).not.toContain("secret");
      const recent = await idsOf(workspace, { recipe, newerThan: since });
      expect(recent).toContain("new");
      expect(recent).not.toContain("old");
      expect(recent).not.toContain("plan");
    }
  });

  it("is not the note that was asked for, only what is beside it", async () => {
    const { root, workspace } = await notesWorkspace(notes);
    for (const query of ["plan", "Plan for the harbour"]) {
      const { nodes, overflow } = await tanaContext({ query, path: root, newerThan: since }, { workspace });
      const ids = [...nodes, ...overflow].map(({ id }) => id);
      expect(ids[0]).toBe("plan");
      expect(ids).toContain("new");
      expect(ids).not.toContain("old");
    }
  });
});

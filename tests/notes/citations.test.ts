import { describe, expect, it } from "vitest";
import { context, item, tanaContext, why } from "../../src/index.ts";
import { folder } from "../workspace.ts";
import { apollo, idOf, noteOf, notesWorkspace } from "./notes-workspace.ts";

/** Keys of notes whose ids begin alike, so that four characters of them mean two notes. */
function keysThatCollide(): [string, string] {
  const seen = new Map<string, string>();
  for (let i = 0; ; i++) {
    const key = `n${i}`;
    const prefix = idOf(key).slice(0, "not-".length + 4);
    const before = seen.get(prefix);
    if (before !== undefined) return [before, key];
    seen.set(prefix, key);
  }
}

describe("a citation", () => {
  it("means one note of the whole workspace, also where only one of two is in the answer", async () => {
    const [one, other] = keysThatCollide();
    const { root, workspace } = await notesWorkspace([
      noteOf(one, "Sundial", { tags: ["thing"] }),
      noteOf(other, "Barometer", { tags: ["thing"] }),
    ]);
    const { items } = await context({ query: "Sundial", path: root, lens: "general" }, { workspace });
    const { citation } = items.find(({ facts }) => facts?.id === one)!;
    const opened = await item({ item: citation.id, path: root }, { workspace });
    expect(opened.name).toBe("Sundial");
  });

  it("leads to the application that the note is from", async () => {
    const obsidian = folder({ ".obsidian/app.json": "{}", "Plans/Big Plan.md": "Something.\n" });
    const { items } = await context({ query: "Big Plan", path: obsidian, lens: "general" });
    expect(items[0]?.citation.link).toMatch(/^obsidian:\/\/open\?vault=[^&]+&file=Plans%2FBig%20Plan$/);
    const logseq = folder({ "logseq/config.edn": "{}", "pages/Project___Apollo.md": "- Something\n" });
    const { links } = await tanaContext({ query: "Project/Apollo", path: logseq });
    expect(Object.values(links)[0]).toMatch(/^logseq:\/\/graph\/[^?]+\?page=Project%2FApollo$/);
    const docs = [
      { id: "home0", props: { name: "Home", created: 1 }, children: ["abc123"] },
      { id: "abc123", props: { name: "Orbit", created: 1, _ownerId: "home0" }, children: [] },
    ];
    const tana = folder({
      "export.json": JSON.stringify({ formatVersion: 1, docs, editors: [], workspaces: {} }),
      "dossier.json": JSON.stringify({ notes: [{ name: "tana", from: "export.json" }] }),
    });
    const answer = await tanaContext({ query: "Orbit", path: tana, format: "json" });
    expect(answer.links.abc123).toBe("https://app.tana.inc?nodeid=abc123");
  });

  it("opens with its text, fields and path; so do an id of the application and a name", async () => {
    const { root, workspace } = await notesWorkspace(apollo);
    for (const typed of [idOf("apollo"), `[${idOf("apollo").slice(0, 9)}]`, "apollo", "Apollo", "project Apollo"]) {
      const opened = await item({ item: typed, path: root }, { workspace });
      expect(opened).toMatchObject({
        id: idOf("apollo"),
        facts: { tags: ["project"], fields: { Status: ["active"] }, breadcrumb: ["Home"] },
        below: expect.arrayContaining(["- Milestones", "  - Launch"]),
      });
      expect(opened.text).toContain("Moves billing to the new ledger.");
    }
    for (const typed of ["launch", "Launch", idOf("launch")]) {
      const explanation = await why({ query: "apollo", item: typed, path: root, lens: "planning" }, { workspace });
      expect(explanation).toMatchObject({ id: idOf("launch"), outcome: "included" });
    }
  });
});

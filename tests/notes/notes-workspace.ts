import { onTestFinished } from "vitest";
import { NoteWriter } from "../../src/indexing/notes/note-writer.ts";
import type { Note } from "../../src/note.ts";
import { noteItemId } from "../../src/stores/graph.ts";
import { openWorkspace, type Workspace } from "../../src/workspace/workspace.ts";
import { folder } from "../workspace.ts";

export const day = 24 * 60 * 60 * 1000;
export const longAgo = Date.UTC(2025, 5, 1);

/** A note with what a test says of it. */
export function noteOf(key: string, name: string, given: Partial<Note> = {}): Note {
  return { key, name, tags: [], fields: [], references: [], changed: longAgo, ...given };
}

/** A workspace with these notes of an origin called `test`, and with these files. */
export async function notesWorkspace(
  notes: Note[],
  files: Record<string, string> = {},
): Promise<{ root: string; workspace: Workspace }> {
  const root = folder(files);
  const workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
  await writeNotes(workspace, notes);
  return { root, workspace };
}

export async function writeNotes(workspace: Workspace, notes: Note[], origin = "test"): Promise<void> {
  const writer = new NoteWriter(workspace, { patience: 1000 });
  await writer.sheet(origin, "sheet", notes);
  await writer.finish();
}

export function idOf(key: string): string {
  return noteItemId("test", key);
}

/** A small workspace: a project with milestones and tasks, people and a meeting about it, and something else. */
export const apollo: Note[] = [
  noteOf("home", "Home"),
  noteOf("apollo", "Apollo", {
    parent: "home",
    order: 0,
    tags: ["project"],
    text: "Moves billing to the new ledger.",
    fields: [
      { name: "Status", type: "options", values: [{ text: "active" }] },
      { name: "Owner", type: "reference", values: [{ text: "Ada Lovelace", note: "ada" }] },
    ],
    references: [],
  }),
  noteOf("milestones", "Milestones", { parent: "apollo", order: 0 }),
  noteOf("beta", "Beta with three customers", {
    parent: "milestones",
    order: 0,
    tags: ["milestone"],
    inherited: ["task"],
    fields: [{ name: "Due", type: "date", values: [{ text: "2026-03-01" }] }],
  }),
  noteOf("launch", "Launch", { parent: "milestones", order: 1, tags: ["milestone"], inherited: ["task"] }),
  noteOf("press", "Write the announcement", { parent: "launch", order: 0, references: ["grace"] }),
  noteOf("risk", "The ledger rejects negative amounts", { parent: "apollo", order: 1, references: ["ledger"] }),
  noteOf("ledger", "Ledger", { parent: "home", order: 1, tags: ["architecture"], text: "Double entry, append only." }),
  noteOf("ada", "Ada Lovelace", { parent: "home", order: 2, tags: ["person"] }),
  noteOf("grace", "Grace Hopper", { parent: "home", order: 3, tags: ["person"] }),
  noteOf("meeting", "Weekly about the ledger", {
    parent: "home",
    order: 4,
    tags: ["meeting"],
    changed: longAgo + 20 * day,
    references: ["apollo", "ada", "grace"],
    fields: [{ name: "Attendees", type: "user", values: [{ text: "Ada" }, { text: "Grace" }] }],
  }),
  noteOf("garden", "Tomatoes on the balcony", {
    parent: "home",
    order: 5,
    tags: ["hobby"],
    changed: longAgo - 300 * day,
  }),
  noteOf("water", "Water them every other day", { parent: "garden", order: 0, changed: longAgo - 300 * day }),
];

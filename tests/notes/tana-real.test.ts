import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Note } from "../../src/note.ts";
import { tanaExport } from "../../src/notes/readers/tana/export.ts";

/** A real export of a Tana workspace, where the folder named by DOSSIER_DATA has it; it is not part of the product. */
const place = join(process.env.DOSSIER_DATA ?? "", "tana", "workspace.json");

type Doc = { id: string; children?: string[]; props: Record<string, string | undefined> };

/**
 * The export counted by plain loops over its docs, in other ways than the reader's. What counts is what a user wrote:
 * nothing that is owned, however far up, by the trash, by the schema, or by a node that is a setting rather than a
 * note.
 */
function count(docs: Doc[]) {
  const byId = new Map(docs.map((doc) => [doc.id, doc]));
  const settings = ["metanode", "attrDef", "tagDef", "viewDef", "associatedData", "command", "workspace", "settings"];

  function isOut(id: string | undefined): boolean {
    for (let at = id, steps = 0; at !== undefined && steps < 1000; steps++) {
      if (/_(TRASH|SCHEMA|WORKSPACE|SIDEBAR_AREAS|MOVETO|AVATAR|CHATDRAFTS)$/.test(at)) return true;
      const doc = byId.get(at);
      if (doc && settings.includes(doc.props._docType ?? "")) return true;
      // One metanode does not say that it is one.
      if (byId.get(doc?.props._ownerId ?? "")?.props._metaNodeId === at) return true;
      at = doc?.props._ownerId;
    }
    return false;
  }

  const tags: string[] = [];
  const values: string[] = [];
  const valueNotes: string[] = [];
  const references = new Set<string>();
  const notes: string[] = [];

  for (const doc of docs) {
    const type = doc.props._docType;
    const owner = doc.props._ownerId;
    const children = doc.children ?? [];

    // A tag application: a tuple with SYS_A13, owned by a metanode, which is owned by what is tagged. Not one that
    // defines a tag or a field.
    if (type === "tuple" && children.includes("SYS_A13") && !/SYS_T0[12]/.test(children.join())) {
      const metanode = byId.get(owner ?? "");
      const subject = metanode?.props._docType === "metanode" ? metanode.props._ownerId : undefined;
      for (const child of children) {
        if (subject && child !== "SYS_A13" && !isOut(subject)) tags.push(`${subject} ${byId.get(child)?.props.name}`);
      }
      continue;
    }

    // A field value: what follows a field's definition in a tuple and is not empty. Tana's own fields count where they
    // have a known name.
    if (type === "tuple" && owner && !isOut(owner)) {
      const label = byId.get(children[0] ?? "");
      const own: Record<string, string> = { SYS_A58: "Name", SYS_A60: "Email", SYS_A61: "Due date", SYS_A90: "Date" };
      const name = label?.props._docType === "attrDef" ? label.props.name : own[children[0] ?? ""];
      for (const child of children.slice(1)) {
        const value = byId.get(child);
        if (name === undefined || !value?.props.name) continue;
        values.push(`${owner} ${name}`);
        if (value.props._ownerId !== doc.id) valueNotes.push(`${owner} ${name} ${child}`);
      }
      continue;
    }

    if (isOut(doc.id) || type === "tuple") continue;

    // A reference: a span in a name, or a listed child that another node owns; to something that is not left out
    // itself.
    const mentioned = [...(doc.props.name ?? "").matchAll(/data-inlineref-node="([^"]*)"/g)].map(([, id]) => id!);
    const listed = children.filter((child) => byId.get(child)?.props._ownerId !== doc.id);
    for (const target of [...mentioned, ...listed]) {
      if (byId.has(target) && !isOut(target)) references.add(`${doc.id} ${target}`);
    }

    // A note: anything else with a name or with children, but for the workspace, its parts, and values that are nothing
    // but text.
    const isPart = /^.{12}_[A-Z_]+$/.test(doc.id) || docs.some(({ id }) => id === `${doc.id}_SCHEMA`);
    const isValue = byId.get(owner ?? "")?.props._docType === "tuple" && children.length === 0;
    if (!isPart && !isValue && (doc.props.name || children.length > 0)) notes.push(doc.id);
  }
  // One note is not in the export, but its tag and its fields are.
  const missing = new Set([...tags, ...values].map((line) => line.split(" ")[0]!).filter((id) => !byId.has(id)));
  return { tags, values, valueNotes, references: [...references], notes: [...notes, ...missing] };
}

/** The same from what the reader yields. */
function told(notes: Note[]) {
  const fields = notes.flatMap(({ key, fields: all }) => all.map((field) => ({ key, ...field })));
  return {
    tags: notes.flatMap(({ key, tags }) => tags.map((tag) => `${key} ${tag}`)),
    values: fields.flatMap(({ key, name, values }) => values.map(() => `${key} ${name}`)),
    valueNotes: fields.flatMap(({ key, name, values }) =>
      values.flatMap(({ note }) => (note ? [`${key} ${name} ${note}`] : [])),
    ),
    references: notes.flatMap(({ key, references }) => references.map((target) => `${key} ${target}`)),
    notes: notes.map(({ key }) => key),
  };
}

async function read(): Promise<Note[]> {
  const notes: Note[] = [];
  for await (const batch of tanaExport.read(place, ["workspace.json"], { warn: () => undefined }))
    notes.push(...batch.notes);
  return notes;
}

describe.runIf(process.env.DOSSIER_DATA && existsSync(place))("a real Tana workspace", () => {
  it("has every tag application, field value, reference and note that an independent count finds, and no other", async () => {
    const counted = count((JSON.parse(readFileSync(place, "utf8")) as { docs: Doc[] }).docs);
    const reading = told(await read());
    for (const what of ["tags", "values", "valueNotes", "references", "notes"] as const) {
      expect({ [what]: reading[what].sort() }).toEqual({ [what]: counted[what].sort() });
    }
    const lengths = Object.fromEntries(Object.entries(counted).map(([what, all]) => [what, all.length]));
    console.log("Tana export, counted and read alike:", lengths);
    expect(lengths).toEqual({ tags: 104, values: 268, valueNotes: 96, references: 10, notes: 3631 });
  });

  it("reads sensibly", async () => {
    const notes = new Map((await read()).map((note) => [note.key, note]));
    const book = [...notes.values()].find(
      ({ name, tags }) => name.startsWith("The Strange Case") && tags.includes("book"),
    )!;
    expect(book.fields.map(({ name }) => name)).toEqual([
      "Author",
      "Import date",
      "Gutenberg ID",
      "Source URL",
      "Download count",
      "Language",
      "Subjects",
      "Bookshelves",
    ]);
    expect(book.fields[1]!.values).toEqual([{ text: "2025-12-13" }]);
    expect(book.fields[3]!.values[0]!.text).toMatch(/^\[Project Gutenberg\]\(https:/);
    const section = [...notes.values()].find(({ name }) => name === "Section 9: THE LAST NIGHT")!;
    expect(notes.get(section.parent!)).toBe(book);
    const result = [...notes.values()].find(({ references }) => references.length > 0)!;
    expect(result.name).toBe(notes.get(result.references[0]!)!.name);
    for (const { name } of notes.values()) expect(name).not.toMatch(/<span|<a |&amp;|&quot;/);
  });
});

import type { Facts } from "../../item.ts";
import { askedNotes } from "../../sources/notes/note-seeds.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { linkOfFacts, linksOf } from "../notes/note-links.ts";
import { plain } from "../terminal/phrases.ts";
import type { FoundItem } from "./item-find.ts";

/** True for the form of an item's id; any other text may be a note's own id or name. */
export function isId(typed: string): boolean {
  return /^[a-z]{3}-[0-9a-z][0-9a-z_-]*$/.test(typed);
}

/** The note that has this id in its application, or this name. */
export async function noteCalled(workspace: Workspace, typed: string): Promise<FoundItem | undefined> {
  if (isId(typed.replace(/^\[(.*)\]$/, "$1").toLowerCase())) return undefined;
  const { notes } = await askedNotes(typed, workspace);
  return notes.length === 1 ? { id: notes[0]!.id, name: notes[0]!.name } : undefined;
}

/** Lines that stand below an opened note, and how deep. */
const mostLines = 200;
const mostLevels = 4;

/** The outline below a note, and the link that opens it. */
export async function aroundNote(
  id: string,
  facts: Facts,
  workspace: Workspace,
): Promise<{ below?: string[]; link?: string }> {
  const below: string[] = [];
  await addBelow(id, 0, below, workspace);
  const link = linkOfFacts(facts, await linksOf(workspace));
  return { ...(below.length > 0 ? { below } : {}), ...(link === undefined ? {} : { link }) };
}

async function addBelow(id: string, level: number, lines: string[], workspace: Workspace): Promise<void> {
  const { store, owner } = workspace;
  if (level >= mostLevels || lines.length >= mostLines) return;
  const { edges, more } = await store.graph.neighbours(owner, [id], ["child"], mostLines);
  const notes = await store.graph.get(
    owner,
    edges.map(({ to }) => to),
  );
  for (const note of notes) {
    if (lines.length >= mostLines) break;
    lines.push(`${"  ".repeat(level)}- ${redact(plain(note.name || note.key)).text}`);
    await addBelow(note.id, level + 1, lines, workspace);
  }
  if (more.length > 0) lines.push(`${"  ".repeat(level)}- … ${more[0]!.total - edges.length} more`);
}

/** A note for people: its path, tags, fields, text and outline. */
export function noteLines(
  text: string,
  facts: Facts,
  below: readonly string[] | undefined,
  link: string | undefined,
): string[] {
  const path = Array.isArray(facts.breadcrumb) ? facts.breadcrumb.map(plain).join(" > ") : "";
  const tags = Array.isArray(facts.tags) ? facts.tags.map((tag) => `#${plain(tag)}`).join(" ") : "";
  const fields = typeof facts.fields === "object" && !Array.isArray(facts.fields) ? Object.entries(facts.fields) : [];
  return [
    ...(path ? [`path: ${path}`] : []),
    ...(tags ? [`tags: ${tags}`] : []),
    ...(link ? [`link: ${link}`] : []),
    ...fields.map(([name, values]) => `${plain(name)}: ${values.map(plain).join(", ")}`),
    text,
    ...(below ?? []),
  ];
}

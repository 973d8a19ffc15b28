import type { Note, NoteField, NoteValue } from "../../note.ts";
import { firstLine, withoutOuterEmphasis } from "../readers/tana-html.ts";
import { parts } from "../readers/tana-system.ts";
import type { LiveChildren } from "./client.ts";
import { type MergedAnswers, tell } from "./merge.ts";
import { type OutlineLine, readOutline } from "./outline.ts";
import type { LiveHit, LiveNode } from "./shapes.ts";
import { linksIn, type NodeNameOf, readMentions, splitTags } from "./text.ts";

/** All that was answered for one node. */
export type NodeAnswer = { id: string; hit?: LiveHit; node: LiveNode; children?: LiveChildren };

export type Answers = {
  read: NodeAnswer[];
  /** Nodes that were only found. */
  found: LiveHit[];
  /** Ids of the nodes that were edited since this moment. */
  edited?: { ids: ReadonlySet<string>; since: number };
};

/** Nodes that Tana keeps beside the notes; the API calls some of them otherwise than the export does. */
const notNotes = new Set(
  "tuple metanode attrDef tagDef viewDef associatedData command workspace settings supertag field-definition".split(
    " ",
  ),
);

/** Whether the API tells of a note here. Of a block of code it tells less than local data: the code, and not in which language it is. */
export function isNoteHit({ id, docType }: LiveHit): boolean {
  return !notNotes.has(docType) && docType !== "codeblock" && !id.startsWith("SYS_") && !isPart(id);
}

function isPart(id: string): boolean {
  const at = [...parts.keys()].find((part) => id.endsWith(`_${part}`));
  return at !== undefined && id.length > at.length + 8;
}

/**
 * What the answers tell of each note, by key. `nameOf` is asked for every node that is mentioned; `others`: keys that are notes besides those
 * that are known.
 */
export function readAnswers(
  answers: Answers,
  known: ReadonlyMap<string, Note>,
  nameOf: NodeNameOf,
  others: { has(key: string): boolean } = new Set(),
): Map<string, MergedAnswers> {
  const told = new Map<string, MergedAnswers>();
  const knowing: Knowing = {
    known,
    nameOf,
    isNote: (key) => known.has(key) || others.has(key),
    tags: tagsOf(answers, known),
  };
  // From who knows most to who knows least: of what is told twice the first counts.
  const outlines = answers.read.map((answer) => readAnswer(answer, told, knowing));
  for (const { children, id } of answers.read) {
    for (const child of children?.children ?? []) {
      if (child.id !== id && isNoteHit(child)) tell(told, toldByHit(child, nameOf));
    }
  }
  for (const hit of answers.found) tell(told, toldByHit(hit, nameOf));
  for (const [at, answer] of answers.read.entries()) readBelow(answer, outlines[at]!, told, knowing);
  const { edited } = answers;
  for (const [key, each] of told) if (edited?.ids.has(key)) each.changedSince = edited.since;
  return told;
}

type Knowing = {
  known: ReadonlyMap<string, Note>;
  nameOf: NodeNameOf;
  isNote(key: string): boolean;
  /** Tags by the way in which outlines write them. */
  tags: ReadonlyMap<string, string>;
};

export function toldByHit(hit: LiveHit, nameOf: NodeNameOf): MergedAnswers {
  const { name, references, rest } = readName(hit.name, nameOf);
  const text = joined(rest, hit.description === undefined ? "" : readMentions(hit.description, nameOf).text);
  return {
    key: hit.id,
    name,
    ...(text === "" ? {} : { text }),
    tags: hit.tags,
    references,
    ...(hit.created === undefined ? {} : { created: hit.created }),
  };
}

/** Tells of the node itself; the answer is its outline, if that is what it says it is. */
function readAnswer(answer: NodeAnswer, told: Map<string, MergedAnswers>, knowing: Knowing): OutlineLine[] {
  const { id, hit, node } = answer;
  const { nameOf } = knowing;
  const lines = readOutline(node.markdown);
  const root = lines[0];
  const isOwn = root !== undefined && (root.id === undefined || root.id === id);
  const { name, references, rest } = readName(node.name ?? hit?.name ?? (isOwn ? root.text : ""), nameOf);
  const description = readMentions(node.description ?? hit?.description ?? "", nameOf);
  const text = joined(rest, description.text);
  const mentions = new Set([...references, ...description.references]);
  const outline = isOwn ? lines : [];
  const fields = isOwn ? readFields(outline, mentions, knowing) : undefined;
  const below = outline.filter(({ under }) => under === 0);
  const listed = new Set(below.flatMap((line) => line.listed ?? []));
  const owned = new Set(below.flatMap((line) => line.id ?? []));
  readChildren(answer, { listed, owned }, told, knowing.known);
  for (const child of listed) mentions.add(child);
  mentions.delete(id);
  tell(told, {
    key: id,
    ...(name === "" && !isOwn ? {} : { name }),
    ...(text !== "" ? { text } : node.description === null ? { text: null } : {}),
    ...(hit ? { tags: hit.tags } : isOwn ? { tags: root.tags.map((tag) => tagName(tag, knowing)) } : {}),
    ...(fields ? { fields } : {}),
    ...(isOwn ? { done: root.done ?? null, whole: true } : {}),
    references: [...mentions],
    ...(hit?.created === undefined ? {} : { created: hit.created }),
  });
  return outline;
}

/** Owned children get their parent and place; those that live elsewhere are listed. The outline tells which are which, as far as it goes. */
function readChildren(
  { id, children }: NodeAnswer,
  { listed, owned }: { listed: Set<string>; owned: ReadonlySet<string> },
  told: Map<string, MergedAnswers>,
  known: ReadonlyMap<string, Note>,
): void {
  let last = -1;
  for (const child of children?.children ?? []) {
    if (child.id === id || !isNoteHit(child) || child.inTrash) continue;
    const before = known.get(child.id);
    const isElsewhere = before?.parent !== undefined && before.parent !== id;
    if (listed.has(child.id) || (isElsewhere && !owned.has(child.id))) {
      listed.add(child.id);
      continue;
    }
    // A place that is still right is kept: the export counts other things among the children too.
    const place = before?.parent === id ? before.order : undefined;
    last = place !== undefined && place > last ? place : last + 1;
    tell(told, { key: child.id, parent: id, order: last });
  }
}

/** Notes that the outline shows below the node, with what little it says of them. */
function readBelow(
  { id, children }: NodeAnswer,
  lines: OutlineLine[],
  told: Map<string, MergedAnswers>,
  knowing: Knowing,
): void {
  const passed = new Set(children?.children.flatMap((child) => (isNoteHit(child) ? [] : [child.id])));
  const owns = new Set(lines.map(({ under }) => under));
  // The nearest node above each line: fields and lines without an id are no nodes.
  const owners: string[] = [];
  for (const [index, line] of lines.entries()) {
    const above = line.under > 0 ? lines[line.under]! : undefined;
    const node = above && above.field === undefined ? (above.id ?? above.listed) : undefined;
    const owner = node ?? (above ? owners[line.under]! : id);
    owners.push(owner);
    if (index === 0 || line.id === undefined || line.id === id || line.field !== undefined) continue;
    if (passed.has(line.id)) continue;
    if (above?.field !== undefined && !owns.has(index) && !knowing.known.has(line.id)) continue;
    const { name, references, rest } = readName(line.text, knowing.nameOf);
    tell(told, {
      key: line.id,
      name,
      ...(rest === "" ? {} : { text: rest }),
      ...(line.tags.length > 0 ? { tags: line.tags.map((tag) => tagName(tag, knowing)) } : {}),
      references,
      parent: owner,
      ...(line.done === undefined ? {} : { done: line.done }),
    });
  }
}

function readFields(lines: OutlineLine[], mentions: Set<string>, knowing: Knowing): NoteField[] {
  const fields = new Map<string, NoteField>();
  for (const line of lines) {
    const above = lines[line.under];
    const name = line.field ?? above?.field;
    // A field of the node itself, or a value below one.
    if (name === undefined || (line.field === undefined ? above!.under : line.under) !== 0) continue;
    const field = fields.get(name) ?? { name, values: [] };
    field.values.push(...readValues(line, mentions, knowing));
    fields.set(name, field);
  }
  return [...fields.values()];
}

/** A value is text, a box, or one or more nodes. */
function readValues(line: OutlineLine, mentions: Set<string>, { isNote, nameOf }: Knowing): NoteValue[] {
  const linked = (id: string, label: string): NoteValue => ({
    text: (nameOf(id) ?? splitTags(label).text) || id,
    ...(isNote(id) ? { note: id } : {}),
  });
  if (line.listed !== undefined) return [linked(line.listed, line.text)];
  const text = line.text.trim();
  if (text === "") return [];
  const box = /^\[([ xX])\]$/.exec(text);
  if (box) return [{ text: box[1] === " " ? "No" : "Yes" }];
  const links = linksIn(text);
  if (links.length > 0 && between(text, links).every((gap) => /^[\s,;]*$/.test(gap))) {
    return links.map(({ id, label }) => linked(id, label));
  }
  const value = readMentions(text, nameOf);
  for (const id of value.references) mentions.add(id);
  return [{ text: value.text, ...(line.id !== undefined && isNote(line.id) ? { note: line.id } : {}) }];
}

function between(text: string, links: { start: number; end: number }[]): string[] {
  return [...links.map(({ start }, at) => text.slice(links[at - 1]?.end ?? 0, start)), text.slice(links.at(-1)!.end)];
}

function readName(markup: string, nameOf: NodeNameOf): { name: string; rest: string; references: string[] } {
  const { text, references } = readMentions(markup, nameOf);
  const { name, rest } = firstLine(text);
  return { name: withoutOuterEmphasis(name), rest, references };
}

function joined(rest: string, description: string): string {
  return [rest, description.trim()].filter((part) => part !== "").join("\n\n");
}

/** Outlines write `Life_Area` for the tag "Life Area": what is known tells which `_` is a blank. */
function tagName(written: string, { tags }: Knowing): string {
  return tags.get(written) ?? written.replaceAll("_", " ").trim();
}

function tagsOf({ read, found }: Answers, known: ReadonlyMap<string, Note>): Map<string, string> {
  const names = [
    ...found.flatMap((hit) => hit.tags),
    ...read.flatMap(({ hit, children }) => [hit, ...(children?.children ?? [])].flatMap((each) => each?.tags ?? [])),
    ...[...known.values()].flatMap((note) => note.tags),
  ];
  return new Map(names.map((name) => [name.replace(/\s/g, "_"), name]));
}

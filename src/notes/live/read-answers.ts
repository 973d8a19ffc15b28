import type { Note, NoteField, NoteValue } from "../../note.ts";
import { firstLine, withoutOuterEmphasis } from "../readers/tana/html.ts";
import { parts } from "../readers/tana/system.ts";
import type { LiveHit, LiveNode } from "./api-responses.ts";
import type { LiveChildren } from "./client.ts";
import { linksIn, type NodeNameOf, readMentions, splitTags } from "./markup.ts";
import { addUpdate, type NoteUpdate } from "./merge.ts";
import { type OutlineLine, readOutline } from "./outline.ts";

/** All answers about one node. */
export type NodeAnswer = { id: string; hit?: LiveHit; node: LiveNode; children?: LiveChildren };

export type Answers = {
  read: NodeAnswer[];
  /** Nodes that only appeared as results. */
  found: LiveHit[];
  /** Ids of the nodes that were edited since this time. */
  edited?: { ids: ReadonlySet<string>; since: number };
};

/** Internal nodes of Tana; the API names some of them differently from the export. */
const notNotes = new Set(
  "tuple metanode attrDef tagDef viewDef associatedData command workspace settings supertag field-definition".split(
    " ",
  ),
);

/** Whether a result is a note. For a code block the API returns less than local data: the code without its language. */
export function isNoteHit({ id, docType }: LiveHit): boolean {
  return !notNotes.has(docType) && docType !== "codeblock" && !id.startsWith("SYS_") && !isPart(id);
}

function isPart(id: string): boolean {
  const at = [...parts.keys()].find((part) => id.endsWith(`_${part}`));
  return at !== undefined && id.length > at.length + 8;
}

/**
 * The updates of each note in the answers, by key. `nameOf` is called for every mentioned node; `others`: keys that are
 * notes besides the stored ones.
 */
export function readAnswers(
  answers: Answers,
  stored: ReadonlyMap<string, Note>,
  nameOf: NodeNameOf,
  others: { has(key: string): boolean } = new Set(),
): Map<string, NoteUpdate> {
  const updates = new Map<string, NoteUpdate>();
  const context: AnswerContext = {
    stored,
    nameOf,
    isNote: (key) => stored.has(key) || others.has(key),
    tags: tagsOf(answers, stored),
  };
  // From the most to the least detailed answer: of two values the first counts.
  const outlines = answers.read.map((answer) => readAnswer(answer, updates, context));
  for (const { children, id } of answers.read) {
    for (const child of children?.children ?? []) {
      if (child.id !== id && isNoteHit(child)) addUpdate(updates, updateFromHit(child, nameOf));
    }
  }
  for (const hit of answers.found) addUpdate(updates, updateFromHit(hit, nameOf));
  for (const [at, answer] of answers.read.entries()) readBelow(answer, outlines[at]!, updates, context);
  const { edited } = answers;
  for (const [key, each] of updates) if (edited?.ids.has(key)) each.changedSince = edited.since;
  return updates;
}

type AnswerContext = {
  stored: ReadonlyMap<string, Note>;
  nameOf: NodeNameOf;
  isNote(key: string): boolean;
  /** Tags by their spelling in outlines. */
  tags: ReadonlyMap<string, string>;
};

export function updateFromHit(hit: LiveHit, nameOf: NodeNameOf): NoteUpdate {
  const { name, references, rest } = readName(hit.name, nameOf);
  const text = joinParagraphs(rest, hit.description === undefined ? "" : readMentions(hit.description, nameOf).text);
  return {
    key: hit.id,
    name,
    ...(text === "" ? {} : { text }),
    tags: hit.tags,
    references,
    ...(hit.created === undefined ? {} : { created: hit.created }),
  };
}

/** Adds the update of the node itself; returns its outline, if it really is its own. */
function readAnswer(answer: NodeAnswer, updates: Map<string, NoteUpdate>, context: AnswerContext): OutlineLine[] {
  const { id, hit, node } = answer;
  const { nameOf } = context;
  const lines = readOutline(node.markdown);
  const root = lines[0];
  const isOwn = root !== undefined && (root.id === undefined || root.id === id);
  const { name, references, rest } = readName(node.name ?? hit?.name ?? (isOwn ? root.text : ""), nameOf);
  const description = readMentions(node.description ?? hit?.description ?? "", nameOf);
  const text = joinParagraphs(rest, description.text);
  const mentions = new Set([...references, ...description.references]);
  const outline = isOwn ? lines : [];
  const fields = isOwn ? readFields(outline, mentions, context) : undefined;
  const below = outline.filter(({ under }) => under === 0);
  const listed = new Set(below.flatMap((line) => line.listed ?? []));
  const owned = new Set(below.flatMap((line) => line.id ?? []));
  readChildren(answer, { listed, owned }, updates, context.stored);
  for (const child of listed) mentions.add(child);
  mentions.delete(id);
  addUpdate(updates, {
    key: id,
    ...(name === "" && !isOwn ? {} : { name }),
    ...(text !== "" ? { text } : node.description === null ? { text: null } : {}),
    ...(hit ? { tags: hit.tags } : isOwn ? { tags: root.tags.map((tag) => tagName(tag, context)) } : {}),
    ...(fields ? { fields } : {}),
    ...(isOwn ? { done: root.done ?? null, whole: true } : {}),
    references: [...mentions],
    ...(hit?.created === undefined ? {} : { created: hit.created }),
  });
  return outline;
}

/**
 * Owned children get their parent and position; foreign ones are listed. The outline tells which are which, as far as
 * it goes.
 */
function readChildren(
  { id, children }: NodeAnswer,
  { listed, owned }: { listed: Set<string>; owned: ReadonlySet<string> },
  updates: Map<string, NoteUpdate>,
  stored: ReadonlyMap<string, Note>,
): void {
  let last = -1;
  for (const child of children?.children ?? []) {
    if (child.id === id || !isNoteHit(child) || child.inTrash) continue;
    const before = stored.get(child.id);
    const isElsewhere = before?.parent !== undefined && before.parent !== id;
    if (listed.has(child.id) || (isElsewhere && !owned.has(child.id))) {
      listed.add(child.id);
      continue;
    }
    // A position that is still valid stays: the export also counts other things among the children.
    const place = before?.parent === id ? before.order : undefined;
    last = place !== undefined && place > last ? place : last + 1;
    addUpdate(updates, { key: child.id, parent: id, order: last });
  }
}

/** Notes in the outline below the node, with the little that it says about them. */
function readBelow(
  { id, children }: NodeAnswer,
  lines: OutlineLine[],
  updates: Map<string, NoteUpdate>,
  context: AnswerContext,
): void {
  const skipped = new Set(children?.children.flatMap((child) => (isNoteHit(child) ? [] : [child.id])));
  const owns = new Set(lines.map(({ under }) => under));
  // The nearest node above each line: fields and lines without an id are no nodes.
  const owners: string[] = [];
  for (const [index, line] of lines.entries()) {
    const above = line.under > 0 ? lines[line.under]! : undefined;
    const node = above && above.field === undefined ? (above.id ?? above.listed) : undefined;
    const owner = node ?? (above ? owners[line.under]! : id);
    owners.push(owner);
    if (index === 0 || line.id === undefined || line.id === id || line.field !== undefined) continue;
    if (skipped.has(line.id)) continue;
    if (above?.field !== undefined && !owns.has(index) && !context.stored.has(line.id)) continue;
    const { name, references, rest } = readName(line.text, context.nameOf);
    addUpdate(updates, {
      key: line.id,
      name,
      ...(rest === "" ? {} : { text: rest }),
      ...(line.tags.length > 0 ? { tags: line.tags.map((tag) => tagName(tag, context)) } : {}),
      references,
      parent: owner,
      ...(line.done === undefined ? {} : { done: line.done }),
    });
  }
}

function readFields(lines: OutlineLine[], mentions: Set<string>, context: AnswerContext): NoteField[] {
  const fields = new Map<string, NoteField>();
  for (const line of lines) {
    const above = lines[line.under];
    const name = line.field ?? above?.field;
    // A field of the node itself, or a value below one.
    if (name === undefined || (line.field === undefined ? above!.under : line.under) !== 0) continue;
    const field = fields.get(name) ?? { name, values: [] };
    field.values.push(...readValues(line, mentions, context));
    fields.set(name, field);
  }
  return [...fields.values()];
}

/** A value is a text, a checkbox, or one or more nodes. */
function readValues(line: OutlineLine, mentions: Set<string>, { isNote, nameOf }: AnswerContext): NoteValue[] {
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

function joinParagraphs(rest: string, description: string): string {
  return [rest, description.trim()].filter((part) => part !== "").join("\n\n");
}

/** Outlines write `Life_Area` for the tag "Life Area": known tags tell which `_` is a space. */
function tagName(tag: string, { tags }: AnswerContext): string {
  return tags.get(tag) ?? tag.replaceAll("_", " ").trim();
}

function tagsOf({ read, found }: Answers, stored: ReadonlyMap<string, Note>): Map<string, string> {
  const names = [
    ...found.flatMap((hit) => hit.tags),
    ...read.flatMap(({ hit, children }) => [hit, ...(children?.children ?? [])].flatMap((each) => each?.tags ?? [])),
    ...[...stored.values()].flatMap((note) => note.tags),
  ];
  return new Map(names.map((name) => [name.replace(/\s/g, "_"), name]));
}

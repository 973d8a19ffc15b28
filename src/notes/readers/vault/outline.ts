import { blockIdOf, checkboxOf, columnsOf, dedent, draft, headingOf, type NoteDraft } from "./note-draft.ts";
import { type Zones, zone } from "./verbatim-zones.ts";

/**
 * A list item that is being read. Until something makes it a note, its lines are among those of its owner, from `from`
 * on.
 */
type Item = { columns: number; content: number; note?: NoteDraft; owner: NoteDraft; from: number };

/** Consecutive lines of one owner, from `from` up to `to`. */
type Run = { owner: NoteDraft; from: number; to: number };

type Outline = {
  readonly lines: readonly string[];
  readonly zones: Zones;
  readonly drafts: NoteDraft[];
  readonly sections: NoteDraft[];
  items: Item[];
  /** The current run of lines, and the one before the last blank line. */
  run?: Run;
  before?: Run;
};

const listItem = /^[ \t]*([-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** Lines that are no paragraph text. */
const notParagraph = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)|[ \t]*[>|]| {4}|\t)/;

/**
 * The structure of a Markdown page: headings are notes, and so are list items with a checkbox or a `^id`, list items
 * that contain such ones, and paragraphs with a `^id`. Everything else is text of the note around it.
 */
export function readOutline(lines: readonly string[], start: number, zones: Zones): NoteDraft[] {
  const page = draft("page", 0, undefined);
  const outline: Outline = { lines, zones, drafts: [page], sections: [page], items: [] };
  for (let i = start; i < lines.length; i++) {
    const line = lines[i]!;
    const kind = zones.of[i];
    if (kind === zone.verbatim || kind === zone.held) addLine(outline, i);
    else if (line.trim() === "") addBlank(outline, i);
    else if (!readHeading(outline, i) && !readUnderline(outline, i) && !readItem(outline, i, kind === zone.begins)) {
      leaveItems(outline, i);
      if (kind === zone.begins || !readBlockId(outline, i)) addLine(outline, i);
    }
  }
  return outline.drafts;
}

function readHeading(outline: Outline, i: number): boolean {
  const heading = headingOf(outline.lines[i]!);
  if (heading) openSection(outline, i, heading.text, heading.level);
  return heading !== undefined;
}

/** Setext heading: a line of `=` or `-` below a paragraph of one line. */
function readUnderline(outline: Outline, i: number): boolean {
  const mark = underline.exec(outline.lines[i]!)?.[1];
  const { run } = outline;
  if (!mark || !run || run.to - run.from !== 1 || outline.items.length > 0) return false;
  const above = run.owner.body[run.from]!;
  if (above.line !== i - 1 || notParagraph.test(above.text)) return false;
  run.owner.body.length = run.from;
  openSection(outline, above.line, above.text.trim(), mark.startsWith("=") ? 1 : 2);
  return true;
}

function openSection(outline: Outline, i: number, text: string, level: number): void {
  const { sections } = outline;
  while (sections.length > 1 && sections.at(-1)!.level >= level) sections.pop();
  const id = blockIdOf(text);
  const section = draft("section", i, sections.at(-1)!, id?.text ?? text, level);
  if (id) section.blockIds.push(id.id);
  sections.push(section);
  outline.drafts.push(section);
  outline.items = [];
  endRun(outline);
  delete outline.before;
}

function readItem(outline: Outline, i: number, verbatim: boolean): boolean {
  const line = outline.lines[i]!;
  const match = listItem.exec(line);
  if (!match) return false;
  const columns = columnsOf(line);
  while (outline.items.length > 0 && outline.items.at(-1)!.columns >= columns) outline.items.pop();
  const text = line.slice(match[0].length);
  const id = verbatim ? undefined : blockIdOf(text.trimEnd());
  const box = verbatim ? undefined : checkboxOf((id?.text ?? text).trim());
  const owner = ownerOf(outline);
  const item: Item = { columns, content: columns + match[1]!.length + 1, owner, from: owner.body.length };
  outline.items.push(item);
  addLine(outline, i);
  if (!box && !id) return true;
  const note = makeNote(outline);
  note.head = box?.text ?? id!.text;
  if (box) note.done = box.done;
  if (id) note.blockIds.push(id.id);
  return true;
}

/** A `^id` at the end of a paragraph, or on the line below a block. */
function readBlockId(outline: Outline, i: number): boolean {
  const blockId = blockIdOf(outline.lines[i]!);
  if (!blockId) return false;
  const alone = blockId.text.trim() === "";
  const item = outline.items.at(-1);
  if (item) {
    const note = makeNote(outline);
    note.blockIds.push(blockId.id);
    if (!alone) note.body.push({ line: i, text: dedent(blockId.text, item.content) });
    return true;
  }
  if (!alone) addLine(outline, i);
  const run = outline.run ?? outline.before;
  if (!run || run.to === run.from) return false;
  const { owner, from, to } = run;
  const lines = owner.body.splice(from, to - from);
  const note = draft("paragraph", lines[0]!.line, owner);
  note.blockIds.push(blockId.id);
  note.body = lines;
  const last = note.body.at(-1)!;
  if (!alone) last.text = blockId.text;
  outline.drafts.push(note);
  delete outline.run;
  delete outline.before;
  return true;
}

/**
 * Makes the current list item a note, and all items around it: their text about it would be lost otherwise. Their lines
 * are the last of their owner's, those of each item before those of the one inside it.
 */
function makeNote(outline: Outline): NoteDraft {
  const { items, lines, zones, drafts } = outline;
  const first = items.findIndex(({ note }) => !note);
  if (first < 0) return items.at(-1)!.note!;
  const { owner, from } = items[first]!;
  const itemLines = owner.body.splice(from);
  let parent = owner;
  for (let at = first; at < items.length; at++) {
    const item = items[at]!;
    const own = itemLines.slice(item.from - from, items[at + 1] && items[at + 1]!.from - from);
    const { line: top } = own[0]!;
    const text = lines[top]!.replace(listItem, "");
    const note = draft("item", top, parent);
    // Code beside the list mark is no name.
    if (zones.of[top] === zone.open) note.head = blockIdOf(text)?.text ?? text.trim();
    else note.body.push({ line: top, text });
    for (const { line } of own.slice(1)) note.body.push({ line, text: dedent(lines[line]!, item.content) });
    drafts.push(note);
    item.note = note;
    parent = note;
  }
  delete outline.run;
  delete outline.before;
  return parent;
}

function ownerOf({ items, sections }: Outline): NoteDraft {
  return items.at(-1)?.note ?? items.at(-1)?.owner ?? sections.at(-1)!;
}

function addLine(outline: Outline, i: number): void {
  const owner = ownerOf(outline);
  const margin = outline.items.findLast(({ note }) => note)?.content ?? 0;
  owner.body.push({ line: i, text: dedent(outline.lines[i]!, margin) });
  if (outline.run?.owner === owner) outline.run.to = owner.body.length;
  else outline.run = { owner, from: owner.body.length - 1, to: owner.body.length };
}

function addBlank(outline: Outline, i: number): void {
  endRun(outline);
  ownerOf(outline).body.push({ line: i, text: "" });
}

function endRun(outline: Outline): void {
  if (outline.run) outline.before = outline.run;
  delete outline.run;
}

/** An unindented line ends the items above it, unless it continues their paragraph. */
function leaveItems(outline: Outline, i: number): void {
  const { items, lines, zones } = outline;
  if (items.length === 0 || (lines[i - 1]!.trim() !== "" && zones.of[i - 1] === zone.open)) return;
  const columns = columnsOf(lines[i]!);
  while (items.length > 0 && items.at(-1)!.columns >= columns) items.pop();
}

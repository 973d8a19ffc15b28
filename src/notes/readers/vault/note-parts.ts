import { addField, type VaultFields } from "./fields.ts";
import type { VaultSettings } from "./flavour.ts";
import { type InlineToken, scanInline } from "./inline.ts";
import { isNoteLink, pageAlias, referencesOf, shownOf, type VaultFile } from "./links.ts";
import { readBlockHead, withoutDrawers } from "./logseq.ts";
import { type BodyLine, columnsOf, dedent, type NoteDraft } from "./note-draft.ts";
import { addProperty, type NoteProperties, propertyLine } from "./properties.ts";
import { type Zones, zone } from "./verbatim-zones.ts";

/** The page around a note's lines. */
export type PageContext = { file: VaultFile; settings: VaultSettings; lines: readonly string[]; zones: Zones };

/** The parsed parts of a note. */
export type NoteParts = { name: string; text?: string; done?: boolean; properties: NoteProperties };

/** A longer line is text, and its beginning the name. */
const longestName = 2000;
const shortName = 200;
/** Lines that begin a block of several lines, which has no name. */
const notName = /^(?:[|>]|#\+|\$\$|```|~~~|<!--|(?:[-*_] ?){3,}$)/;
const listMark = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** Splits the lines of a note into name, properties and text, and collects its mentions. */
export function readParts(draft: NoteDraft, properties: NoteProperties, page: PageContext): NoteParts {
  const outline = page.file.flavour === "logseq";
  const body = withoutProperties(outline ? withoutDrawers(draft.body, page, properties) : draft.body, properties, page);
  const first = draft.head === undefined ? takeHead(draft, body, page) : { line: draft.line, text: draft.head };
  const task = first && readTask(first.text, draft, properties, outline);
  const head = task && { line: first.line, text: task.text };
  const done = task?.done;
  const name = head ? readName(head, properties, page) : "";
  for (const line of body) mention(tokensOf(line, page), properties, page);
  // Where the name is only the beginning of the line, the whole line is part of the text.
  const lines = head && head.text.length > longestName ? [head, ...body] : body;
  // The content of an item is indented further than its mark requires.
  const text = textOf(lines, draft.kind === "item" && !outline ? marginOf(lines) : 0);
  return { name, properties, ...(text !== undefined && { text }), ...(done !== undefined && { done }) };
}

/** The task marks in the first line. */
function readTask(
  text: string,
  draft: NoteDraft,
  properties: NoteProperties,
  outline: boolean,
): { text: string; done?: boolean } {
  if (outline) return draft.kind === "item" ? readBlockHead(text, properties) : { text };
  return draft.done === undefined ? { text } : { text: takeDates(text, properties.fields), done: draft.done };
}

/** Removes and returns the first line with text, if it can be a name. */
function takeHead(draft: NoteDraft, body: BodyLine[], { zones }: PageContext): BodyLine | undefined {
  if (draft.kind === "page") return undefined;
  const at = body.findIndex(({ text }) => text.trim() !== "");
  const first = body[at];
  if (!first || zones.of[first.line] !== zone.open) return undefined;
  const text = first.text.trim();
  if (notName.test(text) || (draft.kind === "paragraph" && listMark.test(text))) return undefined;
  body.splice(at, 1);
  return { line: first.line, text };
}

function withoutProperties(body: readonly BodyLine[], properties: NoteProperties, page: PageContext): BodyLine[] {
  const outline = page.file.flavour === "logseq";
  return body.filter(({ line, text }, at) => {
    const property = page.zones.of[line] === zone.open ? propertyLine(text, outline) : undefined;
    if (!property) return true;
    addProperty(properties, property.key, property.value, page.file, page.settings);
    // A list item stays in place when others are nested below it.
    const next = body[at + 1];
    return !outline && listMark.test(text.trim()) && next !== undefined && columnsOf(next.text) > columnsOf(text);
  });
}

function readName(head: BodyLine, properties: NoteProperties, page: PageContext): string {
  const tokens = tokensOf(head, page);
  mention(tokens, properties, page);
  const { text } = head;
  if (text.length > longestName) return `${text.slice(0, shortName).trimEnd()}…`;
  if (page.zones.visible.has(head.line)) return text.trim();
  return shownName(text, tokens, page.file);
}

/** A line with links to notes replaced by their text, and without the fields at its end. */
function shownName(text: string, tokens: readonly InlineToken[], file: VaultFile): string {
  let end = text.length;
  let last = tokens.length - 1;
  for (; last >= 0; last--) {
    const token = tokens[last]!;
    if (token.kind !== "field" || text.slice(token.end, end).trim() !== "") break;
    end = token.start;
  }
  let name = "";
  let at = 0;
  for (const token of tokens.slice(0, last + 1).sort((a, b) => a.start - b.start)) {
    if (token.start < at || token.kind === "tag" || token.kind === "field" || !isNoteLink(token, file)) continue;
    const hash = token.kind === "page" && token.tag ? "#" : "";
    name += text.slice(at, token.start) + hash + shownOf(token, file);
    at = token.end;
  }
  return (name + text.slice(at, Math.max(at, end))).trim();
}

function tokensOf({ line, text }: BodyLine, { file, zones, lines }: PageContext): InlineToken[] {
  const kind = zones.of[line];
  if (kind !== zone.open && kind !== zone.held) return [];
  const visible = zones.visible.get(line);
  const outline = file.flavour === "logseq";
  if (!visible) return scanInline(text, outline);
  const offset = Math.max(0, lines[line]!.indexOf(text));
  return scanInline(text.slice(Math.max(0, visible.from - offset), Math.max(0, visible.to - offset)), outline);
}

function mention(tokens: readonly InlineToken[], properties: NoteProperties, { file, settings }: PageContext): void {
  const outline = file.flavour === "logseq";
  for (const token of tokens) {
    if (token.kind === "field") addProperty(properties, token.name, token.value, file, settings);
    else if (token.kind === "tag") {
      properties.tags.push(token.name);
      if (outline) properties.references.push(pageAlias(token.name));
    } else {
      if (token.kind === "page" && token.tag) properties.tags.push(token.target.trim());
      properties.references.push(...referencesOf(token, file));
    }
  }
}

/** Undefined where there is nothing but spaces and rules. */
function textOf(body: readonly BodyLine[], margin: number): string | undefined {
  if (body.every(({ text }) => /^[\s*_-]*$/.test(text))) return undefined;
  const first = body.findIndex(({ text }) => text.trim() !== "");
  return body
    .slice(first)
    .map(({ text }) => (margin > 0 ? dedent(text, margin) : text))
    .join("\n")
    .trimEnd();
}

/** The common indentation of all lines. */
function marginOf(body: readonly BodyLine[]): number {
  let margin = Number.POSITIVE_INFINITY;
  for (const { text } of body) if (text.trim() !== "") margin = Math.min(margin, columnsOf(text));
  return Number.isFinite(margin) ? margin : 0;
}

/** Marks of Obsidian's Tasks plugin for dates, and the fields that Dataview reads them as. */
const names: Record<string, string> = {
  "📅": "due",
  "📆": "due",
  "🗓": "due",
  "✅": "completion",
  "❌": "cancelled",
  "➕": "created",
  "🛫": "start",
  "⏳": "scheduled",
};
const date = new RegExp(`\\s*(${Object.keys(names).join("|")})\\ufe0f?\\s*(\\d{4}-\\d{2}-\\d{2})(?!\\d)`, "gu");

/** The text of a task without its dates, which become fields. */
function takeDates(text: string, fields: VaultFields): string {
  return text.replace(date, (_, mark: string, day: string) => {
    addField(fields, names[mark]!, { values: [{ text: day }], type: "date" });
    return "";
  });
}

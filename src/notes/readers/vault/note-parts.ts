import { type BodyLine, columnsOf, dedent, type NoteDraft } from "./draft.ts";
import type { VaultSettings } from "./flavour.ts";
import { type InlineToken, scanInline } from "./inline.ts";
import { type Here, isNoteLink, pageAlias, referencesOf, shownOf } from "./links.ts";
import { readBlockHead, withoutDrawers } from "./logseq-blocks.ts";
import { propertyLine, type StatedProperties, sayProperty } from "./properties.ts";
import { takeDates } from "./task-dates.ts";
import { type Zones, zone } from "./zones.ts";

/** What reading the lines of a note needs to know of its page. */
export type PageContext = { here: Here; settings: VaultSettings; lines: readonly string[]; zones: Zones };

/** What the lines of a note say. */
export type NoteParts = { name: string; text?: string; done?: boolean; said: StatedProperties };

/** A longer line is text, and its beginning the name. */
const longestName = 2000;
const shortName = 200;
/** Lines that begin something of several lines, which has no name. */
const notName = /^(?:[|>]|#\+|\$\$|```|~~~|<!--|(?:[-*_] ?){3,}$)/;
const listed = /^(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** Sorts the lines of a note into its name, its properties and its text, and collects what they mention. */
export function readParts(draft: NoteDraft, said: StatedProperties, page: PageContext): NoteParts {
  const outline = page.here.flavour === "logseq";
  const body = withoutProperties(outline ? withoutDrawers(draft.body, page, said) : draft.body, said, page);
  const first = draft.head === undefined ? takeHead(draft, body, page) : { line: draft.line, text: draft.head };
  const task = first && readTask(first.text, draft, said, outline);
  const head = task && { line: first.line, text: task.text };
  const done = task?.done;
  const name = head ? readName(head, said, page) : "";
  for (const line of body) mention(tokensOf(line, page), said, page);
  // The whole line is in the text where the name is only its beginning.
  const whole = head && head.text.length > longestName ? [head, ...body] : body;
  // What stands in an item is indented further than its mark asks for.
  const text = textOf(whole, draft.kind === "item" && !outline ? marginOf(whole) : 0);
  return { name, said, ...(text !== undefined && { text }), ...(done !== undefined && { done }) };
}

/** What a task's first line says besides its text. */
function readTask(
  text: string,
  draft: NoteDraft,
  said: StatedProperties,
  outline: boolean,
): { text: string; done?: boolean } {
  if (outline) return draft.kind === "item" ? readBlockHead(text, said) : { text };
  return draft.done === undefined ? { text } : { text: takeDates(text, said.fields), done: draft.done };
}

/** The first line with text, where it can be a name; it is taken out of the lines. */
function takeHead(draft: NoteDraft, body: BodyLine[], { zones }: PageContext): BodyLine | undefined {
  if (draft.kind === "page") return undefined;
  const at = body.findIndex(({ text }) => text.trim() !== "");
  const first = body[at];
  if (!first || zones.of[first.line] !== zone.open) return undefined;
  const text = first.text.trim();
  if (notName.test(text) || (draft.kind === "paragraph" && listed.test(text))) return undefined;
  body.splice(at, 1);
  return { line: first.line, text };
}

function withoutProperties(body: readonly BodyLine[], said: StatedProperties, page: PageContext): BodyLine[] {
  const outline = page.here.flavour === "logseq";
  return body.filter(({ line, text }, at) => {
    const property = page.zones.of[line] === zone.open ? propertyLine(text, outline) : undefined;
    if (!property) return true;
    sayProperty(said, property.key, property.value, page.here, page.settings);
    // An item of a list stays where it is when others stand below it.
    const next = body[at + 1];
    return !outline && listed.test(text.trim()) && next !== undefined && columnsOf(next.text) > columnsOf(text);
  });
}

function readName(head: BodyLine, said: StatedProperties, page: PageContext): string {
  const tokens = tokensOf(head, page);
  mention(tokens, said, page);
  const { text } = head;
  if (text.length > longestName) return `${text.slice(0, shortName).trimEnd()}…`;
  if (page.zones.visible.has(head.line)) return text.trim();
  return shownName(text, tokens, page.here);
}

/** A line with links to notes replaced by what they show, and without the fields at its end. */
function shownName(text: string, tokens: readonly InlineToken[], here: Here): string {
  let end = text.length;
  let last = tokens.length - 1;
  for (; last >= 0; last--) {
    const token = tokens[last]!;
    if (token.kind !== "field" || text.slice(token.end, end).trim() !== "") break;
    end = token.start;
  }
  let shown = "";
  let at = 0;
  for (const token of tokens.slice(0, last + 1).sort((a, b) => a.start - b.start)) {
    if (token.start < at || token.kind === "tag" || token.kind === "field" || !isNoteLink(token, here)) continue;
    const hash = token.kind === "page" && token.tag ? "#" : "";
    shown += text.slice(at, token.start) + hash + shownOf(token, here);
    at = token.end;
  }
  return (shown + text.slice(at, Math.max(at, end))).trim();
}

function tokensOf({ line, text }: BodyLine, { here, zones, lines }: PageContext): InlineToken[] {
  const kind = zones.of[line];
  if (kind !== zone.open && kind !== zone.held) return [];
  const visible = zones.visible.get(line);
  const outline = here.flavour === "logseq";
  if (!visible) return scanInline(text, outline);
  const offset = Math.max(0, lines[line]!.indexOf(text));
  return scanInline(text.slice(Math.max(0, visible.from - offset), Math.max(0, visible.to - offset)), outline);
}

function mention(tokens: readonly InlineToken[], said: StatedProperties, { here, settings }: PageContext): void {
  const outline = here.flavour === "logseq";
  for (const token of tokens) {
    if (token.kind === "field") sayProperty(said, token.name, token.value, here, settings);
    else if (token.kind === "tag") {
      said.tags.push(token.name);
      if (outline) said.references.push(pageAlias(token.name));
    } else {
      if (token.kind === "page" && token.tag) said.tags.push(token.target.trim());
      said.references.push(...referencesOf(token, here));
    }
  }
}

/** Undefined where there is nothing but blanks and rules. */
function textOf(body: readonly BodyLine[], margin: number): string | undefined {
  if (body.every(({ text }) => /^[\s*_-]*$/.test(text))) return undefined;
  const first = body.findIndex(({ text }) => text.trim() !== "");
  return body
    .slice(first)
    .map(({ text }) => (margin > 0 ? dedent(text, margin) : text))
    .join("\n")
    .trimEnd();
}

/** The columns by which all lines are indented. */
function marginOf(body: readonly BodyLine[]): number {
  let margin = Number.POSITIVE_INFINITY;
  for (const { text } of body) if (text.trim() !== "") margin = Math.min(margin, columnsOf(text));
  return Number.isFinite(margin) ? margin : 0;
}

import { addField } from "./fields.ts";
import { type BodyLine, checkboxOf, draft, headingOf, type NoteDraft } from "./note-draft.ts";
import type { PageContext } from "./note-parts.ts";
import { addProperty, type NoteProperties } from "./properties.ts";
import { type Zones, zone } from "./verbatim-zones.ts";

const bullet = /^([ \t]*)-(?:[ \t](.*))?$/s;

type Open = { indent: number; draft: NoteDraft };

/**
 * The outline of a Logseq page: every `-` is a block, and the lines up to the next one belong to it. A block is nested
 * when it is indented by more characters than the one above. A heading without a bullet contains what follows it.
 */
export function readBullets(lines: readonly string[], start: number, zones: Zones): NoteDraft[] {
  const page = draft("page", 0, undefined);
  const drafts = [page];
  const sections: NoteDraft[] = [page];
  let open: Open[] = [];
  for (let i = start; i < lines.length; i++) {
    const line = lines[i]!;
    const structured = zones.of[i] !== zone.verbatim && zones.of[i] !== zone.held;
    const item = structured ? bullet.exec(line) : null;
    const heading = structured && !item ? headingOf(line) : undefined;
    if (item) {
      const indent = item[1]!.length;
      while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
      const block = draft("item", i, open.at(-1)?.draft ?? sections.at(-1)!);
      block.body.push({ line: i, text: (item[2] ?? "").trimStart() });
      open.push({ indent, draft: block });
      drafts.push(block);
    } else if (heading && !/^[ \t]/.test(line)) {
      open = [];
      while (sections.length > 1 && sections.at(-1)!.level >= heading.level) sections.pop();
      const section = draft("section", i, sections.at(-1)!, heading.text, heading.level);
      sections.push(section);
      drafts.push(section);
    } else {
      const top = open.at(-1);
      const owner = top?.draft ?? sections.at(-1)!;
      owner.body.push({ line: i, text: top ? withoutIndent(line, top.indent + 2) : line });
    }
  }
  return drafts;
}

/** Lines of a block are indented two characters more than its bullet; others are taken as they are. */
function withoutIndent(line: string, width: number): string {
  return line.slice(0, width).trim() === "" ? line.slice(width) : line.trimStart();
}

const marker = /^(TODO|DOING|DONE|LATER|NOW|WAITING|WAIT|CANCELED|CANCELLED|STARTED|IN-PROGRESS)[ \t]+/;
const priority = /^\[#(\S)\](?:[ \t]+|$)/u;
const hashes = /^#{1,6}(?:[ \t]+|$)/;
const planned = /^[ \t]*(SCHEDULED|DEADLINE):[ \t]+<(\d{4}-\d{2}-\d{2})[^<>]{0,60}>[ \t]*$/i;
const drawer = /^[ \t]*:([A-Za-z][\w-]{0,40}):[ \t]*$/;

/** Reads the marks before the text of a block: heading hashes, task state and priority, or a checkbox. */
export function readBlockHead(head: string, properties: NoteProperties): { text: string; done?: boolean } {
  let text = head.replace(hashes, "");
  const state = marker.exec(text)?.[1];
  text = text.replace(marker, "");
  const rank = priority.exec(text)?.[1];
  if (rank) addField(properties.fields, "priority", { values: [{ text: rank }], type: "options" });
  text = text.replace(priority, "").trim();
  if (state === undefined) return checkboxOf(text) ?? { text };
  // For TODO and DONE the field `done` is enough.
  if (state !== "TODO" && state !== "DONE") {
    addField(properties.fields, "status", { values: [{ text: state }], type: "options" });
  }
  return { text, done: /^(?:DONE|CANCEL)/.test(state) };
}

/** Removes Logseq's special lines: dates of a task, the logbook, Org properties. */
export function withoutDrawers(body: readonly BodyLine[], page: PageContext, properties: NoteProperties): BodyLine[] {
  const remaining: BodyLine[] = [];
  const endAfter = drawerEnds(body);
  for (let at = 0; at < body.length; at++) {
    const { line, text } = body[at]!;
    const open = page.zones.of[line] === zone.open;
    const name = open ? drawer.exec(text)?.[1]?.toUpperCase() : undefined;
    const end = name === "LOGBOOK" || name === "PROPERTIES" ? endAfter(at) : undefined;
    const date = open ? planned.exec(text) : null;
    if (end !== undefined) {
      if (name === "PROPERTIES") addDrawer(body.slice(at + 1, end), page, properties);
      at = end;
    } else if (date) {
      addField(properties.fields, date[1]!.toLowerCase(), { values: [{ text: date[2]! }], type: "date" });
    } else {
      remaining.push(body[at]!);
    }
  }
  return remaining;
}

/** The next `:END:` from a line on; lines must be passed in ascending order. */
function drawerEnds(body: readonly BodyLine[]): (at: number) => number | undefined {
  let end = -1;
  return (at) => {
    while (end <= at && end < body.length) {
      end++;
      while (end < body.length && !/^[ \t]*:END:[ \t]*$/i.test(body[end]!.text)) end++;
    }
    return end < body.length ? end : undefined;
  };
}

function addDrawer(body: readonly BodyLine[], page: PageContext, properties: NoteProperties): void {
  for (const { text } of body) {
    const match = /^[ \t]*:([^\s:]{1,100}):(?:[ \t]+(.*))?$/.exec(text);
    if (match?.[2]) addProperty(properties, match[1]!, match[2], page.file, page.settings);
  }
}

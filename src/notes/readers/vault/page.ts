import type { Note } from "../../../note.ts";
import { hashText } from "../../../text/hash.ts";
import { splitLines } from "../../../text/lines.ts";
import { dayTime } from "./dates.ts";
import type { VaultSettings } from "./flavour.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { blockAlias, pageAlias, sectionAlias, spell, uuidAlias } from "./links.ts";
import { readBullets } from "./logseq.ts";
import type { NoteDraft } from "./note-draft.ts";
import { type NoteParts, type PageContext, readParts } from "./note-parts.ts";
import { readOutline } from "./outline.ts";
import { type PageNames, pageNames } from "./page-names.ts";
import { addEntry, type NoteProperties, noProperties } from "./properties.ts";
import { findZones } from "./verbatim-zones.ts";

type Read = { draft: NoteDraft; parts: NoteParts };

/** The notes of one file: the page first, then its parts, each after its parent. */
export function readPage(path: string, text: string, changed: number | undefined, settings: VaultSettings): Note[] {
  const outline = settings.flavour === "logseq";
  const lines = splitLines(text);
  const frontmatter = readFrontmatter(lines);
  const start = frontmatter?.end ?? 0;
  const zones = findZones(lines, start, outline);
  const page: PageContext = { file: { path, flavour: settings.flavour }, settings, lines, zones };

  const properties = noProperties(true);
  for (const entry of frontmatter?.entries ?? []) addEntry(properties, entry, page.file);
  const drafts = outline ? readBullets(lines, start, zones) : readOutline(lines, start, zones);
  const heading = outline ? undefined : mergeTitle(drafts, properties, page);
  const stray = (frontmatter?.stray ?? []).map((line) => ({ line: 0, text: line }));
  drafts[0]!.body = [...stray, ...drafts[0]!.body];
  const parsed = drafts.map(
    (draft, at): Read => ({ draft, parts: readParts(draft, at === 0 ? properties : noProperties(false), page) }),
  );
  const title = properties.title ?? (settings.flavour === "markdown" && heading ? parsed[0]!.parts.name : undefined);
  const names = pageNames(path, { aliases: properties.aliases, ...(title && { title }) }, settings);
  return toNotes(withoutEmpty(parsed), names, heading, page, changed);
}

/**
 * A single top-level heading above everything else is the title and not a section: what is below it belongs to the
 * page. Where the file name is the page's name, only a heading that repeats it is a title. Returns the heading's text.
 */
function mergeTitle(drafts: NoteDraft[], properties: NoteProperties, { file }: PageContext): string | undefined {
  const [page, first] = drafts as [NoteDraft, NoteDraft | undefined];
  if (first?.kind !== "section" || first.level !== 1 || page.body.some(({ text }) => text.trim() !== ""))
    return undefined;
  if (drafts.some((draft) => draft.kind === "section" && draft.level === 1 && draft !== first)) return undefined;
  const base = file.path.slice(file.path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const name = file.flavour === "obsidian" ? base : properties.title;
  if (name !== undefined && sectionAlias("", name) !== sectionAlias("", first.head!)) return undefined;
  Object.assign(page, { head: first.head, line: first.line, body: first.body, blockIds: first.blockIds });
  drafts.splice(1, 1);
  for (const draft of drafts) if (draft.parent === first) draft.parent = page;
  return first.head;
}

/** Drops bullets with neither content nor children. */
function withoutEmpty(parsed: Read[]): Read[] {
  const needed = new Set<NoteDraft>();
  for (const { draft, parts } of parsed.toReversed()) {
    const { properties, name, text } = parts;
    const hasContent =
      name !== "" ||
      text !== undefined ||
      properties.fields.size > 0 ||
      properties.tags.length > 0 ||
      properties.id !== undefined;
    const empty = draft.kind === "item" && !hasContent && draft.blockIds.length === 0 && !needed.has(draft);
    if (empty) continue;
    needed.add(draft);
    if (draft.parent) needed.add(draft.parent);
  }
  return parsed.filter(({ draft }) => needed.has(draft));
}

function toNotes(
  parsed: Read[],
  names: PageNames,
  heading: string | undefined,
  page: PageContext,
  changed: number | undefined,
): Note[] {
  const { path } = page.file;
  const nextKey = pageKeys(path);
  const keys = new Map<NoteDraft, string>();
  const orders = new Map<NoteDraft, number>();
  const usedAliases = new Set<string>();
  const { properties: ofPage } = parsed[0]!.parts;
  const fromDay = names.day && dayTime(names.day);
  return parsed.map(({ draft, parts }) => {
    const { properties } = parts;
    const { parent } = draft;
    const key = parent ? nextKey(identityOf(draft, parts)) : path;
    keys.set(draft, key);
    const note: Note = {
      key,
      name: parent ? parts.name : names.name,
      ...tagsOf(properties.tags),
      fields: properties.fields.size === 0 ? [] : [...properties.fields.values()],
      references: unique(properties.references),
      place: { path, line: parent ? draft.line + 1 : 1 },
    };
    const all = parent ? aliasesOf(draft, parts, names) : [...names.aliases, ...partAliases(draft, heading, names)];
    // Of two sections or blocks with the same name, links mean the first.
    const aliases = all.filter((alias) => !usedAliases.has(alias) && usedAliases.add(alias));
    if (aliases.length > 0) note.aliases = aliases;
    if (parts.text !== undefined) note.text = parts.text;
    if (parts.done !== undefined) note.done = parts.done;
    if (parent) {
      note.parent = keys.get(parent)!;
      note.order = orders.get(parent) ?? 0;
      orders.set(parent, note.order + 1);
    } else if (names.above) {
      note.references = unique([pageAlias(names.above), ...note.references]);
    }
    const created = properties.created ?? fromDay;
    if (created !== undefined) note.created = created;
    const last = properties.changed ?? ofPage.changed ?? changed;
    if (last !== undefined) note.changed = last;
    return note;
  });
}

function unique(texts: string[]): string[] {
  return texts.length < 2 ? texts : [...new Set(texts)];
}

function identityOf(
  draft: NoteDraft,
  { name, text = "", properties }: NoteParts,
): { heading?: string; id?: string; text: string } {
  const id = properties.id ?? (draft.blockIds[0] && `^${draft.blockIds[0]}`);
  return { text: name || text, ...(id && { id }), ...(draft.kind === "section" && { heading: name }) };
}

function aliasesOf(draft: NoteDraft, { properties, name }: NoteParts, names: PageNames): string[] {
  const id = properties.id ? [uuidAlias(properties.id), properties.id.toLowerCase()] : [];
  return [...id, ...partAliases(draft, draft.kind === "section" ? name : undefined, names)];
}

/** Nobody links to a longer heading. */
const longestLinked = 500;

/** Aliases of a part of the page, under each of the page's names. */
function partAliases({ blockIds }: NoteDraft, heading: string | undefined, { before }: PageNames): string[] {
  if (!heading && blockIds.length === 0) return [];
  const headings = heading && heading.length <= longestLinked ? before.map((name) => sectionAlias(name, heading)) : [];
  return [...headings, ...blockIds.flatMap((id) => before.map((name) => blockAlias(name, id)))];
}

/** Each tag once, however it is spelled, and for `a/b/c` also `a` and `a/b`. */
function tagsOf(all: readonly string[]): Pick<Note, "tags" | "inherited"> {
  if (all.length === 0) return { tags: [] };
  const tags = new Map<string, string>();
  const above = new Map<string, string>();
  for (const tag of all) {
    if (!tags.has(spell(tag))) tags.set(spell(tag), tag);
    for (let slash = tag.indexOf("/"); slash > 0; slash = tag.indexOf("/", slash + 1)) {
      const part = tag.slice(0, slash);
      if (!above.has(spell(part))) above.set(spell(part), part);
    }
  }
  const inherited = [...above].filter(([name]) => !tags.has(name)).map(([, part]) => part);
  return inherited.length > 0 ? { tags: [...tags.values()], inherited } : { tags: [...tags.values()] };
}

/** What distinguishes a note from the others on its page. */
type Identity = { heading?: string; id?: string; text: string };

const longestHeading = 120;

/**
 * Unique keys of the notes on a page: `page.md#Heading`, `page.md#^id`, `page.md#1k3f…` for notes with neither. They do
 * not depend on the position, so that adding a note does not rename the others. The part after the last `#` contains no
 * `#` and does not end like a file name, so that no two pages can make the same key.
 */
function pageKeys(path: string): (identity: Identity) => string {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (identity) => {
    const part = partOf(identity);
    for (;;) {
      const count = (counts.get(part) ?? 0) + 1;
      counts.set(part, count);
      const key = count === 1 ? part : `${part}~${count}`;
      if (used.has(key)) continue;
      used.add(key);
      return `${path}#${key}`;
    }
  };
}

function partOf({ heading, id, text }: Identity): string {
  if (id) return id.replaceAll("#", "-");
  const plain = heading?.replaceAll("#", " ").replace(/\s+/g, " ").trim() ?? "";
  const readable = plain !== "" && plain.length <= longestHeading && !/\.(?:md|markdown)$/i.test(plain);
  return readable ? plain : hashText(text);
}

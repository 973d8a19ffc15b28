import type { Note } from "../../../note.ts";
import { splitLines } from "../../../text/lines.ts";
import { readBullets } from "./bullets.ts";
import { dayTime } from "./dates.ts";
import type { NoteDraft } from "./draft.ts";
import type { VaultSettings } from "./flavour.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { pageKeys } from "./keys.ts";
import { blockAlias, pageAlias, sectionAlias, spell, uuidAlias } from "./links.ts";
import { type PageNames, pageNames } from "./names.ts";
import { readOutline } from "./outline.ts";
import { type NoteParts, type PageContext, readParts } from "./parts.ts";
import { nothingSaid, type StatedProperties, sayEntry } from "./properties.ts";
import { findZones } from "./zones.ts";

type Read = { draft: NoteDraft; parts: NoteParts };

/** The notes of one file: the page itself first, then what stands in it, each after what it stands in. */
export function readPage(path: string, text: string, changed: number | undefined, settings: VaultSettings): Note[] {
  const outline = settings.flavour === "logseq";
  const lines = splitLines(text);
  const frontmatter = readFrontmatter(lines);
  const start = frontmatter?.end ?? 0;
  const zones = findZones(lines, start, outline);
  const page: PageContext = { here: { path, flavour: settings.flavour }, settings, lines, zones };

  const said = nothingSaid(true);
  for (const entry of frontmatter?.entries ?? []) sayEntry(said, entry, page.here);
  const drafts = outline ? readBullets(lines, start, zones) : readOutline(lines, start, zones);
  const heading = outline ? undefined : mergeTitle(drafts, said, page);
  const stray = (frontmatter?.stray ?? []).map((line) => ({ line: 0, text: line }));
  drafts[0]!.body = [...stray, ...drafts[0]!.body];
  const read = drafts.map(
    (draft, at): Read => ({ draft, parts: readParts(draft, at === 0 ? said : nothingSaid(false), page) }),
  );
  const title = said.title ?? (settings.flavour === "markdown" && heading ? read[0]!.parts.name : undefined);
  const names = pageNames(path, { aliases: said.aliases, ...(title && { title }) }, settings);
  return toNotes(withoutEmpty(read), names, heading, page, changed);
}

/**
 * A single heading of the first level above everything else is the title, not a part of the page: what stands below it stands in the page.
 * Where a page's name is its file's, only a heading that repeats it is. Returns the heading's text.
 */
function mergeTitle(drafts: NoteDraft[], said: StatedProperties, { here }: PageContext): string | undefined {
  const [page, first] = drafts as [NoteDraft, NoteDraft | undefined];
  if (first?.kind !== "section" || first.level !== 1 || page.body.some(({ text }) => text.trim() !== ""))
    return undefined;
  if (drafts.some((draft) => draft.kind === "section" && draft.level === 1 && draft !== first)) return undefined;
  const base = here.path.slice(here.path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const name = here.flavour === "obsidian" ? base : said.title;
  if (name !== undefined && sectionAlias("", name) !== sectionAlias("", first.head!)) return undefined;
  Object.assign(page, { head: first.head, line: first.line, body: first.body, blockIds: first.blockIds });
  drafts.splice(1, 1);
  for (const draft of drafts) if (draft.parent === first) draft.parent = page;
  return first.head;
}

/** Bullets with nothing in or below them are left out. */
function withoutEmpty(read: Read[]): Read[] {
  const needed = new Set<NoteDraft>();
  for (const { draft, parts } of read.toReversed()) {
    const { said, name, text } = parts;
    const says =
      name !== "" || text !== undefined || said.fields.size > 0 || said.tags.length > 0 || said.id !== undefined;
    const empty = draft.kind === "item" && !says && draft.blockIds.length === 0 && !needed.has(draft);
    if (empty) continue;
    needed.add(draft);
    if (draft.parent) needed.add(draft.parent);
  }
  return read.filter(({ draft }) => needed.has(draft));
}

function toNotes(
  read: Read[],
  names: PageNames,
  heading: string | undefined,
  page: PageContext,
  changed: number | undefined,
): Note[] {
  const { path } = page.here;
  const nextKey = pageKeys(path);
  const keys = new Map<NoteDraft, string>();
  const orders = new Map<NoteDraft, number>();
  const taken = new Set<string>();
  const { said: whole } = read[0]!.parts;
  const fromDay = names.day && dayTime(names.day);
  return read.map(({ draft, parts }) => {
    const { said } = parts;
    const { parent } = draft;
    const key = parent ? nextKey(identityOf(draft, parts)) : path;
    keys.set(draft, key);
    const note: Note = {
      key,
      name: parent ? parts.name : names.name,
      ...tagsOf(said.tags),
      fields: said.fields.size === 0 ? [] : [...said.fields.values()],
      references: unique(said.references),
      place: { path, line: parent ? draft.line + 1 : 1 },
    };
    const all = parent ? aliasesOf(draft, parts, names) : [...names.aliases, ...partAliases(draft, heading, names)];
    // Of two sections or blocks that are called the same, links mean the first.
    const aliases = all.filter((alias) => !taken.has(alias) && taken.add(alias));
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
    const created = said.created ?? fromDay;
    if (created !== undefined) note.created = created;
    const last = said.changed ?? whole.changed ?? changed;
    if (last !== undefined) note.changed = last;
    return note;
  });
}

function unique(texts: string[]): string[] {
  return texts.length < 2 ? texts : [...new Set(texts)];
}

function identityOf(
  draft: NoteDraft,
  { name, text = "", said }: NoteParts,
): { heading?: string; id?: string; text: string } {
  const id = said.id ?? (draft.blockIds[0] && `^${draft.blockIds[0]}`);
  return { text: name || text, ...(id && { id }), ...(draft.kind === "section" && { heading: name }) };
}

function aliasesOf(draft: NoteDraft, { said, name }: NoteParts, names: PageNames): string[] {
  const id = said.id ? [uuidAlias(said.id), said.id.toLowerCase()] : [];
  return [...id, ...partAliases(draft, draft.kind === "section" ? name : undefined, names)];
}

/** Nobody links to a longer heading. */
const longestLinked = 500;

/** What links to a part of the page may call it, under each of the page's names. */
function partAliases({ blockIds }: NoteDraft, heading: string | undefined, { before }: PageNames): string[] {
  if (!heading && blockIds.length === 0) return [];
  const headings = heading && heading.length <= longestLinked ? before.map((name) => sectionAlias(name, heading)) : [];
  return [...headings, ...blockIds.flatMap((id) => before.map((name) => blockAlias(name, id)))];
}

/** Each tag once, however it is spelled, and of `a/b/c` also `a` and `a/b`. */
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

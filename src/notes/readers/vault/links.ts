import { posix } from "node:path";
import type { Flavour } from "./flavour.ts";
import type { InlineToken } from "./inline.ts";

/** Where a mention stands: the same words mean other notes in another file. */
export type Here = { path: string; flavour: Flavour };

type Link = Extract<InlineToken, { kind: "page" | "block" | "file" }>;

/** Files that are not notes: what pages show, and boards and drawings that only their tools can read. */
const attachment =
  /\.(?:png|jpe?g|gif|svg|webp|bmp|avif|ico|tiff?|heic|mp3|m4a|wav|ogg|oga|opus|flac|3gp|mp4|m4v|webm|ogv|mov|mkv|avi|pdf|epub|docx?|xlsx?|pptx?|odt|ods|csv|tsv|json|ya?ml|xml|html?|css|[cm]?js|ts|txt|rtf|zip|gz|7z|tar|canvas|base|excalidraw|edn|org|bib|ics)$/i;
const note = /\.(?:md|markdown)$/i;
const scheme = /^[a-z][a-z\d+.-]*:/i;

const uneven = /^[\s/]|[\s/]$|\s\s|[^\S ]/;

/** A name as aliases and references spell it: two spellings of one name become the same. */
export function spell(name: string): string {
  const plain = name.normalize("NFC").toLowerCase();
  // Most names are spelled plainly already, and every link is spelled.
  return uneven.test(plain) ? plain.replace(/\s+/g, " ").replace(/^[ /]+|[ /]+$/g, "") : plain;
}

export function pageAlias(name: string): string {
  return `[[${spell(name)}]]`;
}

/** Links to headings leave out or replace blanks and punctuation, each tool in its own way: only letters and digits count. */
export function sectionAlias(page: string, heading: string): string {
  const letters = spell(heading.replace(/[^\p{L}\p{N}\p{M}]+/gu, ""));
  return `[[${spell(page)}#${letters || spell(heading)}]]`;
}

export function blockAlias(page: string, id: string): string {
  return `[[${spell(page)}^${id.toLowerCase()}]]`;
}

export function uuidAlias(id: string): string {
  return `((${id.toLowerCase()}))`;
}

export function withoutExtension(path: string): string {
  return path.replace(note, "");
}

/** What a link refers to, the most exact first: the section or block where one is named, then its page. Empty where it is no note. */
export function referencesOf(link: Link, here: Here): string[] {
  if (link.kind === "block") return [uuidAlias(link.id)];
  return link.kind === "file" ? fileReferences(link.target, here) : pageReferences(link.target, here);
}

/** What a link shows to a reader. */
export function shownOf(link: Link, here: Here): string {
  if (link.shown?.trim()) return link.shown.trim();
  if (link.kind === "block") return uuidAlias(link.id);
  if (link.kind === "file") return link.target;
  const { target, shown } = splitTarget(link.target, here.flavour);
  if (shown) return shown;
  if (here.flavour === "logseq") return target;
  // As Obsidian shows it: `Page > Heading`.
  return target
    .split("#")
    .map((part) => part.trim())
    .filter(Boolean)
    .join(" > ");
}

/** Only links to notes are replaced by what they show; pictures and addresses stay as they are. */
export function isNoteLink(link: Link, here: Here): boolean {
  return referencesOf(link, here).length > 0;
}

function splitTarget(inner: string, flavour: Flavour): { target: string; shown?: string } {
  const bar = flavour === "logseq" ? -1 : inner.indexOf("|");
  if (bar < 0) return { target: inner.trim() };
  // In a table the bar is written `\|`.
  const target = inner.slice(0, bar).replace(/\\$/, "").trim();
  return { target, shown: inner.slice(bar + 1).trim() };
}

function pageReferences(inner: string, here: Here): string[] {
  const { target } = splitTarget(inner, here.flavour);
  if (here.flavour === "logseq") {
    if (attachment.test(target) && /^[./]*(?:assets|draws)\//.test(target)) return [];
    // Obsidian's way to name a link, in a folder that both tools use.
    const bar = target.indexOf("|");
    return bar > 0 ? [pageAlias(target), pageAlias(target.slice(0, bar))] : [pageAlias(target)];
  }
  const { page, part } = splitPart(target);
  if (attachment.test(page)) return [];
  const name = /^\.{1,2}\//.test(page) ? fromHere(page, here) : page;
  return withPart(withoutExtension(name) || withoutExtension(here.path), part);
}

function fileReferences(destination: string, here: Here): string[] {
  if (scheme.test(destination) || destination.startsWith("//")) return [];
  const { page, part } = splitPart(decoded(destination));
  if (page === "") return part === undefined ? [] : withPart(withoutExtension(here.path), part);
  if (!note.test(page)) return [];
  const path = page.startsWith("/") ? page.slice(1) : fromHere(page, here);
  const references = withPart(withoutExtension(path), part);
  // Obsidian also writes the shortest path that is unique in the vault, which says nothing about where the file lies.
  const shortest = here.flavour === "obsidian" && !/^\.{0,2}\//.test(page) && path !== page;
  return shortest ? [...references, ...withPart(withoutExtension(page), part)] : references;
}

/** `Page#A#B` -> `Page` and its part `B`. */
function splitPart(target: string): { page: string; part?: string } {
  const hash = target.indexOf("#");
  if (hash < 0) return { page: target };
  const part = target.slice(target.lastIndexOf("#") + 1).trim();
  return { page: target.slice(0, hash).trim(), ...(part && { part }) };
}

function withPart(page: string, part: string | undefined): string[] {
  if (part === undefined) return [pageAlias(page)];
  return [part.startsWith("^") ? blockAlias(page, part.slice(1)) : sectionAlias(page, part), pageAlias(page)];
}

/** A relative path from the folder of the file that names it; never above the top. */
function fromHere(path: string, here: Here): string {
  return posix.normalize(`/${posix.dirname(here.path)}/${path}`).slice(1);
}

function decoded(text: string): string {
  const plain = text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
  try {
    return decodeURIComponent(plain);
  } catch (error) {
    // A percent sign that means itself.
    if (error instanceof URIError) return plain;
    throw error;
  }
}

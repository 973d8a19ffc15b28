import { posix } from "node:path";
import { percentDecoded } from "../../../text/percent-decoding.ts";
import type { Flavour } from "./flavour.ts";
import type { InlineToken } from "./inline.ts";

/** The file of a mention: the same words mean other notes in another file. */
export type VaultFile = { path: string; flavour: Flavour };

type Link = Extract<InlineToken, { kind: "page" | "block" | "file" }>;

/** Files that are no notes: attachments, and boards and drawings that only their tools can read. */
const attachment =
  /\.(?:png|jpe?g|gif|svg|webp|bmp|avif|ico|tiff?|heic|mp3|m4a|wav|ogg|oga|opus|flac|3gp|mp4|m4v|webm|ogv|mov|mkv|avi|pdf|epub|docx?|xlsx?|pptx?|odt|ods|csv|tsv|json|ya?ml|xml|html?|css|[cm]?js|ts|txt|rtf|zip|gz|7z|tar|canvas|base|excalidraw|edn|org|bib|ics)$/i;
const note = /\.(?:md|markdown)$/i;
const scheme = /^[a-z][a-z\d+.-]*:/i;

const uneven = /^[\s/]|[\s/]$|\s\s|[^\S ]/;

/** The normalised spelling of a name in aliases and references. */
export function spell(name: string): string {
  const plain = name.normalize("NFC").toLowerCase();
  // Fast path: most names are normalised already, and every link is checked.
  return uneven.test(plain) ? plain.replace(/\s+/g, " ").replace(/^[ /]+|[ /]+$/g, "") : plain;
}

export function pageAlias(name: string): string {
  return `[[${spell(name)}]]`;
}

/**
 * Tools omit or replace spaces and punctuation in links to headings, each in its own way: only letters and digits
 * count.
 */
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

/**
 * The targets of a link, the most exact first: the section or block, then its page. Empty for something that is no
 * note.
 */
export function referencesOf(link: Link, file: VaultFile): string[] {
  if (link.kind === "block") return [uuidAlias(link.id)];
  return link.kind === "file" ? fileReferences(link.target, file) : pageReferences(link.target, file);
}

/** The text that a link shows. */
export function shownOf(link: Link, file: VaultFile): string {
  if (link.shown?.trim()) return link.shown.trim();
  if (link.kind === "block") return uuidAlias(link.id);
  if (link.kind === "file") return link.target;
  const { target, shown } = splitTarget(link.target, file.flavour);
  if (shown) return shown;
  if (file.flavour === "logseq") return target;
  // As in Obsidian: `Page > Heading`.
  return target
    .split("#")
    .map((part) => part.trim())
    .filter(Boolean)
    .join(" > ");
}

/** Only links to notes are replaced by their text; images and URLs stay. */
export function isNoteLink(link: Link, file: VaultFile): boolean {
  return referencesOf(link, file).length > 0;
}

function splitTarget(inner: string, flavour: Flavour): { target: string; shown?: string } {
  const bar = flavour === "logseq" ? -1 : inner.indexOf("|");
  if (bar < 0) return { target: inner.trim() };
  // In a table the bar is written `\|`.
  const target = inner.slice(0, bar).replace(/\\$/, "").trim();
  return { target, shown: inner.slice(bar + 1).trim() };
}

function pageReferences(inner: string, file: VaultFile): string[] {
  const { target } = splitTarget(inner, file.flavour);
  if (file.flavour === "logseq") {
    if (attachment.test(target) && /^[./]*(?:assets|draws)\//.test(target)) return [];
    // Obsidian's link syntax, in a folder that both tools use.
    const bar = target.indexOf("|");
    return bar > 0 ? [pageAlias(target), pageAlias(target.slice(0, bar))] : [pageAlias(target)];
  }
  const { page, part } = splitPart(target);
  if (attachment.test(page)) return [];
  const name = /^\.{1,2}\//.test(page) ? fromFile(page, file) : page;
  return withPart(withoutExtension(name) || withoutExtension(file.path), part);
}

function fileReferences(destination: string, file: VaultFile): string[] {
  if (scheme.test(destination) || destination.startsWith("//")) return [];
  const { page, part } = splitPart(decoded(destination));
  if (page === "") return part === undefined ? [] : withPart(withoutExtension(file.path), part);
  if (!note.test(page)) return [];
  const path = page.startsWith("/") ? page.slice(1) : fromFile(page, file);
  const references = withPart(withoutExtension(path), part);
  // Obsidian also writes the shortest path that is unique in the vault, which says nothing about the folder.
  const shortest = file.flavour === "obsidian" && !/^\.{0,2}\//.test(page) && path !== page;
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

/** A path relative to the folder of the file that names it; never above the top. */
function fromFile(path: string, file: VaultFile): string {
  return posix.normalize(`/${posix.dirname(file.path)}/${path}`).slice(1);
}

/** Without Markdown's backslashes and percent-encoding. */
function decoded(text: string): string {
  return percentDecoded(text.replace(/\\([!-/:-@[-`{-~])/g, "$1"));
}

import { percentDecoded } from "../../../text/percent-decoding.ts";
import { type Day, formatDay, isoDay, journalDay, journalFormats } from "./dates.ts";
import type { VaultSettings } from "./flavour.ts";
import { pageAlias, spell, withoutExtension } from "./links.ts";

export type PageNames = {
  name: string;
  /** Aliases under which links refer to the page. */
  aliases: string[];
  /** Names before the `#` in links to its sections and blocks. */
  before: string[];
  /** The parent page of a name with `/`. */
  above?: string;
  day?: Day;
};

/** Titles that a page gives itself, where its tool honours them, and aliases. */
export type OwnNames = { title?: string; aliases: string[] };

/** The name of a page and its aliases in links, from its path and its properties. */
export function pageNames(path: string, own: OwnNames, settings: VaultSettings): PageNames {
  const fullPath = withoutExtension(path);
  const base = fullPath.slice(fullPath.lastIndexOf("/") + 1);
  const names =
    settings.flavour === "logseq" ? logseqNames(base, own, settings) : fileNames(fullPath, base, own, settings);
  const aliases = [...names.called, fullPath, ...own.aliases];
  const normalised = [...new Set(aliases.map(pageAlias))].filter((alias) => alias !== "[[]]");
  return {
    name: names.name,
    aliases: normalised,
    before: [...new Set([spell(names.name), spell(base), spell(fullPath)])],
    ...(names.above && { above: names.above }),
    ...(names.day && { day: names.day }),
  };
}

type Named = { name: string; called: string[]; above?: string; day?: Day };

/** Obsidian always shows the file name; elsewhere a title counts. */
function fileNames(fullPath: string, base: string, own: OwnNames, settings: VaultSettings): Named {
  const title = settings.flavour === "markdown" ? own.title : undefined;
  const parts = fullPath.split("/");
  // A link may begin anywhere in the path: `[[note]]`, `[[folder/note]]`.
  const suffixes = parts.map((_, at) => parts.slice(at).join("/"));
  return { name: title || base, called: [...(title ? [title] : []), ...suffixes.reverse()] };
}

function logseqNames(base: string, own: OwnNames, settings: VaultSettings): Named {
  const day = journalDay(base);
  if (day) {
    const formats = settings.journalTitle ? [settings.journalTitle, ...journalFormats] : journalFormats;
    const name = settings.journalTitle ? formatDay(day, settings.journalTitle) : isoDay(day);
    return { name: own.title || name, called: [base, ...formats.map((format) => formatDay(day, format))], day };
  }
  const modern = lowbarTitle(base);
  // A page with a title of its own is not called by its file name.
  const old = settings.fileNames === "triple-lowbar" || own.title ? undefined : legacyTitle(base);
  // Whatever the configuration says, only the newer encoding of "/" puts three underscores into a name.
  const isLegacy = settings.fileNames === "legacy" && !base.includes("___");
  const name = own.title || (isLegacy ? old : modern) || base;
  const slash = name.lastIndexOf("/");
  return {
    name,
    called: [name, modern, base, ...(old ? [old] : [])],
    ...(slash > 0 && { above: name.slice(0, slash) }),
  };
}

function lowbarTitle(base: string): string {
  return withoutEmptyParts(base.replaceAll("___", "/").replace(/%[\da-f]{2}/gi, percentDecoded));
}

function legacyTitle(base: string): string {
  return withoutEmptyParts(percentDecoded(base.replaceAll(".", "/")));
}

function withoutEmptyParts(title: string): string {
  return title.split("/").filter(Boolean).join("/");
}

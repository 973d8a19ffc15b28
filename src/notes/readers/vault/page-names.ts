import { type Day, formatDay, isoDay, journalDay, journalFormats } from "./dates.ts";
import type { VaultSettings } from "./flavour.ts";
import { pageAlias, spell, withoutExtension } from "./links.ts";

export type PageNames = {
  name: string;
  /** What links to the page may say, spelled as they are. */
  aliases: string[];
  /** Names under which its sections and blocks are linked: what people write before the `#`. */
  before: string[];
  /** The page that a name with `/` stands below. */
  above?: string;
  day?: Day;
};

/** Titles that a page gives itself, where its tool honours them, and other names. */
export type OwnNames = { title?: string; aliases: string[] };

/** What a page is called and what links may call it, from its path and what it says of itself. */
export function pageNames(path: string, own: OwnNames, settings: VaultSettings): PageNames {
  const whole = withoutExtension(path);
  const base = whole.slice(whole.lastIndexOf("/") + 1);
  const names =
    settings.flavour === "logseq" ? logseqNames(base, own, settings) : fileNames(whole, base, own, settings);
  const aliases = [...names.called, whole, ...own.aliases];
  const spelled = [...new Set(aliases.map(pageAlias))].filter((alias) => alias !== "[[]]");
  return {
    name: names.name,
    aliases: spelled,
    before: [...new Set([spell(names.name), spell(base), spell(whole)])],
    ...(names.above && { above: names.above }),
    ...(names.day && { day: names.day }),
  };
}

type Named = { name: string; called: string[]; above?: string; day?: Day };

/** Obsidian shows the file's name whatever the file says; elsewhere a title is a title. */
function fileNames(whole: string, base: string, own: OwnNames, settings: VaultSettings): Named {
  const title = settings.flavour === "markdown" ? own.title : undefined;
  const parts = whole.split("/");
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
  // With a title of its own a page is not called by what its file's name might mean.
  const old = settings.fileNames === "triple-lowbar" || own.title ? undefined : legacyTitle(base);
  // Whatever the configuration says, nothing but the newer way to write "/" puts three underscores into a name.
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
  return withoutEmptyParts(base.replaceAll("___", "/").replace(/%[\da-f]{2}/gi, decoded));
}

function legacyTitle(base: string): string {
  return withoutEmptyParts(decoded(base.replaceAll(".", "/")));
}

function withoutEmptyParts(title: string): string {
  return title.split("/").filter(Boolean).join("/");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // A percent sign that means itself, or a part of a character.
    if (error instanceof URIError) return text;
    throw error;
  }
}

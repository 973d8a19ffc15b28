import { parseTime } from "./dates.ts";
import { addField, listValues, namesIn, type VaultFields, valuesOf } from "./fields.ts";
import type { VaultSettings } from "./flavour.ts";
import type { FrontmatterEntry } from "./frontmatter.ts";
import { type Here, pageAlias } from "./links.ts";

/** What properties say about the note they belong to. */
export type StatedProperties = {
  /** Only a page has a title and other names; elsewhere these are properties like others. */
  page: boolean;
  fields: VaultFields;
  tags: string[];
  /** Other names of the page. */
  aliases: string[];
  references: string[];
  title?: string;
  /** The name of a Logseq block. */
  id?: string;
  created?: number;
  changed?: number;
};

export function nothingSaid(page: boolean): StatedProperties {
  return { page, fields: new Map(), tags: [], aliases: [], references: [] };
}

/** `key:: value`; the value is empty or behind a blank. */
const logseqProperty = /^[ \t]*([^\s:#"'`^(){}[\]|]{1,100})::(?:[ ](.*))?$/;
/** As Dataview reads it: words, perhaps emphasised, perhaps in a list or a quotation. */
const dataviewProperty =
  /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|>)[ \t]+){0,4}(\*{0,3}|_{0,3})([\p{L}\p{N}\p{Extended_Pictographic}][^:[\](){}<>`|*\n]{0,60}?)\1::(?:[ \t]+(.*))?$/u;
const mostWords = 6;

/** What only its tool has a use for: how things look, where a window was, when a card comes up again. */
const internal = new Set(
  `collapsed heading position icon filters public publish exclude-from-graph-view background-color background_color background-image cssclass cssclasses
  query-table query-properties query-sort-by query-sort-desc ls-type file-path template-including-parent macro custom-id custom_id
  kanban-plugin excalidraw-plugin banner banner_x banner_y permalink`.split(/\s+/),
);
/** When a task was begun or done, as earlier versions of Logseq wrote it: milliseconds. */
const markerTimes = new Set(["todo", "doing", "done", "now", "later"]);
const milliseconds = /^\d{13}$/;
const internalPrefix = /^(?:logseq\.|card-|hl-|:|\.)/;

const titleKeys = new Set(["title"]);
const tagKeys = new Set(["tags", "tag"]);
const aliasKeys = new Set(["alias", "aliases"]);
const createdKeys = keysOf("created", "creation date", "date created", "ctime");
const changedKeys = keysOf("updated", "modified", "last modified", "date modified", "date updated", "lastmod", "mtime");

/** A line that is nothing but a property. */
export function propertyLine(line: string, outline: boolean): { key: string; value: string } | undefined {
  if (!line.includes("::")) return undefined;
  if (outline) {
    const match = logseqProperty.exec(line);
    return match ? { key: match[1]!, value: (match[2] ?? "").trim() } : undefined;
  }
  const match = dataviewProperty.exec(line);
  if (!match || match[2]!.split(/\s+/).length > mostWords || /\s$/.test(match[2]!)) return undefined;
  return { key: match[2]!, value: (match[3] ?? "").trim() };
}

/** Takes in a `key:: value` of a page or a block. */
export function sayProperty(
  said: StatedProperties,
  key: string,
  value: string,
  here: Here,
  settings: VaultSettings,
): void {
  const outline = here.flavour === "logseq";
  const name = key.toLowerCase();
  const timed = sayTime(said, name, value) || (outline && markerTimes.has(name));
  // A date is worth showing, a count of milliseconds is not.
  if (timed && milliseconds.test(value)) return;
  if (outline && name === "id") said.id = value.trim();
  else if (outline && said.page && titleKeys.has(name)) said.title = value.trim();
  else if (tagKeys.has(name)) sayTags(said, namesIn(value), outline);
  else if (said.page && aliasKeys.has(name)) addAll(said.aliases, namesIn(value));
  else if (outline && settings.listProperties.includes(name)) sayList(said, key, namesIn(value));
  else if (!isInternal(name)) {
    const values = valuesOf(value, here);
    addField(said.fields, key, values);
    addAll(said.references, values.references);
  }
}

/** Takes in a key of the frontmatter. */
export function sayEntry(said: StatedProperties, { key, values }: FrontmatterEntry, here: Here): void {
  const outline = here.flavour === "logseq";
  const name = key.toLowerCase();
  sayTime(said, name, values[0]?.text ?? "");
  const texts = values.map(({ text }) => text);
  // Obsidian takes the blanks in a text of tags for commas.
  const words = here.flavour === "obsidian" && values.length === 1 && !values[0]!.quoted;
  if (tagKeys.has(name)) {
    const names = texts.flatMap((text) => namesIn(words ? text.replace(/\s+/g, ",") : text));
    sayTags(said, names, outline);
  } else if (aliasKeys.has(name)) addAll(said.aliases, values.length > 1 ? texts : texts.flatMap(namesIn));
  else if (!isInternal(name)) {
    if (titleKeys.has(name)) said.title = texts[0]?.replace(/\s+/g, " ").trim();
    // Where the title is the page's name it need not be said again.
    if (titleKeys.has(name) && here.flavour !== "obsidian") return;
    const listed = listValues(values, here);
    addField(said.fields, key, listed);
    addAll(said.references, listed.references);
  }
}

function sayTags(said: StatedProperties, names: string[], outline: boolean): void {
  addAll(said.tags, names);
  if (outline) addAll(said.references, names.map(pageAlias));
}

/** There may be more of them than a call can take arguments. */
function addAll(list: string[], more: readonly string[]): void {
  for (const each of more) list.push(each);
}

function sayList(said: StatedProperties, key: string, names: string[]): void {
  addField(said.fields, key, { values: names.map((text) => ({ text, note: pageAlias(text) })), type: "reference" });
}

/** When the note was made or changed, where the key means that and the value is a time. */
function sayTime(said: StatedProperties, key: string, value: string): boolean {
  const created = createdKeys.has(key);
  if (!created && !changedKeys.has(key)) return false;
  const time = parseTime(value);
  if (time === undefined) return false;
  if (created) said.created ??= time;
  else said.changed ??= time;
  return true;
}

function isInternal(name: string): boolean {
  return internal.has(name) || internalPrefix.test(name);
}

/** With `-`, `_` or nothing between the words, and with `at` behind them. */
function keysOf(...names: string[]): Set<string> {
  const all = names.flatMap((name) => [name, `${name} at`]);
  return new Set(
    all.flatMap((name) => [name, name.replaceAll(" ", "-"), name.replaceAll(" ", "_"), name.replaceAll(" ", "")]),
  );
}

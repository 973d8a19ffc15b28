import { parseTime } from "./dates.ts";
import { addField, listValues, namesIn, type VaultFields, valuesOf } from "./fields.ts";
import type { VaultSettings } from "./flavour.ts";
import type { FrontmatterEntry } from "./frontmatter.ts";
import { pageAlias, type VaultFile } from "./links.ts";

/** The properties of a note. */
export type NoteProperties = {
  /** True for a page: only a page has a title and aliases; elsewhere these are ordinary properties. */
  page: boolean;
  fields: VaultFields;
  tags: string[];
  /** Other names of the page. */
  aliases: string[];
  references: string[];
  title?: string;
  /** The id of a Logseq block. */
  id?: string;
  created?: number;
  changed?: number;
};

export function noProperties(page: boolean): NoteProperties {
  return { page, fields: new Map(), tags: [], aliases: [], references: [] };
}

/** `key:: value`; the value is empty or follows a space. */
const logseqProperty = /^[ \t]*([^\s:#"'`^(){}[\]|]{1,100})::(?:[ ](.*))?$/;
/** Dataview's syntax: words, possibly emphasised, in a list or in a quotation. */
const dataviewProperty =
  /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|>)[ \t]+){0,4}(\*{0,3}|_{0,3})([\p{L}\p{N}\p{Extended_Pictographic}][^:[\](){}<>`|*\n]{0,60}?)\1::(?:[ \t]+(.*))?$/u;
const mostWords = 6;

/** Properties that only their tool uses: appearance, window positions, review dates of cards. */
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

/** A line that is only a property. */
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

/** Adds a `key:: value` of a page or a block. */
export function addProperty(
  properties: NoteProperties,
  key: string,
  value: string,
  file: VaultFile,
  settings: VaultSettings,
): void {
  const outline = file.flavour === "logseq";
  const name = key.toLowerCase();
  const timed = addTime(properties, name, value) || (outline && markerTimes.has(name));
  // A date is worth showing, a number of milliseconds is not.
  if (timed && milliseconds.test(value)) return;
  if (outline && name === "id") properties.id = value.trim();
  else if (outline && properties.page && titleKeys.has(name)) properties.title = value.trim();
  else if (tagKeys.has(name)) addTags(properties, namesIn(value), outline);
  else if (properties.page && aliasKeys.has(name)) addAliases(properties, key, namesIn(value));
  else if (outline && settings.listProperties.includes(name)) addList(properties, key, namesIn(value));
  else if (!isInternal(name)) {
    const values = valuesOf(value, file);
    addField(properties.fields, key, values);
    addAll(properties.references, values.references);
  }
}

/** Adds a key of the frontmatter. */
export function addEntry(properties: NoteProperties, { key, values }: FrontmatterEntry, file: VaultFile): void {
  const outline = file.flavour === "logseq";
  const name = key.toLowerCase();
  addTime(properties, name, values[0]?.text ?? "");
  const texts = values.map(({ text }) => text);
  // Obsidian treats spaces in a text of tags as commas.
  const words = file.flavour === "obsidian" && values.length === 1 && !values[0]!.quoted;
  if (tagKeys.has(name)) {
    const names = texts.flatMap((text) => namesIn(words ? text.replace(/\s+/g, ",") : text));
    addTags(properties, names, outline);
  } else if (aliasKeys.has(name)) addAliases(properties, key, values.length > 1 ? texts : texts.flatMap(namesIn));
  else if (!isInternal(name)) {
    if (titleKeys.has(name)) properties.title = texts[0]?.replace(/\s+/g, " ").trim();
    // Where the title is the page's name it is not repeated as a field.
    if (titleKeys.has(name) && file.flavour !== "obsidian") return;
    const listed = listValues(values, file);
    addField(properties.fields, key, listed);
    addAll(properties.references, listed.references);
  }
}

/** Links mean the page by these, and a reader asks for it by them: as a field they are searched and shown, too. */
function addAliases(properties: NoteProperties, key: string, names: string[]): void {
  addAll(properties.aliases, names);
  addField(properties.fields, key, { values: names.map((text) => ({ text })), type: "text" });
}

function addTags(properties: NoteProperties, names: string[], outline: boolean): void {
  addAll(properties.tags, names);
  if (outline) addAll(properties.references, names.map(pageAlias));
}

/** Not spread into push(): there may be more of them than a call can take arguments. */
function addAll(list: string[], more: readonly string[]): void {
  for (const each of more) list.push(each);
}

function addList(properties: NoteProperties, key: string, names: string[]): void {
  addField(properties.fields, key, {
    values: names.map((text) => ({ text, note: pageAlias(text) })),
    type: "reference",
  });
}

/** Sets the time of creation or change, where the key means that and the value is a time. */
function addTime(properties: NoteProperties, key: string, value: string): boolean {
  const created = createdKeys.has(key);
  if (!created && !changedKeys.has(key)) return false;
  const time = parseTime(value);
  if (time === undefined) return false;
  if (created) properties.created ??= time;
  else properties.changed ??= time;
  return true;
}

function isInternal(name: string): boolean {
  return internal.has(name) || internalPrefix.test(name);
}

/** Spellings with `-`, `_` or nothing between the words, and with `at` at the end. */
function keysOf(...names: string[]): Set<string> {
  const all = names.flatMap((name) => [name, `${name} at`]);
  return new Set(
    all.flatMap((name) => [name, name.replaceAll(" ", "-"), name.replaceAll(" ", "_"), name.replaceAll(" ", "")]),
  );
}

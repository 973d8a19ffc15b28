import { headingText, shortName } from "../characters.ts";
import type { Format, MakeFormat, PrintedEntry } from "../format.ts";
import { isNote, noteText } from "../notes.ts";
import { isRecord, isShort, listedFacts, type RecordEntry } from "../records.ts";
import { sourceLine } from "../words.ts";
import { jsonFile } from "./files.ts";
import { noteFacts } from "./notes.ts";

/** One JSON document. Commas stand at the start of a line, so that a part does not depend on what follows it. */
export const json: MakeFormat = (_texts, title, _headed, notice): Format => ({
  opening: `{${stringField("title", title)}${stringField("notice", notice)}"items":[\n`,
  // The opening contains the title and the notice, since it also begins the list of items.
  title: () => "",
  notice: () => "",
  groupOpening: () => "",
  file: jsonFile,
  head: (entry, first) => head(entry, first ? "" : ","),
  imports: (statements) => `,"imports":${JSON.stringify(statements)}\n`,
  body: (entry) => (entry.level === "pointer" ? "" : body(entry)),
  groupClosing: "",
  itemsClosing: "]\n",
  footerOpening: "",
  summary: (sentence) => `,"summary":${JSON.stringify(headingText(sentence))}\n`,
  leftOut: (counts) =>
    `,"omitted":${JSON.stringify(Object.fromEntries(counts.map(({ reason, count }) => [reason, count])))}\n`,
  sourcesOpening: ',"sources":[\n',
  source: (place, first) => `${first ? "" : ","}${JSON.stringify(headingText(sourceLine(place, headingText)))}\n`,
  sourcesClosing: "]\n",
  closing: "}\n",
  nothing: (sentence) => `{"items":[],"message":${JSON.stringify(sentence)}}\n`,
});

function stringField(name: string, words: string | undefined): string {
  return words === undefined ? "" : `"${name}":${JSON.stringify(headingText(words))},`;
}

function head(entry: PrintedEntry, comma: string): string {
  const pointer = entry.level === "pointer";
  const facts = {
    id: entry.citation.replace(/^\[|\]$/g, ""),
    type: entry.kind,
    ...(entry.section ? { section: entry.section } : {}),
    ...(isNote(entry) ? noteFacts(entry) : isRecord(entry) ? recordFacts(entry) : place(entry)),
    ...(pointer ? {} : { score: Number(entry.score.toFixed(2)) }),
    level: entry.level,
    ...(entry.language && !pointer ? { language: entry.language } : {}),
    ...(entry.notes.length > 0 ? { notes: entry.notes.map(headingText) } : {}),
    ...(entry.doc ? { doc: headingText(entry.doc) } : {}),
    ...(entry.related.length > 0 ? { related: entry.related.map(shortName) } : {}),
  };
  const open = comma + JSON.stringify(facts).slice(0, -1);
  return pointer ? `${open}}\n` : `${open}\n`;
}

function place(entry: PrintedEntry) {
  return { name: shortName(entry.name), path: headingText(entry.path), start: entry.startLine, end: entry.endLine };
}

/** A record's name is the beginning of its text: only a pointer needs it. */
function recordFacts(entry: RecordEntry) {
  if (entry.level === "pointer") return { name: shortName(entry.name) };
  if (isShort(entry)) return {};
  const { facts, more } = listedFacts(entry);
  return {
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
    ...(Object.keys(more).length > 0 ? { more } : {}),
  };
}

function body(entry: PrintedEntry): string {
  const rest = entry.rest === undefined ? "" : `,"truncated":${JSON.stringify(entry.rest || true)}`;
  const printed = isNote(entry) ? noteText(entry).text : entry.text;
  const text =
    printed === "" ? "" : `,"${isNote(entry) || isRecord(entry) ? "text" : "code"}":${JSON.stringify(printed)}`;
  const uses = entry.uses ? `,"uses":${JSON.stringify(entry.uses)}` : "";
  return `${text}${rest}${uses}}\n`;
}

import { headingText, shortName } from "../characters.ts";
import type { FileFormat, PrintedEntry } from "../format.ts";
import { numbered } from "../words.ts";

/**
 * `{"path", "language", "imports", "spans": [...]}`. Commas stand at the start of a line, as everywhere in this format.
 */
export const jsonFile: FileFormat = {
  opening: ({ path, language }, first) =>
    `${first ? "" : ","}${JSON.stringify({ path: headingText(path), ...(language ? { language } : {}) }).slice(0, -1)}\n`,
  imports: (statements) => `,"imports":${JSON.stringify(statements)}\n`,
  span: (entry, first) => `${first ? ',"spans":[' : ","}${JSON.stringify(span(entry))}\n`,
  closing: () => "]}\n",
};

function span(entry: PrintedEntry) {
  return {
    id: entry.citation.replace(/^\[|\]$/g, ""),
    type: entry.kind,
    name: shortName(entry.name),
    ...(entry.scope ? { in: shortName(entry.scope) } : {}),
    start: entry.startLine,
    end: entry.endLine,
    ...(entry.level === "full" ? {} : { level: entry.level }),
    ...(entry.notes.length > 0 ? { notes: entry.notes.map(headingText) } : {}),
    ...(entry.doc ? { doc: headingText(entry.doc) } : {}),
    ...(entry.text === "" ? {} : { code: numbered(entry) }),
    ...(entry.uses ? { uses: entry.uses } : {}),
    ...(entry.rest === undefined ? {} : { truncated: entry.rest || true }),
  };
}

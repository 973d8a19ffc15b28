import { oneLine, shortName } from "./characters.ts";
import type { Entry, Format, MakeFormat } from "./format.ts";
import { sourceLine } from "./words.ts";

/** One JSON document. Commas stand at the start of a line, so that a part does not depend on what follows it. */
export const json: MakeFormat = (): Format => ({
  opening: '{"items":[\n',
  groupOpening: () => "",
  head: (entry, first) => head(entry, first ? "" : ","),
  imports: (statements) => `,"imports":${JSON.stringify(statements)}\n`,
  body: ({ level, text }) => {
    if (level === "pointer") return "";
    return text === "" ? "}\n" : `,"code":${JSON.stringify(text)}}\n`;
  },
  groupClosing: "",
  itemsClosing: "]\n",
  footerOpening: "",
  leftOut: (counts) =>
    `,"omitted":${JSON.stringify(Object.fromEntries(counts.map(({ reason, count }) => [reason, count])))}\n`,
  sourcesOpening: ',"sources":[\n',
  source: (place, first) => `${first ? "" : ","}${JSON.stringify(oneLine(sourceLine(place)))}\n`,
  sourcesClosing: "]\n",
  closing: "}\n",
  nothing: (sentence) => `{"items":[],"message":${JSON.stringify(sentence)}}\n`,
});

function head(entry: Entry, comma: string): string {
  const facts = {
    id: entry.citation.replace(/^\[|\]$/g, ""),
    type: entry.kind,
    name: shortName(entry.name),
    path: oneLine(entry.path),
    start: entry.startLine,
    end: entry.endLine,
    ...(entry.level === "pointer" ? {} : { score: Number(entry.score.toFixed(2)) }),
    level: entry.level,
    ...(entry.language && entry.level !== "pointer" ? { language: entry.language } : {}),
    ...(entry.notes.length > 0 ? { notes: entry.notes.map(oneLine) } : {}),
    ...(entry.doc ? { doc: oneLine(entry.doc) } : {}),
    ...(entry.related.length > 0 ? { related: entry.related.map(shortName) } : {}),
  };
  const open = comma + JSON.stringify(facts).slice(0, -1);
  return entry.level === "pointer" ? `${open}}\n` : `${open}\n`;
}

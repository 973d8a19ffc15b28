import type { Header } from "../../document.ts";
import { briefLine, headingText } from "../characters.ts";
import type { Format, MakeFormat, PrintedEntry, Use } from "../format.ts";
import { checkbox, noteFields, noteKey, noteTags, noteText, relationOf, single, titleOf } from "../notes.ts";
import { truncated } from "../words.ts";
import { jsonFile } from "./files.ts";

/**
 * The JSON document about a notes graph: `{ meta, nodes, overflow }` and nothing else, so it has no footer. Commas
 * stand at the start of a line, so that a part does not depend on what follows it.
 */
export const contextDocument: MakeFormat = (): Format => ({
  opening: "",
  header: (header, use) => `{"meta":${meta(header, use)},"nodes":[\n`,
  title: () => "",
  notice: () => "",
  file: jsonFile,
  groupOpening: () => "",
  head: (entry, first) => {
    const printed = entry.level === "pointer" ? summary(entry) : node(entry);
    return `${first ? "" : ","}${JSON.stringify(printed)}\n`;
  },
  imports: () => "",
  pointersOpening: () => '],"overflow":[\n',
  body: () => "",
  groupClosing: "",
  itemsClosing: "]\n",
  footerOpening: "",
  summary: () => "",
  leftOut: () => "",
  sourcesOpening: "",
  source: () => "",
  sourcesClosing: "",
  closing: "}\n",
  nothing: () => '],"overflow":[]}\n',
});

/**
 * Bytes of the query: a program may want to know what it asked, but a pasted page must not take the place of the
 * answer.
 */
const queryBytes = { least: 100, most: 400, ofBudget: 0.1 };
const nameBytes = 40;
const warningBytes = 200;

/**
 * Written by hand, because the header counts its own tokens: the utilization takes the same number of tokens for every
 * value.
 */
function meta({ query, workspace, lens, assembledAt, backend, matches, warnings }: Header, use: Use): string {
  const room = Math.min(queryBytes.most, Math.max(queryBytes.least, use.budget * queryBytes.ofBudget));
  const [question, workspaceText, lensText, by] = [
    briefLine(query, room),
    ...[workspace, lens, backend].map((name) => briefLine(name, nameBytes)),
  ].map((words) => JSON.stringify(words));
  const tokens = [
    `"budget":${use.budget}`,
    `"used":${use.used}`,
    `"utilization":${(use.used / use.budget).toFixed(2)}`,
    `"nodesIncluded":${use.included}`,
    `"nodesSummarized":${use.summarised}`,
  ].join(",");
  const warningsPart = warnings?.length
    ? `,"warnings":${JSON.stringify(warnings.map((words) => briefLine(words, warningBytes)))}`
    : "";
  const counted = matches
    ? `,"matches":${JSON.stringify({ count: matches.count, where: briefLine(matches.where, warningBytes) })}`
    : "";
  const time = JSON.stringify(headingText(assembledAt));
  return `{"query":${question},"workspace":${workspaceText},"lens":${lensText},"tokens":{${tokens}},"assembledAt":${time},"backend":${by}${counted}${warningsPart}}`;
}

function node(entry: PrintedEntry) {
  const fields = noteFields(entry);
  return {
    id: noteKey(entry),
    name: titleOf(entry),
    content: content(entry),
    tags: noteTags(entry),
    ...(fields.length > 0
      ? { fields: Object.fromEntries(fields.map(([name, values]) => [name, single(values)])) }
      : {}),
    score: rounded(entry.score),
    distance: entry.distance ?? 0,
    path: path(entry),
  };
}

function summary(entry: PrintedEntry) {
  return { id: noteKey(entry), name: titleOf(entry), tags: noteTags(entry), score: rounded(entry.score) };
}

function rounded(score: number): number {
  return Number(score.toFixed(4));
}

/** Markdown: the name as a heading, the remarks on the note, its text as it was written. */
function content(entry: PrintedEntry): string {
  const { title, text } = noteText(entry);
  const notes = entry.notes.map((note) => `> Note: ${headingText(note)}`).join("\n");
  const rest = entry.rest === undefined ? "" : `*(${headingText(truncated(entry.rest))})*`;
  return [`# ${checkbox(entry)}${title}`, notes, text, rest].filter((block) => block.trim() !== "").join("\n\n");
}

/**
 * The notes on the path from the source to this note, this note excluded; empty for a source. `type` is the relation
 * that leads from each note to the next one, and from the last one to this note, so the number of steps is the
 * distance.
 */
function path(entry: PrintedEntry) {
  const { way = [] } = entry;
  return way.map(({ id, name }, index) => {
    const next = index + 1 < way.length ? way[index + 1]!.relation : relationOf(entry);
    return { id, name: headingText(name), type: next ?? "reference" };
  });
}

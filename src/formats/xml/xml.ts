import { shortName } from "../characters.ts";
import type { Format, MakeFormat, PrintedEntry } from "../format.ts";
import { isNote } from "../notes.ts";
import { factWords, isRecord, isShort, type RecordEntry } from "../records.ts";
import { leftOutSentence, lineRange, numbered, remarks } from "../words.ts";
import { cdata, escapeText } from "./escape-xml.ts";
import { useElements, xmlFile } from "./files.ts";
import { noteElement, noteHeader } from "./notes.ts";

/** The document is well-formed XML for any content. */
export const xml: MakeFormat = (_texts, _title, headed): Format => ({
  ...(headed ? { opening: "", header: noteHeader } : { opening: "<context>\n" }),
  title: (text) => `<title>${escapeText(text)}</title>\n`,
  notice: (sentence) => `<notice>${escapeText(sentence)}</notice>\n`,
  file: xmlFile,
  groupOpening: (title) => `<section name="${escapeText(title)}">\n`,
  head: (entry) => (isNote(entry) ? noteElement(entry) : entry.level === "pointer" ? pointer(entry) : head(entry)),
  imports: (statements) => `<imports>${cdata(statements.join("\n"))}</imports>\n`,
  body: (entry) => (isNote(entry) || entry.level === "pointer" ? "" : body(entry)),
  groupClosing: "</section>\n",
  itemsClosing: "",
  footerOpening: "",
  summary: (sentence) => `<summary>${escapeText(sentence)}</summary>\n`,
  leftOut: (counts) => `<omitted>${escapeText(leftOutSentence(counts))}</omitted>\n`,
  sourcesOpening: "<sources>\n",
  source: (place) =>
    `<source name="${escapeText(shortName(place.name))}" type="${place.kind}" file="${escapeText(place.path)}" lines="${lineRange(place)}"/>\n`,
  sourcesClosing: "</sources>\n",
  closing: "</context>\n",
  nothing: (sentence) => `${headed ? "" : "<context>\n"}<omitted>${escapeText(sentence)}</omitted>\n</context>\n`,
});

function pointer(entry: PrintedEntry): string {
  const place = isRecord(entry) ? "" : ` file="${escapeText(entry.path)}" lines="${lineRange(entry)}"`;
  return `<${element(entry)} ${identity(entry)}${place}${note(entry.notes)}/>\n`;
}

function head(entry: PrintedEntry): string {
  const score = ` score="${entry.score.toFixed(2)}"`;
  if (isRecord(entry) && isShort(entry)) return `<${element(entry)} id="${idOf(entry)}"${note(entry.notes)}>\n`;
  if (isRecord(entry)) {
    return `<${element(entry)} id="${idOf(entry)}"${score}${factAttributes(entry)}${note(remarks(entry))}>\n`;
  }
  const lines = [
    `<entity ${identity(entry)}${score}${note(remarks(entry))}>`,
    `<location file="${escapeText(entry.path)}" start="${entry.startLine}" end="${entry.endLine}"/>`,
    ...(entry.related.length > 0 ? [`<related>${escapeText(entry.related.map(shortName).join(", "))}</related>`] : []),
    ...(entry.doc ? [`<doc>${escapeText(entry.doc)}</doc>`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function body(entry: PrintedEntry): string {
  const name = isRecord(entry) ? "text" : "code";
  const lines = [
    ...(entry.text === "" ? [] : [`<${name}>${cdata(numbered(entry))}</${name}>`]),
    ...(entry.rest === undefined ? [] : [`<truncated>${escapeText(entry.rest)}</truncated>`]),
    ...useElements(entry),
    `</${element(entry)}>`,
  ];
  return `${lines.join("\n")}\n`;
}

/** The element of a record is named after its source: `<memory>`, `<commit>`. */
function element(entry: PrintedEntry): string {
  return isRecord(entry) ? entry.source : "entity";
}

function idOf({ citation }: PrintedEntry): string {
  return escapeText(citation.replace(/^\[|\]$/g, ""));
}

function identity(entry: PrintedEntry): string {
  return `id="${idOf(entry)}" type="${entry.kind}" name="${escapeText(shortName(entry.name))}"`;
}

function note(notes: string[]): string {
  return notes.length > 0 ? ` note="${escapeText(notes.join(", "))}"` : "";
}

/** Attribute names that the element uses itself. */
const reserved = ["id", "score", "note"];

function factAttributes(entry: RecordEntry): string {
  return factWords(entry)
    .filter(([name]) => /^[a-z]\w*$/i.test(name) && !reserved.includes(name))
    .map(([name, words]) => ` ${name}="${escapeText(words)}"`)
    .join("");
}

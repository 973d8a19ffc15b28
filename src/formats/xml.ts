import { oneLine, shortName, wellFormed } from "./characters.ts";
import type { Entry, Format, MakeFormat } from "./format.ts";
import { factWords, isRecord, type RecordEntry } from "./records.ts";
import { leftOutSentence, lineRange, remarks, sourceLine } from "./words.ts";

/** Well-formed whatever the content. */
export const xml: MakeFormat = (): Format => ({
  opening: "<context>\n",
  title: (text) => `<title>${escapeText(text)}</title>\n`,
  groupOpening: (title) => `<section name="${escapeText(title)}">\n`,
  head: (entry) => (entry.level === "pointer" ? pointer(entry) : head(entry)),
  imports: (statements) => `<imports>${cdata(statements.join("\n"))}</imports>\n`,
  body: (entry) => (entry.level === "pointer" ? "" : body(entry)),
  groupClosing: "</section>\n",
  itemsClosing: "",
  footerOpening: "",
  summary: (sentence) => `<summary>${escapeText(sentence)}</summary>\n`,
  leftOut: (counts) => `<omitted>${escapeText(leftOutSentence(counts))}</omitted>\n`,
  sourcesOpening: "<sources>\n",
  source: (place) => `<source>${escapeText(sourceLine(place))}</source>\n`,
  sourcesClosing: "</sources>\n",
  closing: "</context>\n",
  nothing: (sentence) => `<context>\n<omitted>${escapeText(sentence)}</omitted>\n</context>\n`,
});

function pointer(entry: Entry): string {
  const place = isRecord(entry) ? "" : ` file="${escapeText(entry.path)}" lines="${lineRange(entry)}"`;
  return `<${element(entry)} ${identity(entry)}${place}${note(entry.notes)}/>\n`;
}

function head(entry: Entry): string {
  const score = ` score="${entry.score.toFixed(2)}"`;
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

function body(entry: Entry): string {
  const name = isRecord(entry) ? "text" : "code";
  const lines = [
    ...(entry.text === "" ? [] : [`<${name}>${cdata(entry.text)}</${name}>`]),
    ...(entry.rest === undefined ? [] : [`<truncated>${escapeText(entry.rest)}</truncated>`]),
    `</${element(entry)}>`,
  ];
  return `${lines.join("\n")}\n`;
}

/** Records are named by what they are: `<memory>`, `<commit>`. */
function element(entry: Entry): string {
  return isRecord(entry) ? entry.source : "entity";
}

function idOf({ citation }: Entry): string {
  return escapeText(citation.replace(/^\[|\]$/g, ""));
}

function identity(entry: Entry): string {
  return `id="${idOf(entry)}" type="${entry.kind}" name="${escapeText(shortName(entry.name))}"`;
}

function note(notes: string[]): string {
  return notes.length > 0 ? ` note="${escapeText(notes.join(", "))}"` : "";
}

/** Names that an element has already. */
const taken = ["id", "score", "note"];

function factAttributes(entry: RecordEntry): string {
  return factWords(entry)
    .filter(([name]) => /^[a-z]\w*$/i.test(name) && !taken.includes(name))
    .map(([name, words]) => ` ${name}="${escapeText(words)}"`)
    .join("");
}

/** Characters that XML 1.0 cannot hold in any form. */
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function cdata(text: string): string {
  return `<![CDATA[${wellFormed(text).replace(impossible, "").replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** One line for an attribute or an element. */
function escapeText(text: string): string {
  return oneLine(text)
    .replace(impossible, "")
    .replace(/[&<>"]/g, (character) => entities[character]!);
}

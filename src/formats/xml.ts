import { oneLine, shortName, wellFormed } from "./characters.ts";
import type { Entry, Format, MakeFormat } from "./format.ts";
import { leftOutSentence, lineRange, remarks, sourceLine } from "./words.ts";

/** Well-formed whatever the content. */
export const xml: MakeFormat = (): Format => ({
  opening: "<context>\n",
  groupOpening: (title) => `<section name="${escapeText(title)}">\n`,
  head: (entry) => (entry.level === "pointer" ? pointer(entry) : head(entry)),
  imports: (statements) => `<imports>${cdata(statements.join("\n"))}</imports>\n`,
  body: ({ level, text }) => {
    if (level === "pointer") return "";
    return text === "" ? "</entity>\n" : `<code>${cdata(text)}</code>\n</entity>\n`;
  },
  groupClosing: "</section>\n",
  itemsClosing: "",
  footerOpening: "",
  leftOut: (counts) => `<omitted>${escapeText(leftOutSentence(counts))}</omitted>\n`,
  sourcesOpening: "<sources>\n",
  source: (place) => `<source>${escapeText(sourceLine(place))}</source>\n`,
  sourcesClosing: "</sources>\n",
  closing: "</context>\n",
  nothing: (sentence) => `<context>\n<omitted>${escapeText(sentence)}</omitted>\n</context>\n`,
});

function identity(entry: Entry): string {
  const id = entry.citation.replace(/^\[|\]$/g, "");
  return `id="${escapeText(id)}" type="${entry.kind}" name="${escapeText(shortName(entry.name))}"`;
}

function pointer(entry: Entry): string {
  const note = entry.notes.length > 0 ? ` note="${escapeText(entry.notes.join(", "))}"` : "";
  return `<entity ${identity(entry)} file="${escapeText(entry.path)}" lines="${lineRange(entry)}"${note}/>\n`;
}

function head(entry: Entry): string {
  const note = remarks(entry).length > 0 ? ` note="${escapeText(remarks(entry).join(", "))}"` : "";
  const lines = [
    `<entity ${identity(entry)} score="${entry.score.toFixed(2)}"${note}>`,
    `<location file="${escapeText(entry.path)}" start="${entry.startLine}" end="${entry.endLine}"/>`,
    ...(entry.related.length > 0 ? [`<related>${escapeText(entry.related.map(shortName).join(", "))}</related>`] : []),
    ...(entry.doc ? [`<doc>${escapeText(entry.doc)}</doc>`] : []),
  ];
  return `${lines.join("\n")}\n`;
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

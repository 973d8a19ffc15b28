import type { UsageSite } from "../../item.ts";
import { shortName } from "../characters.ts";
import type { FileFormat, PrintedEntry } from "../format.ts";
import { lineRange, numbered } from "../words.ts";
import { cdata, escapeText } from "./escape-xml.ts";

/** `<file>` with a `<code>` for each of its parts. */
export const xmlFile: FileFormat = {
  opening: ({ path, language }) =>
    `<file path="${escapeText(path)}"${language ? ` language="${escapeText(language)}"` : ""}>\n`,
  imports: (statements) => `<imports>${cdata(statements.join("\n"))}</imports>\n`,
  span,
  closing: () => "</file>\n",
};

function span(entry: PrintedEntry): string {
  const attributes = [
    ` id="${escapeText(entry.citation.replace(/^\[|\]$/g, ""))}" lines="${lineRange(entry)}"`,
    ...(entry.scope ? [` in="${escapeText(shortName(entry.scope))}"`] : []),
    ...(entry.notes.length > 0 ? [` note="${escapeText(entry.notes.join(", "))}"`] : []),
    ...(entry.doc ? [` doc="${escapeText(entry.doc)}"`] : []),
    ...(entry.rest === undefined ? [] : [` truncated="${escapeText(entry.rest)}"`]),
  ].join("");
  const code = entry.text === "" ? `<code${attributes}/>` : `<code${attributes}>${cdata(numbered(entry))}</code>`;
  return `${[code, ...useElements(entry)].join("\n")}\n`;
}

/** `<used by="src/a.ts:12" in="total">return priceOf(order)</used>`, and the same of tests. */
export function useElements({ uses }: PrintedEntry): string[] {
  const element = (name: string, { path, line, name: unit, text }: UsageSite) =>
    `<${name} by="${escapeText(path)}:${line}" in="${escapeText(shortName(unit))}">${escapeText(text)}</${name}>`;
  return [
    ...(uses?.callers ?? []).map((place) => element("used", place)),
    ...(uses?.tests ?? []).map((place) => element("tested", place)),
  ];
}

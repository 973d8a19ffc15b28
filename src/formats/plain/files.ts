import { headingText, shortName } from "../characters.ts";
import type { BlockState, FileFormat, PrintedEntry } from "../format.ts";
import { lineRange, numbered, truncated, useLines } from "../words.ts";

/** One line for the file and one for each of its parts, between marks that no line of the texts begins with. */
export function plainFile(mark: string): FileFormat {
  return {
    opening: ({ path }) => `${mark} ${headingText(path)} ${mark}\n`,
    imports: (statements) => `${statements.join("\n")}\n\n`,
    span: (entry, _first, block) => span(entry, mark, block),
    closing: () => "",
  };
}

function span(entry: PrintedEntry, mark: string, block: BlockState): string {
  const words = [
    // Uses name other files, so a part printed after them repeats its path.
    `${entry.citation} ${block === "closed" ? `${entry.path}:` : ""}${lineRange(entry)}`,
    ...(entry.scope ? [`in ${shortName(entry.scope)}`] : []),
    ...entry.notes,
  ];
  const rest = entry.rest === undefined ? "" : `${mark} ${headingText(truncated(entry.rest))} ${mark}\n`;
  const doc = entry.doc ? `About: ${headingText(entry.doc)}\n` : "";
  return `${mark} ${words.map(headingText).join(", ")} ${mark}\n${doc}${entry.text === "" ? "" : `${numbered(entry)}\n`}${rest}${uses(entry)}\n`;
}

function uses(entry: PrintedEntry): string {
  return useLines(entry, { name: headingText, code: headingText, pathOnce: true })
    .map((line) => `${line}\n`)
    .join("");
}

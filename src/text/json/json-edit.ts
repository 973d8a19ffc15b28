import type { JsonNode } from "./parse-json.ts";

/**
 * Changes to a JSON text that leave everything else in it as it was written: order, indentation, comments. The text
 * must be the one that the nodes were read from.
 */

/** Adds a value at the end of a list, or with a key at the end of an object. */
export function withPart(text: string, container: JsonNode, value: unknown, key?: string): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const unit = indentUnit(text);
  const last = container.parts?.at(-1);
  const outer = indentOf(text, container.start);
  const inner = last && beginsLine(text, last.start) ? indentOf(text, last.start) : outer + unit;
  const label = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const entry = label + JSON.stringify(value, null, unit).replaceAll("\n", newline + inner);
  const end = last ? last.node.end : container.start + 1;
  const close = container.end - 1;
  const comma = last && last.comma === undefined ? "," : "";
  // Remarks behind the last part stay with it; a new line ends the last of them.
  const between = text.slice(end, close).trimEnd();
  return `${text.slice(0, end)}${comma}${between}${newline}${inner}${entry}${newline}${outer}${text.slice(close)}`;
}

/** Puts another value in a node's place. */
export function withValue(text: string, node: JsonNode, value: unknown): string {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const replacement = JSON.stringify(value, null, indentUnit(text)).replaceAll(
    "\n",
    newline + indentOf(text, node.start),
  );
  return text.slice(0, node.start) + replacement + text.slice(node.end);
}

/** Takes a part out, with the remark that stands behind it on its line. */
export function withoutPart(text: string, container: JsonNode, position: number): string {
  const parts = container.parts!;
  const part = parts[position]!;
  const rest = /[ \t]*(?:\/\/[^\r\n]*)?(?=[\r\n])/y;
  rest.lastIndex = part.comma === undefined ? part.node.end : part.comma + 1;
  const remark = rest.exec(text);
  const end = remark ? remark.index + remark[0].length : (part.comma ?? part.node.end - 1) + 1;
  // Its line is removed as a whole only where another line follows: else what follows would join a comment above.
  const start = remark ? endOfLineBefore(text, part.start) : part.start;
  const before = part.comma === undefined ? parts[position - 1]?.comma : undefined;
  if (before === undefined) return text.slice(0, start) + text.slice(end);
  return text.slice(0, before) + text.slice(before + 1, start) + text.slice(end);
}

/**
 * Where the line above ends, when nothing but blanks stands before this offset on its line; else the first of those
 * blanks.
 */
function endOfLineBefore(text: string, offset: number): number {
  let at = offset;
  while (text[at - 1] === " " || text[at - 1] === "\t") at--;
  if (text[at - 1] === "\n") at--;
  if (text[at - 1] === "\r") at--;
  return at;
}

/**
 * The indentation of one level: as on the first indented line, else two blanks. JSON.stringify takes no more than
 * ten.
 */
function indentUnit(text: string): string {
  return (/^[ \t]+(?=\S)/m.exec(text)?.[0] ?? "  ").slice(0, 10);
}

/** The indentation of the line at this offset. */
function indentOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? "";
}

function beginsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}

import type { MessageBlock } from "../stores/library.ts";
import { textOf } from "./blocks.ts";

export const longestTitle = 200;
const longestGenerated = 60;

/** A title on one line. */
export function threadTitle(text: string): string {
  const line = text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim();
  return line === "" ? "Untitled" : cut(line, longestTitle);
}

/** Title of a thread without one: the beginning of the first user message. */
export function titleOf(messages: readonly { role: string; blocks: readonly MessageBlock[] }[]): string {
  const message = messages.find(({ role }) => role === "user") ?? messages[0];
  const line = threadTitle(textOf(message?.blocks ?? []).slice(0, 10 * longestGenerated));
  return line.length > longestGenerated ? `${cut(line, longestGenerated).trimEnd()}…` : line;
}

function cut(line: string, length: number): string {
  return line.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

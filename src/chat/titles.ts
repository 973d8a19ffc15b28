import type { MessageBlock } from "../stores/library.ts";
import { textOf } from "./blocks.ts";

export const longestTitle = 200;
const longestMade = 60;

/** A title on one line. */
export function threadTitle(given: string): string {
  const line = given
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim();
  return line === "" ? "Untitled" : cut(line, longestTitle);
}

/** What a thread without a title is called: the beginning of what somebody first said in it. */
export function titleOf(messages: readonly { role: string; blocks: readonly MessageBlock[] }[]): string {
  const said = messages.find(({ role }) => role === "user") ?? messages[0];
  const line = threadTitle(textOf(said?.blocks ?? []).slice(0, 10 * longestMade));
  return line.length > longestMade ? `${cut(line, longestMade).trimEnd()}…` : line;
}

function cut(line: string, length: number): string {
  return line.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

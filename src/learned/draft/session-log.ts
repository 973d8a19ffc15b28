import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Utterance } from "./extract.ts";

/** Only the end of a long log is read: it has the outcome, and reading a hundred megabytes takes too long. */
const mostBytes = 16_000_000;
/** A longer line is the output of a tool. */
const longestLine = 1_000_000;

export type SessionLog = { said: Utterance[] /** Lines that are no JSON. */; broken: number };

/** The tail of a log file, as text. */
export function tailOf(path: string): string {
  // Opening a named pipe would block until it has a writer, so it is opened non-blocking and refused.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`${path} is no file`);
    const { size } = stats;
    const bytes = Buffer.alloc(Math.min(size, mostBytes));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(file, bytes, filled, bytes.length - filled, size - bytes.length + filled);
      if (count === 0) break;
      filled += count;
    }
    const text = bytes.toString("utf8", 0, filled);
    // The first line may be cut.
    return size > mostBytes ? text.slice(text.indexOf("\n") + 1) : text;
  } finally {
    closeSync(file);
  }
}

/**
 * The utterances of people and agents in a session, from JSON lines as Claude Code, Codex and others write them: a role and a content,
 * at the top or under `message` or `payload`. Tool results and messages of subagents are left out. Lines that cannot be read are
 * counted.
 */
export function readSessionLog(text: string): SessionLog {
  const log: SessionLog = { said: [], broken: 0 };
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    const line = to - from > longestLine ? "" : text.slice(from, to).trim();
    from = to + 1;
    if (line === "") continue;
    const utterance = readLine(line);
    if (utterance === "broken") log.broken++;
    else if (utterance) log.said.push(utterance);
  }
  return log;
}

function readLine(line: string): Utterance | "broken" | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return "broken";
    throw error;
  }
  const outer = objectOf(value);
  if (outer.isSidechain === true || outer.isMeta === true) return undefined;
  const inner = [outer.message, outer.payload, outer].map(objectOf).find(({ role }) => typeof role === "string") ?? {};
  const by = inner.role === "user" ? "user" : inner.role === "assistant" ? "agent" : undefined;
  const text = by && textOf(inner.content);
  return text ? { by, text } : undefined;
}

/** The text, or the text blocks; tool results are nobody's words. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map(objectOf)
    .filter(({ type }) => type === undefined || type === "text" || type === "input_text" || type === "output_text")
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Utterance } from "./extract.ts";

/** The end of a long log says what came of the session; the beginning of a hundred megabytes is not worth the wait. */
const mostBytes = 16_000_000;
/** A longer line is the output of a tool. */
const longestLine = 1_000_000;

export type SessionLog = { said: Utterance[] /** Lines that are no JSON. */; broken: number };

/** The last part of a log on disk, as text. */
export function tailOf(path: string): string {
  // Opening a named pipe waits for its writer, and nothing can interrupt that: it is opened without waiting, and refused.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`${path} is no file`);
    const { size } = stats;
    const bytes = Buffer.alloc(Math.min(size, mostBytes));
    let filled = 0;
    while (filled < bytes.length) {
      const read = readSync(file, bytes, filled, bytes.length - filled, size - bytes.length + filled);
      if (read === 0) break;
      filled += read;
    }
    const text = bytes.toString("utf8", 0, filled);
    // The first line of a part is a part of a line.
    return size > mostBytes ? text.slice(text.indexOf("\n") + 1) : text;
  } finally {
    closeSync(file);
  }
}

/**
 * What people and agents said in a session, read from JSON lines as Claude Code, Codex and others write them: a role and a content, here or
 * under `message` or `payload`. Results of tools, and what an agent's agents said, are left out. Lines that cannot be read are counted.
 */
export function readSessionLog(text: string): SessionLog {
  const log: SessionLog = { said: [], broken: 0 };
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    const line = to - from > longestLine ? "" : text.slice(from, to).trim();
    from = to + 1;
    if (line === "") continue;
    const said = readLine(line);
    if (said === "broken") log.broken++;
    else if (said) log.said.push(said);
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

/** A text, or the texts among blocks; what a tool gave is no one's word. */
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

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { tryParseJson } from "../../text/json/try-parse-json.ts";
import { decodeText } from "../../text/lines.ts";
import type { SessionEvent } from "./session-events.ts";
import { type Fields, objectOf, ToolCalls, textOf } from "./tool-calls.ts";

/** Only the end of a long log is read: it has the outcome, and reading a hundred megabytes takes too long. */
const mostBytes = 16_000_000;
/** A longer line is the output of a tool. */
const longestLine = 1_000_000;

export type SessionLog = {
  events: SessionEvent[];
  /** The number of messages. */
  messages: number;
  /** The number of lines that are not JSON. */
  broken: number;
};

/** The tail of a log file, as text. */
export function tailOf(path: string): string {
  // Opening a named pipe would block until it has a writer, so it is opened non-blocking and refused.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`${path} is no file`);
    const { size } = stats;
    const mark = readAt(file, 0, 2);
    // Two bytes are a unit of UTF-16, so that an even number of bytes from the mark on is left out.
    const from = size > mostBytes ? (size - mostBytes) & ~1 : 0;
    const bytes = readAt(file, from, size - from);
    const isUtf16 = mark.equals(utf16.little) || mark.equals(utf16.big);
    const { text } = decodeText(from > 0 && isUtf16 ? Buffer.concat([mark, bytes]) : bytes);
    // The first line may be cut.
    return size > mostBytes ? text.slice(text.indexOf("\n") + 1) : text;
  } finally {
    closeSync(file);
  }
}

const utf16 = { little: Buffer.from([0xff, 0xfe]), big: Buffer.from([0xfe, 0xff]) };

/** The bytes at a place of a file; fewer where it ends before. */
function readAt(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/**
 * What was said and done in a session, from JSON lines as Claude Code, Codex and others write them: a role and a
 * content, at the top or under `message` or `payload`; calls of tools and their results. Messages of subagents, of the
 * client itself and summaries of earlier sessions are left out. Lines that cannot be read are counted.
 */
export function readSessionLog(text: string): SessionLog {
  const events: SessionEvent[] = [];
  const calls = new ToolCalls();
  let broken = 0;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    const line = to - from > longestLine ? "" : text.slice(from, to).trim();
    from = to + 1;
    if (line === "") continue;
    const value = tryParseJson(line);
    if (value === undefined) broken++;
    else readLine(objectOf(value), calls, events);
  }
  return { events, messages: events.filter(({ kind }) => kind === "said").length, broken };
}

function readLine(outer: Fields, calls: ToolCalls, events: SessionEvent[]): void {
  if (outer.isSidechain === true || outer.isMeta === true || outer.isCompactSummary === true) return;
  calls.folderIs(outer.cwd ?? objectOf(outer.payload).cwd);
  // Codex: calls and their results are no messages.
  events.push(...calls.read(objectOf(outer.payload), outer));
  const inner = [outer.message, outer.payload, outer].map(objectOf).find(({ role }) => typeof role === "string") ?? {};
  const by = inner.role === "user" ? "user" : inner.role === "assistant" ? "agent" : undefined;
  if (by === undefined) return;
  // With this field the content is a tool's result, also where it is a bare string.
  const text = outer.toolUseResult === undefined || Array.isArray(inner.content) ? textOf(inner.content) : "";
  if (text !== "") events.push({ kind: "said", by, text });
  if (Array.isArray(inner.content))
    for (const block of inner.content) events.push(...calls.read(objectOf(block), outer));
}

import * as z from "zod";
import { textOf } from "../../chat/blocks.ts";
import { type DocumentInfo, roles, type StoredMessage, type ThreadInfo } from "../../stores/library.ts";
import { iso } from "../../text/times/iso.ts";
import { visibleLine } from "../memory/memory-shape.ts";
import { paint } from "../terminal/colours.ts";
import { bytes, counted, grouped, plain } from "../terminal/phrases.ts";

/** Documents, threads and messages as results show them. */

const time = z.string().describe("ISO 8601");
const count = z.number().int().min(0);

export const documentShape = z.object({
  id: z.string(),
  path: z.string(),
  type: z.string().optional().describe("Media type or language, as it was given"),
  size: count.describe("Bytes of UTF-8"),
  hash: z.string(),
  version: count.describe("Grows with every change of the content"),
  created: time,
  changed: time,
  accessed: time.optional().describe("When it was last opened"),
  deleted: time.optional().describe("When it was deleted"),
});

export type ShownDocument = z.output<typeof documentShape>;

export function shownDocument(info: DocumentInfo): ShownDocument {
  const { id, path, type, size, hash, version, created, changed, accessed, deleted } = info;
  return {
    id,
    path,
    ...(type !== undefined && { type }),
    size,
    hash,
    version,
    created: iso(created),
    changed: iso(changed),
    ...(accessed !== undefined && { accessed: iso(accessed) }),
    ...(deleted !== undefined && { deleted: iso(deleted) }),
  };
}

export function documentText(document: ShownDocument, colour: boolean): string {
  const p = paint(colour);
  const facts = [
    bytes(document.size),
    document.version > 1 ? `version ${document.version}` : "",
    document.changed.slice(0, 10),
    document.accessed ? `opened ${document.accessed.slice(0, 10)}` : "",
  ].filter((fact) => fact !== "");
  const deleted = document.deleted ? p.yellow(`  deleted ${document.deleted.slice(0, 10)}`) : "";
  return `${p.cyan(document.id)}  ${plain(document.path)}  ${p.dim(facts.join(", "))}${deleted}`;
}

export const threadShape = z.object({
  id: z.string(),
  title: z.string(),
  parent: z.string().optional().describe("The thread that it branches off"),
  branchedAt: z.string().optional().describe("The last message that it shares with its parent"),
  created: time,
  changed: time.describe("Of its last message or change, ISO 8601"),
  messages: count,
  deleted: time.optional().describe("When it was deleted"),
});

export type ShownThread = z.output<typeof threadShape>;

export function shownThread(info: ThreadInfo): ShownThread {
  const { id, title, parent, branchedAt, created, changed, messages, deleted } = info;
  return {
    id,
    title,
    ...(parent !== undefined && { parent }),
    ...(branchedAt !== undefined && { branchedAt }),
    created: iso(created),
    changed: iso(changed),
    messages,
    ...(deleted !== undefined && { deleted: iso(deleted) }),
  };
}

export function threadText(thread: ShownThread, colour: boolean): string {
  const p = paint(colour);
  const facts = [counted(thread.messages, "message"), thread.changed.slice(0, 10)];
  if (thread.parent) facts.push(`branch of ${thread.parent}`);
  const deleted = thread.deleted ? p.yellow(`  deleted ${thread.deleted.slice(0, 10)}`) : "";
  return `${p.cyan(thread.id)}  ${plain(thread.title)}  ${p.dim(facts.join(", "))}${deleted}`;
}

const block = z.looseObject({ type: z.enum(["text", "tool_call", "tool_result", "image", "other"]) });

export const messageShape = z.object({
  id: z.string(),
  given: z.string().optional().describe("The application's own id"),
  thread: z.string().describe("Of a branch's beginning it is the parent"),
  number: count.describe("Its place in the thread, from 1"),
  role: z.enum(roles),
  speaker: z.string().optional(),
  session: z.string().optional(),
  at: time,
  text: z.string().describe("What it says, calls and results of tools included"),
  blocks: z.array(block).describe("What it is made of"),
});

export type ShownMessage = z.output<typeof messageShape>;

export function shownMessage(message: StoredMessage): ShownMessage {
  const { id, given, thread, number, role, speaker, session, at, blocks } = message;
  return {
    id,
    ...(given !== undefined && { given }),
    thread,
    number,
    role,
    ...(speaker !== undefined && { speaker }),
    ...(session !== undefined && { session }),
    at: iso(at),
    text: textOf(blocks),
    blocks,
  };
}

/** One message for people: a line of facts, with its text below. */
export function messageText(message: ShownMessage, colour: boolean): string {
  const p = paint(colour);
  const who = message.speaker === undefined ? message.role : `${plain(message.speaker)} (${message.role})`;
  const head = `${p.dim(`${message.number}.`)} ${p.bold(who)}  ${p.dim(`${message.at.slice(0, 16).replace("T", " ")}  ${message.id}`)}`;
  const body = message.text.split(/\r?\n/).map((line) => `  ${visibleLine(line)}`.trimEnd());
  return [head, ...body].join("\n");
}

/** "21 to 40 of 57 messages."; nothing if all are shown. */
export function pageText({ offset = 0, shown, total, after, next }: ShownPage, noun: string, plural?: string): string {
  if (offset === 0 && shown >= total && next === undefined) return "";
  const range = shown === 0 ? "None" : `${grouped(offset + 1)} to ${grouped(offset + shown)}`;
  const shownRange = after === undefined ? range : `${grouped(shown)} more`;
  return `${shownRange} of ${counted(total, noun, plural)}.${next === undefined ? "" : ` After these: ${next}`}`;
}

export type ShownPage = { offset?: number; shown: number; total: number; after?: string; next?: string };

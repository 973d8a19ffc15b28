import { type MessageBlock, type NewMessage, roles, type SpeakerRole } from "../stores/library.ts";
import { isObject, type JsonObject } from "../text/json/is-object.ts";
import { isTooDeep, readBlocks, stringOf, textOf } from "./blocks.ts";
import { readTimestamp } from "./timestamps.ts";

/** A message from another application's file, with only what that file says. */
export type ReadMessage = Omit<NewMessage, "at"> & {
  /** Milliseconds since 1970; absent when the file gives no time. */
  at?: number;
  /** There is a time, but in a format that cannot be read. */
  badTime?: boolean;
  /** Id of the conversation, for files whose lines carry it. */
  thread?: string;
  title?: string;
};

export const longestMessage = 1_000_000;
export const longestName = 200;

const roleNames: Record<string, SpeakerRole> = {
  human: "user",
  customer: "user",
  ai: "assistant",
  bot: "assistant",
  gpt: "assistant",
  chatgpt: "assistant",
  claude: "assistant",
  model: "assistant",
  agent: "assistant",
  developer: "system",
  function: "tool",
  function_call_output: "tool",
  function_call: "assistant",
};

function roleCalled(word: unknown): SpeakerRole | undefined {
  const name = stringOf(word)?.trim().toLowerCase() ?? "";
  if ((roles as readonly string[]).includes(name)) return name as SpeakerRole;
  return Object.hasOwn(roleNames, name) ? roleNames[name] : undefined;
}

/** Reads one message of any supported shape, or says why it is none. */
export function readMessage(value: unknown): ReadMessage | { bad: string } {
  if (!isObject(value)) return { bad: "it is no JSON object" };
  if (isTooDeep(value)) return { bad: "it is nested too deep" };
  // Some wrap the message in an envelope with ids and times.
  const inner = isObject(value.message) ? { ...envelope(value), ...value.message } : value;
  const content = contentOf(inner);
  const role = roleOf(inner) ?? (isObject(value.message) ? roleCalled(value.type) : undefined);
  const speaker = speakerOf(inner, role);
  const blocks = blocksOf(inner, content, role);
  if (blocks === undefined) return { bad: "it has neither content nor text" };
  if (role === undefined && speaker === undefined) return { bad: "it says neither its role nor who speaks" };
  if (blocks.length === 0) return { bad: "it is empty" };
  const long = tooLong(blocks);
  if (long !== undefined) return { bad: long };
  const moment = momentOf(inner);
  return {
    role: role ?? "user",
    blocks,
    ...optionalText("speaker", speaker),
    ...optionalText("id", first(inner, ["id", "uuid", "message_id", "messageId", "msg_id", "dia_id"])),
    ...optionalText("session", first(inner, ["session", "session_id", "sessionId"])),
    ...optionalText("thread", first(inner, threadKeys)),
    ...optionalText("title", first(inner, ["thread_title", "threadTitle", "conversation_title"])),
    ...(moment === "bad" ? { badTime: true } : moment !== undefined && { at: moment }),
  };
}

/** Why these blocks are too long for a message; undefined when they are not. */
export function tooLong(blocks: readonly MessageBlock[]): string | undefined {
  const length = textOf(blocks).length;
  if (length > longestMessage) return `it is ${length} characters long; at most ${longestMessage} are kept`;
  const size = JSON.stringify(blocks).length;
  return size > 2 * longestMessage
    ? `it is ${size} characters of JSON; at most ${2 * longestMessage} are kept`
    : undefined;
}

export const threadKeys = [
  "thread_id",
  "threadId",
  "thread",
  "conversation_id",
  "conversationId",
  "conversation",
  "chat_id",
  "chatId",
];

/** All fields except those that would be read as content. */
function envelope({ message: _message, content: _content, text: _text, ...rest }: JsonObject): JsonObject {
  return rest;
}

function roleOf(value: JsonObject): SpeakerRole | undefined {
  const author = isObject(value.author) ? value.author.role : value.author;
  for (const word of [value.role, author, value.sender, value.from, value.type]) {
    const role = roleCalled(word);
    if (role !== undefined) return role;
  }
  return undefined;
}

function speakerOf(value: JsonObject, role: SpeakerRole | undefined): string | undefined {
  const { speaker, author, user, username, sender, from } = value;
  // On a tool call or result this field is the tool's name.
  const name = role === "tool" || stringOf(value.type)?.endsWith("_call") ? undefined : value.name;
  const people = isObject(user) ? [user.name, user.username, user.id] : [user];
  const authors = isObject(author) ? [author.name] : [author];
  for (const word of [speaker, name, ...authors, ...people, username, sender, from]) {
    const text = stringOf(word)?.trim();
    // A name that only repeats the role is no name.
    if (text && roleCalled(text) === undefined) return text;
  }
  return undefined;
}

function contentOf(value: JsonObject): unknown {
  for (const key of ["content", "text", "message", "value", "body", "parts", "blocks"]) {
    const content = value[key];
    if (content !== undefined && content !== null) return content;
  }
  return undefined;
}

/** Undefined when no field holds content. */
function blocksOf(
  value: JsonObject,
  content: unknown,
  role: SpeakerRole | undefined,
): ReadMessage["blocks"] | undefined {
  const type = stringOf(value.type) ?? "";
  // In OpenAI's responses the call itself is the item.
  if (/_call(_output)?$/.test(type) && content === undefined) return readBlocks([value]);
  const calls = [value.tool_calls, value.function_call && [{ type: "function", ...(value.function_call as object) }]];
  const called = calls.flatMap((each) => (Array.isArray(each) ? readBlocks(each.map(asCall)) : []));
  const id = stringOf(value.tool_call_id) ?? stringOf(value.tool_use_id);
  // A message of role "tool" is a tool result, unless its blocks say so themselves.
  const blocks = readBlocks(content);
  const isResult = role === "tool" && blocks.every(({ type }) => type !== "tool_result" && type !== "tool_call");
  if (isResult && content !== undefined) {
    return readBlocks([{ type: "tool_result", content, ...(id !== undefined && { tool_call_id: id }) }]);
  }
  if (content === undefined && called.length === 0) return "content" in value && role ? [] : undefined;
  return [...blocks, ...called];
}

function asCall(call: unknown): unknown {
  return isObject(call) ? { ...call, type: "tool_call" } : call;
}

function momentOf(value: JsonObject): number | "bad" | undefined {
  for (const key of ["at", "timestamp", "created_at", "createdAt", "create_time", "time", "date", "datetime", "ts"]) {
    const moment = value[key];
    if (moment === undefined || moment === null || moment === "") continue;
    return readTimestamp(moment) ?? "bad";
  }
  return undefined;
}

/** The first of these keys that holds a text or a number; too long values are ignored. */
export function first(value: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const each = value[key];
    const text = typeof each === "number" ? String(each) : (stringOf(each)?.trim() ?? "");
    if (text !== "" && text.length <= longestName) return text;
  }
  return undefined;
}

function optionalText<Key extends string>(key: Key, value: string | undefined): { [key in Key]?: string } {
  if (value === undefined) return {};
  return { [key]: value.slice(0, longestName).replace(/\p{Surrogate}/gu, "\ufffd") } as { [key in Key]?: string };
}

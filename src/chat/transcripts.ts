import { isObject, type JsonObject } from "../text/json/is-object.ts";
import { stringOf } from "./blocks.ts";
import { first, longestName, type ReadMessage, readMessage, threadKeys } from "./messages.ts";

/** A conversation of a file: its messages in their order. */
export type Conversation = {
  /** Id of the conversation in the file; absent where it has none. */
  key?: string;
  title?: string;
  messages: ReadMessage[];
};

/** `where`: "line 12", or in a file that is one JSON value "message 3" or "conversation 2, message 3". */
type BadPart = { where: string; reason: string };

export type Transcript = {
  conversations: Conversation[];
  /** Number of messages that were read, valid or not. */
  messages: number;
  bad: BadPart[];
};

/**
 * Reads a chat transcript: JSON lines, or one JSON value. Lines and elements are messages (OpenAI, Anthropic, Gemini,
 * or with a speaker and a text) or whole conversations (`messages`, `chat_messages`, `conversations`, `mapping`).
 * Messages of one conversation id belong together; those without one are one conversation.
 */
export function readTranscript(text: string): Transcript {
  const reading: Reading = { byKey: new Map(), conversations: [], messages: 0, bad: [] };
  const body = text.replace(/^\ufeff/, "");
  const json = wholeValue(body);
  if (json) readWhole(json.value, reading);
  else readLines(body, reading);
  const { conversations, messages, bad } = reading;
  return { conversations: conversations.filter((each) => each.messages.length > 0), messages, bad };
}

/** `unnamed`: the conversation of messages without a conversation id. */
type Reading = Transcript & { byKey: Map<string, Conversation>; unnamed?: Conversation };

function wholeValue(text: string): { value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const parsed = parse(text);
  return "value" in parsed ? parsed : undefined;
}

function parse(text: string): { value: unknown } | { bad: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { bad: "it is no JSON" };
  }
}

function readLines(text: string, reading: Reading): void {
  let number = 0;
  for (const line of text.split("\n")) {
    number++;
    if (line.trim() === "") continue;
    const where = `line ${number}`;
    const parsed = parse(line);
    if ("bad" in parsed) {
      reading.messages++;
      reading.bad.push({ where, reason: parsed.bad });
    } else readElement(parsed.value, where, reading);
  }
}

function readWhole(value: unknown, reading: Reading): void {
  if (!Array.isArray(value)) {
    readElement(value, "the file", reading);
    return;
  }
  const holdsConversations = value.some((each) => conversationIn(each) !== undefined);
  for (const [i, element] of value.entries()) {
    readElement(element, `${holdsConversations ? "conversation" : "message"} ${i + 1}`, reading);
  }
}

/** A conversation, a message, or a record that is neither: tools write other records between messages. */
function readElement(value: unknown, where: string, reading: Reading): void {
  const inside = conversationIn(value);
  if (inside !== undefined) {
    const conversation = begin(inside, reading);
    for (const [i, each] of inside.messages.entries()) {
      const label = where === "the file" ? `message ${i + 1}` : `${where}, message ${i + 1}`;
      readInto(each, label, reading, conversation);
    }
  } else if (Array.isArray(value)) {
    const conversation = begin({}, reading);
    for (const [i, each] of value.entries()) readInto(each, `${where}, message ${i + 1}`, reading, conversation);
  } else if (!isRemark(value)) readInto(value, where, reading);
}

/** Claude Code and others write summaries and snapshots of files between the messages. */
function isRemark(value: unknown): boolean {
  if (!isObject(value) || typeof value.type !== "string" || "role" in value) return false;
  return (
    ["message", "content", "text", "author", "sender", "speaker", "name"].every((key) => !(key in value)) &&
    !/_call(_output)?$/.test(value.type)
  );
}

function begin({ key, title }: Pick<Conversation, "key" | "title">, reading: Reading): Conversation {
  const existing = key === undefined ? undefined : reading.byKey.get(key);
  if (existing) return existing;
  const conversation: Conversation = {
    ...(key !== undefined && { key }),
    ...(title !== undefined && { title }),
    messages: [],
  };
  if (key !== undefined) reading.byKey.set(key, conversation);
  reading.conversations.push(conversation);
  return conversation;
}

function readInto(value: unknown, where: string, reading: Reading, conversation?: Conversation): void {
  reading.messages++;
  const result = readMessage(value);
  if ("bad" in result) {
    reading.bad.push({ where, reason: result.bad });
    return;
  }
  const { thread, title, ...message } = result;
  const target =
    conversation ??
    (thread === undefined ? (reading.unnamed ??= begin({}, reading)) : begin({ key: thread, title }, reading));
  target.messages.push(message);
}

type Inside = { key?: string; title?: string; messages: unknown[] };

const listKeys = ["messages", "chat_messages", "conversations", "conversation", "turns", "history", "dialogue"];

/** The conversation in an object that holds messages; undefined for a message. */
function conversationIn(value: unknown): Inside | undefined {
  if (!isObject(value) || ["role", "speaker", "sender", "author"].some((key) => key in value)) return undefined;
  const messages = isObject(value.mapping)
    ? path(value, value.mapping)
    : listKeys.map((key) => value[key]).find(isMessageList);
  if (messages === undefined) return undefined;
  const key = first(value, [...threadKeys, "id", "uuid"]);
  const title = (stringOf(value.title) ?? stringOf(value.name) ?? "").replace(/\s+/g, " ").trim();
  return { ...(key !== undefined && { key }), ...(title !== "" && { title: title.slice(0, longestName) }), messages };
}

function isMessageList(value: unknown): value is unknown[] {
  return Array.isArray(value) && (value.length === 0 || value.some(isObject));
}

/** A ChatGPT export is a tree; the conversation is the path from its root to the current leaf. */
function path(value: JsonObject, mapping: JsonObject): unknown[] {
  const messages: unknown[] = [];
  const seen = new Set<string>();
  let at = stringOf(value.current_node) ?? lastLeaf(mapping);
  while (at !== undefined && !seen.has(at) && Object.hasOwn(mapping, at)) {
    seen.add(at);
    const node: unknown = mapping[at];
    if (!isObject(node)) break;
    if (isObject(node.message) && !isSilent(node.message)) messages.push(node.message);
    at = stringOf(node.parent);
  }
  return messages.reverse();
}

function lastLeaf(mapping: JsonObject): string | undefined {
  const leaves = Object.entries(mapping).filter(
    ([, node]) => isObject(node) && (!Array.isArray(node.children) || node.children.length === 0),
  );
  return leaves.at(-1)?.[0];
}

/** Hidden system messages with empty text. */
function isSilent(message: JsonObject): boolean {
  const parts = isObject(message.content) ? message.content.parts : undefined;
  return Array.isArray(parts) && parts.every((part) => part === "");
}

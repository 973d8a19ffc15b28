import type { MessageBlock } from "../stores/library.ts";
import { isObject, type JsonObject } from "../text/json/is-object.ts";

/**
 * Reads the content of a message into blocks: a plain text, OpenAI's parts (chat completions and responses),
 * Anthropic's blocks, or Gemini's parts. Anything else becomes an `other` block with the whole value.
 */
export function readBlocks(content: unknown): MessageBlock[] {
  if (content === null || content === undefined) return [];
  if (typeof content === "string") return texts(content);
  if (typeof content === "number" || typeof content === "boolean") return texts(String(content));
  if (Array.isArray(content)) return content.flatMap(readBlock);
  return isObject(content) ? readBlock(content) : [];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(text: string): MessageBlock[] {
  return text === "" ? [] : [{ type: "text", text: clean(text) }];
}

/** Lone surrogates and NUL cannot be stored everywhere. */
function clean(text: string): string {
  return text.replace(/[\u0000\p{Surrogate}]/gu, "\ufffd");
}

type Read = (part: JsonObject) => MessageBlock[];

const byType: Record<string, Read> = {
  text: (part) => texts(stringOf(part.text) ?? stringOf(part.value) ?? ""),
  refusal: (part) => texts(stringOf(part.refusal) ?? ""),
  tool_use: toolCall,
  server_tool_use: toolCall,
  mcp_tool_use: toolCall,
  tool_call: toolCall,
  function_call: toolCall,
  custom_tool_call: toolCall,
  function: toolCall,
  tool_result: toolResult,
  mcp_tool_result: toolResult,
  function_call_output: toolResult,
  custom_tool_call_output: toolResult,
  image: image,
  image_url: image,
  input_image: image,
  document: (part) => texts(documentText(part)),
  // Reasoning is not part of what the message says.
  thinking: () => [],
  redacted_thinking: () => [],
  reasoning: () => [],
};
byType.input_text = byType.text!;
byType.output_text = byType.text!;

function readBlock(part: unknown): MessageBlock[] {
  if (typeof part === "string") return texts(part);
  if (!isObject(part)) return part === null || part === undefined ? [] : [{ type: "other", value: part }];
  const type = stringOf(part.type);
  if (type !== undefined && Object.hasOwn(byType, type)) return byType[type]!(part);
  if (type?.endsWith("_tool_result")) return toolResult(part);
  if (type === "other" && "value" in part) return [{ type: "other", value: part.value }];
  if (isObject(part.functionCall)) return toolCall(part.functionCall);
  if (isObject(part.functionResponse)) return toolResult({ ...part.functionResponse, type: "tool_result" });
  if (type === undefined && typeof part.text === "string") return texts(part.text);
  // A ChatGPT export writes texts as {"content_type": "text", "parts": ["…"]}.
  if (Array.isArray(part.parts)) return readBlocks(part.parts);
  return [{ type: "other", value: part }];
}

/** `{id, name, input}`, `{id, function: {name, arguments}}`, `{call_id, name, arguments}`, `{name, args}`. */
function toolCall(part: JsonObject): MessageBlock[] {
  const inner = isObject(part.function) ? part.function : part;
  const id = stringOf(part.call_id) ?? stringOf(part.id);
  const input = inner.input ?? inner.arguments ?? inner.args ?? {};
  const name = stringOf(inner.name) ?? "";
  return [{ type: "tool_call", ...(id !== undefined && { id }), name, input: parsedInput(input) }];
}

/** Arguments come as JSON in a string; a model's broken JSON stays a string. */
function parsedInput(input: unknown): unknown {
  if (typeof input !== "string" || !/^\s*[[{]/.test(input)) return input;
  try {
    const parsed: unknown = JSON.parse(input);
    return isTooDeep(parsed) ? input : parsed;
  } catch (error) {
    if (error instanceof SyntaxError) return input;
    throw error;
  }
}

function toolResult(part: JsonObject): MessageBlock[] {
  const id = [part.tool_use_id, part.tool_call_id, part.call_id, part.id]
    .map(stringOf)
    .find((each) => each !== undefined);
  const content = part.content ?? part.output ?? part.response ?? part.result ?? part.text;
  const text = clean(typeof content === "string" ? content : resultText(content));
  const error = part.is_error === true || part.error === true;
  return [{ type: "tool_result", ...(id !== undefined && { id }), text, ...(error && { error }) }];
}

function resultText(content: unknown): string {
  if (content === undefined || content === null) return "";
  const blocks = Array.isArray(content) ? content.flatMap(readBlock) : [];
  if (blocks.length > 0 && blocks.every(({ type }) => type !== "other")) return textOf(blocks);
  return JSON.stringify(content) ?? "";
}

/** Images are not stored, only their description. */
function image(part: JsonObject): MessageBlock[] {
  const description = [part.description, part.alt, part.alt_text, part.caption, part.title].map(stringOf).find(Boolean);
  return [{ type: "image", ...(description !== undefined && { description }) }];
}

function documentText(part: JsonObject): string {
  const source = isObject(part.source) ? part.source : {};
  const content = source.type === "text" ? source.data : source.content;
  const body = typeof content === "string" ? content : textOf(readBlocks(content));
  return [stringOf(part.title), body].filter(Boolean).join("\n");
}

/**
 * The text of a message as it is searched and shown: texts, tool calls with their input, tool results, image
 * descriptions.
 */
export function textOf(blocks: readonly MessageBlock[]): string {
  return blocks
    .map(blockText)
    .filter((text) => text !== "")
    .join("\n");
}

function blockText(block: MessageBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "tool_call":
      return `${block.name}(${inputText(block.input)})`;
    case "tool_result":
      return block.error ? `error: ${block.text}` : block.text;
    case "image":
      return block.description === undefined ? "" : `[image: ${block.description}]`;
    case "other":
      return "";
  }
}

function inputText(input: unknown): string {
  if (typeof input === "string") return input;
  const text = JSON.stringify(input) ?? "";
  return text === "{}" ? "" : text;
}

/** Limit of nesting: JSON.stringify is recursive, and no real message nests deeper. */
const deepest = 100;

/** Whether a value from JSON can be written as JSON again. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    const next: unknown[] = [];
    for (const each of level) {
      // Not spread into push(): a list of a million elements would be one call with a million arguments.
      if (typeof each === "object" && each !== null) for (const inner of Object.values(each)) next.push(inner);
    }
    level = next;
  }
  return false;
}

import type { MessageBlock, StoredMessage } from "../../stores/library.ts";
import { splitLines } from "../../text/lines.ts";
import { oneLine } from "../../text/one-line.ts";

type Spoken = Pick<StoredMessage, "role" | "speaker" | "blocks">;

/** The speaker on one line: a name where several people speak, else the role. */
export function speakerOf({ speaker, role }: Pick<StoredMessage, "role" | "speaker">): string {
  return shortened(oneLine(speaker ?? ""), longestSpeaker) || role;
}

const longestSpeaker = 60;

/** The text and tool calls of a message, without pictures and tool results. */
export function saidIn({ blocks }: Pick<StoredMessage, "blocks">): string {
  return blocks
    .flatMap((block) => (block.type === "text" ? [block.text] : block.type === "tool_call" ? [callLine(block)] : []))
    .join("\n");
}

export function shownIn({ blocks }: Pick<StoredMessage, "blocks">): string {
  return blocks.flatMap((block) => (block.type === "image" ? [block.description ?? ""] : [])).join("\n");
}

/**
 * Characters of a result that count: results are long and repeat other texts, and their beginning shows what they are.
 */
const longestResult = 600;

export function returnedIn({ blocks }: Pick<StoredMessage, "blocks">): string {
  return blocks
    .flatMap((block) => (block.type === "tool_result" ? [shortened(block.text, longestResult)] : []))
    .join("\n");
}

/** True when it contains a question. */
export function asksSomething(message: Spoken): boolean {
  return message.blocks.some((block) => block.type === "text" && /[?？؟]/.test(block.text));
}

/** True when it ends with a question: the answer follows. */
export function isQuestion(message: Spoken): boolean {
  const last = message.blocks.findLast((block) => block.type === "text");
  return last?.type === "text" && /[?？؟][^\p{L}\p{N}]*$/u.test(last.text.slice(-40));
}

/** The message as printed, all lines. */
export function linesOf(message: Spoken): string[] {
  const text = message.blocks.map(printed).filter(Boolean).join("\n");
  return splitLines(`${speakerOf(message)}: ${text}`.trimEnd());
}

const longestPrintedResult = 2000;

function printed(block: MessageBlock): string {
  if (block.type === "text") return block.text.trim();
  if (block.type === "tool_call") return callLine(block);
  if (block.type === "image") return block.description ? `[image: ${oneLine(block.description)}]` : "[image]";
  if (block.type !== "tool_result") return "";
  const text = shortened(block.text.trim(), longestPrintedResult);
  return `${block.error ? "error" : "result"}: ${text}`;
}

const longestArguments = 200;

/** `name(arguments)` on one line. */
function callLine({ name, input }: Extract<MessageBlock, { type: "tool_call" }>): string {
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
  const bare = text.startsWith("{") && text.endsWith("}") ? text.slice(1, -1) : text;
  return `${oneLine(name)}(${shortened(oneLine(bare), longestArguments)})`;
}

const longestName = 80;

/** The name of a message in a list: its speaker and its beginning. */
export function nameOf(message: Spoken): string {
  const text = message.blocks
    .map(printed)
    .filter(Boolean)
    .join(" ")
    .slice(0, 4 * longestName);
  return shortened(oneLine(`${speakerOf(message)}: ${text}`), longestName);
}

/** Cut to this many characters, without splitting a surrogate pair. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text
    .slice(0, most - 1)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}

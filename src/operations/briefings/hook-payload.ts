import { DossierError } from "../../errors.ts";
import type { StandardInput } from "../core/operation.ts";

/** What a client tells a hook. It comes from a program, but carries what people and commands said: every text is cut before it is used. */
export type Payload = {
  event: string;
  session: string;
  folder?: string;
  prompt: string;
  tool: string;
  command: string;
  /** Of a tool that failed. */
  error: string;
  interrupted: boolean;
  /** Of a tool that succeeded. */
  output: string;
  /** Where the client writes down what is said. */
  transcript: string;
};

const mostBytes = 8_000_000;
const longestText = 100_000;

export function readPayload(text: string): Payload {
  const given = objectOf(parsed(text));
  const tool = objectOf(given.tool_input);
  const response = objectOf(given.tool_response);
  return {
    event: textOf(given.hook_event_name),
    session: textOf(given.session_id) || textOf(given.transcript_path),
    ...(typeof given.cwd === "string" && given.cwd !== "" && { folder: given.cwd }),
    prompt: textOf(given.prompt),
    tool: textOf(given.tool_name),
    command: textOf(tool.command),
    error: textOf(given.error),
    interrupted: given.is_interrupt === true || response.interrupted === true,
    transcript: textOf(given.transcript_path),
    output: `${ending(response.stdout)}\n${ending(response.stderr)}`,
  };
}

/** All of standard input, unless it is too much or does not end. */
export async function standardInput(stdin: StandardInput, signal: AbortSignal): Promise<string> {
  if (stdin.isTTY) throw new DossierError("bad-input", "A hook's JSON comes on standard input; a terminal has none.");
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stop = () => stdin.destroy();
  signal.addEventListener("abort", stop, { once: true });
  for await (const chunk of stdin) {
    const piece = Buffer.from(chunk);
    chunks.push(piece);
    bytes += piece.length;
    if (bytes > mostBytes) throw new DossierError("too-long", `A hook's JSON has more than ${mostBytes} bytes.`);
  }
  signal.removeEventListener("abort", stop);
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new DossierError("bad-input", "What a hook was given is no JSON.", { cause: error });
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, longestText) : "";
}

function ending(value: unknown): string {
  return typeof value === "string" ? value.slice(-longestText) : "";
}

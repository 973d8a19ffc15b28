import { DossierError } from "../../errors.ts";
import type { StandardInput } from "../core/operation.ts";

/** The input of a hook. It comes from a program, but contains untrusted text: every field is truncated before use. */
export type Payload = {
  event: string;
  session: string;
  folder?: string;
  prompt: string;
  tool: string;
  command: string;
  /** Set if the tool failed. */
  error: string;
  interrupted: boolean;
  /** Set if the tool succeeded. */
  output: string;
  /** The client's log of the session. */
  transcript: string;
};

const mostBytes = 8_000_000;
const longestText = 100_000;

export function readPayload(text: string): Payload {
  const payload = objectOf(parsed(text));
  const tool = objectOf(payload.tool_input);
  const response = objectOf(payload.tool_response);
  return {
    event: textOf(payload.hook_event_name),
    session: textOf(payload.session_id) || textOf(payload.transcript_path),
    ...(typeof payload.cwd === "string" && payload.cwd !== "" && { folder: payload.cwd }),
    prompt: textOf(payload.prompt),
    tool: textOf(payload.tool_name),
    command: textOf(tool.command),
    error: textOf(payload.error),
    interrupted: payload.is_interrupt === true || response.interrupted === true,
    transcript: textOf(payload.transcript_path),
    output: `${ending(response.stdout)}\n${ending(response.stderr)}`,
  };
}

/** All of standard input, unless it is too long or does not end. */
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

import * as z from "zod";
import { isTooDeep, readBlocks } from "../../chat/blocks.ts";
import { longestMessage, longestName, tooLong } from "../../chat/messages.ts";
import { readTranscript } from "../../chat/transcripts.ts";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { type MessageBlock, type NewMessage, roles } from "../../stores/library.ts";
import { elementSchema } from "../core/fields.ts";
import { beginIndexing, indexingFlag } from "../core/index-written.ts";
import { operation } from "../core/operation.ts";
import { parseTime } from "../terminal/parse-time.ts";
import { messageShape, messageText, shownMessage, shownThread, threadShape, threadText } from "./library-shape.ts";
import { findThread } from "./thread-find.ts";

const name = z.string().trim().min(1).max(longestName);

const input = z.object({
  thread: z.string().trim().min(1).describe("The thread: its id, the beginning of it, or its title"),
  text: z.string().max(longestMessage).optional().describe("What is said"),
  path,
  role: z.enum(roles).optional().describe("Whose message it is; default: user"),
  blocks: z
    .string()
    .optional()
    .describe("Content as JSON, as OpenAI or Anthropic write it: texts, tool calls, tool results, images")
    .meta({ json: elementSchema(z.looseObject({ type: z.string().optional() })) }),
  speaker: name.optional().describe("Who speaks, where several people do"),
  at: z.string().optional().describe("When it was said: 2026-01-31T14:30:00Z, or an age such as 2h; default: now"),
  session: name.optional().describe("Part of a long conversation: a day, a visit"),
  id: name.optional().describe("The application's own id; the same id again replaces the message"),
  messages: z
    .string()
    .optional()
    .describe("Several messages in place of one: JSON lines or a JSON list")
    .meta({ json: elementSchema(z.looseObject({ role: z.string().optional() })) }),
});

type Input = z.output<typeof input>;

const ofOne = ["text", "role", "blocks", "speaker", "at", "session", "id"] as const;

export const say = operation({
  name: "say",
  command: "thread say",
  group: "Library",
  summary: "Append a message to a thread, or several",
  access: "write",
  input,
  output: z.object({
    thread: threadShape.describe("As it is afterwards"),
    messages: z.array(messageShape).describe("As they were stored"),
    indexing: indexingFlag,
  }),
  positional: ["thread", "text"],
  examples: [
    { command: 'dossier thread say thr-1k3f "When do we deploy?"', what: "what a person says" },
    { command: 'dossier thread say thr-1k3f "On Monday." --role assistant --id reply-7', what: "what a model answers" },
    {
      command: `dossier thread say "Release plan" --role tool --blocks '[{"type":"tool_result","content":"ok"}]'`,
      what: "what a tool returns, in a thread by its title",
    },
  ],
  async run(input, environment) {
    const nameOf = environment.nameOf ?? ((key: string) => key);
    const now = Date.now();
    const messages = input.messages === undefined ? [single(input, now, nameOf)] : several(input, now, nameOf);
    const workspace = await environment.workspace();
    const { owner } = workspace;
    const { id } = await findThread(workspace, input.thread);
    const library = await workspace.library();
    const stored = await library.addMessages(owner, id, messages);
    const thread = await library.thread(owner, id);
    if (!thread) throw new DossierError("not-found", `There is no thread ${id}.`);
    return { thread: shownThread(thread), messages: stored.map(shownMessage), ...(await beginIndexing(environment)) };
  },
  text: ({ thread, messages }, _input, colour) =>
    [threadText(thread, colour), ...messages.map((message) => messageText(message, colour))].join("\n"),
});

function single(input: Input, now: number, nameOf: (key: string) => string): NewMessage {
  const { text, role = "user", speaker, at, session, id } = input;
  const blocks = [...readBlocks(text), ...(input.blocks === undefined ? [] : blocksOf(input.blocks, nameOf("blocks")))];
  if (blocks.length === 0) {
    throw new DossierError("bad-input", `say needs ${nameOf("text")}, ${nameOf("blocks")} or ${nameOf("messages")}.`);
  }
  const long = tooLong(blocks);
  if (long !== undefined) throw new DossierError("too-long", `The message cannot be kept: ${long}.`);
  return {
    ...(id !== undefined && { id }),
    role,
    ...(speaker !== undefined && { speaker }),
    blocks,
    at: at === undefined ? now : parseTime(at, now, nameOf("at")),
    ...(session !== undefined && { session }),
  };
}

function blocksOf(json: string, name: string): MessageBlock[] {
  try {
    const content: unknown = JSON.parse(json);
    if (!isTooDeep(content)) return readBlocks(content);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DossierError("bad-input", `${name} takes JSON, not ${JSON.stringify(json.slice(0, 60))}.`, {
      cause: error,
    });
  }
  throw new DossierError("bad-input", `${name} is nested too deep.`);
}

const mostNamed = 3;

/** All or none: an application that appends must know what was appended. */
function several(input: Input, now: number, nameOf: (key: string) => string): NewMessage[] {
  const name = nameOf("messages");
  const other = ofOne.find((key) => input[key] !== undefined);
  if (other) throw new DossierError("bad-input", `${name} says all of its messages; it goes without ${nameOf(other)}.`);
  const { conversations, bad } = readTranscript(input.messages!);
  if (bad.length > 0) {
    const reasons = bad.slice(0, mostNamed).map(({ where, reason }) => `${where}: ${reason}`);
    const more = bad.length > mostNamed ? `; and ${bad.length - mostNamed} more` : "";
    throw new DossierError("bad-input", `${name} has messages that cannot be read: ${reasons.join("; ")}${more}.`);
  }
  if (conversations.length !== 1) {
    const why =
      conversations.length === 0 ? "has no message" : "is of several threads; dossier thread import reads those";
    throw new DossierError("bad-input", `${name} ${why}.`);
  }
  return conversations[0]!.messages.map(({ at = now, badTime: _, thread: _thread, title: _title, ...message }) => ({
    ...message,
    at,
  }));
}

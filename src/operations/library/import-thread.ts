import * as z from "zod";
import { longestTitle } from "../../chat/titles.ts";
import { readTranscript } from "../../chat/transcripts.ts";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { beginIndexing, indexingFlag } from "../core/index-written.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { counted, plain } from "../terminal/phrases.ts";
import { findThread } from "./thread-find.ts";
import { importConversations } from "./thread-import.ts";

const count = z.number().int().min(0);
/** Bad parts that are named; the others are counted. */
const mostNamed = 20;

export const importThread = operation({
  name: "import_thread",
  command: "thread import",
  group: "Library",
  summary: "Read chat transcripts into threads; what was read before is not added again, bad lines are reported",
  access: "write",
  input: z.object({
    file: z
      .string()
      .describe("JSON lines or one JSON value: messages of OpenAI or Anthropic, exports of chats, speaker and text")
      .meta({ fromFile: true }),
    path,
    thread: z.string().trim().min(1).optional().describe("Append to this thread: its id or title"),
    title: z.string().trim().min(1).max(longestTitle).optional().describe("What a new thread is called"),
    dryRun: z.boolean().default(false).describe("Say what would happen, and write nothing"),
  }),
  output: z.object({
    dryRun: z.boolean(),
    threads: z.array(
      z.object({
        thread: z.string().optional().describe("Its id; absent when a trial run would make it"),
        title: z.string(),
        added: count.describe("Messages that are new"),
        updated: count.describe("Messages that say something else now"),
        unchanged: count.describe("Messages that are here already"),
      }),
    ),
    messages: count.describe("All that were read, bad ones included"),
    bad: count.describe("Lines or messages that could not be read"),
    errors: z.array(z.object({ where: z.string(), reason: z.string() })).describe(`The first ${mostNamed} of these`),
    indexing: indexingFlag,
    warnings: z.array(z.string()),
  }),
  positional: ["file"],
  examples: [
    { command: "dossier thread import chat.jsonl", what: "a transcript, or several in one file" },
    { command: "dossier thread import conversations.json --dry-run", what: "what would happen?" },
    { command: 'tail -n 20 chat.jsonl | dossier thread import - --thread "Release plan"', what: "into one thread" },
  ],
  async run({ file, thread, title, dryRun }, environment) {
    const nameOf = environment.nameOf ?? ((key: string) => key);
    if (thread !== undefined && title !== undefined) {
      throw new DossierError(
        "bad-input",
        `${nameOf("title")} names a new thread; it goes without ${nameOf("thread")}.`,
      );
    }
    const { conversations, messages, bad } = readTranscript(file);
    const single = thread !== undefined || title !== undefined;
    if (single && conversations.length > 1) {
      const option = nameOf(thread === undefined ? "title" : "thread");
      throw new DossierError("bad-input", `The file holds ${conversations.length} threads; ${option} is for one.`);
    }
    const workspace = await environment.workspace();
    const into = thread === undefined ? undefined : await findThread(workspace, thread);
    const library = dryRun && !workspace.hasRecords() ? undefined : await workspace.library();
    const threads = await importConversations(library, workspace.owner, conversations, {
      now: Date.now(),
      dryRun,
      ...(into && { into }),
      ...(title !== undefined && { title }),
      signal: environment.signal,
      progress: (done, total) => environment.progress?.({ stage: "import", done, total }),
    });
    const warnings: string[] = [];
    if (messages === 0) warnings.push("The file has no messages.");
    const untimed = conversations.flatMap((each) => each.messages).filter(({ badTime }) => badTime).length;
    if (untimed > 0) {
      warnings.push(`The time of ${counted(untimed, "message")} cannot be read; use ISO 8601 or a Unix time.`);
    }
    const indexing = dryRun ? {} : await beginIndexing(environment);
    return { dryRun, threads, messages, bad: bad.length, errors: bad.slice(0, mostNamed), ...indexing, warnings };
  },
  exit: ({ bad }) => (bad > 0 ? 1 : 0),
  text({ dryRun, threads, messages, bad, errors }, _input, colour) {
    const p = paint(colour);
    const lines = errors.map(({ where, reason }) => `${p.red(where)}: ${plain(reason)}`);
    if (bad > errors.length) lines.push(p.red(`and ${counted(bad - errors.length, "more bad one")}`));
    for (const { thread, title, added, updated, unchanged } of threads.slice(0, mostNamed)) {
      const parts = [`${added} added`, ...(updated > 0 ? [`${updated} updated`] : []), `${unchanged} unchanged`];
      lines.push(`${p.cyan(thread ?? "(new)")}  ${plain(title)}  ${p.dim(parts.join(", "))}`);
    }
    if (threads.length > mostNamed) lines.push(p.dim(`and ${counted(threads.length - mostNamed, "more thread")}`));
    const sum = threads.reduce((total, { added }) => total + added, 0);
    const ending = bad > 0 ? `, ${bad} bad` : "";
    lines.push(
      `${dryRun ? "Would read" : "Read"} ${counted(messages, "message")} of ${counted(threads.length, "thread")}: ${sum} added${ending}.`,
    );
    return lines.join("\n");
  },
});

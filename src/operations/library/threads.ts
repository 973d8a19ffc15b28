import * as z from "zod";
import { path } from "../../options.ts";
import { hasReadableRecords } from "../core/closed-records.ts";
import { after, cursorOf, next, pageBefore } from "../core/cursor.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import {
  messageShape,
  messageText,
  pageText,
  shownMessage,
  shownThread,
  threadShape,
  threadText,
} from "./library-shape.ts";
import { findThread } from "./thread-find.ts";

export const threads = operation({
  name: "threads",
  command: "thread list",
  group: "Library",
  summary: "List the threads, the newest activity first, or find them by their title",
  input: z.object({
    query: z.string().optional().describe("Part of a title; or the id of one"),
    path,
    deleted: z.boolean().default(false).describe("Only those that were deleted and can be restored"),
    messages: z
      .number()
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe("Of the one with this id, its newest so many messages"),
    limit: z.number().int().min(1).max(500).default(50).describe("Most threads to show"),
    offset: z.number().int().min(0).default(0).describe("How many to pass over first"),
    after,
  }),
  output: z.object({
    total: z.number().int().min(0).describe("How many there are on all pages"),
    threads: z.array(threadShape),
    messages: z.array(messageShape).optional().describe("Of the one that was asked for by its id"),
    next,
  }),
  positional: ["query"],
  examples: [
    { command: "dossier thread list", what: "the newest" },
    { command: "dossier thread list release", what: "by a part of the title" },
    { command: "dossier thread list thr-1k3f --messages 10", what: "one of them, with its newest messages" },
    { command: "dossier thread list --deleted", what: "what can be restored" },
  ],
  async run(input, environment) {
    const { query: rawQuery, deleted, messages, limit, offset } = input;
    const cursor = cursorOf("threads", input, environment);
    const workspace = await environment.workspace();
    if (!hasReadableRecords(workspace)) return { total: 0, threads: [] };
    const { owner } = workspace;
    const library = await workspace.library();
    const query = rawQuery?.trim() ?? "";
    if (/^\[?thr-[0-9a-z]+\]?$/.test(query)) {
      const match = await findThread(workspace, query, deleted ? "deleted" : "kept");
      const last = deleted || messages === 0 ? [] : await library.messages(owner, match.id, { last: messages });
      return { total: 1, threads: [shownThread(match)], messages: last.map(shownMessage) };
    }
    const { total, threads } = await library.threads(owner, {
      ...(query !== "" && { query }),
      ...(deleted && { deleted }),
      ...(cursor.place && { after: { changed: Number(cursor.place[0]), id: String(cursor.place[1]) } }),
      limit: limit + 1,
      offset,
    });
    const { page, ...more } = pageBefore(threads, cursor, limit, ({ changed, id }) => [changed, id]);
    return { total, threads: page.map(shownThread), ...more };
  },
  text({ total, threads, messages = [], next }, { query, deleted, offset, after }, colour) {
    if (total === 0) return query || deleted ? "There are no such threads." : "There is no thread yet.";
    const lines = threads.map((thread) => threadText(thread, colour));
    const rest = pageText({ offset, shown: threads.length, total, after, next }, "thread");
    return [
      ...lines,
      ...messages.map((message) => messageText(message, colour)),
      ...(rest === "" ? [] : [paint(colour).dim(rest)]),
    ].join("\n");
  },
});

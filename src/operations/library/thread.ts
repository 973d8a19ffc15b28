import * as z from "zod";
import { longestTitle, threadTitle } from "../../chat/titles.ts";
import { path } from "../../options.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { after, type Cursor, cursorOf, next } from "../core/cursor.ts";
import { type Environment, operation } from "../core/operation.ts";
import { checkStep, type Steps } from "../core/steps.ts";
import { paint } from "../terminal/colours.ts";
import { plain } from "../terminal/phrases.ts";
import { messageShape, messageText, shownMessage, shownThread, threadShape, threadText } from "./library-shape.ts";
import { findMessage, findThread } from "./thread-find.ts";

const steps = ["create", "show", "rename", "branch", "delete", "restore"] as const;

const input = z.object({
  step: z.enum(steps).describe("What to do"),
  thread: z.string().trim().min(1).optional().describe("Its id, the beginning of it, or its title"),
  path,
  title: z.string().trim().min(1).max(longestTitle).optional().describe("What it is called (create, rename, branch)"),
  message: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe("Last message that a branch shares: an id or a number (branch)"),
  from: z.number().int().min(1).optional().describe("Number of the first message to show; else the newest (show)"),
  limit: z.number().int().min(0).max(1000).optional().describe("Most messages to show, 20 by default (show)"),
  after: after.describe("The next of the page before: older messages, or with from the newer ones (show)"),
  purge: z.boolean().optional().describe("Delete for good, also what was deleted before (delete)"),
});

type Input = z.output<typeof input>;

const takes: Steps<Input["step"]> = {
  create: { needs: ["title"], may: [] },
  show: { needs: ["thread"], may: ["from", "limit", "after"] },
  rename: { needs: ["thread", "title"], may: [] },
  branch: { needs: ["thread"], may: ["message", "title"] },
  delete: { needs: ["thread"], may: ["purge"] },
  restore: { needs: ["thread"], may: [] },
};

const output = z.object({
  thread: threadShape.describe("As it is afterwards"),
  messages: z.array(messageShape).optional().describe("Of show: those that were asked for"),
  next,
  before: z.string().optional().describe("Of rename: what it was called"),
  purged: z.boolean().optional().describe("Of delete: true when it cannot be restored"),
});

type Output = z.output<typeof output>;

/** Messages that are shown unless more are asked for. */
export const shownByDefault = 20;

export const thread = operation({
  name: "thread",
  command: {
    create: { words: "thread new", summary: "Begin a thread" },
    show: { words: "thread show", summary: "Show the messages of a thread, the newest or from a number on" },
    rename: { words: "thread rename", summary: "Give a thread another title" },
    branch: { words: "thread branch", summary: "Begin a thread that shares another one's messages, up to one of them" },
    delete: {
      words: "thread rm",
      summary: "Delete a thread; dossier thread restore brings it back unless it is purged",
    },
    restore: { words: "thread restore", summary: "Bring back a thread that was deleted" },
  },
  group: "Library",
  summary: "Keep a conversation: create, show, rename, branch, delete, restore",
  access: { create: "write", show: "read", rename: "write", branch: "write", delete: "write", restore: "write" },
  input,
  output,
  positional: ["step", "thread"],
  takes,
  examples: [
    { command: 'dossier thread new "Release plan"', what: "begin one" },
    { command: "dossier thread show thr-1k3f --limit 5", what: "its newest messages" },
    { command: 'dossier thread rename thr-1k3f "Release of May"', what: "another title" },
    { command: "dossier thread branch thr-1k3f --message 12", what: "go on otherwise after the twelfth message" },
    { command: "dossier thread rm thr-1k3f", what: "can be taken back" },
    { command: "dossier thread restore thr-1k3f", what: "bring it back" },
  ],
  async run(input, environment) {
    const stepInput = titled(input);
    checkStep("thread", takes, stepInput, environment);
    return run[stepInput.step](stepInput, await environment.workspace(), environment);
  },
  text({ thread, messages, before, purged, next }, { step }, colour) {
    const p = paint(colour);
    const line = threadText({ ...thread, deleted: undefined }, colour);
    if (step === "show") {
      const more = next === undefined ? [] : [p.dim(`There are more; after these: ${next}`)];
      return [line, ...messages!.map((message) => messageText(message, colour)), ...more].join("\n");
    }
    const labels = { create: "Created:", rename: "Renamed:", branch: "Branched:", restore: "Restored:" };
    if (step !== "delete") {
      const undo = before === undefined ? [] : [p.dim(`It was called ${JSON.stringify(plain(before))}.`)];
      return [`${p.green(labels[step])} ${line}`, ...undo].join("\n");
    }
    if (purged) return `Deleted for good: ${line}`;
    return `Deleted: ${line}\n${p.dim(`To take it back: dossier thread restore ${thread.id}`)}`;
  },
});

/** A thread to be created has no id yet: the word in its place is the title. */
function titled(input: Input): Input {
  const { thread, ...rest } = input;
  return input.step === "create" && input.title === undefined && thread !== undefined
    ? { ...rest, title: thread }
    : input;
}

type Messages = {
  range: { from: number; limit: number };
  /** Number of the message at which the next page begins or ends. */
  place?: number;
};

/** The newest first and then older ones; or those from a number on. Numbers do not change when messages are added. */
function messagesAfter({ place }: Cursor, count: number, from: number | undefined, limit: number): Messages {
  const at = place === undefined ? undefined : Math.max(1, Math.floor(Number(place[0])) || 1);
  if (from !== undefined) {
    const first = at ?? from;
    const further = first + limit <= count && limit > 0;
    return { range: { from: first, limit }, ...(further && { place: first + limit }) };
  }
  const end = Math.min(at ?? count + 1, count + 1);
  const first = Math.max(1, end - limit);
  return { range: { from: first, limit: end - first }, ...(first > 1 && limit > 0 && { place: first }) };
}

type Run = (input: Input, workspace: Workspace, environment: Environment) => Promise<Output>;

const run: Record<Input["step"], Run> = {
  async create({ title }, { owner, library }) {
    const created = await (await library()).createThread(owner, { title: threadTitle(title!), at: Date.now() });
    return { thread: shownThread(created) };
  },

  async show(input, workspace, environment) {
    const { thread: typed, limit = shownByDefault } = input;
    const cursor = cursorOf("thread", { ...input }, environment);
    const thread = await findThread(workspace, typed!);
    const { range, place } = messagesAfter(cursor, thread.messages, input.from, limit);
    const messages = await (await workspace.library()).messages(workspace.owner, thread.id, range);
    const more = place === undefined ? {} : { next: cursor.next([place]) };
    return { thread: shownThread(thread), messages: messages.map(shownMessage), ...more };
  },

  async rename({ thread: typed, title }, workspace) {
    const before = await findThread(workspace, typed!);
    const change = { title: threadTitle(title!), at: Date.now() };
    const changed = await (await workspace.library()).changeThread(workspace.owner, before.id, change);
    return { thread: shownThread(changed), before: before.title };
  },

  async branch({ thread: typed, message, title }, workspace) {
    const { owner } = workspace;
    const parent = await findThread(workspace, typed!);
    const library = await workspace.library();
    const last = message === undefined ? undefined : await findMessage(library, owner, parent, message);
    const created = await library.createThread(owner, {
      title: threadTitle(title ?? `${parent.title.slice(0, longestTitle - 9)} (branch)`),
      parent: parent.id,
      ...(last && { branchedAt: last.id }),
      at: Date.now(),
    });
    return { thread: shownThread(created) };
  },

  async delete({ thread: typed, purge = false }, workspace) {
    const { owner } = workspace;
    const target = await findThread(workspace, typed!, purge ? "either" : "kept");
    const library = await workspace.library();
    const at = Date.now();
    if (purge) {
      await library.purgeThread(owner, target.id);
      const { forgetPurged } = await import("./purge-index.ts");
      await forgetPurged(workspace, "message");
    } else await library.removeThread(owner, target.id, at);
    return { thread: shownThread({ ...target, deleted: target.deleted ?? at }), purged: purge };
  },

  async restore({ thread: typed }, workspace) {
    const target = await findThread(workspace, typed!, "deleted");
    const library = await workspace.library();
    await library.restoreThread(workspace.owner, target.id);
    const restored = (await library.thread(workspace.owner, target.id)) ?? { ...target, deleted: undefined };
    return { thread: shownThread(restored) };
  },
};

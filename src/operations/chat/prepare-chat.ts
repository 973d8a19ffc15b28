import { isAboutConversation } from "../../chat/about-conversation.ts";
import { mentionsIn } from "../../chat/mention-targets.ts";
import type { Mention } from "../../chat/mentions.ts";
import { type ContextInput, type Request, requestOf } from "../../options.ts";
import { chat } from "../../recipes/chat.ts";
import type { NamedItems, Recipe } from "../../recipes/recipe.ts";
import type { LibraryStore } from "../../stores/library.ts";
import { shelfOfId } from "../../stores/store.ts";
import { askedTimes } from "../../text/times/asked-times.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { findThread } from "../library/thread-find.ts";

export type PreparedChat = {
  request: Request;
  recipe: Recipe;
  /** Revisions of everything that an answer is made from: part of its cache key. */
  revisions: number[];
  /** The revision of the usage events. */
  usageRevision: number;
  warnings: string[];
};

/** An item that is named for the answer: by a reference of the thread, by a mention, or by the caller. */
type Target = {
  kind: "document" | "folder" | "thread" | "item" | "file";
  target: string;
  priority: number;
  /** The caller's name for it; absent where the thread refers to it. */
  called?: string;
};

/** Most documents of a named folder, and most messages of a named thread. */
const mostOfFolder = 200;
const lastOfThread = 5;
/** Items of one reference; they are ranked, and the best of them printed. */
const mostItems = 1000;
/** Priorities: a mention in the message counts most; what a named thread refers to, half as much as the thread. */
const mentioned = 1;
const deeper = 0.5;

/**
 * Prepares the next message of a thread: refreshes the sources, and makes a recipe that asks for the named items. A
 * mentioned thread brings its summary, its last messages and the documents it refers to, one level deep.
 */
export async function prepareChat(
  input: ContextInput,
  references: readonly string[],
  workspace: Workspace,
  environment: Environment,
): Promise<PreparedChat> {
  const { owner, store } = workspace;
  const library = await workspace.library();
  const thread = input.thread === undefined ? undefined : (await findThread(workspace, input.thread)).id;
  const warnings = input.refresh ? await refreshSources(workspace, environment, ["files", "document", "message"]) : [];
  const targets = await targetsOf({ ...input, thread }, references, library, workspace);
  warnings.push(...targets.missing.filter(isFileName).map((name) => `@${name} names nothing that is stored here.`));
  const explicit = new Map<string, NamedItems[]>();
  for (const target of targets.found) {
    const items = await itemsNamed(target, library, workspace);
    if (items.length === 0 && target.called !== undefined) warnings.push(`${target.called} has nothing to show.`);
    for (const { source, ...each } of items) explicit.set(source, [...(explicit.get(source) ?? []), each]);
  }
  const rest = withoutMentions(input.query, targets.mentions);
  const recipe = chat({
    explicit: [...explicit].map(([source, references]) => ({ source, references })),
    ...(rest !== input.query && /[\p{L}\p{N}]/u.test(rest) ? { about: rest } : {}),
    times: askedTimes(rest, Date.now()),
    room: input.maxTokens,
    search: !isAboutConversation(rest),
  });
  const request = requestOf({ ...input, recipe: "chat", ...(thread === undefined ? {} : { thread }) });
  const revisions = await Promise.all([
    store.revision(owner),
    store.shelf("document").revision(owner),
    store.shelf("message").revision(owner),
    library.revision(owner),
  ]);
  const usageRevision = await library.usageRevision(owner);
  return { request: withRoom(request, input, recipe), recipe, revisions, usageRevision, warnings };
}

/** Each source has its own limit and its own part of the budget, so that none crowds out another. */
function withRoom(request: Request, { limit }: ContextInput, { asks }: Recipe): Request {
  if (limit !== undefined) return request;
  return { ...request, limit: asks.reduce((sum, ask) => sum + (ask.limit ?? request.limit), 0) };
}

/** Each target once, with its highest priority; the most important first. */
async function targetsOf(
  { thread, query }: ContextInput,
  explicit: readonly string[],
  library: LibraryStore,
  workspace: Workspace,
): Promise<{ found: Target[]; missing: string[]; mentions: Mention[] }> {
  const { owner, store } = workspace;
  const targets: Target[] = [];
  const missing: string[] = [];
  const quoted = explicit.filter((name) => !isId(name)).map((name) => `@"${name}"`);
  const mentions = await mentionsIn(library, owner, [query, ...quoted].join("\n"));
  const mentionTargets = mentions.found.map(
    ({ kind, target, label }): Target => ({ kind, target, priority: mentioned, called: `@${label}` }),
  );
  targets.push(...mentionTargets);
  for (const { name } of mentions.missing) {
    // It is not in the library: perhaps it is a file of the workspace.
    const [hit] = await store.searchPaths(owner, { text: name, mode: "suffix", limit: 1 });
    if (hit) targets.push({ kind: "file", target: hit.item.path, priority: mentioned });
    else missing.push(name);
  }
  for (const id of explicit.filter(isId)) {
    const kind = id.startsWith("doc-") ? "document" : id.startsWith("thr-") ? "thread" : "item";
    targets.push({ kind, target: id, priority: mentioned, called: id });
  }
  const references = thread === undefined ? [] : await library.references(owner, thread);
  targets.push(...references.map(({ kind, target, priority }): Target => ({ kind, target, priority })));
  const once = new Map<string, Target>();
  for (const each of targets) {
    const key = `${each.kind} ${each.target}`;
    if (!once.has(key)) once.set(key, each);
  }
  const byPriority = [...once.values()].sort((a, b) => b.priority - a.priority);
  return { found: byPriority, missing, mentions: mentions.found };
}

function withoutMentions(message: string, mentions: readonly Mention[]): string {
  let rest = message;
  for (const { start, end } of mentions.toReversed()) {
    if (end <= message.length) rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  }
  return rest;
}

/** A decorator such as `@app.route` has a dot, too, but no file extension. */
function isFileName(name: string): boolean {
  return /[\s/]|\.[a-z0-9]{1,4}$/i.test(name);
}

function isId(name: string): boolean {
  return /^[a-z]{3}-[0-9a-z]+$/.test(name);
}

type Named = NamedItems & { source: string };

/** The items that a target means; none if it is gone. */
async function itemsNamed(
  { kind, target, priority }: Target,
  library: LibraryStore,
  workspace: Workspace,
): Promise<Named[]> {
  const { owner, store } = workspace;
  const idsOf = async (shelf: "document" | "files", path: string) =>
    (await store.shelf(shelf).itemsOf(owner, path)).map(({ id }) => id);
  const of = (source: string, ids: string[]): Named[] =>
    ids.length === 0 ? [] : [{ source, ids: ids.slice(0, mostItems), priority }];
  if (kind === "document") return of("document", await idsOf("document", `document/${target}`));
  if (kind === "file") return of("files", (await idsOf("files", target)).slice(0, 1));
  if (kind === "item") {
    const shelf = shelfOfId(target);
    return of(
      shelf,
      (await store.shelf(shelf).items(owner, [target])).map(({ id }) => id),
    );
  }
  if (kind === "folder") {
    const { documents } = await library.documents(owner, { under: target.replace(/\/+$/, ""), limit: mostOfFolder });
    const ids: string[] = [];
    for (const { id } of documents) {
      if (ids.length < mostItems) ids.push(...(await idsOf("document", `document/${id}`)));
    }
    return of("document", ids);
  }
  const last = await library.messages(owner, target, { last: lastOfThread });
  const references = (await library.references(owner, target)).filter((each) => each.kind !== "thread");
  const below = await Promise.all(
    references.map((each) => itemsNamed({ ...each, priority: priority * deeper }, library, workspace)),
  );
  return [
    // The summary is a reference of its own: it comes before the turns.
    ...of("message", last.length > 0 ? [target] : []),
    ...of(
      "message",
      last.map(({ id }) => id),
    ),
    ...below.flat(),
  ];
}

import { LRUCache } from "lru-cache";
import * as z from "zod";
import type { Context } from "../../document.ts";
import { DossierError } from "../../errors.ts";
import {
  assemblyOptions,
  contextInput,
  longestQuery,
  path,
  searchOptions,
  smallestBudget,
  workspace,
} from "../../options.ts";
import type { UsageEvent } from "../../stores/library.ts";
import { hashText } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Environment, operation } from "../core/operation.ts";
import { findMessage, findThread } from "../library/thread-find.ts";
import { countBuilt, figuresOfContext } from "./context-figures.ts";
import { mostEvents } from "./feedback.ts";
import { prepareChat } from "./prepare-chat.ts";
import { primeOf, primeOutput } from "./prime-shape.ts";

/** The context that a chat application puts before the next message of a thread. */
export const primeContext = operation({
  name: "prime_context",
  command: "thread prime",
  group: "Ask",
  summary: "Context for the next message of a thread: what it refers to, documents, and what was said before",
  input: z.object({
    message: z.string().max(longestQuery).describe("The next message; @mentions name documents, folders and threads"),
    thread: searchOptions.thread,
    before: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe("As it was before this message of the thread was said: an id or a number"),
    references: z.array(z.string().min(1)).optional().describe("More documents, folders/, threads or items to include"),
    path,
    workspace,
    maxTokens: assemblyOptions.maxTokens,
    reserve: z.number().int().min(0).max(100_000).default(500).describe("Tokens of maxTokens kept free for the prompt"),
    format: assemblyOptions.format,
    encoding: assemblyOptions.encoding,
    minScore: searchOptions.minScore,
    refresh: searchOptions.refresh,
  }),
  output: primeOutput,
  positional: ["message"],
  examples: [
    {
      command: 'dossier thread prime "what did we decide about @setup.md?" --thread thr-1k3f',
      what: "the next message",
    },
  ],
  text: (output) => output.text,
  async run(input, environment) {
    const began = performance.now();
    const open = await environment.workspace();
    const chatInput = contextInput.parse({
      query: input.message,
      recipe: "chat",
      ...(input.thread === undefined ? {} : { thread: input.thread }),
      maxTokens: roomOf(input, environment),
      format: input.format,
      encoding: input.encoding,
      refresh: input.refresh,
      minScore: input.minScore,
      includeSources: false,
      expand: false,
    });
    const upTo = await lastBefore(input, open, environment);
    const prepared = await prepareChat(chatInput, input.references ?? [], open, environment);
    const { recipe, revisions, usageRevision, warnings } = prepared;
    const request = { ...prepared.request, ...(upTo !== undefined && { upTo }) };
    const key = [open.owner, open.databasePath, request, recipe.asks, revisions];
    // Usage events do not change the id: a reply is cited after its context was built.
    const contextId = `ctx-${hashText(JSON.stringify(key))}`;
    const { context, hit } = await cached([...key, usageRevision], async () => {
      const { assemble } = await import("../../assemble.ts");
      return assemble(open, request, recipe);
    });
    const figures = { hit, milliseconds: performance.now() - began, entries: cachedContexts() };
    const count = environment.built ?? ((built) => countBuilt(open.owner, built));
    count(figuresOfContext(context, figures));
    const reported = { ...context, warnings: [...warnings, ...context.warnings] };
    const named = new Set(recipe.asks.flatMap(({ certain, ids = [] }) => (certain ? ids : [])));
    const used = await usedIn(contextId, context, open);
    return { contextId, cached: hit, ...primeOf(reported, { named, used }) };
  },
});

/** Number of the last message to use, if not all are used. */
async function lastBefore(
  { thread, before }: { thread?: string; before?: string },
  open: Workspace,
  { nameOf = String }: Environment,
): Promise<number | undefined> {
  if (before === undefined) return undefined;
  if (thread === undefined)
    throw new DossierError(
      "bad-input",
      `${nameOf("before")} also needs ${nameOf("thread")}: the thread that it is of.`,
    );
  const threadInfo = await findThread(open, thread);
  return (await findMessage(await open.library(), open.owner, threadInfo, before)).number - 1;
}

/** The budget without the part for the prompt: the ceiling applies to both together. */
function roomOf(
  { maxTokens, reserve }: { maxTokens: number; reserve: number },
  { nameOf = String }: Environment,
): number {
  if (maxTokens - reserve >= smallestBudget) return maxTokens - reserve;
  const [all, reserveName] = [nameOf("maxTokens"), nameOf("reserve")];
  const problem = reserve > maxTokens ? "is more than" : `leaves less than ${smallestBudget} tokens of`;
  // Often nobody has given it: it has a default.
  const solution = `Give a smaller ${reserveName}, which is kept free for the prompt, or more ${all}.`;
  throw new DossierError("bad-input", `${reserveName} ${reserve} ${problem} ${all} ${maxTokens}. ${solution}`);
}

/** Items that a reply to this context has cited. */
async function usedIn(contextId: string, { items }: Context, { owner, library }: Workspace): Promise<Set<string>> {
  const events = await (await library()).usage(
    owner,
    items.map(({ id }) => id),
    mostEvents,
  );
  const isCited = (event: UsageEvent) => event.kind === "cited" && event.context === contextId;
  return new Set([...events].filter(([, all]) => all.some(isCited)).map(([id]) => id));
}

/**
 * A context is cached for half a minute after it was last asked for, as long as nothing that it was made from has
 * changed.
 */
const cache = new LRUCache<string, Context>({ max: 100, ttl: 30_000, updateAgeOnGet: true });

/**
 * The same answer for the same question. The key is everything that the answer depends on: owner, workspace, all
 * options, the question, and the revisions of what was searched; so a new message, another user or a changed document
 * never gets an old context.
 */
async function cached(
  key: readonly unknown[],
  build: () => Promise<Context>,
): Promise<{ context: Context; hit: boolean }> {
  const name = JSON.stringify(key);
  const stored = cache.get(name);
  if (stored) return { context: stored, hit: true };
  const context = await build();
  cache.set(name, context);
  return { context, hit: false };
}

function cachedContexts(): number {
  return cache.size;
}

import * as z from "zod";
import { path, workspace } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { counted } from "../terminal/phrases.ts";
import { figuresOf } from "./context-figures.ts";

const count = z.number().int().min(0);

/**
 * How the contexts of an owner were built in this process, and how many documents, threads and messages there are.
 */
export const contextStats = operation({
  name: "context_stats",
  command: "thread stats",
  group: "Index",
  summary: "How contexts were built since the service began: how many, how fast, how often from the cache",
  inProcess: true,
  input: z.object({ path, workspace }),
  output: z.object({
    builds: count,
    cache: z.object({ hits: count, misses: count, hitRate: z.number().min(0).max(1), entries: count }),
    milliseconds: z.object({ p50: z.number(), p95: z.number() }).optional().describe("Of those that were built anew"),
    stages: z.record(z.string(), z.number()).describe("Mean milliseconds of each stage"),
    tokens: z.object({ total: count, mean: z.number() }),
    items: z.object({ selected: count, excluded: count }),
    library: z.object({ documents: count, threads: count, messages: count, usage: count }),
  }),
  examples: [{ command: "dossier thread stats", what: "what the library of this workspace holds" }],
  text: ({ builds, cache, library }) =>
    [
      `${counted(library.documents, "document")}, ${counted(library.threads, "thread")}, ${counted(library.messages, "message")}.`,
      `${counted(builds, "context")} built here, ${Math.round(cache.hitRate * 100)} % of them from the cache.`,
    ].join("\n"),
  async run(_input, environment) {
    const open = await environment.workspace();
    const { builds, hits, tokens, items, excluded, milliseconds, stages, entries } = figuresOf(open.owner);
    const misses = builds - hits;
    const sorted = [...milliseconds].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
    const library = open.hasRecords() ? await (await open.library()).counts(open.owner) : nothing;
    return {
      builds,
      cache: { hits, misses, hitRate: builds === 0 ? 0 : hits / builds, entries },
      ...(sorted.length > 0 ? { milliseconds: { p50: at(0.5), p95: at(0.95) } } : {}),
      stages: Object.fromEntries(Object.entries(stages).map(([stage, time]) => [stage, time / Math.max(1, misses)])),
      tokens: { total: tokens, mean: builds === 0 ? 0 : tokens / builds },
      items: { selected: items, excluded },
      library,
    };
  },
});

const nothing = { documents: 0, threads: 0, messages: 0, usage: 0 };

import { LRUCache } from "lru-cache";
import type { Context } from "../../document.ts";

/** Figures of the contexts built for an owner since this process began; times are of the last ones only. */
export type Figures = {
  builds: number;
  hits: number;
  tokens: number;
  items: number;
  excluded: number;
  /** Milliseconds of the last builds that were not answered from the cache, in order. */
  milliseconds: number[];
  stages: Record<string, number>;
  /** Contexts in the cache of the process that built the last one. */
  entries: number;
};

/** How one context was built, for the counts. */
export type BuiltFigures = {
  tokens: number;
  items: number;
  excluded: number;
  hit: boolean;
  milliseconds: number;
  stages: Record<string, number>;
  entries: number;
};

const mostTimes = 500;
const figures = new LRUCache<string, Figures>({ max: 1000 });

export function figuresOf(owner: string): Figures {
  let entry = figures.get(owner);
  if (!entry) {
    entry = { builds: 0, hits: 0, tokens: 0, items: 0, excluded: 0, milliseconds: [], stages: {}, entries: 0 };
    figures.set(owner, entry);
  }
  return entry;
}

export function figuresOfContext(
  { tokens, items, dropped, stats }: Context,
  built: Pick<BuiltFigures, "hit" | "milliseconds" | "entries">,
): BuiltFigures {
  const { milliseconds: stages } = stats;
  return { ...built, tokens: tokens.used, items: items.length, excluded: dropped.length, stages: { ...stages } };
}

export function countBuilt(owner: string, built: BuiltFigures): void {
  const entry = figuresOf(owner);
  entry.builds++;
  entry.tokens += built.tokens;
  entry.items += built.items;
  entry.excluded += built.excluded;
  entry.entries = built.entries;
  if (built.hit) {
    entry.hits++;
    return;
  }
  entry.milliseconds.push(built.milliseconds);
  if (entry.milliseconds.length > mostTimes) entry.milliseconds.shift();
  for (const [stage, time] of Object.entries(built.stages)) entry.stages[stage] = (entry.stages[stage] ?? 0) + time;
}

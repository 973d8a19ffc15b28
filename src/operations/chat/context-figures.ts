import { LRUCache } from "lru-cache";
import type { Context } from "../../item.ts";

/** What was built for an owner since this process began; times are of the last ones only. */
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

/** One context, as it is counted. */
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
  let known = figures.get(owner);
  if (!known) {
    known = { builds: 0, hits: 0, tokens: 0, items: 0, excluded: 0, milliseconds: [], stages: {}, entries: 0 };
    figures.set(owner, known);
  }
  return known;
}

export function figuresOfContext(
  { tokens, items, dropped, stats }: Context,
  built: Pick<BuiltFigures, "hit" | "milliseconds" | "entries">,
): BuiltFigures {
  const { milliseconds: stages } = stats;
  return { ...built, tokens: tokens.used, items: items.length, excluded: dropped.length, stages: { ...stages } };
}

export function countBuilt(owner: string, built: BuiltFigures): void {
  const known = figuresOf(owner);
  known.builds++;
  known.tokens += built.tokens;
  known.items += built.items;
  known.excluded += built.excluded;
  known.entries = built.entries;
  if (built.hit) {
    known.hits++;
    return;
  }
  known.milliseconds.push(built.milliseconds);
  if (known.milliseconds.length > mostTimes) known.milliseconds.shift();
  for (const [stage, time] of Object.entries(built.stages)) known.stages[stage] = (known.stages[stage] ?? 0) + time;
}

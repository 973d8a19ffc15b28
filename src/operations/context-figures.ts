import { LRUCache } from "lru-cache";
import type { Context } from "../item.ts";

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
};

const mostTimes = 500;
const figures = new LRUCache<string, Figures>({ max: 1000 });

export function figuresOf(owner: string): Figures {
  let known = figures.get(owner);
  if (!known) {
    known = { builds: 0, hits: 0, tokens: 0, items: 0, excluded: 0, milliseconds: [], stages: {} };
    figures.set(owner, known);
  }
  return known;
}

export function count(owner: string, context: Context, hit: boolean, milliseconds: number): void {
  const known = figuresOf(owner);
  known.builds++;
  known.tokens += context.tokens.used;
  known.items += context.items.length;
  known.excluded += context.dropped.length;
  if (hit) {
    known.hits++;
    return;
  }
  known.milliseconds.push(milliseconds);
  if (known.milliseconds.length > mostTimes) known.milliseconds.shift();
  for (const [stage, time] of Object.entries(context.stats.milliseconds)) {
    known.stages[stage] = (known.stages[stage] ?? 0) + time;
  }
}

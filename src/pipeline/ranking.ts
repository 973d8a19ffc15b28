import type { Dropped } from "../document.ts";
import type { Scored } from "../item.ts";
import type { SearchRequest } from "../options.ts";

export type Ranking = {
  /** Everything found, best first. */
  ordered: Scored[];
  /** The best `limit` of them that reach `minScore`. */
  ranked: Scored[];
  /** The best `limit` of them that do not. */
  below: Scored[];
  confidence: number;
  /** Why a walk over links stopped early. */
  warnings?: string[];
  /** Of a walk: items beyond the limit, which are listed but not printed. */
  beyond?: Dropped[];
};

/** Best first; ties break by id, so that the same input gives the same order. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || (a.item.id < b.item.id ? -1 : 1);
}

/** Sorts, takes the best `limit` and splits them by `minScore`. */
export function rankingOf(scored: readonly Scored[], request: SearchRequest, confidence: number): Ranking {
  const ordered = [...scored].sort(byScore);
  const considered = ordered.slice(0, request.limit);
  return {
    ordered,
    ranked: considered.filter((each) => each.score >= request.minScore),
    below: considered.filter((each) => each.score < request.minScore),
    confidence,
  };
}

/** The score and its parts by a factor. */
export function scaled(scored: Scored, factor: number): Scored {
  if (factor === 1) return scored;
  const because = Object.fromEntries(Object.entries(scored.because).map(([name, part]) => [name, part * factor]));
  return { ...scored, score: scored.score * factor, because };
}

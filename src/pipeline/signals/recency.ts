import { type Candidate, type Scored, type Signals, sourceTraits } from "../../item.ts";
import { adjustments, type RecordRanking } from "../../recipes/recipe.ts";

const day = 24 * 60 * 60 * 1000;
/** Recency of an item without a time. */
const unknownRecency = 0.5;

/**
 * Adjusts a record's score by importance, tier and recency. Each of them subtracts a share, which `because` records, so
 * that its parts still add up to the score.
 */
export function adjust(scored: Scored, ranking: RecordRanking, newest: number): Scored {
  const because: Signals = { ...scored.because };
  let { score } = scored;
  const multiply = (name: string, share: number) => {
    if (share === 1 || score === 0) return;
    because[name] = (because[name] ?? 0) + score * (share - 1);
    score *= share;
  };
  for (const name of adjustments) {
    const value = name === "recency" ? recency(scored, ranking, newest) : scored.signals[name];
    if (value !== undefined) multiply(name, 1 - ranking.adjust[name] * (1 - value));
  }
  return { ...scored, score, because };
}

function recency({ item }: Candidate, { recencyDays }: RecordRanking, newest: number): number | undefined {
  if (!sourceTraits[item.source].ages) return undefined;
  if (item.changed === undefined) return unknownRecency;
  return Math.exp(-Math.max(0, newest - item.changed) / (recencyDays * day));
}

/**
 * The time that ages are counted from: the newest candidate, not the clock, so that the same question has the same
 * answer tomorrow.
 */
export function newestOf(candidates: readonly Candidate[]): number {
  return candidates.reduce((newest, { item }) => Math.max(newest, item.changed ?? 0), 0);
}

import type { ItemTerms } from "../../stores/store.ts";
import { packSorted } from "../../text/analysis/terms.ts";

/** Terms by hash, each once, with their frequencies. */
export type Frequencies = { hashes: readonly number[]; counts: readonly number[] };

/** One turn as its neighbours see it. */
export type Turn = {
  session: string | undefined;
  /** Frequency of each term; pictures and results count less. */
  own: Frequencies;
  /** The terms that neighbours get: the same terms, or for a long turn only those of its beginning and end. */
  near: Frequencies;
  asks: boolean;
};

/** Number of turns on either side whose terms are added. */
export const reach = 4;
/** Weights of the previous and the next turn; halved with every further step. Measured on conversations. */
const before = 0.7;
const after = 0.15;
const further = 0.5;
/** Weight factor of a question, which names the subject of its answer. */
const asking = 1.5;

/** Fixed-point scale: 16 is one occurrence, so that a neighbour four turns away still counts. */
export const spreadScale = 16;

/**
 * The terms of a turn together with those of the turns around it in its session: "yes, in Lisbon" is found by the
 * question that it answers.
 */
export function spreadTerms(turns: readonly Turn[], at: number): ItemTerms {
  const turn = turns[at]!;
  filled = 0;
  gather(turn.own, 1);
  for (let step = 1, factor = 1; step <= reach; step++, factor *= further) {
    const earlier = turns[at - step];
    if (earlier && earlier.session === turn.session) {
      gather(earlier.near, factor * before * (step === 1 && earlier.asks ? asking : 1));
    }
    const later = turns[at + step];
    if (later && later.session === turn.session) gather(later.near, factor * after);
  }
  return packed();
}

/**
 * One number for each term of each turn: its hash and its weight in steps of a 4096th. Sorted, they are summed in one
 * pass, several times as fast as counting in a map.
 */
let buffer = new Float64Array(4096);
let filled = 0;
const steps = 4096;
const mostCounted = 255;
const range = (mostCounted + 1) * steps;

function gather({ hashes, counts }: Frequencies, factor: number): void {
  while (filled + hashes.length > buffer.length) {
    const larger = new Float64Array(buffer.length * 2);
    larger.set(buffer);
    buffer = larger;
  }
  for (let i = 0; i < hashes.length; i++) {
    buffer[filled++] = hashes[i]! * range + Math.min(range - 1, Math.round(counts[i]! * factor * steps));
  }
}

function packed(): ItemTerms {
  const sorted = buffer.subarray(0, filled).sort();
  const hashes = new Uint32Array(filled);
  const frequencies = new Uint8Array(filled);
  let distinct = 0;
  let length = 0;
  for (let i = 0; i < filled; ) {
    const hash = Math.floor(sorted[i]! / range);
    let sum = 0;
    for (const next = (hash + 1) * range; i < filled && sorted[i]! < next; i++) sum += sorted[i]! - hash * range;
    const scaled = Math.min(mostCounted, Math.round((sum * spreadScale) / steps));
    if (scaled === 0) continue;
    hashes[distinct] = hash;
    frequencies[distinct++] = scaled;
    length += scaled;
  }
  // The terms are weighted already, so they are put in the field `code`, whose words the store counts once each.
  return { terms: packSorted("code", hashes, frequencies, distinct), length };
}

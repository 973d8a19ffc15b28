import { type Clause, clausesOf } from "./clauses.ts";
import { type Difference, difference, mostDifferent } from "./compare.ts";
import { relations } from "./word-lists.ts";

export type Statement = {
  id: string;
  text: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
};

/** Two memories of which only one can be true. `why` says what each says: "port 9090 here, port 8080 there". */
export type Contradiction = { newer: string; older: string; why: string };

/** Later clauses are not compared: pairs grow with the square. */
const mostClauses = 2000;

/**
 * Memories that say different things about the same subject. Only certain ones: a false alarm costs more than a miss.
 */
export function contradictions(memories: readonly Statement[]): Contradiction[] {
  const clauses: Clause[] = [];
  const memoryOf: number[] = [];
  for (const [index, { text }] of memories.entries()) {
    for (const clause of clausesOf(text)) {
      if (clause.event || clauses.length === mostClauses) continue;
      clauses.push(clause);
      memoryOf.push(index);
    }
  }
  const byPair = new Map<number, Contradiction>();
  for (const [first, second] of alikePairs(clauses)) {
    const [a, b] = [memoryOf[first]!, memoryOf[second]!];
    const pair = a * memories.length + b;
    if (a === b || byPair.has(pair)) continue;
    const secondIsNewer = memories[a]!.at <= memories[b]!.at;
    const against = difference(clauses[secondIsNewer ? second : first]!, clauses[secondIsNewer ? first : second]!);
    if (against)
      byPair.set(pair, contradiction(memories[secondIsNewer ? b : a]!, memories[secondIsNewer ? a : b]!, against));
  }
  return [...byPair].sort(([one], [other]) => one - other).map(([, each]) => each);
}

function contradiction(newer: Statement, older: Statement, { here, there }: Difference): Contradiction {
  return { newer: newer.id, older: older.id, why: `${here} here, ${there} there` };
}

/** Pairs of clauses with nearly the same words, by an inverted index instead of comparing all with all. */
function* alikePairs(clauses: Clause[]): Generator<[first: number, second: number]> {
  const holders = new Map<string, number[]>();
  for (const [second, { keys }] of clauses.entries()) {
    const shared = new Uint8Array(second);
    const subjects = new Set<number>();
    for (const key of keys) {
      const earlier = holders.get(key);
      const isSubject = !relations.has(key);
      for (const first of earlier ?? []) {
        shared[first]!++;
        if (isSubject) subjects.add(first);
      }
      if (earlier) earlier.push(second);
      else holders.set(key, [second]);
    }
    for (const first of subjects) {
      const common = shared[first]!;
      const different = keys.size + clauses[first]!.keys.size - 2 * common;
      // "Use tabs" and "use 2 spaces" share one word and differ in three.
      if (different <= Math.min(mostDifferent, 3 * common)) yield [first, second];
    }
  }
}

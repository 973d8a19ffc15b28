import { random, shuffled } from "../../shared/random.ts";
import { seed } from "../measures/bootstrap.ts";

/** Round robin: at most `count` of them, from each kind in turn, the same in every run. */
export function roundRobin<T>(list: readonly T[], kindOf: (each: T) => string, count: number): T[] {
  const byKind = new Map<string, T[]>();
  for (const each of shuffled([...list], random(seed))) {
    byKind.set(kindOf(each), [...(byKind.get(kindOf(each)) ?? []), each]);
  }
  const kinds = [...byKind.keys()].sort();
  const chosen: T[] = [];
  for (let round = 0; chosen.length < count; round++) {
    const next = kinds.flatMap((kind) => byKind.get(kind)![round] ?? []);
    if (next.length === 0) break;
    chosen.push(...next.slice(0, count - chosen.length));
  }
  return chosen;
}

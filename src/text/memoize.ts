import { LRUCache } from "lru-cache";

/** A function of a text that computes each text once. */
export function memoize(compute: (text: string) => number): (text: string) => number {
  const cache = new Map<string, number>();
  return (text) => {
    let value = cache.get(text);
    if (value === undefined) cache.set(text, (value = compute(text)));
    return value;
  };
}

/**
 * Caches the results for the texts seen last, up to `mostCharacters` in total: the questions of a session meet the
 * same texts again and again.
 */
export function memoizeRecent<Value extends object | number>(
  compute: (text: string) => Value,
  mostCharacters: number,
): (text: string) => Value {
  const cache = new LRUCache<string, Value>({
    maxSize: mostCharacters,
    sizeCalculation: (_, text) => text.length + overhead,
  });
  return (text) => {
    const before = cache.get(text);
    if (before !== undefined) return before;
    const value = compute(text);
    cache.set(text, value);
    return value;
  };
}

/** Overhead of an entry besides its text, as characters. */
const overhead = 64;

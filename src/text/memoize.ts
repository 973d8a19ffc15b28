import { LRUCache } from "lru-cache";

/** A function of a text that computes each text once. */
export function memoize(compute: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) known.set(text, (value = compute(text)));
    return value;
  };
}

/**
 * A function of a text that remembers what it said of the texts it saw last, as many as have `mostCharacters` together: the questions of a
 * session find the same texts again and again.
 */
export function memoizeRecent<Value extends object | number>(
  compute: (text: string) => Value,
  mostCharacters: number,
): (text: string) => Value {
  const known = new LRUCache<string, Value>({
    maxSize: mostCharacters,
    sizeCalculation: (_, text) => text.length + overhead,
  });
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}

/** What an entry takes besides its text, as characters. */
const overhead = 64;

/** An approximate LRU map. */
export type Recent<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): void };

/**
 * Keeps the `size` entries set or read last, and up to as many older ones, so that a query that reads much does not
 * evict everything at once.
 */
export function recentMap<Key, Value>(size: number): Recent<Key, Value> {
  let young = new Map<Key, Value>();
  let old = new Map<Key, Value>();
  const set = (key: Key, value: Value) => {
    if (young.size >= size) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  };
  return {
    set,
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
  };
}

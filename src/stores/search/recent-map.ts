/** A map that forgets what was not asked for lately. */
export type Recent<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): void };

/**
 * Keeps the last `size` entries that came or were asked for, and up to as many of those before them. So a question that reads much does not
 * make it forget everything at once.
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
      const known = young.get(key);
      if (known !== undefined) return known;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
  };
}

/** Limit of entries of one table; it is cleared when full. */
const mostRemembered = 20_000;

export function grouped<Value>(rows: readonly (readonly [string, Value])[]): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const [key, value] of rows) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** Caches rows by key; a key without rows is cached as an empty list. */
export function fill<Value>(
  into: Map<string, Value[]>,
  keys: readonly string[],
  rows: readonly (readonly [string, Value])[],
): void {
  if (into.size > mostRemembered) into.clear();
  const byKey = grouped(rows);
  for (const key of keys) into.set(key, byKey.get(key) ?? []);
}

/** A map on top of another, which it does not change. */
export class Above<Key, Value> extends Map<Key, Value> {
  readonly #below: ReadonlyMap<Key, Value>;

  constructor(below: ReadonlyMap<Key, Value>) {
    super();
    this.#below = below;
  }

  override get(key: Key): Value | undefined {
    return super.get(key) ?? this.#below.get(key);
  }
}

export function keep<Key, Value>(source: ReadonlyMap<Key, Value>, into: Map<Key, Value>): void {
  if (into.size > mostRemembered) into.clear();
  for (const [key, value] of source) into.set(key, value);
}

/** Entries of one table of the memory; it is emptied whole when full. */
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

/** What was looked for and not found is remembered as nothing. */
export function fill<Value>(
  into: Map<string, Value[]>,
  wanted: readonly string[],
  rows: readonly (readonly [string, Value])[],
): void {
  if (into.size > mostRemembered) into.clear();
  const found = grouped(rows);
  for (const key of wanted) into.set(key, found.get(key) ?? []);
}

/** A map on top of another, which it leaves as it is. */
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

export function keep<Key, Value>(found: ReadonlyMap<Key, Value>, into: Map<Key, Value>): void {
  if (into.size > mostRemembered) into.clear();
  for (const [key, value] of found) into.set(key, value);
}

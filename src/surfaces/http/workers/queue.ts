/** Jobs that wait for a worker, of many owners. */
export type Queue<Entry extends Queued> = {
  add(entry: Entry): void;
  /** The next one, or nothing. */
  take(): Entry | undefined;
  remove(entry: Entry): boolean;
  /** How long one really took, milliseconds: what the next of its kind is expected to take. */
  took(entry: Entry, milliseconds: number): void;
};

export type Queued = { owner: string; operation: string };

/** Milliseconds that are expected of an operation that never ran, and how much a new time counts against those before. */
const unknownCost = 20;
const newest = 0.2;

/**
 * Weighted fair queueing: owners have equal shares of the workers' time, and so have the operations of one owner. Whoever used little comes
 * first, and what is expected to take long counts as long: a search passes the builds that wait, and no number of searches keeps a build
 * waiting for good.
 */
export function fairQueue<Entry extends Queued>(): Queue<Entry> {
  const costs = new Map<string, number>();
  const costOf = (operation: string) => costs.get(operation) ?? unknownCost;
  const owners = new Shares<Shares<Entry[]>>();
  const operationOf = (operations: Shares<Entry[]>) => operations.next(costOf);

  return {
    add(entry) {
      const operations = owners.wanted(entry.owner, () => new Shares<Entry[]>());
      operations.wanted(entry.operation, () => []).push(entry);
    },
    take() {
      const owner = owners.next((_, operations) => costOf(operationOf(operations)!.key));
      const operation = owner && operationOf(owner.value);
      if (!operation) return undefined;
      const cost = costOf(operation.key);
      const entry = operation.value.shift()!;
      owner.value.used(operation.key, cost, operation.value.length > 0);
      owners.used(owner.key, cost, owner.value.isWanted);
      return entry;
    },
    remove(entry) {
      const operations = owners.get(entry.owner);
      const entries = operations?.get(entry.operation);
      const at = entries?.indexOf(entry) ?? -1;
      if (at < 0) return false;
      entries!.splice(at, 1);
      operations!.used(entry.operation, 0, entries!.length > 0);
      owners.used(entry.owner, 0, operations!.isWanted);
      return true;
    },
    took({ operation }, milliseconds) {
      const before = costs.get(operation) ?? milliseconds;
      costs.set(operation, Math.max(0.1, before + (milliseconds - before) * newest));
    },
  };
}

/** Some who share something: each with the time it has used, on a clock that stands at the least of those who want something. */
class Shares<Value> {
  readonly #members = new Map<string, { value: Value; used: number; wants: boolean }>();
  #clock = 0;

  get(key: string): Value | undefined {
    return this.#members.get(key)?.value;
  }

  get isWanted(): boolean {
    return [...this.#members.values()].some(({ wants }) => wants);
  }

  /** One who wants something. Whoever was away has saved up nothing. */
  wanted(key: string, make: () => Value): Value {
    let member = this.#members.get(key);
    if (!member) this.#members.set(key, (member = { value: make(), used: this.#clock, wants: true }));
    if (!member.wants) member.used = Math.max(member.used, this.#clock);
    member.wants = true;
    return member.value;
  }

  /** The one whose next piece, at this cost, would end first. */
  next(costOf: (key: string, value: Value) => number): { key: string; value: Value } | undefined {
    let best: { key: string; value: Value } | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [key, { value, used, wants }] of this.#members) {
      const end = wants ? used + costOf(key, value) : Number.POSITIVE_INFINITY;
      if (end < earliest) [best, earliest] = [{ key, value }, end];
    }
    return best;
  }

  /** Notes what one has used, and whether it wants more; forgets those whose past makes no difference any more. */
  used(key: string, cost: number, wants: boolean): void {
    const member = this.#members.get(key)!;
    if (cost > 0) this.#clock = Math.max(this.#clock, member.used);
    member.used += cost;
    member.wants = wants;
    for (const [each, { used, wants }] of this.#members) {
      if (!wants && used <= this.#clock) this.#members.delete(each);
    }
  }
}

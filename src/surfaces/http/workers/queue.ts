/** Jobs that wait for a worker, of many owners. */
export type Queue<Entry extends Queued> = {
  add(entry: Entry): void;
  /** The next job, if there is one; with "short" only a short one. */
  take(only?: "short"): Entry | undefined;
  isShort(entry: Entry): boolean;
  remove(entry: Entry): boolean;
  /**
   * Reports how long an operation really took, in milliseconds of processor time: the next one of its kind is expected
   * to take as long.
   */
  took(entry: Entry, milliseconds: number): void;
};

export type Queued = { owner: string; operation: string };

/** Milliseconds expected of an operation that never ran, and the weight of a new time against the earlier ones. */
const unknownCost = 20;
const newest = 0.2;
/**
 * A job is short when it is expected to take less than this part of the mean of all. Short jobs may take this many
 * times what long ones get.
 */
const shortest = 0.75;
const weightOfShort = 8;

type Operations<Entry> = Shares<Entry[]>;
type Class = "short" | "long";

/**
 * Weighted fair queueing. Short jobs pass long ones, as long as they leave those their part of the workers' time.
 * Within each of the two classes, owners have equal parts, and so have the operations of one owner. The least served
 * comes first, and an expensive job counts as much.
 */
export function fairQueue<Entry extends Queued>(): Queue<Entry> {
  const costs = new Map<string, number>();
  let mean = 0;
  const costOf = (operation: string) => costs.get(operation) ?? unknownCost;
  // The cost of an operation that never ran is unknown.
  const classOf = (operation: string): Class =>
    (costs.get(operation) ?? Number.POSITIVE_INFINITY) < mean * shortest ? "short" : "long";
  const weighted = (kind: string, cost: number) => (kind === "short" ? cost / weightOfShort : cost);
  const classes = new Shares<Shares<Operations<Entry>>>();
  const nextOperation = (operations: Operations<Entry>) => operations.next(costOf);
  const nextOwner = (owners: Shares<Operations<Entry>>) => owners.next((_, each) => costOf(nextOperation(each)!.key));
  const next = (owners: Shares<Operations<Entry>>) => nextOperation(nextOwner(owners)!.value)!;

  /** Charges a cost, or none, on all three levels for a job taken from the queue. */
  function charge(kind: string, { owner, operation }: Queued, cost: number): void {
    const owners = classes.get(kind)!;
    const operations = owners.get(owner)!;
    operations.used(operation, cost, operations.get(operation)!.length > 0);
    owners.used(owner, cost, operations.isWanted);
    classes.used(kind, weighted(kind, cost), owners.isWanted);
  }

  return {
    add(entry) {
      const owners = classes.wanted(classOf(entry.operation), () => new Shares<Operations<Entry>>());
      const operations = owners.wanted(entry.owner, () => new Shares<Entry[]>());
      operations.wanted(entry.operation, () => []).push(entry);
    },
    take(only) {
      const kind = classes.next((key, owners) => weighted(key, costOf(next(owners).key)), only);
      if (!kind) return undefined;
      const entry = next(kind.value).value.shift()!;
      charge(kind.key, entry, costOf(entry.operation));
      return entry;
    },
    isShort: ({ operation }) => classOf(operation) === "short",
    remove(entry) {
      for (const kind of ["short", "long"]) {
        const entries = classes.get(kind)?.get(entry.owner)?.get(entry.operation);
        const at = entries?.indexOf(entry) ?? -1;
        if (at < 0) continue;
        entries!.splice(at, 1);
        charge(kind, entry, 0);
        return true;
      }
      return false;
    },
    took({ operation }, milliseconds) {
      const before = costs.get(operation) ?? milliseconds;
      costs.set(operation, Math.max(0.1, before + (milliseconds - before) * newest));
      mean = mean === 0 ? milliseconds : mean + (milliseconds - mean) * newest;
    },
  };
}

/**
 * Parties that share a resource: each has its virtual time. The clock is the smallest virtual time among those that
 * wait.
 */
class Shares<Value> {
  readonly #members = new Map<string, { value: Value; used: number; wants: boolean }>();
  #clock = 0;

  get(key: string): Value | undefined {
    return this.#members.get(key)?.value;
  }

  get isWanted(): boolean {
    return [...this.#members.values()].some(({ wants }) => wants);
  }

  /** Registers a party that waits. It saves nothing up while it is away. */
  wanted(key: string, make: () => Value): Value {
    let member = this.#members.get(key);
    if (!member) this.#members.set(key, (member = { value: make(), used: this.#clock, wants: true }));
    if (!member.wants) member.used = Math.max(member.used, this.#clock);
    member.wants = true;
    return member.value;
  }

  /** The party whose next job, at this cost, would finish first. */
  next(costOf: (key: string, value: Value) => number, only?: string): { key: string; value: Value } | undefined {
    let best: { key: string; value: Value } | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [key, { value, used, wants }] of this.#members) {
      if (only !== undefined && key !== only) continue;
      const end = wants ? used + costOf(key, value) : Number.POSITIVE_INFINITY;
      if (end < earliest) [best, earliest] = [{ key, value }, end];
    }
    return best;
  }

  /** Charges a party, and notes whether it still waits; forgets parties whose past no longer matters. */
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

import type { Candidate, Item, Signals } from "../item.ts";

/** Candidates by id: each signal keeps its maximum. */
export class CandidateSet {
  readonly #byId = new Map<string, { item: Item; signals: Signals; askedLine?: number; askedWhole?: boolean }>();
  /** Scores of files by history, which apply to everything in them. */
  history: ReadonlyMap<string, number> = new Map();

  add(item: Item, signal: string, value: number): void {
    const existing = this.#byId.get(item.id);
    if (existing) existing.signals[signal] = Math.max(existing.signals[signal] ?? 0, value);
    else this.#byId.set(item.id, { item, signals: { [signal]: value } });
  }

  /** Adds an item that was asked for by one of its lines. */
  addAtLine(item: Item, line: number): void {
    this.add(item, "named", 1);
    this.#byId.get(item.id)!.askedLine ??= line;
  }

  /** Adds a file that was asked for by its path. */
  addWhole(item: Item): void {
    this.add(item, "named", 1);
    this.#byId.get(item.id)!.askedWhole = true;
  }

  /** Ids of the items for which no search measured this signal. */
  without(signal: string): string[] {
    return [...this.#byId.values()].flatMap(({ item, signals }) => (signals[signal] === undefined ? [item.id] : []));
  }

  list(): Candidate[] {
    return Array.from(this.#byId.values(), ({ item, signals, askedLine, askedWhole }) => {
      const history = this.history.get(item.path);
      if (history !== undefined) signals.history = history;
      const candidate: Candidate = { item, signals, distance: 0 };
      if (askedLine !== undefined) candidate.askedLine = askedLine;
      if (askedWhole !== undefined) candidate.askedWhole = askedWhole;
      return candidate;
    });
  }
}

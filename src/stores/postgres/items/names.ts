import { lastPart } from "../../scope/modules.ts";
import type { TransactionQueries } from "../engine/session/session.ts";
import type { KnownName } from "./state-before-write.ts";

type NewName = { id: number; folded: string; name: string; last: number | null; items: number };

/** Interning of names, each stored once per shelf, for one write. Items and links have their numbers. */
export class InternedNames {
  readonly #numbers = new Map<string, number>();
  readonly #itemChanges = new Map<number, number>();
  readonly #released = new Set<number>();
  readonly #fresh: NewName[] = [];
  /** The last number in use. */
  last: number;

  constructor(existing: readonly KnownName[], last: number) {
    for (const { id, folded, name } of existing) this.#numbers.set(name || folded, id);
    this.last = last;
  }

  /** Assigns numbers to these names; each is counted for so many items. */
  intern(counts: ReadonlyMap<string, number>): void {
    // Last parts come first, so that longer names can refer to them.
    for (const name of [...counts.keys()].sort((a, b) => a.length - b.length)) {
      const number = this.#numbers.get(name);
      if (number === undefined) this.#add(name, counts.get(name)!);
      else this.#count(number, counts.get(name)!);
    }
  }

  #add(name: string, items: number): void {
    const folded = name.toLowerCase();
    const id = ++this.last;
    this.#numbers.set(name, id);
    const last = this.#numbers.get(lastPart(name)) ?? null;
    this.#fresh.push({ id, folded, name: folded === name ? "" : name, last, items });
  }

  number(name: string): number {
    return this.#numbers.get(name)!;
  }

  #count(name: number, change: number): void {
    this.#itemChanges.set(name, (this.#itemChanges.get(name) ?? 0) + change);
  }

  /** An item or a link with this name was removed. */
  releaseItem(name: number): void {
    this.#count(name, -1);
    this.#released.add(name);
  }

  releaseLink(name: number): void {
    this.#released.add(name);
  }

  /** Names that are new, in ascending order of their numbers. */
  get fresh(): readonly { id: number; folded: string }[] {
    return this.#fresh;
  }

  async store(queries: TransactionQueries, shelf: number): Promise<void> {
    const added = this.#fresh;
    const changed = [...this.#itemChanges].filter(([, change]) => change !== 0);
    await Promise.all([
      added.length > 0 &&
        queries.run(
          `INSERT INTO names(owner, shelf, id, folded, name, last, items)
           SELECT $1, $2, * FROM unnest($3::int[], $4::text[], $5::text[], $6::int[], $7::int[])`,
          [
            shelf,
            added.map(({ id }) => id),
            added.map(({ folded }) => folded),
            added.map(({ name }) => name),
            added.map(({ last }) => last),
            added.map(({ items }) => items),
          ],
        ),
      changed.length > 0 &&
        queries.run(
          `UPDATE names AS n SET items = n.items + c.change FROM unnest($3::int[], $4::int[]) AS c(id, change)
           WHERE n.owner = $1 AND n.shelf = $2 AND n.id = c.id`,
          [shelf, changed.map(([id]) => id), changed.map(([, change]) => change)],
        ),
    ]);
  }

  /** Deletes unused names: without items, links to them, or links to a longer name that ends in them. */
  async deleteUnused(queries: TransactionQueries, shelf: number): Promise<void> {
    if (this.#released.size === 0) return;
    await queries.run(
      `DELETE FROM names AS n WHERE n.owner = $1 AND n.shelf = $2 AND n.id = ANY($3::int[]) AND n.items = 0
       AND NOT EXISTS (SELECT 1 FROM links AS l WHERE l.owner = $1 AND l.shelf = $2 AND l.target = n.id)
       AND NOT EXISTS (SELECT 1 FROM links AS l WHERE l.owner = $1 AND l.shelf = $2 AND l.target = n.last AND l.whole = n.id)`,
      [shelf, [...this.#released]],
    );
  }
}

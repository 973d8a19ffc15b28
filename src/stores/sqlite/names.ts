import type { Database } from "./driver.ts";

/** NUL and lone surrogates do not survive SQLite's JSON; no real name has them. */
export function storable(text: string): string {
  return text.replace(/[\0\ud800-\udfff]/gu, "\ufffd");
}

type NameRow = { id: number; folded: string; name: string };

/**
 * Names, each stored once per owner, for the length of one write transaction. Items and links hold their numbers;
 * the trigram index holds the names that some item has.
 */
export class Names {
  readonly #database: Database;
  readonly #owner: number;
  readonly #numbers = new Map<string, number>();
  readonly #itemChanges = new Map<number, number>();
  readonly #released = new Set<number>();

  constructor(database: Database, owner: number) {
    this.#database = database;
    this.#owner = owner;
  }

  /** Stores what is new among these names; `number` answers for them afterwards. */
  intern(names: Iterable<string>): void {
    const wanted = [...new Set(names)].filter((name) => !this.#numbers.has(name));
    const rows = this.#database.all<NameRow>(
      "SELECT n.id, n.folded, n.name FROM json_each(?) AS j CROSS JOIN names AS n ON n.owner = ? AND n.folded = j.value",
      [JSON.stringify([...new Set(wanted.map((name) => name.toLowerCase()))]), this.#owner],
    );
    for (const { id, folded, name } of rows) this.#numbers.set(name || folded, id);
    let next = this.#database.get<{ next: number }>("SELECT coalesce(max(id), 0) + 1 AS next FROM names")!.next;
    for (const name of wanted) {
      if (this.#numbers.has(name)) continue;
      const folded = name.toLowerCase();
      this.#database.run("INSERT INTO names(id, owner, folded, name) VALUES(?, ?, ?, ?)", [
        next,
        this.#owner,
        folded,
        folded === name ? "" : name,
      ]);
      this.#numbers.set(name, next++);
    }
  }

  number(name: string): number {
    return this.#numbers.get(name)!;
  }

  /** An item got this name (1) or lost it (-1). */
  countItem(name: number, change: 1 | -1): void {
    this.#itemChanges.set(name, (this.#itemChanges.get(name) ?? 0) + change);
    if (change < 0) this.#released.add(name);
  }

  /** A link to this name was removed. */
  releaseLink(name: number): void {
    this.#released.add(name);
  }

  /** Brings counts and the trigram index up to date and deletes names that nothing has any more. */
  finish(): void {
    const changed = [...this.#itemChanges.keys()].filter((name) => this.#itemChanges.get(name) !== 0);
    const rows = this.#database.all<NameRow & { items: number }>(
      "SELECT n.id, n.folded, n.name, n.items FROM json_each(?) AS j CROSS JOIN names AS n ON n.id = j.value",
      [JSON.stringify(changed)],
    );
    for (const { id, folded, name, items } of rows) {
      const count = items + this.#itemChanges.get(id)!;
      this.#database.run("UPDATE names SET items = ? WHERE id = ?", [count, id]);
      if (items === 0 && count > 0) {
        this.#database.run(`INSERT INTO names_${this.#owner}(rowid, name) VALUES(?, ?)`, [id, name || folded]);
      } else if (items > 0 && count === 0) {
        this.#database.run(`DELETE FROM names_${this.#owner} WHERE rowid = ?`, [id]);
      }
    }
    this.#database.run(
      `DELETE FROM names WHERE id IN (SELECT value FROM json_each(?)) AND items = 0
       AND NOT EXISTS (SELECT 1 FROM links AS l WHERE l.owner = names.owner AND l.target = names.id)
       AND NOT EXISTS (SELECT 1 FROM links AS l WHERE l.owner = names.owner AND l.whole = names.id AND l.whole > 0)`,
      [JSON.stringify([...this.#released])],
    );
  }
}

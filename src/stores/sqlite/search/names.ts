import { lastPart } from "../../scope/modules.ts";
import { countNames } from "../../written-files.ts";
import type { Database } from "../engine/driver.ts";
import { insertRows } from "../engine/insert-rows.ts";

type NameRow = { id: number; folded: string; name: string };

type NewName = [id: number, folded: string, name: string, last: number | null, items: number];

/**
 * Interning of names for one write transaction: each name is stored once per owner. Items and links have name numbers;
 * the trigram index has the names of items.
 */
export class StoredNames {
  readonly #database: Database;
  readonly #owner: number;
  readonly #numbers = new Map<string, number>();
  readonly #itemChanges = new Map<number, number>();
  readonly #released = new Set<number>();

  constructor(database: Database, owner: number) {
    this.#database = database;
    this.#owner = owner;
  }

  /**
   * Stores these names if they are new; `number` returns their numbers afterwards. A name's count is the number of
   * items that have it.
   */
  intern(ofItems: Iterable<string>, ofLinks: Iterable<string>): void {
    const counts = countNames(ofItems, ofLinks);
    this.#findKnown([...counts.keys()]);
    let next = this.#database.get<{ next: number }>("SELECT coalesce(max(id), 0) + 1 AS next FROM names")!.next;
    const added: NewName[] = [];
    // Last parts come first, so that longer names can refer to them.
    for (const name of [...counts.keys()].sort((a, b) => a.length - b.length)) {
      const number = this.#numbers.get(name);
      if (number === undefined) added.push(this.#number(next++, name, counts.get(name)!));
      else if (counts.get(name)! > 0) this.#count(number, counts.get(name)!);
    }
    this.#add(added);
  }

  #findKnown(names: string[]): void {
    const rows = this.#database.all<NameRow>(
      "SELECT n.id, n.folded, n.name FROM json_each(?) AS j CROSS JOIN names AS n ON n.owner = ? AND n.folded = j.value",
      [JSON.stringify([...new Set(names.map((name) => name.toLowerCase()))]), this.#owner],
    );
    for (const { id, folded, name } of rows) this.#numbers.set(name || folded, id);
  }

  #number(id: number, name: string, items: number): NewName {
    const folded = name.toLowerCase();
    this.#numbers.set(name, id);
    return [id, folded, folded === name ? "" : name, this.#numbers.get(lastPart(name)) ?? null, items];
  }

  /** Stored in one statement: passing names one by one costs more than storing them. */
  #add(added: NewName[]): void {
    if (added.length === 0) return;
    const rows = added.flatMap(([id, folded, name, last, items]) => [id, this.#owner, folded, name, last, items]);
    insertRows(this.#database, "names(id, owner, folded, name, last, items)", 6, rows);
    const ofItems = added.filter(([, , , , items]) => items > 0);
    const trigrams = ofItems.flatMap(([id, folded, name]) => [id, name || folded]);
    insertRows(this.#database, `names_${this.#owner}(rowid, name)`, 2, trigrams);
  }

  #addTrigrams(id: number, name: string): void {
    this.#database.run(`INSERT INTO names_${this.#owner}(rowid, name) VALUES(?, ?)`, [id, name]);
  }

  number(name: string): number {
    return this.#numbers.get(name)!;
  }

  #count(name: number, change: number): void {
    this.#itemChanges.set(name, (this.#itemChanges.get(name) ?? 0) + change);
  }

  /** Called when an item with this name was removed. */
  releaseItem(name: number): void {
    this.#count(name, -1);
    this.#released.add(name);
  }

  releaseLink(name: number): void {
    this.#released.add(name);
  }

  /** Updates the counts and the trigram index, and deletes unused names. */
  finish(): void {
    const changed = [...this.#itemChanges.keys()].filter((name) => this.#itemChanges.get(name) !== 0);
    const rows = this.#database.all<NameRow & { items: number }>(
      "SELECT n.id, n.folded, n.name, n.items FROM json_each(?) AS j CROSS JOIN names AS n ON n.id = j.value",
      [JSON.stringify(changed)],
    );
    for (const { id, folded, name, items } of rows) {
      const count = items + this.#itemChanges.get(id)!;
      this.#database.run("UPDATE names SET items = ? WHERE id = ?", [count, id]);
      if (items === 0) this.#addTrigrams(id, name || folded);
      else if (count === 0) this.#database.run(`DELETE FROM names_${this.#owner} WHERE rowid = ?`, [id]);
    }
    this.#deleteUnused();
  }

  /** A name is used by items, by links to it, or by links to a longer name that ends in it. */
  #deleteUnused(): void {
    if (this.#released.size === 0) return;
    this.#database.run(
      `DELETE FROM names WHERE id IN (SELECT value FROM json_each(?)) AND items = 0
       AND NOT EXISTS (SELECT 1 FROM links AS l WHERE l.owner = names.owner AND l.target = names.id)
       AND NOT EXISTS (SELECT 1 FROM links AS l WHERE l.owner = names.owner AND l.target = names.last AND l.whole = names.id)`,
      [JSON.stringify([...this.#released])],
    );
  }
}

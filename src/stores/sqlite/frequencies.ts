import { forEachTerm } from "../../text/terms.ts";
import type { Scope } from "../store.ts";
import type { Database } from "./driver.ts";
import type { Owner } from "./owner.ts";

type Totals = { items: number; length: number; byTerm: Map<number, number> };

/**
 * How many items have each term, for the length of one write transaction. Terms are counted by their hash in the packed
 * vectors, so what is added for an item can be subtracted from its stored vector later.
 */
export class Frequencies {
  readonly #totals: Record<Scope, Totals> = {
    unit: { items: 0, length: 0, byTerm: new Map() },
    file: { items: 0, length: 0, byTerm: new Map() },
  };

  /** An item's terms come (1) or go (-1). */
  count(scope: Scope, terms: Uint8Array, length: number, change: 1 | -1): void {
    const totals = this.#totals[scope];
    totals.items += change;
    totals.length += change * length;
    const { byTerm } = totals;
    let last = -1;
    forEachTerm(terms, (term) => {
      if (term === last) return;
      last = term;
      byTerm.set(term, (byTerm.get(term) ?? 0) + change);
    });
  }

  finish(database: Database, owner: Owner): void {
    const { unit, file } = this.#totals;
    const changed = [...new Set([...unit.byTerm.keys(), ...file.byTerm.keys()])].sort((a, b) => a - b);
    let fell = false;
    for (const term of changed) {
      const units = unit.byTerm.get(term) ?? 0;
      const files = file.byTerm.get(term) ?? 0;
      if (units === 0 && files === 0) continue;
      fell ||= units < 0 || files < 0;
      database.run(
        `INSERT INTO frequencies(owner, term, unit, file) VALUES(?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET unit = unit + excluded.unit, file = file + excluded.file`,
        [owner.id, term, units, files],
      );
    }
    if (fell) {
      database.run(
        "DELETE FROM frequencies WHERE owner = ? AND term IN (SELECT value FROM json_each(?)) AND unit <= 0 AND file <= 0",
        [owner.id, JSON.stringify(changed)],
      );
    }
    database.run(
      `UPDATE owners SET unit_count = unit_count + ?, unit_length = unit_length + ?,
       file_count = file_count + ?, file_length = file_length + ? WHERE id = ?`,
      [unit.items, unit.length, file.items, file.length, owner.id],
    );
  }
}

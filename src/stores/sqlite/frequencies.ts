import { forEachTerm } from "../../text/terms.ts";
import type { Scope } from "../store.ts";
import type { Database } from "./driver.ts";
import { cacheOf, type Owner, type Session } from "./owner.ts";

/**
 * In how many items each term occurs. Terms are known by their hash in the packed vectors, so what was counted for an item can be
 * subtracted from its stored vector later.
 *
 * Every write touches thousands of terms all over the alphabet, which costs a table of rows most of its pages. So each write appends
 * one part, its changes sorted by term, and parts of like size are merged: a term's frequency is the sum over a handful of parts.
 */

/** A part: entries of three int32 (term, change in units, change in files) sorted by term. */
type Part = Int32Array;
const entryLength = 3;
/** A part is merged into the one before it unless that is this much larger. */
const growth = 4;

type Totals = { items: number; length: number; byTerm: Map<number, number> };

/** The changes of one write transaction. */
export class FrequencyChanges {
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
    database.run(
      `UPDATE owners SET unit_count = unit_count + ?, unit_length = unit_length + ?,
       file_count = file_count + ?, file_length = file_length + ? WHERE id = ?`,
      [unit.items, unit.length, file.items, file.length, owner.id],
    );
    if (owner.unit_count + unit.items === 0 && owner.file_count + file.items === 0) {
      database.run("DELETE FROM frequencies WHERE owner = ?", [owner.id]);
    } else append(database, owner.id, this.#part());
  }

  #part(): Part {
    const { unit, file } = this.#totals;
    const terms = Int32Array.from(new Set([...unit.byTerm.keys(), ...file.byTerm.keys()])).sort();
    const part = new Int32Array(terms.length * entryLength);
    let end = 0;
    for (const term of terms) {
      const units = unit.byTerm.get(term >>> 0) ?? 0;
      const files = file.byTerm.get(term >>> 0) ?? 0;
      if (units === 0 && files === 0) continue;
      part[end++] = term;
      part[end++] = units;
      part[end++] = files;
    }
    return part.subarray(0, end);
  }
}

function append(database: Database, owner: number, changes: Part): void {
  if (changes.length === 0) return;
  const sizes = database.all<{ part: number; size: number }>(
    "SELECT part, length(data) AS size FROM frequencies WHERE owner = ? ORDER BY part",
    [owner],
  );
  let merged = changes;
  while (sizes.length > 0 && merged.byteLength * growth >= sizes.at(-1)!.size) {
    const { part } = sizes.pop()!;
    merged = mergeParts(readPart(database, owner, part), merged, sizes.length === 0);
    database.run("DELETE FROM frequencies WHERE owner = ? AND part = ?", [owner, part]);
  }
  const bytes = new Uint8Array(merged.buffer, merged.byteOffset, merged.byteLength);
  database.run("INSERT INTO frequencies(owner, part, data) VALUES(?, ?, ?)", [owner, (sizes.at(-1)?.part ?? 0) + 1, bytes]);
}

/** Adds two parts. In the first part of all, a term that no item has any more is dropped. */
export function mergeParts(a: Part, b: Part, first: boolean): Part {
  const merged = new Int32Array(a.length + b.length);
  let end = 0;
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const fromA = j >= b.length || (i < a.length && a[i]! <= b[j]!);
    const fromB = i >= a.length || (j < b.length && b[j]! <= a[i]!);
    const term = fromA ? a[i]! : b[j]!;
    const units = (fromA ? a[i + 1]! : 0) + (fromB ? b[j + 1]! : 0);
    const files = (fromA ? a[i + 2]! : 0) + (fromB ? b[j + 2]! : 0);
    if (fromA) i += entryLength;
    if (fromB) j += entryLength;
    if (first && units === 0 && files === 0) continue;
    merged[end++] = term;
    merged[end++] = units;
    merged[end++] = files;
  }
  return merged.subarray(0, end);
}

function readPart(database: Database, owner: number, part: number): Part {
  const row = database.get<{ data: Uint8Array }>("SELECT data FROM frequencies WHERE owner = ? AND part = ?", [owner, part])!;
  return asPart(row.data);
}

function asPart(data: Uint8Array): Part {
  // Copied, because a BLOB may begin anywhere in its buffer and 32-bit numbers must be aligned.
  return new Int32Array(data.slice().buffer);
}

/** The frequency of a term (its hash) in a scope, as of the owner's revision. */
export function frequencyReader(session: Session, owner: Owner, scope: Scope): (term: number) => number {
  const cache = cacheOf(session, owner);
  cache.frequencies ??= session.database
    .all<{ data: Uint8Array }>("SELECT data FROM frequencies WHERE owner = ?", [owner.id])
    .map(({ data }) => asPart(data));
  const parts = cache.frequencies;
  const offset = scope === "unit" ? 1 : 2;
  return (term) => {
    let sum = 0;
    for (const part of parts) sum += find(part, term | 0, offset);
    return sum;
  };
}

function find(part: Part, term: number, offset: number): number {
  let low = 0;
  let high = part.length / entryLength;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (part[middle * entryLength]! < term) low = middle + 1;
    else high = middle;
  }
  return part[low * entryLength] === term ? part[low * entryLength + offset]! : 0;
}

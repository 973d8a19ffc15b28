import type { Note, Relation } from "../../note.ts";
import {
  type Edge,
  foldName,
  type GraphChange,
  type Neighbours,
  noteItemId,
  type OriginCounts,
  type StoredNote,
} from "../graph.ts";

type Held = { origin: string; sheet: string; hash: string; note: Note };
/** A note's statement about a key. */
type Statement = { from: Held; relation: "child" | "reference" | "field"; key: string };

/** The notes graph without indexes: every question scans every note. The reference model for the engines. */
export class NaiveGraph {
  readonly #origins = new Map<string, Map<string, Held>>();

  write(origin: string, { notes, removed }: GraphChange): void {
    const notesByKey = this.#origins.get(origin) ?? new Map<string, Held>();
    this.#origins.set(origin, notesByKey);
    for (const key of removed) notesByKey.delete(key);
    for (const { note, sheet, hash } of notes) notesByKey.set(note.key, { origin, sheet, hash, note });
  }

  forget(origin: string): void {
    this.#origins.delete(origin);
  }

  hashes(origin: string, sheet?: string): Map<string, string> {
    const notes = this.#of(origin).filter((each) => sheet === undefined || each.sheet === sheet);
    return new Map(notes.map(({ note, hash }) => [note.key, hash]));
  }

  get(ids: string[]): StoredNote[] {
    return ids.flatMap((id) => this.#all().filter((each) => idOf(each) === id)).map(stored);
  }

  called(key: string): StoredNote[] {
    const byKey = this.#names().flatMap((origin) => this.#resolve(origin, key) ?? []);
    return [...new Set([...this.#all().filter((each) => idOf(each) === key), ...byKey])].map(stored);
  }

  named(name: string, limit: number): StoredNote[] {
    const matches = this.#all().filter(({ note }) => foldName(name) !== "" && foldName(note.name) === foldName(name));
    const edges = (held: Held) => statements(held).length + this.#about(held).length;
    return matches
      .sort((a, b) => edges(b) - edges(a) || (idOf(a) < idOf(b) ? -1 : 1))
      .slice(0, limit)
      .map(stored);
  }

  neighbours(ids: string[], relations: readonly Relation[], limit: number): Neighbours {
    const result: Neighbours = { edges: [], more: [] };
    for (const id of new Set(ids)) {
      const held = this.#all().find((each) => idOf(each) === id);
      for (const relation of held ? new Set(relations) : []) {
        const edges = this.#edges(held!, relation);
        result.edges.push(...edges.slice(0, limit));
        if (edges.length > limit) result.more.push({ from: id, relation, total: edges.length });
      }
    }
    return result;
  }

  #edges(held: Held, relation: Relation): Edge[] {
    const ends = new Map<Held, boolean>();
    const statedAs = relation === "parent" ? "child" : relation;
    if (relation !== "child") {
      for (const { key } of statements(held).filter((each) => each.relation === statedAs)) {
        const target = this.#resolve(held.origin, key);
        if (target) ends.set(target, relation !== "parent");
      }
    }
    if (relation !== "parent") {
      const about = this.#about(held).filter((each) => each.relation === statedAs);
      for (const { from } of about) if (!ends.has(from)) ends.set(from, relation === "child");
    }
    ends.delete(held);
    const place = ({ note }: Held) => (relation === "child" ? (note.order ?? 1e9) : 0);
    return [...ends]
      .sort(([a], [b]) => place(a) - place(b) || (idOf(a) < idOf(b) ? -1 : 1))
      .map(([to, out]) => ({ from: idOf(held), to: idOf(to), relation, out }));
  }

  ancestors(ids: string[], limit: number): Map<string, StoredNote[]> {
    const notes = this.#all().filter((each) => ids.includes(idOf(each)));
    return new Map(notes.map((held) => [idOf(held), this.#wayUp(held).slice(0, limit).map(stored)]));
  }

  #wayUp(held: Held): Held[] {
    const seen = [held];
    for (;;) {
      const { origin, note } = seen.at(-1)!;
      const owner = note.parent === undefined ? undefined : this.#resolve(origin, note.parent);
      if (!owner || seen.includes(owner)) return seen.slice(1);
      seen.push(owner);
    }
  }

  origins(): OriginCounts[] {
    return this.#names().map((origin) => {
      const notes = this.#of(origin);
      const sum = (count: (note: Note) => number) => notes.reduce((total, { note }) => total + count(note), 0);
      return {
        origin,
        notes: notes.length,
        tagged: sum((note) => note.tags.length),
        values: sum((note) => note.fields.flatMap((field) => field.values).length),
        references: sum((note) => note.references.length),
        dangling: notes.flatMap(statements).filter(({ key }) => !this.#resolve(origin, key)).length,
      };
    });
  }

  tags(limit: number): { name: string; notes: number }[] {
    const names = new Set(this.#all().flatMap(({ note }) => note.tags));
    const counts = [...names].map((name) => ({
      name,
      notes: this.#all().filter(({ note }) => note.tags.includes(name)).length,
    }));
    return counts.sort((a, b) => b.notes - a.notes || (a.name < b.name ? -1 : 1)).slice(0, limit);
  }

  #names(): string[] {
    return [...this.#origins.keys()].sort();
  }

  #of(origin: string): Held[] {
    return [...(this.#origins.get(origin)?.values() ?? [])];
  }

  #all(): Held[] {
    return this.#names().flatMap((origin) => this.#of(origin));
  }

  #resolve(origin: string, key: string): Held | undefined {
    const size = ({ note }: Held) => [...note.key].length;
    const claiming = this.#of(origin).filter(({ note }) => note.aliases?.includes(key));
    claiming.sort((a, b) => size(a) - size(b) || Buffer.compare(Buffer.from(a.note.key), Buffer.from(b.note.key)));
    return this.#origins.get(origin)?.get(key) ?? claiming[0];
  }

  #about(held: Held): Statement[] {
    return this.#of(held.origin)
      .flatMap(statements)
      .filter(({ key }) => this.#resolve(held.origin, key) === held);
  }
}

function idOf({ origin, note }: Held): string {
  return noteItemId(origin, note.key);
}

function stored(held: Held): StoredNote {
  return { ...held.note, id: idOf(held), origin: held.origin, sheet: held.sheet };
}

/** Each once, however often the note states it. */
function statements(from: Held): Statement[] {
  const { parent, references, fields } = from.note;
  const values = fields.flatMap((field) => field.values.flatMap(({ note }) => note ?? []));
  const statementsOf = (relation: Statement["relation"], keys: string[]) =>
    [...new Set(keys)].map((key) => ({ from, relation, key }));
  return [
    ...statementsOf("child", parent === undefined ? [] : [parent]),
    ...statementsOf("reference", references),
    ...statementsOf("field", values),
  ];
}

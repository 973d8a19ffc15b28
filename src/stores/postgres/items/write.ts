import { storable } from "../../rules/stored-text.ts";
import { baseName } from "../../search/name-likeness.ts";
import { PostingChanges } from "../../search/posting-parts.ts";
import type { IndexedFile, ItemTerms, Scope, StoreChange } from "../../store.ts";
import {
  countNames,
  itemIds,
  itemNames,
  linkNames,
  linkNumbers,
  ownLinks,
  packImports,
  packText,
  storedQualifiedName,
  wholeFileAt,
  withLastOnly,
} from "../../written-files.ts";
import type { TransactionQueries } from "../engine/session/session.ts";
import { isNamed } from "../engine/shelf.ts";
import { carryModelVectors, termsOfRemoved, type WrittenItem } from "../search/carry-model-vectors.ts";
import { type ChangedPostings, prepareParts } from "../search/segments.ts";
import { namesWithoutTrigrams, trigramHashes } from "../search/trigrams.ts";
import { storeVectors } from "../search/vectors.ts";
import { InternedNames } from "./names.ts";
import { removeGone } from "./remove.ts";
import { readBefore, type StateBefore } from "./state-before-write.ts";

/**
 * Applies a change and increments the shelf's revision, in four or five round trips: the state before, removals and
 * additions, the postings, the commit. Numbers are given in order, so ties are as in SQLite. Inside a transaction of
 * the owner. Statements without a result are not awaited: they run in order, and the first failure is thrown.
 */
export async function writeChange(queries: TransactionQueries, shelf: number, change: StoreChange): Promise<void> {
  const files = withLastOnly(change.files);
  const counts = countNames(isNamed(shelf) ? itemNames(files) : [], linkNames(files));
  const paths = [...new Set([...change.removed, ...files.map(({ path }) => path)])];
  const before = await readBefore(queries, shelf, { paths, ids: [...itemIds(files)], names: [...counts.keys()] });
  const unlisted = isNamed(shelf) ? await namesWithoutTrigrams(queries, shelf, before) : [];

  const names = new InternedNames(before.names, before.shelf.last_name);
  const postings = {
    ...{ unit: new PostingChanges("unit"), file: new PostingChanges("file"), name: new PostingChanges("name") },
  };
  const termsBefore = termsOfRemoved(queries, shelf, before);
  const removed = removeGone(queries, shelf, before, names, postings);
  names.intern(counts);
  if (isNamed(shelf)) {
    for (const { id, folded } of [...unlisted, ...names.fresh]) postings.name.addHashes(id, trigramHashes(folded));
  }
  const added = new AddedRows(shelf, before, names, postings);
  for (const file of files) added.add(file);
  const [oldTerms, storeParts] = await Promise.all([
    termsBefore,
    prepareParts(queries, shelf, before, postings),
    removed,
    names.store(queries, shelf),
    added.store(queries),
    touch(queries, shelf, change),
  ]);

  await Promise.all([
    storeParts(),
    names.deleteUnused(queries, shelf),
    carryModelVectors(queries, shelf, before, oldTerms, added.written),
    queries.run(
      `UPDATE shelves SET revision = revision + 1, unit_count = unit_count + $3, unit_length = unit_length + $4,
       file_count = file_count + $5, file_length = file_length + $6, last_file = $7, last_item = $8, last_name = $9, last_part = $10
       WHERE owner = $1 AND shelf = $2`,
      [
        shelf,
        postings.unit.count,
        postings.unit.length,
        postings.file.count,
        postings.file.length,
        added.lastFile,
        added.lastItem,
        names.last,
        before.shelf.last_part,
      ],
    ),
  ]);
}

async function touch(queries: TransactionQueries, shelf: number, { touched = [], roles = [] }: StoreChange) {
  await Promise.all([
    touched.length > 0 &&
      queries.run(
        `UPDATE files AS f SET size = t.size, modified = t.modified FROM unnest($3::text[], $4::bigint[], $5::float8[]) AS t(path, size, modified)
         WHERE f.owner = $1 AND f.shelf = $2 AND f.path = t.path`,
        [
          shelf,
          touched.map(({ path }) => path),
          touched.map(({ size }) => size),
          touched.map(({ modified }) => modified),
        ],
      ),
    roles.length > 0 &&
      queries.run(
        `UPDATE files AS f SET role = t.role FROM unnest($3::text[], $4::text[]) AS t(path, role)
         WHERE f.owner = $1 AND f.shelf = $2 AND f.path = t.path`,
        [shelf, roles.map(({ path }) => path), roles.map(({ role }) => role ?? null)],
      ),
  ]);
}

/** The rows of new files, collected in columns: each table gets them in one statement. */
class AddedRows {
  readonly #shelf: number;
  readonly #names: InternedNames;
  readonly #postings: ChangedPostings;
  readonly #files = columns(12);
  readonly #texts = columns(3);
  readonly #items = columns(19);
  readonly #terms = columns(4);
  readonly #links = columns(5);
  readonly #vectors = new Map<number, Map<number, Int8Array>>();
  readonly written: WrittenItem[] = [];
  lastFile: number;
  lastItem: number;

  constructor(shelf: number, { shelf: state }: StateBefore, names: InternedNames, postings: ChangedPostings) {
    this.#shelf = shelf;
    this.#names = names;
    this.#postings = postings;
    this.lastFile = state.last_file;
    this.lastItem = state.last_item;
  }

  add(file: IndexedFile): void {
    const number = ++this.lastFile;
    const first = this.lastItem + 1;
    const wholeIndex = wholeFileAt(file.items);
    push(this.#files, [
      number,
      file.path,
      baseName(file.path),
      file.hash,
      file.size,
      file.modified,
      file.language ?? null,
      file.items.length,
      first,
      first + file.items.length - 1,
      wholeIndex < 0 ? null : first + wholeIndex,
      file.role ?? null,
    ]);
    push(this.#texts, [number, packText(file.text), packImports(file.imports)]);
    const numbers = new Map(file.items.map(({ item }) => [item.id, ++this.lastItem]));
    this.#addItems(number, file, numbers);
    this.#addLinks(number, file, numbers);
  }

  #addItems(file: number, { path, items }: IndexedFile, numbers: ReadonlyMap<string, number>): void {
    const vectors = new Map<number, Int8Array>();
    for (const { item, unit, file: fileTerms, vector } of items) {
      const number = numbers.get(item.id)!;
      const parent = item.parent === undefined ? undefined : numbers.get(item.parent);
      const name = storable(item.name);
      push(this.#items, [
        number,
        item.id,
        file,
        isNamed(this.#shelf) ? this.#names.number(name) : 0,
        isNamed(this.#shelf) ? null : name,
        item.source,
        item.kind,
        storedQualifiedName(item.qualifiedName, path),
        item.startLine,
        item.endLine,
        item.language ?? null,
        item.signature ?? null,
        item.doc ?? null,
        item.hash,
        parent ?? null,
        parent === undefined ? (item.parent ?? null) : null,
        item.test ? 1 : null,
        item.changed ?? null,
        item.decisions ?? null,
      ]);
      if (unit) this.#addTerms("unit", 0, number, unit);
      if (fileTerms) this.#addTerms("file", 1, number, fileTerms);
      if (vector) vectors.set(number, vector);
      this.written.push({ number, id: item.id, hash: item.hash, terms: unit?.terms });
    }
    if (vectors.size > 0) this.#vectors.set(file, vectors);
  }

  #addTerms(scope: Scope, code: number, number: number, { terms, length }: ItemTerms): void {
    this.#postings[scope].add(number, terms, length);
    push(this.#terms, [code, number, length, terms]);
  }

  #addLinks(file: number, indexed: IndexedFile, numbers: ReadonlyMap<string, number>): void {
    const seenKeys = new Set<string>();
    for (const link of ownLinks(indexed)) {
      const { kind, target, whole } = linkNumbers(link, (name) => this.#names.number(name));
      const item = numbers.get(link.from)!;
      const key = `${item} ${kind} ${target} ${whole}`;
      if (seenKeys.has(key)) continue;
      seenKeys.add(key);
      push(this.#links, [file, item, target, whole, kind]);
    }
  }

  async store(queries: TransactionQueries): Promise<void> {
    const insert = (table: string, names: string, types: string[], rows: unknown[][]) => {
      if (rows[0]!.length === 0) return undefined;
      const lists = types.map((type, i) => `$${i + 3}::${type}[]`).join(", ");
      return queries.run(`INSERT INTO ${table}(owner, shelf, ${names}) SELECT $1, $2, * FROM unnest(${lists})`, [
        this.#shelf,
        ...rows,
      ]);
    };
    await Promise.all([
      insert(
        "files",
        "id, path, base, hash, size, modified, language, items, first, last, whole, role",
        fileTypes,
        this.#files,
      ),
      insert("texts", "file, text, imports", ["int", "bytea", "bytea"], this.#texts),
      insert(
        "items",
        "id, key, file, name, title, source, kind, qualified, start, stop, language, signature, doc, hash, parent, outside, test, changed, decisions",
        itemTypes,
        this.#items,
      ),
      insert("terms", "scope, item, length, terms", ["smallint", "int", "int", "bytea"], this.#terms),
      insert("links", "file, item, target, whole, kind", ["int", "int", "int", "int", "smallint"], this.#links),
      storeVectors(queries, this.#shelf, this.#vectors),
    ]);
  }
}

const fileTypes = ["int", "text", "text", "text", "bigint", "float8", "text", "int", "int", "int", "int", "text"];
const itemTypes = [
  ...["int", "text", "int", "int", "text", "text", "text", "text", "int", "int", "text", "text", "text", "text"],
  ...["int", "text", "smallint", "float8", "int"],
];

function columns(count: number): unknown[][] {
  return Array.from({ length: count }, () => []);
}

function push(into: unknown[][], row: unknown[]): void {
  row.forEach((value, i) => {
    into[i]!.push(value);
  });
}

import type { ImportStatement, LinkKind } from "../../../item.ts";
import { linkCodes } from "../../links/link-codes.ts";
import {
  type DefinitionRow,
  declaredModule,
  definitionKinds,
  definitionOf,
  type LinkedItem,
  type LinkMeanings,
  type LinkRows,
  type MentionOfItem,
  manifestNames,
  mostMentions,
  namesInFile,
  type StoredMention,
} from "../../links/link-reading.ts";
import type { Definition } from "../../scope/definitions.ts";
import { arrangePaths, importNames, type ModulePaths } from "../../scope/modules.ts";
import { unpackImports, unpackText } from "../../written-files.ts";
import type { LinkCache, ShelfView } from "../engine/shelf.ts";
import { pathsOf } from "../search/filter.ts";
import { Above, fill, grouped, keep } from "./link-cache.ts";

/**
 * The texts of a link in its source: two joins on plain columns, since the server cannot estimate the rows of a
 * computed one.
 */
const linkNames = `JOIN names AS t ON t.owner = $1 AND t.shelf = $2 AND t.id = l.target
  LEFT JOIN names AS n ON n.owner = $1 AND n.shelf = $2 AND n.id = l.whole`;
const linkText = "coalesce(nullif(n.name, ''), n.folded, nullif(t.name, ''), t.folded)";

/** What an item `i` declares about itself: its supertypes, then its members. */
const declaredLinks = `links AS l ${linkNames}
  WHERE l.owner = $1 AND l.shelf = $2 AND l.file = i.file AND l.item = i.id AND l.whole >= 0
    AND l.kind IN (${linkCodes.extends}, ${linkCodes.implements}, ${linkCodes.declares})`;
const declaredOrder = "l.kind, CASE WHEN l.whole > 0 THEN l.whole ELSE l.target END";

/** Missing rows by their look-up keys: the tables of `LinkCache` that are filled on demand. */
type Needs = {
  mentionsIn: Map<string, LinkedItem>;
  mentionsOf: Map<string, { item: LinkedItem; kinds: ReadonlySet<LinkKind> }>;
  children: Map<string, LinkedItem>;
  modules: boolean;
} & Record<"existing" | "definitions" | "fields" | "imports" | "bases" | "wholeFiles", Set<string>>;

const noNeeds = (): Needs => ({
  mentionsIn: new Map(),
  mentionsOf: new Map(),
  children: new Map(),
  existing: new Set(),
  definitions: new Set(),
  fields: new Set(),
  imports: new Set(),
  bases: new Set(),
  wholeFiles: new Set(),
  modules: false,
});

const noModules = arrangePaths([], []);

/** The cached rows for resolving links; missing ones are noted, and read by `readMissing`. */
export class RememberedRows implements LinkRows {
  readonly #view: ShelfView;
  readonly #cache: LinkCache;
  #needs = noNeeds();
  #meanings: LinkMeanings | undefined;

  constructor(view: ShelfView) {
    this.#view = view;
    this.#cache = view.cache.links;
  }

  /** Where a round puts its results. Discarded when rows were missing. */
  meanings(): LinkMeanings {
    const { targets, bindings } = this.#cache.meanings;
    this.#meanings = { targets: new Above(targets), bindings: new Above(bindings) };
    return this.#meanings;
  }

  mentionsIn(item: LinkedItem): StoredMention[] {
    return this.#cache.mentionsIn.get(item.key) ?? this.#missing(() => this.#needs.mentionsIn.set(item.key, item));
  }

  mentionsOf(item: LinkedItem, kinds: ReadonlySet<LinkKind>): MentionOfItem[] {
    const key = `${item.key} ${codesOf(kinds).join()}`;
    return this.#cache.mentionsOf.get(key) ?? this.#missing(() => this.#needs.mentionsOf.set(key, { item, kinds }));
  }

  children(item: LinkedItem): string[] {
    return this.#cache.children.get(item.key) ?? this.#missing(() => this.#needs.children.set(item.key, item));
  }

  existing(id: string): string[] {
    return this.#cache.existing.get(id) ?? this.#missing(() => this.#needs.existing.add(id));
  }

  definitions(name: string): Definition[] {
    return this.#cache.definitions.get(name) ?? this.#missing(() => this.#needs.definitions.add(name));
  }

  fields(name: string): Definition[] {
    return this.#cache.fields.get(name) ?? this.#missing(() => this.#needs.fields.add(name));
  }

  imports(path: string): ImportStatement[] {
    return this.#cache.imports.get(path) ?? this.#missing(() => this.#needs.imports.add(path));
  }

  bases(id: string): string[] {
    return this.#cache.bases.get(id) ?? this.#missing(() => this.#needs.bases.add(id));
  }

  wholeFiles(path: string): string[] {
    return this.#cache.wholeFiles.get(path) ?? this.#missing(() => this.#needs.wholeFiles.add(path));
  }

  modules(): ModulePaths {
    if (!this.#cache.modules) this.#needs.modules = true;
    return this.#cache.modules ?? noModules;
  }

  #missing(note: () => void): [] {
    note();
    return [];
  }

  /** Reads what the last round missed, in one round trip or two; false when it missed nothing. */
  async readMissing(): Promise<boolean> {
    const needs = this.#needs;
    this.#needs = noNeeds();
    const { modules, ...lists } = needs;
    if (!modules && Object.values(lists).every(({ size }) => size === 0)) {
      keep(this.#meanings!.targets, this.#cache.meanings.targets);
      keep(this.#meanings!.bindings, this.#cache.meanings.bindings);
      return false;
    }
    await Promise.all([
      // After every look-up some module name comes next.
      !this.#cache.modules && this.#readModules(),
      this.#readMentionsIn([...needs.mentionsIn.values()]),
      this.#readMentionsOf(needs.mentionsOf),
      this.#readChildren([...needs.children.values()]),
      this.#readKeys(
        this.#cache.existing,
        [...needs.existing],
        "SELECT key AS by, key FROM items WHERE owner = $1 AND shelf = $2 AND key = ANY($3::text[])",
      ),
      this.#readKeys(
        this.#cache.wholeFiles,
        [...needs.wholeFiles],
        `SELECT f.path AS by, i.key FROM files AS f JOIN items AS i ON i.owner = $1 AND i.shelf = $2 AND i.id = f.whole
         WHERE f.owner = $1 AND f.shelf = $2 AND f.path = ANY($3::text[])`,
      ),
      this.#readKeys(
        this.#cache.bases,
        [...needs.bases],
        `SELECT i.key AS by, l.key FROM items AS i
         CROSS JOIN LATERAL (SELECT ${linkText} AS key FROM ${declaredLinks} ORDER BY ${declaredOrder}) AS l
         WHERE i.owner = $1 AND i.shelf = $2 AND i.key = ANY($3::text[])`,
      ),
      this.#readNamed("definitions", [...needs.definitions]),
      this.#readNamed("fields", [...needs.fields]),
      this.#readImports([...needs.imports]),
    ]);
    return true;
  }

  async #readMentionsIn(items: readonly LinkedItem[]): Promise<void> {
    if (items.length === 0) return;
    const rows = await this.#view.all<StoredMention & { item: number }>(
      `SELECT l.item, l.kind, l.target, l.whole, ${linkText} AS text FROM unnest($3::int[], $4::int[]) AS w(file, item)
       JOIN links AS l ON l.owner = $1 AND l.shelf = $2 AND l.file = w.file AND l.item = w.item
       ${linkNames} WHERE l.kind <> ${linkCodes.declares} AND (t.items > 0 OR l.whole = -1 OR l.kind = ${linkCodes.imports}) ORDER BY l.kind, l.item, l.target, l.whole`,
      [items.map(({ file }) => file), items.map(({ id }) => id)],
    );
    const keys = new Map(items.map(({ id, key }) => [id, key]));
    fill(
      this.#cache.mentionsIn,
      items.map(({ key }) => key),
      rows.map(({ item, ...mention }) => [keys.get(item)!, mention]),
    );
  }

  /** See `LinkRows`: names of the same id, and for imports the possible names of the file, are read first. */
  async #readMentionsOf(needs: Needs["mentionsOf"]): Promise<void> {
    if (needs.size === 0) return;
    const searched = [...needs.values()];
    const [byId, byImport] = await Promise.all([
      this.#namesOfIds(searched.map(({ item }) => item.key)),
      this.#importTargets(
        searched.filter(({ item, kinds }) => kinds.has("imports") && item.whole === item.id).map(({ item }) => item),
      ),
    ]);
    const searches = [...needs].flatMap(([key, { item, kinds }]) => {
      const ids = byId.get(item.key) ?? [];
      const others = codesOf(kinds).filter((code) => code !== linkCodes.imports);
      const imports = kinds.has("imports") ? [...ids, ...(byImport.get(item.key) ?? [])] : [];
      return [
        { key, targets: [item.name, ...ids], codes: others },
        { key, targets: imports, codes: [linkCodes.imports] },
      ];
    });
    const rows = await this.#mentions(searches.filter(({ targets, codes }) => targets.length * codes.length > 0));
    fill(this.#cache.mentionsOf, [...needs.keys()], rows);
  }

  async #namesOfIds(ids: readonly string[]): Promise<Map<string, number[]>> {
    const rows = await this.#view.all<{ by: string; id: number }>(
      `SELECT w.key AS by, n.id FROM unnest($3::text[], $4::text[], $5::text[]) AS w(key, folded, name)
       JOIN names AS n ON n.owner = $1 AND n.shelf = $2 AND n.folded = w.folded AND n.name = w.name`,
      [ids, ids.map((id) => id.toLowerCase()), ids.map((id) => (id === id.toLowerCase() ? "" : id))],
    );
    return grouped(rows.map(({ by, id }) => [by, id]));
  }

  async #importTargets(items: readonly LinkedItem[]): Promise<Map<string, number[]>> {
    if (items.length === 0) return new Map();
    const names = items.flatMap(({ key, path }) => importNames(path).map((name) => [key, name.toLowerCase()] as const));
    const rows = await this.#view.all<{ by: string; id: number }>(
      `SELECT w.key AS by, n.id FROM unnest($3::text[], $4::text[]) AS w(key, folded)
       JOIN names AS n ON n.owner = $1 AND n.shelf = $2 AND n.folded = w.folded
       UNION SELECT w.key, i.name FROM unnest($5::text[], $6::int[], $7::int[]) AS w(key, first, last)
       CROSS JOIN LATERAL (SELECT x.name FROM items AS x WHERE x.owner = $1 AND x.shelf = $2 AND x.id BETWEEN w.first AND w.last
         ORDER BY x.id LIMIT ${namesInFile}) AS i`,
      [
        names.map(([key]) => key),
        names.map(([, name]) => name),
        items.map(({ key }) => key),
        items.map(({ first = 0 }) => first),
        items.map(({ last = 0 }) => last),
      ],
    );
    return grouped(rows.map(({ by, id }) => [by, id]));
  }

  /** For each search the first mentions of its targets, in the order of the targets. */
  async #mentions(
    searches: readonly { key: string; targets: readonly number[]; codes: readonly number[] }[],
  ): Promise<[string, MentionOfItem][]> {
    if (searches.length === 0) return [];
    const targets = searches.flatMap(({ targets, codes }, search) =>
      [...new Set(targets)].map((target) => ({
        search,
        target,
        codes: codes.reduce((mask, code) => mask | (1 << code), 0),
      })),
    );
    const rows = await this.#view.all<MentionOfItem & { search: number }>(
      `WITH found AS MATERIALIZED (
         SELECT w.search, k.kind, k.target, k.whole, k.file, k.item,
           row_number() OVER (PARTITION BY w.search ORDER BY w.place, k.kind, k.file, k.item, k.whole) AS rank
         FROM unnest($3::int[], $4::int[], $5::int[]) WITH ORDINALITY AS w(search, target, codes, place)
         JOIN links AS k ON k.owner = $1 AND k.shelf = $2 AND k.target = w.target AND (1 << k.kind) & w.codes <> 0
       )
       SELECT l.search, i.key AS "from", l.kind, l.target, l.whole, ${linkText} AS text, l.file, f.path, i.qualified, i.language, i.test
       FROM found AS l
       JOIN items AS i ON i.owner = $1 AND i.shelf = $2 AND i.id = l.item
       JOIN files AS f ON f.owner = $1 AND f.shelf = $2 AND f.id = l.file
       ${linkNames} WHERE l.rank <= ${mostMentions} ORDER BY l.search, l.rank`,
      [targets.map(({ search }) => search), targets.map(({ target }) => target), targets.map(({ codes }) => codes)],
    );
    return rows.map(({ search, ...mention }) => [searches[search]!.key, mention]);
  }

  async #readChildren(items: readonly LinkedItem[]): Promise<void> {
    if (items.length === 0) return;
    const rows = await this.#view.all<{ by: string; key: string }>(
      `SELECT i.outside AS by, i.key, i.id FROM items AS i WHERE i.owner = $1 AND i.shelf = $2 AND i.outside = ANY($3::text[])
       UNION ALL SELECT w.key, i.key, i.id FROM unnest($3::text[], $4::int[], $5::int[], $6::int[]) AS w(key, id, first, last)
       JOIN items AS i ON i.owner = $1 AND i.shelf = $2 AND i.id BETWEEN w.first AND w.last AND i.parent = w.id`,
      [
        items.map(({ key }) => key),
        items.map(({ id }) => id),
        items.map(({ first = 0 }) => first),
        items.map(({ last = 0 }) => last),
      ],
    );
    fill(
      this.#cache.children,
      items.map(({ key }) => key),
      rows.map(({ by, key }) => [by, key]),
    );
  }

  async #readKeys(into: Map<string, string[]>, keys: readonly string[], sql: string): Promise<void> {
    if (keys.length === 0) return;
    const rows = await this.#view.all<{ by: string; key: string }>(sql, [keys]);
    fill(
      into,
      keys,
      rows.map(({ by, key }) => [by, key]),
    );
  }

  async #readNamed(kinds: "definitions" | "fields", names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    // What a type declares is asked next, to find its members: it comes along.
    const rows = await this.#view.all<DefinitionRow & { by: string; declared: string[] | null }>(
      `SELECT w.asked AS by, i.key, f.path, i.qualified, i.kind, p.kind AS inside, i.language, i.test,
         CASE WHEN i.kind IN ('class', 'interface', 'enum', 'type')
           THEN ARRAY(SELECT ${linkText} FROM ${declaredLinks} ORDER BY ${declaredOrder}) END AS declared
       FROM unnest($3::text[], $4::text[], $5::text[]) AS w(asked, folded, name)
       JOIN names AS n ON n.owner = $1 AND n.shelf = $2 AND n.folded = w.folded AND n.name = w.name
       JOIN items AS i ON i.owner = $1 AND i.shelf = $2 AND i.name = n.id AND i.name > 0
       JOIN files AS f ON f.owner = $1 AND f.shelf = $2 AND f.id = i.file
       LEFT JOIN items AS p ON p.owner = $1 AND p.shelf = $2 AND p.id = i.parent
       WHERE ${definitionKinds[kinds]} ORDER BY i.id`,
      [names, names.map((name) => name.toLowerCase()), names.map((name) => (name === name.toLowerCase() ? "" : name))],
    );
    fill(
      this.#cache[kinds],
      names,
      rows.map(({ by, declared: _, ...row }) => [by, definitionOf(row)]),
    );
    for (const { key, declared } of rows) if (declared) this.#cache.bases.set(key, declared);
  }

  async #readImports(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const rows = await this.#view.all<{ path: string; imports: Uint8Array }>(
      `SELECT f.path, t.imports FROM files AS f JOIN texts AS t ON t.owner = $1 AND t.shelf = $2 AND t.file = f.id
       WHERE f.owner = $1 AND f.shelf = $2 AND f.path = ANY($3::text[])`,
      [paths],
    );
    fill(
      this.#cache.imports,
      paths,
      rows.flatMap(({ path, imports }) => unpackImports(imports).map((statement) => [path, statement] as const)),
    );
  }

  async #readModules(): Promise<void> {
    const [paths, goFiles] = await Promise.all([
      pathsOf(this.#view),
      this.#view.all<{ path: string; text: Uint8Array }>(
        `SELECT f.path, t.text FROM files AS f JOIN texts AS t ON t.owner = $1 AND t.shelf = $2 AND t.file = f.id
         WHERE f.owner = $1 AND f.shelf = $2 AND f.base IN (${manifestNames}) ORDER BY f.id`,
      ),
    ]);
    this.#cache.modules = arrangePaths(
      paths.map(({ path }) => path),
      goFiles.flatMap(({ path, text }) => declaredModule(path, unpackText(text))),
    );
  }
}

function codesOf(kinds: ReadonlySet<LinkKind>): number[] {
  return [...kinds].map((kind) => linkCodes[kind]).sort((a, b) => a - b);
}

import type { ImportStatement, LinkKind } from "../../../item.ts";
import { allLinkKinds, linkCodes } from "../../links/link-codes.ts";
import { inOrder, takeInTurn } from "../../links/link-order.ts";
import {
  type DefinitionRow,
  declaredModule,
  defaultLinkLimit,
  definitionKinds,
  definitionOf,
  type LinkedItem,
  LinkReading,
  type LinkRows,
  type MentionOfItem,
  manifestNames,
  mostMentions,
  mostRemembered,
  namesInFile,
  remember,
  type StoredMention,
} from "../../links/link-reading.ts";
import { arrangePaths, importNames } from "../../scope/modules.ts";
import type { ResolvedLink } from "../../store.ts";
import { unpackImports, unpackText } from "../../written-files.ts";
import { cacheOf, findOwner, type LinkMemory, type Owner, pathsOf, type StoreSession } from "../engine/owner.ts";

const allCodes = allLinkKinds.map((kind) => linkCodes[kind]).join(", ");
const written = "iif(n.name = '', n.folded, n.name)";

export function links(
  session: StoreSession,
  ownerName: string,
  ids: string[],
  direction: "from" | "to",
  kinds: LinkKind[] = allLinkKinds,
  limit = defaultLinkLimit,
): ResolvedLink[] {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner || ids.length === 0) return [];
    const rows = new Rows(session, owner);
    const items = rows.linkedItems([...new Set(ids)]);
    if (direction === "from") rows.readMentions(items);
    const { meanings } = cacheOf(session, owner).links;
    const reading = new LinkReading(rows, meanings);
    const kindSet = new Set(kinds);
    const groups = items.map((item) =>
      inOrder(direction === "from" ? reading.from(item, kindSet) : reading.to(item, kindSet)),
    );
    return takeInTurn(groups, limit);
  });
}

export function meanings(session: StoreSession, ownerName: string, id: string, names: string[]): Map<string, string[]> {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner) return new Map();
    const rows = new Rows(session, owner);
    const [item] = rows.linkedItems([id]);
    return item ? new LinkReading(rows, cacheOf(session, owner).links.meanings).meanings(item, names) : new Map();
  });
}

/** Look-ups of links, cached until the next revision: every query follows the same few hundred names. */
class Rows implements LinkRows {
  readonly #session: StoreSession;
  readonly #owner: Owner;
  readonly #memory: LinkMemory;

  constructor(session: StoreSession, owner: Owner) {
    this.#session = session;
    this.#owner = owner;
    this.#memory = cacheOf(session, owner).links;
  }

  /** The items with these ids, in their order. */
  linkedItems(ids: string[]): LinkedItem[] {
    const { items } = this.#memory;
    const found = new Map<string, LinkedItem>();
    const missing: string[] = [];
    for (const id of ids) {
      const item = items.get(id);
      if (item) found.set(id, item);
      else missing.push(id);
    }
    for (const item of missing.length === 0 ? [] : this.#readLinkedItems(missing)) {
      items.set(item.key, item);
      found.set(item.key, item);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  #readLinkedItems(ids: string[]): LinkedItem[] {
    const rows = this.#values<
      [number, string, number, string | null, number, string, string, string | null, number | null, number | null]
    >(
      `SELECT json_array(i.id, i.key, i.name, coalesce(p.key, i.outside), i.file, f.path, i.qualified, i.language, i.test, f.whole) AS row
       FROM json_each(?2) AS j CROSS JOIN items AS i ON i.owner = ?1 AND i.key = j.value JOIN files AS f ON f.id = i.file
       LEFT JOIN items AS p ON p.id = i.parent`,
      [JSON.stringify(ids)],
    );
    return rows.map(([id, key, name, parent, file, path, qualified, language, test, whole]) => {
      return { id, key, name, parent, file, path, qualified, language, test, whole };
    });
  }

  mentionsIn(item: LinkedItem): StoredMention[] {
    if (!this.#memory.mentions.has(item.id)) this.readMentions([item]);
    return this.#memory.mentions.get(item.id)!;
  }

  /** Reads all uncached mentions in these items by one statement: a query needs some thirty items at once. */
  readMentions(items: readonly LinkedItem[]): void {
    const { mentions } = this.#memory;
    const missing = items.filter(({ id }) => !mentions.has(id));
    if (missing.length === 0) return;
    if (mentions.size >= mostRemembered) mentions.clear();
    for (const { id } of missing) mentions.set(id, []);
    const rows = this.#values<[number, number, number, number, string]>(
      `SELECT json_array(l.item, l.kind, l.target, l.whole, ${written}) AS row FROM json_each(?2) AS j
       CROSS JOIN links AS l ON l.owner = ?1 AND l.file = json_extract(j.value, '$[0]') AND l.kind IN (${allCodes})
         AND l.item = json_extract(j.value, '$[1]')
       CROSS JOIN names AS t ON t.id = l.target CROSS JOIN names AS n ON n.id = iif(l.whole > 0, l.whole, l.target)
       WHERE t.items > 0 OR l.whole = -1 OR l.kind = ${linkCodes.imports}`,
      [JSON.stringify(missing.map(({ file, id }) => [file, id]))],
    );
    for (const [item, kind, target, whole, text] of rows) mentions.get(item)!.push({ kind, target, whole, text });
  }

  children(item: LinkedItem): string[] {
    return this.#keys(
      `SELECT key FROM items WHERE owner = ?1 AND outside = ?2
       UNION ALL SELECT key FROM items WHERE owner = ?1 AND file = ?3 AND parent = ?4`,
      [item.key, item.file, item.id],
    );
  }

  mentionsOf(item: LinkedItem, kinds: ReadonlySet<LinkKind>): MentionOfItem[] {
    const others = new Set(kinds);
    others.delete("imports");
    const byId = this.#all<{ id: number }>("SELECT id FROM names WHERE owner = ? AND folded = ? AND name = ?", [
      item.key.toLowerCase(),
      item.key === item.key.toLowerCase() ? "" : item.key,
    ]);
    const mentions = this.#mentions([item.name, ...byId.map(({ id }) => id)], codes(others));
    if (!kinds.has("imports")) return mentions;
    const targets = byId.map(({ id }) => id);
    if (item.whole === item.id) targets.push(...this.#importTargets(item));
    return [...mentions, ...this.#mentions(targets, codes(new Set<LinkKind>(["imports"])))];
  }

  #importTargets(item: LinkedItem): number[] {
    const folded = importNames(item.path).map((name) => name.toLowerCase());
    const rows = this.#all<{ id: number }>(
      `SELECT id FROM names WHERE owner = ?1 AND folded IN (SELECT value FROM json_each(?2))
       UNION SELECT name FROM (SELECT name FROM items WHERE owner = ?1 AND file = ?3 ORDER BY place LIMIT ${namesInFile})`,
      [JSON.stringify(folded), item.file],
    );
    return rows.map(({ id }) => id);
  }

  #mentions(targets: number[], kindCodes: string): MentionOfItem[] {
    const rows = this.#values<
      [string, number, number, number, string, number, string, string, string | null, number | null]
    >(
      `SELECT json_array(i.key, l.kind, l.target, l.whole, ${written}, l.file, f.path, i.qualified, i.language, i.test) AS row
       FROM json_each(?2) AS j CROSS JOIN links AS l ON l.owner = ?1 AND l.target = j.value AND l.kind IN (SELECT value FROM json_each(?3))
       JOIN items AS i ON i.id = l.item JOIN files AS f ON f.id = l.file
       JOIN names AS n ON n.id = iif(l.whole > 0, l.whole, l.target) LIMIT ${mostMentions}`,
      [JSON.stringify([...new Set(targets)]), kindCodes],
    );
    return rows.map(([from, kind, target, whole, text, file, path, qualified, language, test]) => {
      return { from, kind, target, whole, text, file, path, qualified, language, test };
    });
  }

  definitions(name: string) {
    return remember(this.#memory.definitions, name, () => this.#named(name, definitionKinds.definitions));
  }

  fields(name: string) {
    return remember(this.#memory.fields, name, () => this.#named(name, definitionKinds.fields));
  }

  #named(name: string, condition: string) {
    const folded = name.toLowerCase();
    const rows = this.#values<DefinitionRow>(
      `SELECT json_object('key', i.key, 'path', f.path, 'qualified', i.qualified, 'kind', i.kind, 'inside', p.kind,
         'language', i.language, 'test', i.test) AS row FROM names AS n
       CROSS JOIN items AS i ON i.owner = n.owner AND i.name = n.id JOIN files AS f ON f.id = i.file
       LEFT JOIN items AS p ON p.id = i.parent
       WHERE n.owner = ? AND n.folded = ? AND n.name = ? AND ${condition} ORDER BY +i.file, i.place`,
      [folded, folded === name ? "" : name],
    );
    return rows.map(definitionOf);
  }

  existing(id: string): string[] {
    return this.#keys("SELECT key FROM items WHERE owner = ? AND key = ?", [id]);
  }

  imports(path: string): ImportStatement[] {
    const row = this.#all<{ imports: Uint8Array }>(
      "SELECT t.imports FROM files AS f JOIN texts AS t ON t.file = f.id WHERE f.owner = ? AND f.path = ?",
      [path],
    )[0];
    return row ? unpackImports(row.imports) : [];
  }

  bases(id: string): string[] {
    return remember(this.#memory.bases, id, () => this.#basesOf(id));
  }

  #basesOf(id: string): string[] {
    const rows = this.#all<{ text: string }>(
      `SELECT ${written} AS text FROM items AS i JOIN links AS l ON l.owner = i.owner AND l.file = i.file AND l.kind IN (?2, ?3, ?4) AND l.item = i.id
       JOIN names AS n ON n.id = iif(l.whole > 0, l.whole, l.target) WHERE i.owner = ?1 AND i.key = ?5 AND l.whole >= 0 ORDER BY l.kind, n.id`,
      [linkCodes.extends, linkCodes.implements, linkCodes.declares, id],
    );
    return rows.map(({ text }) => text);
  }

  wholeFiles(path: string): string[] {
    return this.#keys(
      "SELECT i.key FROM files AS f CROSS JOIN items AS i ON i.id = f.whole AND i.file = f.id WHERE f.owner = ? AND f.path = ?",
      [path],
    );
  }

  modules() {
    const cache = cacheOf(this.#session, this.#owner);
    cache.modules ??= arrangePaths(
      pathsOf(this.#session, this.#owner).map(({ path }) => path),
      this.#namedModules(),
    );
    return cache.modules;
  }

  #namedModules() {
    const rows = this.#all<{ path: string; text: Uint8Array }>(
      `SELECT f.path, t.text FROM files AS f JOIN texts AS t ON t.file = f.id WHERE f.owner = ? AND f.base IN (${manifestNames})`,
      [],
    );
    return rows.flatMap(({ path, text }) => declaredModule(path, unpackText(text)));
  }

  #keys(sql: string, values: (string | number)[]): string[] {
    return this.#all<{ key: string }>(sql, values).map(({ key }) => key);
  }

  /** Rows of a statement with one column of JSON, `row`, read as one text: this takes half the time of objects. */
  #values<Row>(sql: string, values: (string | number)[]): Row[] {
    const [all] = this.#all<{ rows: string | null }>(`SELECT group_concat(row) AS rows FROM (${sql})`, values);
    return JSON.parse(`[${all!.rows ?? ""}]`) as Row[];
  }

  /** Rows of a statement whose first value is the owner. */
  #all<Row>(sql: string, values: (string | number)[]): Row[] {
    return this.#session.database.all<Row>(sql, [this.#owner.id, ...values]);
  }
}

function codes(kinds: ReadonlySet<LinkKind>): string {
  return JSON.stringify([...kinds].map((kind) => linkCodes[kind]));
}

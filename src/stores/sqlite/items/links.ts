import { inflateRawSync } from "node:zlib";
import type { ImportStatement, Kind, LinkKind } from "../../../item.ts";
import { type Binding, type Definition, dotted, type Program } from "../../scope/definitions.ts";
import { arrangePaths, folderOf, type GoModule, importNames, resolveModule } from "../../scope/modules.ts";
import { chooseTargets } from "../../scope/targets.ts";
import { isSelf, isSuper } from "../../scope/visibility.ts";
import type { ResolvedLink } from "../../store.ts";
import {
  cacheOf,
  findOwner,
  type LinkMemory,
  type Owner,
  pathsOf,
  type StoredMention,
  type StoreSession,
} from "../engine/owner.ts";
import { linkCodes } from "../engine/schema.ts";
import { inOrder, takeInTurn } from "./link-order.ts";

const kindsByCode = new Map(Object.entries(linkCodes).map(([kind, code]) => [code, kind as LinkKind]));
const allCodes = Object.values(linkCodes).join(", ");
const defaultLimit = 1000;
/** Mentions of one name that are looked at to find who means an item. */
const mostMentions = 500;
const namesInFile = 200;
const writtenText = "iif(n.name = '', n.folded, n.name) AS text";
const notDefinitions = "('file', 'document', 'config', 'section', 'field', 'block')";

type Asked = {
  id: number;
  key: string;
  name: number;
  parent: string | null;
  file: number;
  path: string;
  qualified: string;
  language: string | null;
  test: number | null;
  whole: number | null;
  first: number;
  last: number;
};
type Placed = StoredMention & Pick<Asked, "file" | "path" | "qualified" | "language" | "test">;
type Mentioned = Placed & { from: string };

export function links(
  session: StoreSession,
  ownerName: string,
  ids: string[],
  direction: "from" | "to",
  kinds: LinkKind[] = Object.keys(linkCodes) as LinkKind[],
  limit = defaultLimit,
): ResolvedLink[] {
  return session.database.transaction("read", () => {
    const owner = findOwner(session.database, ownerName);
    if (!owner || ids.length === 0) return [];
    const asked = session.database.all<Asked>(
      `SELECT i.id, i.key, i.name, coalesce(p.key, i.outside) AS parent, i.file, f.path, i.qualified, i.language, i.test, f.whole, f.first, f.last FROM json_each(?) AS j
       CROSS JOIN items AS i ON i.owner = ? AND i.key = j.value JOIN files AS f ON f.id = i.file
       LEFT JOIN items AS p ON p.id = i.parent ORDER BY j.key`,
      [JSON.stringify([...new Set(ids)]), owner.id],
    );
    const reading = new Reading(session, owner);
    const wanted = new Set(kinds);
    const groups = asked.map((item) =>
      inOrder(direction === "from" ? reading.from(item, wanted) : reading.to(item, wanted)),
    );
    return takeInTurn(groups, limit);
  });
}

function written({ kind, whole, text }: StoredMention): Pick<ResolvedLink, "texts"> {
  return kind === linkCodes.imports || whole === -1 ? {} : { texts: [text] };
}

/** One read of links. What it looks up is remembered until the next revision: every question follows the same few hundred names. */
class Reading {
  readonly #session: StoreSession;
  readonly #owner: Owner;
  readonly #memory: LinkMemory;

  constructor(session: StoreSession, owner: Owner) {
    this.#session = session;
    this.#owner = owner;
    this.#memory = cacheOf(session, owner).links;
  }

  from(item: Asked, kinds: Set<LinkKind>): ResolvedLink[] {
    const found: ResolvedLink[] = [];
    if (kinds.has("contains")) {
      for (const to of this.#children(item)) {
        found.push({ from: item.key, to, kind: "contains" });
      }
    }
    for (const mention of this.#mentionsIn(item)) {
      const kind = kindsByCode.get(mention.kind)!;
      if (!kinds.has(kind)) continue;
      const { file, path, qualified, language, test } = item;
      for (const to of this.#targets({ ...mention, file, path, qualified, language, test })) {
        found.push({ from: item.key, to, kind, ...written(mention) });
      }
    }
    return found;
  }

  /** What an item names, of every kind. Names that no item has are most of them, and mean nothing. */
  #mentionsIn(item: Asked): StoredMention[] {
    return remember(this.#memory.mentions, item.id, () =>
      this.#all(
        `SELECT l.kind, l.target, l.whole, ${writtenText} FROM links AS l JOIN names AS t ON t.id = l.target
         JOIN names AS n ON n.id = iif(l.whole > 0, l.whole, l.target)
         WHERE l.owner = ? AND l.file = ? AND l.kind IN (${allCodes}) AND l.item = ?
         AND (t.items > 0 OR l.whole = -1 OR l.kind = ${linkCodes.imports})`,
        [item.file, item.id],
      ),
    );
  }

  to(item: Asked, kinds: Set<LinkKind>): ResolvedLink[] {
    const found: ResolvedLink[] = [];
    if (kinds.has("contains") && item.parent !== null) {
      for (const from of this.#keys("SELECT key FROM items WHERE owner = ? AND key = ?", [item.parent])) {
        found.push({ from, to: item.key, kind: "contains" });
      }
    }
    for (const mention of this.#mentionsOf(item, kinds)) {
      if (!this.#targets(mention).includes(item.key)) continue;
      found.push({ from: mention.from, to: item.key, kind: kindsByCode.get(mention.kind)!, ...written(mention) });
    }
    return found;
  }

  #children(item: Asked): string[] {
    return this.#keys(
      `SELECT key FROM items WHERE owner = ?1 AND outside = ?2
       UNION ALL SELECT key FROM items WHERE id BETWEEN ?3 AND ?4 AND file = ?5 AND parent = ?6`,
      [item.key, item.first, item.last, item.file, item.id],
    );
  }

  /** Links that may mean this item: by its id, by its name, and for whole files by what imports could call them. */
  #mentionsOf(item: Asked, kinds: Set<LinkKind>): Mentioned[] {
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

  #importTargets(item: Asked): number[] {
    const folded = importNames(item.path).map((name) => name.toLowerCase());
    const rows = this.#all<{ id: number }>(
      `SELECT id FROM names WHERE owner = ? AND folded IN (SELECT value FROM json_each(?))
       UNION SELECT name FROM (SELECT name FROM items WHERE id BETWEEN ? AND ? AND file = ? LIMIT ${namesInFile})`,
      [JSON.stringify(folded), item.first, item.last, item.file],
    );
    return rows.map(({ id }) => id);
  }

  #mentions(targets: number[], kindCodes: string): Mentioned[] {
    return this.#all<Mentioned>(
      `SELECT i.key AS "from", l.kind, l.target, l.whole, ${writtenText}, l.file, f.path, i.qualified, i.language, i.test FROM json_each(?2) AS j
       CROSS JOIN links AS l ON l.owner = ?1 AND l.target = j.value AND l.kind IN (SELECT value FROM json_each(?3))
       JOIN items AS i ON i.id = l.item JOIN files AS f ON f.id = l.file
       JOIN names AS n ON n.id = iif(l.whole > 0, l.whole, l.target) LIMIT ${mostMentions}`,
      [JSON.stringify([...new Set(targets)]), kindCodes],
    );
  }

  /** What a mention means depends on its file and text, and on the unit where that may be meant by it: a file repeats itself. */
  #targets(mention: Placed): string[] {
    const { kind, file, target, whole, text } = mention;
    const rule =
      kind === linkCodes.imports ? "i" : kind === linkCodes.tests ? "t" : kind === linkCodes.calls ? "c" : "r";
    const first = text.slice(0, Math.max(0, text.indexOf(".")));
    const unit = whole !== -1 && (whole === 0 || isSelf(first) || isSuper(first)) ? mention.qualified : "";
    const key = `${rule} ${file} ${target} ${whole} ${mention.test} ${unit}`;
    return remember(this.#memory.meanings, key, () => this.#resolveMention(mention));
  }

  #resolveMention(mention: Placed): string[] {
    if (mention.whole === -1) {
      return this.#keys("SELECT key FROM items WHERE owner = ? AND key = ?", [mention.text]);
    }
    if (mention.kind === linkCodes.imports) {
      return this.#resolve(mention.text, mention.path).flatMap((path) => this.#wholeFiles(path));
    }
    const { text, path, qualified, language, test } = mention;
    const targets = chooseTargets(
      {
        kind: kindsByCode.get(mention.kind)!,
        text,
        path,
        unit: unitName(qualified),
        language: language ?? undefined,
        test: test === 1,
      },
      this.#program,
    );
    return targets.map(({ id }) => id);
  }

  readonly #program: Program = {
    definitions: (name) => remember(this.#memory.definitions, name, () => this.#definitionsOf(name)),
    imports: (path) => remember(this.#memory.imports, path, () => this.#importsOf(path)),
    files: (module, from) => this.#resolve(module, from),
    bases: ({ id }) => remember(this.#memory.bases, id, () => this.#basesOf(id)),
  };

  #definitionsOf(name: string): Definition[] {
    const folded = name.toLowerCase();
    const rows = this.#all<DefinitionRow>(
      `SELECT i.key, f.path, i.qualified, i.kind, p.kind AS inside, i.language, i.test FROM names AS n
       CROSS JOIN items AS i ON i.owner = n.owner AND i.name = n.id JOIN files AS f ON f.id = i.file
       LEFT JOIN items AS p ON p.id = i.parent
       WHERE n.owner = ? AND n.folded = ? AND n.name = ? AND i.kind NOT IN ${notDefinitions} ORDER BY i.id`,
      [folded, folded === name ? "" : name],
    );
    return rows.map(({ key, path, qualified, kind, inside, language, test }) => ({
      id: key,
      path,
      qualified: unitName(qualified),
      kind,
      inside: inside ?? undefined,
      language: language ?? undefined,
      test: test === 1,
    }));
  }

  #importsOf(path: string): Binding[] {
    const row = this.#all<{ imports: Uint8Array }>(
      "SELECT t.imports FROM files AS f JOIN texts AS t ON t.file = f.id WHERE f.owner = ? AND f.path = ?",
      [path],
    )[0];
    if (!row) return [];
    const statements = JSON.parse(inflateRawSync(row.imports).toString()) as ImportStatement[];
    return statements.map(({ module, names }) => {
      const files = new Map<string | undefined, string[]>();
      const meaning = (name?: string) => this.#resolve(withName(module, name, path), path);
      return { module, names, files: (name) => remember(files, name, () => meaning(name)) };
    });
  }

  #basesOf(id: string): string[] {
    const rows = this.#all<{ text: string }>(
      `SELECT ${writtenText} FROM items AS i JOIN links AS l ON l.owner = i.owner AND l.file = i.file AND l.kind IN (?2, ?3) AND l.item = i.id
       JOIN names AS n ON n.id = iif(l.whole > 0, l.whole, l.target) WHERE i.owner = ?1 AND i.key = ?4 AND l.whole >= 0 ORDER BY l.kind, n.id`,
      [linkCodes.extends, linkCodes.implements, id],
    );
    return rows.map(({ text }) => text);
  }

  #wholeFiles(path: string): string[] {
    return this.#keys(
      "SELECT i.key FROM files AS f CROSS JOIN items AS i ON i.id = f.whole AND i.file = f.id WHERE f.owner = ? AND f.path = ?",
      [path],
    );
  }

  #resolve(name: string, from: string): string[] {
    const cache = cacheOf(this.#session, this.#owner);
    cache.modules ??= arrangePaths(
      pathsOf(this.#session, this.#owner).map(({ path }) => path),
      this.#goModules(),
    );
    return resolveModule(name, from, cache.modules);
  }

  #goModules(): GoModule[] {
    const rows = this.#all<{ path: string; text: Uint8Array }>(
      "SELECT f.path, t.text FROM files AS f JOIN texts AS t ON t.file = f.id WHERE f.owner = ? AND f.base = 'go.mod'",
      [],
    );
    return rows.flatMap(({ path, text }) => {
      const name = /^\s*module\s+"?([^\s"]+)/m.exec(inflateRawSync(text).toString())?.[1];
      return name === undefined ? [] : [{ name, folder: folderOf(path) }];
    });
  }

  #keys(sql: string, values: (string | number)[]): string[] {
    return this.#all<{ key: string }>(sql, values).map(({ key }) => key);
  }

  /** Rows of a statement whose first value is the owner. */
  #all<Row>(sql: string, values: (string | number)[]): Row[] {
    return this.#session.database.all<Row>(sql, [this.#owner.id, ...values]);
  }
}

type DefinitionRow = {
  key: string;
  path: string;
  qualified: string;
  kind: Kind;
  inside: Kind | null;
  language: string | null;
  test: number | null;
};

/** The qualified name without its path (see `storedQualifiedName`), with dots. */
function unitName(stored: string): string {
  return dotted(stored.slice(1).replace(/^[^:]*::/, ""));
}

/** What an import brings may be a module inside the one it names, where the language has such. */
function withName(module: string, name: string | undefined, path: string): string {
  if (name === undefined || name === "*") return module;
  if (/\.pyi?$/.test(path)) return module.endsWith(".") ? module + name : `${module}.${name}`;
  return path.endsWith(".rs") ? `${module}::${name}` : module;
}

function codes(kinds: Set<LinkKind>): string {
  return JSON.stringify([...kinds].map((kind) => linkCodes[kind]));
}

/** Emptied whole when full. */
const mostRemembered = 20_000;

function remember<Key, Value>(memory: Map<Key, Value>, key: Key, compute: () => Value): Value {
  let value = memory.get(key);
  if (value === undefined) {
    value = compute();
    if (memory.size >= mostRemembered) memory.clear();
    memory.set(key, value);
  }
  return value;
}

import { lastPart } from "../../scope/modules.ts";
import type { Queries, TransactionQueries } from "../engine/session/session.ts";

/** The state of a shelf before a write, for the paths, ids and names in it. */
export type StateBefore = {
  shelf: ShelfNumbers;
  /** Files that are replaced or removed. */
  files: number[];
  /** Items to remove: those of these files, and those whose ids now come with another file. */
  items: GoneItem[];
  /** Names that links of these items use. */
  links: { target: number; whole: number }[];
  names: KnownName[];
  parts: { scope: number; id: number; size: number }[];
  /** Whether language models have vectors of this shelf's items. */
  hasModels: boolean;
};

export type ShelfNumbers = {
  unit_count: number;
  file_count: number;
  last_file: number;
  last_item: number;
  last_name: number;
  last_part: number;
};

export type GoneItem = {
  id: number;
  key: string;
  hash: string;
  name: number;
  file: number;
  /** False when its file stays. */
  with_file: boolean;
  unit: number | null;
  whole: number | null;
};

export type KnownName = { id: number; folded: string; name: string };

/** A writer holds the shelf's row until the transaction ends, so that numbers are unique. */
export async function lockShelf(queries: Queries, shelf: number): Promise<ShelfNumbers> {
  const [, state] = await Promise.all([
    queries.run("INSERT INTO shelves(owner, shelf) VALUES($1, $2) ON CONFLICT DO NOTHING", [shelf]),
    queries.get<ShelfNumbers>(
      `SELECT unit_count, file_count, last_file, last_item, last_name, last_part FROM shelves
       WHERE owner = $1 AND shelf = $2 FOR UPDATE`,
      [shelf],
    ),
  ]);
  return state!;
}

const oldFiles = "SELECT g.id FROM files AS g WHERE g.owner = $1 AND g.shelf = $2 AND g.path = ANY($3::text[])";

/**
 * One round trip where everything is new, else two: the shelf is locked first, and each statement sees everything
 * committed before that.
 */
export async function readBefore(
  queries: TransactionQueries,
  shelf: number,
  { paths, ids, names }: { paths: readonly string[]; ids: readonly string[]; names: readonly string[] },
): Promise<StateBefore> {
  const folded = [...new Set(names.flatMap((name) => [name.toLowerCase(), lastPart(name).toLowerCase()]))];
  const [locked, files, claimed, existingNames, parts, models] = await Promise.all([
    lockShelf(queries, shelf),
    queries.all<{ id: number }>(oldFiles, [shelf, paths]),
    queries.all("SELECT 1 FROM items WHERE owner = $1 AND shelf = $2 AND key = ANY($3::text[]) LIMIT 1", [shelf, ids]),
    queries.all<KnownName>(
      "SELECT id, folded, name FROM names WHERE owner = $1 AND shelf = $2 AND folded = ANY($3::text[])",
      [shelf, folded],
    ),
    queries.all<{ scope: number; id: number; size: number }>(
      "SELECT scope, id, size FROM parts WHERE owner = $1 AND shelf = $2 ORDER BY id",
      [shelf],
    ),
    queries.all("SELECT 1 FROM models WHERE owner = $1 AND shelf = $2 LIMIT 1", [shelf]),
  ]);
  const isNew = files.length === 0 && claimed.length === 0;
  return {
    shelf: locked,
    files: files.map(({ id }) => id),
    ...(isNew ? { items: [], links: [] } : await readGone(queries, shelf, paths, ids)),
    names: existingNames,
    parts,
    hasModels: models.length > 0,
  };
}

async function readGone(
  queries: TransactionQueries,
  shelf: number,
  paths: readonly string[],
  ids: readonly string[],
): Promise<Pick<StateBefore, "items" | "links">> {
  const [items, links] = await Promise.all([
    queries.all<GoneItem>(
      `SELECT i.id, i.key, i.hash, i.name, i.file, f.path = ANY($3::text[]) AS with_file, u.length AS unit, w.length AS whole
       FROM items AS i JOIN files AS f ON f.owner = $1 AND f.shelf = $2 AND f.id = i.file
       LEFT JOIN terms AS u ON u.owner = $1 AND u.shelf = $2 AND u.scope = 0 AND u.item = i.id
       LEFT JOIN terms AS w ON w.owner = $1 AND w.shelf = $2 AND w.scope = 1 AND w.item = i.id
       WHERE i.owner = $1 AND i.shelf = $2 AND i.id IN (
         SELECT x.id FROM files AS g JOIN items AS x ON x.owner = $1 AND x.shelf = $2 AND x.id BETWEEN g.first AND g.last AND x.file = g.id
         WHERE g.owner = $1 AND g.shelf = $2 AND g.path = ANY($3::text[])
         UNION SELECT x.id FROM items AS x WHERE x.owner = $1 AND x.shelf = $2 AND x.key = ANY($4::text[])
       ) ORDER BY i.id`,
      [shelf, paths, ids],
    ),
    queries.all<{ target: number; whole: number }>(
      `SELECT l.target, l.whole FROM links AS l WHERE l.owner = $1 AND l.shelf = $2 AND l.file IN (${oldFiles})
       UNION SELECT l.target, l.whole FROM items AS i
       JOIN links AS l ON l.owner = $1 AND l.shelf = $2 AND l.file = i.file AND l.item = i.id
       WHERE i.owner = $1 AND i.shelf = $2 AND i.key = ANY($4::text[])`,
      [shelf, paths, ids],
    ),
  ]);
  return { items, links };
}

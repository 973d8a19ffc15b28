import { DossierError } from "../../../errors.ts";
import type { DatabaseAddress } from "./address.ts";

/**
 * Whether a schema may be made that is not there. "where-empty": not in a database that already has tables, which are somebody else's:
 * its address may be in a variable that was meant for their program. "never": for who only reads.
 */
export type SchemaCreation = "always" | "where-empty" | "never";

/**
 * Names a table, view or sequence that is neither the server's nor an extension's: first of the schema $1, then of any. An empty schema of our
 * name was made for us; a table in it that we do not know is somebody's.
 */
export const foreignTable = `
  SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY n.oid IS DISTINCT FROM to_regnamespace($1)::oid, 1 LIMIT 1`;

/** Refuses to go on where the schema is missing and may not be made. */
export function refuseCreation(
  { schema, shown }: DatabaseAddress,
  found: { table: boolean; schema: boolean; foreign: string | null },
  creation: SchemaCreation,
): void {
  if (found.table || creation === "always") return;
  if (creation === "never") {
    throw new DossierError("not-found", `The database ${shown} has no schema ${schema} of Dossier.`);
  }
  const isMadeForUs = found.schema && !found.foreign?.startsWith(`${schema}.`);
  if (isMadeForUs || found.foreign === null) return;
  throw new DossierError(
    "database-not-ours",
    `The database ${shown}, which DATABASE_URL names, has tables of something else (${found.foreign}) and no schema ${schema} of Dossier.`,
  );
}

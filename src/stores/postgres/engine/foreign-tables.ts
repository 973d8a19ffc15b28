import { DossierError } from "../../../errors.ts";
import type { DatabaseAddress } from "./address.ts";

/**
 * Whether a missing schema may be created. "where-empty": not in a database with tables of something else, since its
 * URL may be in a variable meant for another program. "never": for read-only use.
 */
export type SchemaCreation = "always" | "where-empty" | "never";

/**
 * Finds a table, view or sequence that is neither the server's nor an extension's: first in the schema $1, then in any.
 * An empty schema of our name was created for us; an unknown table in it is foreign.
 */
export const foreignTable = `
  SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY n.oid IS DISTINCT FROM to_regnamespace($1)::oid, 1 LIMIT 1`;

/** Refuses to continue where the schema is missing and may not be created. */
export function refuseCreation(
  { schema, shown }: DatabaseAddress,
  state: { table: boolean; schema: boolean; foreign: string | null },
  creation: SchemaCreation,
): void {
  if (state.table || creation === "always") return;
  if (creation === "never") {
    throw new DossierError("not-found", `The database ${shown} has no schema ${schema} of Dossier.`);
  }
  const isMadeForUs = state.schema && !state.foreign?.startsWith(`${schema}.`);
  if (isMadeForUs || state.foreign === null) return;
  throw new DossierError(
    "database-not-ours",
    `The database ${shown}, which DATABASE_URL names, has tables of something else (${state.foreign}) and no schema ${schema} of Dossier.`,
  );
}

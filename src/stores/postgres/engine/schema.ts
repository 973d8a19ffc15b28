import { commitTables } from "../commits/commit-tables.ts";
import { graphTables } from "../graph/graph-tables.ts";
import { itemTables } from "../items/item-tables.ts";
import { libraryTables } from "../library/library-tables.ts";
import { rateTables } from "../records/rate-buckets.ts";
import { keyTables, recordTables } from "../records/record-tables.ts";
import { searchTables } from "../search/search-tables.ts";
import { tablesBeforeVersion3, version3 } from "./version-3.ts";

/** The owners. The only table that is read without an owner's number: it maps names to numbers. */
const ownerTables = `
CREATE TABLE owners(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, workspace text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL,
  UNIQUE(workspace, name)
);
`;

/**
 * Steps from one version of the schema to the next: the first creates everything. A change is a new step at the end;
 * none is ever edited.
 */
export const migrations: readonly string[] = [
  [
    ...[ownerTables, itemTables, searchTables, commitTables, graphTables, recordTables, keyTables, libraryTables],
    tablesBeforeVersion3,
  ].join(""),
  rateTables,
  version3,
  "ALTER TABLE items ADD COLUMN decisions int;",
];

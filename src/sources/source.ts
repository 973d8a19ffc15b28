import type { Candidate, SourceName } from "../item.ts";
import type { Filter } from "../stores/store.ts";
import type { Query } from "../text/query.ts";
import type { Workspace } from "../workspace.ts";

/** A place items come from. Adding one is a file in sources/ and a line in sources/all.ts. */
export type Source = {
  name: string;
  /** The `source` of the items it brings. */
  brings: readonly SourceName[];
  /** Candidates for the query, each with a raw signal per strategy that found it. */
  find(query: Query, search: SourceSearch, workspace: Workspace): Promise<Candidate[]>;
};

export type SourceSearch = {
  /** Roughly how many candidates the second phase can rank. */
  limit: number;
  filter: Filter;
  strategies: readonly string[];
};

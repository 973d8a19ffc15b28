import type { Candidate, Item, SourceName } from "../item.ts";
import type { Query } from "../text/query.ts";
import type { Filter } from "../stores/store.ts";

/** A place items come from. Adding one is a file in sources/ and a line in sources/all.ts. */
export type Source = {
  name: SourceName;
  /** Candidates for the query, each with the signals of the strategies that found it. */
  find(query: Query, search: SourceSearch): Promise<Candidate[]>;
  /** Items one link away from these, for traverse; sources without links leave this out. */
  linked?(items: Item[], limit: number): Promise<Candidate[]>;
};

export type SourceSearch = { limit: number; filter: Filter; strategies: readonly string[]; signal?: AbortSignal };

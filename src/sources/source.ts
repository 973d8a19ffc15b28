import { type Candidate, type Facts, type Item, isInFile, isTurn, type SourceName } from "../item.ts";
import type { Filter, Shelf } from "../stores/store.ts";
import type { Query } from "../text/analysis/query.ts";
import type { TimeRange } from "../text/times/times.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { NoteFilter } from "./notes/note-filter.ts";

/** A place items come from. Adding one is a file in sources/ and a line in sources/all.ts. */
export type Source = {
  name: string;
  /** The `source` of its items, and their shelf. */
  brings: readonly SourceName[];
  shelf: Shelf;
  /** Selects the signals that rank its candidates, and so the evidence that is collected. */
  measuredAs: "files" | "messages" | "documents" | "notes" | "texts";
  /** Candidates for the query, each with a raw signal per strategy that found it. */
  find(query: Query, search: SourceSearch, workspace: Workspace): Promise<Candidate[]>;
  /** The query with misspelt words corrected, so that ranking counts the intended words. */
  corrected?(query: Query, workspace: Workspace): Promise<Query>;
  /** Further candidates in these files, once they are known to be the best. */
  within?(files: string[], query: Query, search: SourceSearch, workspace: Workspace): Promise<Candidate[]>;
  /** The items that are still valid. A source without this method has only valid items. */
  current?(items: Item[], workspace: Workspace): Promise<Item[]>;
  /** Objections to well-ranked items; an item without one is absent. */
  check?(items: Item[], workspace: Workspace): Promise<Map<string, CheckFinding>>;
  /**
   * The printed text of items that are not lines of a file; deleted items are absent. `linked`: the items that were
   * reached by links.
   */
  read?(items: Item[], workspace: Workspace, linked?: ReadonlySet<string>): Promise<Map<string, RecordText>>;
};

/**
 * Whether the source's items are lines of files, which are ranked by the shape of the query and may contain calls and
 * messages.
 */
export function bringsLines({ brings }: Source): boolean {
  return brings.every(isInFile);
}

/** Whether the source's items are messages of conversations. */
export function bringsTurns({ brings }: Source): boolean {
  return brings.every(isTurn);
}

/** The result of a check of an item. */
export type CheckFinding = {
  /** Factor on its score, 0..1. */
  factor: number;
  /** Notes for the reader. */
  notes: string[];
  /** Id of the item that must come before it: the newer of two that contradict each other. */
  follows?: string;
};

export type RecordText = {
  /** Without an empty line at the end. Plain data: no line of it is markup. */
  lines: string[];
  facts: Facts;
};

export type SourceSearch = {
  /** Approximate number of candidates for the second phase. */
  limit: number;
  filter: Filter;
  strategies: readonly string[];
  /** The question's vector of a language model, and the model. */
  meaning?: { model: string; vector: Int8Array };
  /** The query does not ask for tests, so a few of them are enough. */
  fewTests?: boolean;
  /** Only records whose body has one of these values, by dotted path. */
  where?: Record<string, (string | boolean)[]>;
  /** For messages: only those of this thread and its ancestors. */
  thread?: string;
  /** For messages of that thread: none with a larger number. */
  upTo?: number;
  /** Commits of this time or later are not evidence. */
  before?: number;
  /** For messages: also the messages of these times, whatever their text. */
  times?: readonly TimeRange[];
  /** For notes: restricts which notes are candidates. */
  notes?: NoteFilter;
  /** Called with a complete sentence for the reader of the answer. */
  warn?: (sentence: string) => void;
  /** Called with a sentence if some records are damaged, so that readable records are still found. */
  unread?: (sentence: string) => void;
  /** Also return the newest records that pass `where`, whether or not they match the query. */
  certain?: boolean;
};

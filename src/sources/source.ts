import { type Candidate, type Facts, type Item, isInFile, isTurn, type SourceName } from "../item.ts";
import type { Filter, Shelf } from "../stores/store.ts";
import type { Query } from "../text/analysis/query.ts";
import type { TimeRange } from "../text/times/times.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { NoteFilter } from "./notes/note-filter.ts";

/** A place items come from. Adding one is a file in sources/ and a line in sources/all.ts. */
export type Source = {
  name: string;
  /** The `source` of the items it brings, and the shelf they are on. */
  brings: readonly SourceName[];
  shelf: Shelf;
  /** Which signals rank its candidates, and so which evidence is gathered of them. */
  measuredAs: "files" | "messages" | "documents" | "notes" | "texts";
  /** Candidates for the query, each with a raw signal per strategy that found it. */
  find(query: Query, search: SourceSearch, workspace: Workspace): Promise<Candidate[]>;
  /** The query with what its misspelt words probably mean, so that ranking counts the words that were meant. */
  corrected?(query: Query, workspace: Workspace): Promise<Query>;
  /** Further candidates in these files, once they are known to be the best ones. */
  within?(files: string[], query: Query, search: SourceSearch, workspace: Workspace): Promise<Candidate[]>;
  /** What speaks against items of it that rank well; an item is absent when nothing does. */
  check?(items: Item[], workspace: Workspace): Promise<Map<string, CheckFinding>>;
  /** What is printed of its items, for those that are not lines of a file; what is gone is absent. `linked`: those that links explain. */
  read?(items: Item[], workspace: Workspace, linked?: ReadonlySet<string>): Promise<Map<string, RecordText>>;
};

/** Whether its items are lines of files. These are ranked by what the query looks like, and are code that has calls and messages in it. */
export function bringsLines({ brings }: Source): boolean {
  return brings.every(isInFile);
}

/** Whether its items are what was said in conversations. */
export function bringsTurns({ brings }: Source): boolean {
  return brings.every(isTurn);
}

/** What a check found out about an item. */
export type CheckFinding = {
  /** What its score is multiplied by, 0..1. */
  factor: number;
  /** What its reader must know. */
  notes: string[];
  /** Id of the item that must come before it: the newer of two that contradict each other. */
  follows?: string;
};

export type RecordText = {
  /** Without an empty line at the end. Data: no line of it is markup. */
  lines: string[];
  facts: Facts;
};

export type SourceSearch = {
  /** Roughly how many candidates the second phase can rank. */
  limit: number;
  filter: Filter;
  strategies: readonly string[];
  /** The question as a language model sees it: which vectors to compare it with. */
  meaning?: { model: string; vector: Int8Array };
  /** Tests are not what is asked for: a few of them are enough. */
  fewTests?: boolean;
  /** Only records whose body has one of these values, by dotted path. */
  where?: Record<string, (string | boolean)[]>;
  /** Of messages: only those of this thread and of what it branched off. */
  thread?: string;
  /** Of messages of that thread: none with a larger number. */
  upTo?: number;
  /** Commits of this time or later are no evidence. */
  before?: number;
  /** Of messages: those of these times too, whatever they say. */
  times?: readonly TimeRange[];
  /** Of notes: which of them. */
  notes?: NoteFilter;
  /** Called with a whole sentence that the reader of the answer must know. */
  warn?: (sentence: string) => void;
  /** Bring the newest that `where` lets pass, whether or not the query finds them. */
  certain?: boolean;
};

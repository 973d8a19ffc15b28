import type { NoteQuery } from "../../notes/query/select.ts";
import type { Request } from "../../options.ts";
import type { NoteSelection } from "../../recipes/recipe.ts";
import { type NoteFilter, passes } from "../../sources/notes/note-filter.ts";
import type { WorkspaceConfig } from "../../workspace/config/config.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The notes that a request selects by tags and fields. `topic`: the rest of the question, in words. */
export type Selected = {
  topic: string;
  selection: NoteSelection;
  /** The selection in a few words. */
  where: string;
  warnings: string[];
  /** The sentence for an empty selection. */
  nothing: string;
};

type SelectionContext = { now: number; filter: NoteFilter; config: Pick<WorkspaceConfig, "lenses">; lens: string };

/** The notes that a request selects by tags, fields or a question about plans; undefined where it only has a topic. */
export async function selectionOf(
  request: Request,
  { store, owner }: Workspace,
  { now, filter, config, lens }: SelectionContext,
): Promise<Selected | undefined> {
  const noteQuery = await queryOf(request, isPlanning(lens, config), now);
  if (!noteQuery) return undefined;
  const { topic, query } = noteQuery;
  const { queryWords, selectNotes } = await import("../../notes/query/select.ts");
  const { notes, warnings } = await selectNotes(query, store.graph, owner, {
    now,
    passes: (note) => passes({ ...note, references: [] }, filter),
  });
  const where = queryWords(query);
  const matching = notes.length === 1 ? "1 note meets" : `${notes.length} notes meet`;
  const nothing =
    notes.length === 0
      ? `No note meets this: ${where}.`
      : `${matching} this: ${where}. None says anything of ${JSON.stringify(topic.slice(0, 80))}.`;
  return { topic, where, warnings, nothing, selection: { notes, sorted: query.sort !== undefined } };
}

async function queryOf(
  { query: question, tag = [], field = [], sort }: Request,
  isPlanning: boolean,
  now: number,
): Promise<{ topic: string; query: NoteQuery } | undefined> {
  const isAsked = tag.length > 0 || field.length > 0 || sort !== undefined;
  if (!isAsked && !isPlanning) return undefined;
  const [{ parseCondition }, { parseSort }, { spokenQuery }] = await Promise.all([
    import("../../notes/query/condition.ts"),
    import("../../notes/query/sort.ts"),
    import("../../notes/query/natural-language.ts"),
  ]);
  const parsedQuery = isPlanning ? spokenQuery(question, now) : undefined;
  if (!isAsked && !parsedQuery) return undefined;
  const order = sort === undefined ? parsedQuery?.sort : parseSort(sort);
  return {
    topic: parsedQuery ? parsedQuery.topic : question.trim(),
    query: {
      tags: [...new Set([...tag, ...(parsedQuery?.tags ?? [])])],
      conditions: [...field.map(parseCondition), ...(parsedQuery?.conditions ?? [])],
      ...(parsedQuery?.state ? { state: parsedQuery.state } : {}),
      ...(order ? { sort: order } : {}),
    },
  };
}

/** The lens for plans, or a lens of the user's own that extends it. */
function isPlanning(name: string, { lenses }: Pick<WorkspaceConfig, "lenses">): boolean {
  const seen = new Set<string>();
  for (let next: string | undefined = name; next !== undefined && !seen.has(next); ) {
    if (next === "planning") return true;
    seen.add(next);
    next = lenses.find((lens) => lens.name === next)?.extends;
  }
  return false;
}

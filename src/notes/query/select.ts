import type { GraphStore, NoteFacts } from "../../stores/graph.ts";
import { closestWords } from "../../text/similarity/closest.ts";
import { type Condition, conditionWords } from "./condition.ts";
import { foldField, isOfEveryNote, namesOf } from "./fields.ts";
import { hasTagOrBox, namesOfTag, testOf } from "./meets.ts";
import { byKey, type Sort, sortKey } from "./sort.ts";
import { isStatus, isTaskTag, stateOf } from "./state.ts";
import { type Compared, folded } from "./values.ts";

/** What notes are asked for by what they are, not by what they say. All of it must hold. */
export type NoteQuery = {
  tags: string[];
  conditions: Condition[];
  /** Only what is still to be done, or what is done. */
  state?: "open" | "done";
  sort?: Sort;
};

export type Selection = {
  /** In the order that was asked for, or the last changed first. */
  notes: NoteFacts[];
  warnings: string[];
};

/** Names that are offered for one that nothing has. */
const mostOffered = 3;

/** The notes that meet a query. `passes`: what else is asked of them. */
export async function selectNotes(
  query: NoteQuery,
  graph: GraphStore,
  owner: string,
  { now, passes }: { now: number; passes(note: NoteFacts): boolean },
): Promise<Selection> {
  const { tags, conditions, state, sort } = query;
  const test = testOf(conditions, now);
  const found: { note: NoteFacts; key: Compared | undefined }[] = [];
  for await (const batch of graph.saying(owner, [...tags.map(namesOfTag), ...test.needed])) {
    for (const note of batch) {
      if (!tags.every((tag) => hasTagOrBox(note, tag))) continue;
      if (state !== undefined && !isInState(note, state, tags)) continue;
      if (!passes(note) || !test.holds(note)) continue;
      found.push({ note: withoutValues(note), key: sort && sortKey(note, sort) });
    }
  }
  found.sort(
    (a, b) =>
      (sort ? byKey(a.key, b.key, sort.isDescending) : 0) ||
      (b.note.changed ?? b.note.created ?? 0) - (a.note.changed ?? a.note.created ?? 0) ||
      (a.note.id < b.note.id ? -1 : 1),
  );
  const isUnsorted = sort !== undefined && found.length > 0 && found.every(({ key }) => key === undefined);
  const unknown = found.length > 0 && !isUnsorted ? [] : await unknownNames(query, graph, owner);
  const warnings = [...unknown, ...incomparable(test.incomparable)];
  return { notes: found.map(({ note }) => note), warnings };
}

/** What a tag makes a task is open until something says otherwise. */
function isInState(note: NoteFacts, wanted: "open" | "done", tags: readonly string[]): boolean {
  const state = stateOf(note);
  return state === undefined ? wanted === "open" && tags.some(isTaskTag) : state === wanted;
}

/** Once it is chosen, a note's fields are read again for printing; ten thousand of them need not be kept. */
function withoutValues(note: NoteFacts): NoteFacts {
  return { ...note, fields: [] };
}

/** In sentences, which tags and fields no note has, and what is called nearly so. */
async function unknownNames(query: NoteQuery, graph: GraphStore, owner: string): Promise<string[]> {
  const { tags, fields } = await graph.vocabulary(owner);
  const knownTags = new Set(tags.map(folded));
  const knownFields = new Set(fields.map(foldField));
  const asked = [...query.conditions.map(({ field }) => field), ...(query.sort ? [query.sort.field] : [])];
  const missingTags = query.tags.filter((tag) => !knownTags.has(folded(tag)) && !isTaskTag(tag));
  const missing = [...new Set(asked)].filter(
    (name) =>
      !isOfEveryNote(name) && !isStatus(foldField(name)) && !namesOf(name).some((each) => knownFields.has(each)),
  );
  return [
    ...missingTags.map((tag) => unknownSentence("tag", tag.replace(/^#/, ""), tags)),
    ...missing.map((name) => unknownSentence("field", name, fields)),
  ];
}

function unknownSentence(kind: "tag" | "field", asked: string, names: readonly string[]): string {
  const shown = JSON.stringify(asked.length > 60 ? `${asked.slice(0, 60)}…` : asked);
  const near = closestWords(asked, names, mostOffered);
  const offered =
    near.length > 0
      ? ` The closest: ${near.join(", ")}.`
      : names.length > 0
        ? ` There are ${names.slice(0, mostOffered * 3).join(", ")}${names.length > mostOffered * 3 ? " and more" : ""}.`
        : "";
  return `No note has the ${kind} ${shown}.${offered}`;
}

function incomparable(values: ReadonlyMap<string, { count: number; example: string }>): string[] {
  return [...values].map(([field, { count, example }]) => {
    const shown = JSON.stringify(example.length > 40 ? `${example.slice(0, 40)}…` : example);
    const values = count === 1 ? "1 value" : `${count} values`;
    return `${values} of ${field} cannot be compared with what was asked, such as ${shown}.`;
  });
}

/** What was asked for, in a few words: `#task, Status=open, by due`. */
export function queryWords({ tags, conditions, state, sort }: NoteQuery): string {
  const words = [
    ...tags.map((tag) => `#${tag.replace(/^#/, "")}`),
    ...(state === undefined ? [] : [state]),
    ...conditions.map(conditionWords),
    ...(sort ? [`by ${sort.field}${sort.isDescending ? ", last first" : ""}`] : []),
  ];
  return words.join(", ");
}

import type { GraphStore, NoteFacts } from "../../stores/graph.ts";
import { closestWords } from "../../text/similarity/closest.ts";
import { type Compared, folded } from "./compare-values.ts";
import { type Condition, conditionWords } from "./condition.ts";
import { foldField, isOfEveryNote, namesOf } from "./fields.ts";
import { hasTagOrBox, namesOfTag, testOf } from "./match-conditions.ts";
import { byKey, type Sort, sortKey } from "./sort.ts";
import { isStatus, isTaskTag, stateOf } from "./task-state.ts";

/** A structured query for notes, by properties instead of words. All parts must hold. */
export type NoteQuery = {
  tags: string[];
  conditions: Condition[];
  /** Only open tasks, or only done ones. */
  state?: "open" | "done";
  sort?: Sort;
};

export type Selection = {
  /** In the requested order, or the last changed first. */
  notes: NoteFacts[];
  warnings: string[];
};

/** Number of suggestions for an unknown name. */
const mostOffered = 3;

/** The notes that match a query. `passes`: a further filter. */
export async function selectNotes(
  query: NoteQuery,
  graph: GraphStore,
  owner: string,
  { now, passes }: { now: number; passes(note: NoteFacts): boolean },
): Promise<Selection> {
  const { tags, conditions, state, sort } = query;
  const test = testOf(conditions, now);
  const matches: { note: NoteFacts; key: Compared | undefined }[] = [];
  for await (const batch of graph.containing(owner, [...tags.map(namesOfTag), ...test.needed])) {
    for (const note of batch) {
      if (!tags.every((tag) => hasTagOrBox(note, tag))) continue;
      if (state !== undefined && !isInState(note, state, tags)) continue;
      if (!passes(note) || !test.holds(note)) continue;
      matches.push({ note: withoutValues(note), key: sort && sortKey(note, sort) });
    }
  }
  matches.sort(
    (a, b) =>
      (sort ? byKey(a.key, b.key, sort.isDescending) : 0) ||
      (b.note.changed ?? b.note.created ?? 0) - (a.note.changed ?? a.note.created ?? 0) ||
      (a.note.id < b.note.id ? -1 : 1),
  );
  const isUnsorted = sort !== undefined && matches.length > 0 && matches.every(({ key }) => key === undefined);
  const unknown = matches.length > 0 && !isUnsorted ? [] : await unknownNames(query, graph, owner);
  const warnings = [...unknown, ...incomparable(test.incomparable)];
  return { notes: matches.map(({ note }) => note), warnings };
}

/** A note with a task tag is open until something says otherwise. */
function isInState(note: NoteFacts, required: "open" | "done", tags: readonly string[]): boolean {
  const state = stateOf(note);
  return state === undefined ? required === "open" && tags.some(isTaskTag) : state === required;
}

/** The fields of a selected note are read again for printing; those of ten thousand need not be kept. */
function withoutValues(note: NoteFacts): NoteFacts {
  return { ...note, fields: [] };
}

/** Sentences that name tags and fields no note has, with similar names. */
async function unknownNames(query: NoteQuery, graph: GraphStore, owner: string): Promise<string[]> {
  const { tags, fields } = await graph.vocabulary(owner);
  const knownTags = new Set(tags.map(folded));
  const knownFields = new Set(fields.map(foldField));
  const fieldNames = [...query.conditions.map(({ field }) => field), ...(query.sort ? [query.sort.field] : [])];
  const missingTags = query.tags.filter((tag) => !knownTags.has(folded(tag)) && !isTaskTag(tag));
  const missingFields = [...new Set(fieldNames)].filter(
    (name) =>
      !isOfEveryNote(name) && !isStatus(foldField(name)) && !namesOf(name).some((each) => knownFields.has(each)),
  );
  return [
    ...missingTags.map((tag) => unknownSentence("tag", tag.replace(/^#/, ""), tags)),
    ...missingFields.map((name) => unknownSentence("field", name, fields)),
  ];
}

function unknownSentence(kind: "tag" | "field", name: string, names: readonly string[]): string {
  const quoted = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  const closest = closestWords(name, names, mostOffered);
  const suggestion =
    closest.length > 0
      ? ` The closest: ${closest.join(", ")}.`
      : names.length > 0
        ? ` There are ${names.slice(0, mostOffered * 3).join(", ")}${names.length > mostOffered * 3 ? " and more" : ""}.`
        : "";
  return `No note has the ${kind} ${quoted}.${suggestion}`;
}

function incomparable(values: ReadonlyMap<string, { count: number; example: string }>): string[] {
  return [...values].map(([field, { count, example }]) => {
    const quoted = JSON.stringify(example.length > 40 ? `${example.slice(0, 40)}…` : example);
    const values = count === 1 ? "1 value" : `${count} values`;
    return `${values} of ${field} cannot be compared with what was asked, such as ${quoted}.`;
  });
}

/** The query in a few words: `#task, Status=open, by due`. */
export function queryWords({ tags, conditions, state, sort }: NoteQuery): string {
  const words = [
    ...tags.map((tag) => `#${tag.replace(/^#/, "")}`),
    ...(state === undefined ? [] : [state]),
    ...conditions.map(conditionWords),
    ...(sort ? [`by ${sort.field}${sort.isDescending ? ", last first" : ""}`] : []),
  ];
  return words.join(", ");
}

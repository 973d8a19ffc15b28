import { headingText } from "../characters.ts";
import {
  breadcrumb,
  factText,
  isDone,
  listedFields,
  type NoteEntry,
  noteTags,
  noteText,
  relationOf,
  stepName,
} from "../notes.ts";

/** The facts of a note besides its text. `key` is its id in its application. */
export function noteFacts(entry: NoteEntry) {
  const tags = noteTags(entry);
  const identity = { name: noteText(entry).title, ...(tags.length > 0 ? { tags } : {}) };
  if (entry.level === "pointer") return identity;
  const { fields, more } = listedFields(entry);
  const { way = [], distance = 0 } = entry;
  const above = way.length > 0 ? [] : breadcrumb(entry);
  return {
    ...identity,
    ...factField(entry, "id", "key"),
    ...factField(entry, "origin"),
    ...factField(entry, "place"),
    ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}),
    ...(Object.keys(more).length > 0 ? { more } : {}),
    ...(isDone(entry) === undefined ? {} : { done: isDone(entry) }),
    ...(distance > 0 ? { distance } : {}),
    ...(relationOf(entry) === undefined ? {} : { relation: relationOf(entry) }),
    ...(way.length > 0 ? { way: way.map(({ name, relation }) => ({ name: stepName(name), relation })) } : {}),
    ...(above.length > 0 ? { breadcrumb: above } : {}),
  };
}

function factField(entry: NoteEntry, fact: string, name = fact): Record<string, string> {
  const words = factText(entry, fact);
  return words === undefined ? {} : { [name]: headingText(words) };
}

import { type Item, isInFile } from "../item.ts";
import type { SearchRequest } from "../options.ts";

/** A question with an answer that the workspace itself states. */

export const caseKinds = ["commit", "test", "note", "thread", "own"] as const;
export type CaseKind = (typeof caseKinds)[number];

export type Case = {
  /** The same in every run: sampling, splitting and ties are decided by it. */
  id: string;
  kind: CaseKind;
  query: string;
  expect: Expected[];
  /** The origin of the case, for people: "commit 1a2b3c4d", "tests/test_app.py::test_login". */
  from: string;
  /** When it was asked, in milliseconds; absent if that is not known. */
  time?: number;
  /** Limits of the question, and what may not be used as evidence for it. */
  limits: Limits;
  /** Places that contain the answer because the question was taken from them: rankings skip them. */
  hidden: string[];
};

/**
 * `code`: only code that is no test, with files ranked as files and units as units. Without it, whatever a plain search
 * finds. `before`: commits from this time on are no evidence. `expand`: whether links may be followed.
 */
export type Limits = Partial<Pick<SearchRequest, "paths" | "sources" | "before">> & {
  code?: boolean;
  expand?: boolean;
};

/** `unit`: id of the very item, where more than the file is known. `shown`: how people write it. */
export type Expected = { place: string; unit?: string; shown: string };

/** Where an item is, in the sense of "the right file": a path, a document, or the record itself. */
export function placeOf(item: Pick<Item, "id" | "source" | "path">): string {
  if (isInFile(item.source)) return item.path;
  return item.source === "document" ? `library:${item.path}` : item.id;
}

/** The places of these items in order, without repetition. */
export function placesOf(items: readonly Pick<Item, "id" | "source" | "path">[]): string[] {
  return [...new Set(items.map(placeOf))];
}

/** The name that any command accepts for it: a path, `path::Name`, or an id. */
export function nameOf({ place, unit, shown }: Expected): string {
  return unit !== undefined || place.startsWith("library:") ? shown : place;
}

/**
 * Keeps the places that a question was taken from out of its answer: they would take the room, and lead straight to
 * what is expected.
 */
export function withoutPlaces(places: readonly string[]): Pick<Limits, "expand" | "paths"> {
  const paths = places.filter((place) => !/^(?:not|mem|exp|val|com|msg)-[0-9a-z]+$|^library:/.test(place));
  if (places.length === 0) return {};
  return { expand: false, ...(paths.length > 0 ? { paths: paths.map((path) => `!${escaped(path)}`) } : {}) };
}

/** Escapes glob characters. A glob without a slash matches in every folder: the leading one ties it to the root. */
function escaped(path: string): string {
  return `/${path.replace(/[\\*?[\]{}()!+@|]/g, "\\$&")}`;
}

export type Mined = {
  cases: Case[];
  /** The number of candidates to choose from. */
  found: number;
  /** Why there are none. */
  why?: string;
};

/** Options of mining. */
export type Mining = {
  limit: number;
  seed: number;
  signal?: AbortSignal;
};

import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { hashTerm, hashText } from "../../text/hash.ts";
import { tryParseJson } from "../../text/json/try-parse-json.ts";
import type { Environment } from "./operation.ts";

/**
 * Cursors of listings: a cursor says after which entry a page ended, not how many came before. So entries added or
 * deleted meanwhile neither repeat an entry nor skip one. It holds a hash of the list and the request, so that
 * another list refuses it.
 */

/** Long enough for the places of a thousand ranked items. */
const longestCursor = 8000;

export const after = z
  .string()
  .min(1)
  .max(longestCursor)
  .optional()
  .describe("The next of the page before: gives the page after it");
export const next = z.string().optional().describe("Cursor to pass as after for the next page; absent on the last one");

/** The sort key of an entry, the id last. */
export type Place = readonly (string | number | null)[];

/** The request for a list. Pages may differ in size and in where they begin. */
type ListRequest = { after?: string; limit?: number; offset?: number } & Record<string, unknown>;

export type Cursor = { place?: Place; next(place: Place): string };

/** The place that a page begins after, and cursors for the next one. */
export function cursorOf(list: string, request: ListRequest, { nameOf = String }: Pick<Environment, "nameOf">): Cursor {
  const { after, limit: _limit, offset = 0, path: _path, workspace: _workspace, refresh: _refresh, ...rest } = request;
  const sealOf = (body: string) => hashText(JSON.stringify([list, rest, body]));
  const make = (place: Place) => {
    const body = JSON.stringify(place);
    return Buffer.from(`${sealOf(body)}${body}`).toString("base64url");
  };
  if (after === undefined) return { next: make };
  if (offset > 0) throw new DossierError("bad-input", `${nameOf("after")} goes without ${nameOf("offset")}.`);
  const text = Buffer.from(after, "base64url").toString("utf8");
  const body = text.slice(sealLength);
  if (text.slice(0, sealLength) !== sealOf(body)) throw wrongCursor(nameOf("after"));
  return { place: readPlace(body, nameOf("after")), next: make };
}

/** Characters of `hashText`. */
const sealLength = 13;

/** The seal is no secret, so the content may be forged and is checked. */
function readPlace(body: string, name: string): Place {
  const place = z.array(z.union([z.string(), z.number(), z.null()])).safeParse(tryParseJson(body));
  if (!place.success) throw wrongCursor(name);
  return place.data;
}

function wrongCursor(name: string): DossierError {
  return new DossierError("bad-cursor", `${name} is no cursor of this list, asked in this way.`);
}

export type Page<Entry> = { page: Entry[]; next?: string };

type Slice = { limit: number; offset?: number };

/**
 * A page of a list that is completely in memory. `descending`: how many of a place's first parts are sorted largest
 * first.
 */
export function pageOf<Entry>(
  entries: readonly Entry[],
  cursor: Cursor,
  { limit, offset = 0 }: Slice,
  placeOf: (entry: Entry) => Place,
  descending: number,
): Page<Entry> {
  const { place } = cursor;
  const first = place
    ? entries.findIndex((entry) => comparePlaces(placeOf(entry), place, descending) > 0)
    : Math.min(offset, entries.length);
  const rest = first < 0 ? [] : entries.slice(first);
  return pageBefore(rest, cursor, limit, placeOf);
}

/** The first entries after the cursor. `entries` has at least one more than the page if another page follows. */
export function pageBefore<Entry>(
  entries: readonly Entry[],
  cursor: Cursor,
  limit: number,
  placeOf: (entry: Entry) => Place,
): Page<Entry> {
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  return entries.length > limit && last !== undefined ? { page, next: cursor.next(placeOf(last)) } : { page };
}

function comparePlaces(a: Place, b: Place, descending: number): number {
  for (const [i, part] of a.entries()) {
    const other = b[i] ?? null;
    if (part === other) continue;
    const order = part === null || (other !== null && part < other) ? -1 : 1;
    return i < descending ? -order : order;
  }
  return 0;
}

/**
 * A page of a ranking. New texts change the scores of all others, so a place in it means nothing a moment later: the
 * cursor knows what was shown, and the next page is the best of the rest. `rank` gives the best so many.
 */
export async function rankedPage<Entry>(
  rank: (limit: number) => Promise<readonly Entry[]>,
  cursor: Cursor,
  { limit, offset = 0 }: Slice,
  idOf: (entry: Entry) => string,
): Promise<RankedPage<Entry>> {
  const before = shownBefore(cursor);
  const ranked = await rank(Math.min(mostRanked, before.size + offset + limit + 1));
  const rest = ranked.filter((entry) => !before.has(hashed(entry))).slice(offset);
  const page = rest.slice(0, limit);
  const shownSoFar = [...before, ...ranked.slice(0, offset).map(hashed), ...page.map(hashed)];
  const more = rest.length > limit && shownSoFar.length < mostRanked;
  const next = more ? { next: cursor.next([packed(shownSoFar)]) } : {};
  return { page, ranked: ranked.length, before: before.size + offset, ...next };

  function hashed(entry: Entry): number {
    return hashTerm(idOf(entry));
  }
}

/** `ranked`: how many there were to choose from. `before`: how many were shown on earlier pages. */
export type RankedPage<Entry> = Page<Entry> & { ranked: number; before: number };

/** Rankings are not paged further than this. */
const mostRanked = 1000;

function shownBefore({ place = [] }: Cursor): Set<number> {
  const bytes = Buffer.from(String(place[0] ?? ""), "base64url");
  return new Set(Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readUInt32LE(i * 4)));
}

function packed(hashes: readonly number[]): string {
  const bytes = Buffer.alloc(hashes.length * 4);
  for (const [i, hash] of hashes.entries()) bytes.writeUInt32LE(hash, i * 4);
  return bytes.toString("base64url");
}

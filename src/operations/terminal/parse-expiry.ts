import { DossierError } from "../../errors.ts";
import { parseWhen } from "./parse-time.ts";

/** A moment to come, in milliseconds since 1970: a date, or a time from `now` on such as 90d. */
export function parseEnd(text: string, now: number, name: string): number {
  const isSpan = /^\d+\s*[hdwy]$/i.test(text.trim());
  // `parseWhen` counts a span back from now, so it is mirrored to count ahead.
  const end = isSpan ? 2 * now - parseWhen(text, now, name) : parseWhen(text, now, name);
  if (end > now) return end;
  throw new DossierError("bad-input", `${name} takes a time to come, not ${JSON.stringify(text.slice(0, 60))}.`);
}

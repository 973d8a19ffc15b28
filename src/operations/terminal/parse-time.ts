import { DossierError } from "../../errors.ts";

const hour = 3_600_000;
const units: Record<string, number> = { h: hour, d: 24 * hour, w: 7 * 24 * hour, y: 365 * 24 * hour };

/**
 * A moment as people give it, in milliseconds since 1970: a date, a date with a time, or an age before `now` such as
 * 30d.
 */
export function parseTime(text: string, now: number, name = "The time"): number {
  const age = /^(\d{1,6})\s*([hdwy])$/i.exec(text.trim());
  const moment = age ? now - Number(age[1]) * units[age[2]!.toLowerCase()]! : parseDate(text.trim());
  if (moment !== undefined && Number.isFinite(moment)) return moment;
  throw new DossierError(
    "bad-input",
    `${name} takes a date such as 2026-01-31 or 2026-01-31T14:30:00Z, or an age such as 12h, 30d, 2w or 1y, not ${JSON.stringify(text.slice(0, 60))}.`,
  );
}

/** Only ISO 8601, in UTC unless it says otherwise: JavaScript would also take "5", "May" and the 31st of February. */
function parseDate(text: string): number | undefined {
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text);
  if (!iso) return undefined;
  const [, date, time = "00:00", zone = "Z"] = iso;
  const day = Date.parse(`${date}T00:00Z`);
  if (!Number.isFinite(day) || !new Date(day).toISOString().startsWith(date!)) return undefined;
  return Date.parse(`${date}T${time}${zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, "$1:$2")}`);
}

/** A moment in the future, in milliseconds since 1970: a date, or a span from `now` on such as 90d. */
export function parseExpiry(text: string, now: number, name: string): number {
  const isSpan = /^\d+\s*[hdwy]$/i.test(text.trim());
  // `parseTime` counts a span back from now, so it is mirrored to count ahead.
  const end = isSpan ? 2 * now - parseTime(text, now, name) : parseTime(text, now, name);
  if (end > now) return end;
  throw new DossierError("bad-input", `${name} takes a time to come, not ${JSON.stringify(text.slice(0, 60))}.`);
}

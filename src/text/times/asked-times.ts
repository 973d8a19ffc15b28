import { analyse } from "../analysis/analyse.ts";
import {
  compiledOnce,
  type NamedTime,
  namedTimes,
  relativeTimes,
  type TimeRange,
  weekdays,
  withoutTimes,
} from "./times.ts";

/**
 * Times that a question is about, as ranges that messages are compared with. Relative times count from `now`, a
 * parameter.
 */

const day = 24 * 60 * 60 * 1000;

/**
 * "12 March 2026", "in May", "yesterday", "last week", "on Monday". A time without a year means its last occurrence,
 * or the current one if it is not over yet.
 */
export function askedTimes(text: string, at: number): TimeRange[] {
  const now = Math.floor(at / minute) * minute;
  const question = text.slice(0, longestQuestion);
  const rest = question.replace(dayBefore, " ").replace(onDay(), "$1last $2");
  const today = Math.floor(now / day) * day;
  const times = [
    ...namedTimes(question).flatMap((time) => rangeOf(time, now) ?? []),
    ...relativeTimes(rest, now),
    ...(dayBefore.test(question) ? [{ from: today - 2 * day, to: today - day - 1 }] : []),
  ];
  return times.length <= mostTimes ? times.map(byMinutes) : [];
}

const minute = 60_000;

/**
 * "An hour ago" changes every moment. Rounded to minutes it stays the same for a while, and so does the cached
 * answer.
 */
function byMinutes({ from, to }: TimeRange): TimeRange {
  return { from: Math.floor(from / minute) * minute, to: (Math.floor(to / minute) + 1) * minute - 1 };
}

/** A longer text, or one with more times, is a log or an article: it is not about the times that it names. */
const longestQuestion = 2000;
const mostTimes = 10;

const dayBefore = /\bday before yesterday\b/i;
const onDay = compiledOnce(`(^|[^\\p{L}\\p{N}])on (${weekdays.join("|")})(?![\\p{L}\\p{N}])`, "giu");

function rangeOf({ year, month, day: date }: NamedTime, now: number): TimeRange | undefined {
  if (year === undefined) {
    const latest = new Date(now).getUTCFullYear();
    const candidates = [latest, latest - 1].map((each) => rangeOf({ year: each, month, day: date }, now));
    // February 29 does not exist in every year.
    return candidates.find((range) => range !== undefined && range.from <= now);
  }
  if (month === undefined) return { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) - 1 };
  if (date === undefined) return { from: Date.UTC(year, month - 1), to: Date.UTC(year, month) - 1 };
  const from = Date.UTC(year, month - 1, date);
  return new Date(from).getUTCMonth() === month - 1 ? { from, to: from + day - 1 } : undefined;
}

/** Words like "said" in a question about a conversation name no subject. */
const speechWords = new Set(
  analyse(
    "say said tell told talk talked talking discuss discussed speak spoke mention mentioned chat happen happened",
  ),
);

const timeWords = new RegExp(
  `\\b(?:today|tonight|yesterday|ago|day before|(?:this |last |past |\\d+ |an? |one |two |three |four |five |six |seven |eight |nine |ten |few |couple of |several )+(?:minute|hour|day|week|weekend|month|year|night|morning|afternoon|evening)s?|(?:on |last |this )?(?:${weekdays.join("|")}))\\b`,
  "gi",
);

/** The terms of a question without the times that it names, and without words like "said". */
export function termsBesideTimes<Term extends { term: string }>(terms: readonly Term[], text: string): Term[] {
  const rest = new Set(analyse(withoutTimes(text).replace(timeWords, " ")));
  return terms.filter(({ term }) => rest.has(term) && !speechWords.has(term));
}

export function isWithin(at: number, ranges: readonly TimeRange[]): boolean {
  return ranges.some(({ from, to }) => at >= from && at <= to);
}

/** Longer ranges are searched by months, which makes them a little wider. */
const mostDays = 62;
const mostMonths = 120;

/** The index terms for the days and months of these ranges: see `timeMarks`. */
export function marksOf(ranges: readonly TimeRange[]): string[] {
  const marks = new Set<string>();
  for (const { from, to } of ranges) {
    if (to - from <= mostDays * day) {
      for (let at = Math.floor(from / day) * day; at <= to; at += day) marks.add(timeMarks(at)[0]);
      continue;
    }
    const first = new Date(from);
    const months = Array.from({ length: mostMonths }, (_, i) =>
      Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + i),
    );
    for (const at of months) if (at <= to) marks.add(timeMarks(at)[1]);
  }
  return [...marks];
}

/** The day and the month of a moment as terms that no text has: `@2026-03-12`, `@2026-03`. */
export function timeMarks(at: number): [day: string, month: string] {
  const iso = new Date(at).toISOString();
  return [`@${iso.slice(0, 10)}`, `@${iso.slice(0, 7)}`];
}

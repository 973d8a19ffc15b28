/**
 * Times that a text or a question names. Nothing here reads a clock: what is relative is relative to a time that is
 * given. Days begin at midnight UTC, as everywhere in Dossier.
 */

/** A named time, as far as it is stated: "8 May 2023", "in May", "2023". Months and days count from 1. */
export type NamedTime = { year?: number; month?: number; day?: number };

/** First and last millisecond. */
export type TimeRange = { from: number; to: number };

const months = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
export const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const monthWord =
  "jan(?:uary|\\.)?|feb(?:ruary|\\.)?|mar(?:ch|\\.)?|apr(?:il|\\.)?|may|june?|july?|aug(?:ust|\\.)?|sept(?:ember|\\.)?|sep\\.?|oct(?:ober|\\.)?|nov(?:ember|\\.)?|dec(?:ember|\\.)?";
const dayNumber = "(\\d{1,2})(?:st|nd|rd|th)?";
const yearNumber = "((?:19|20)\\d{2})";
const notLetter = "(?<![\\p{L}\\p{N}])";
const ends = "(?![\\p{L}\\p{N}])";
const unit = "(?:minute|hour|day|week|month|year)s?";
const weekday = `(?:${weekdays.join("|")})`;
const countWord = "(\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few|several)";

/** Patterns with Unicode classes take long to compile, and most texts name no time. */
export function compiledOnce(pattern: string, flags: string): () => RegExp {
  let compiled: RegExp | undefined;
  return () => {
    compiled ??= new RegExp(pattern, flags);
    return compiled;
  };
}

const isoDate = compiledOnce(`${notLetter}${yearNumber}[-/](\\d{1,2})(?:[-/](\\d{1,2}))?(?![\\d-])`, "gu");
const dayFirst = compiledOnce(
  `${notLetter}${dayNumber}(?: of)?[ -](${monthWord})${ends}(?:,? ?(?:of )?${yearNumber}${ends})?`,
  "giu",
);
const monthFirst = compiledOnce(
  `${notLetter}(${monthWord})${ends}(?:(?: the)? ${dayNumber}${ends})?(?:,? ?(?:of )?${yearNumber}${ends})?`,
  "giu",
);
const yearAlone = compiledOnce(`${notLetter}${yearNumber}${ends}`, "gu");

/** The dates, months and years that a text names, in no order; a time named in two ways may come twice. */
export function namedTimes(text: string): NamedTime[] {
  return readTimes(text).times;
}

/**
 * A text without the dates, months and years that it names: they are what a time is compared with, not words to be
 * found.
 */
export function withoutTimes(text: string): string {
  return readTimes(text).rest;
}

/** Every named time has a digit or one of these. Without the s of September: ignoring case, a long ſ is one as well. */
const mayNameTime = /\d|jan|feb|mar|apr|may|jun|jul|aug|ep|oct|nov|dec/i;

function readTimes(text: string): { times: NamedTime[]; rest: string } {
  const times: NamedTime[] = [];
  if (!mayNameTime.test(text)) return { times, rest: text };
  const rest = text
    .replace(isoDate(), (original: string, year: string, month: string, day?: string) =>
      take(times, { year: Number(year), month: Number(month), ...(day ? { day: Number(day) } : {}) }, original),
    )
    .replace(dayFirst(), (original: string, day: string, month: string, year?: string) =>
      take(times, namedTime(month, day, year), original),
    )
    .replace(
      monthFirst(),
      (original: string, month: string, day: string | undefined, year: string | undefined, at: number, all: string) =>
        day || year || isMonth(month, all, at) ? take(times, namedTime(month, day, year), original) : original,
    )
    .replace(yearAlone(), (original: string, year: string) => take(times, { year: Number(year) }, original));
  return { times, rest };
}

/** Puts a time that can be one on the list and takes it out of the text; anything else stays. */
function take(times: NamedTime[], time: NamedTime, original: string): string {
  const possible = (time.month ?? 1) >= 1 && (time.month ?? 1) <= 12 && (time.day ?? 1) >= 1 && (time.day ?? 1) <= 31;
  if (possible) times.push(time);
  return possible ? " " : original;
}

function namedTime(month: string, day: string | undefined, year: string | undefined): NamedTime {
  return {
    ...(year ? { year: Number(year) } : {}),
    month: months.findIndex((name) => name.startsWith(month.slice(0, 3).toLowerCase())) + 1,
    ...(day ? { day: Number(day) } : {}),
  };
}

const afterTimeWord =
  /(?:^|[^\p{L}])(?:in|during|of|since|until|till|by|before|after|for|from|through|to|and|or|last|this|next|early|late|mid|mid-)[ -]$/iu;

/**
 * "May I", "march on" and "mar" are not months: a month alone counts if its name means nothing else or its context
 * shows it.
 */
function isMonth(word: string, text: string, at: number): boolean {
  if (word.length <= 4 && !/^(?:june|july|may)$/i.test(word)) return /^\p{Lu}/u.test(word) && word.endsWith(".");
  if (!/^(?:may|march|august)$/i.test(word)) return true;
  return /^\p{Lu}/u.test(word) && afterTimeWord.test(text.slice(Math.max(0, at - 12), at));
}

const day = 24 * 60 * 60 * 1000;
const ago = compiledOnce(`${notLetter}${countWord} (${unit}) ago${ends}`, "giu");
const past = compiledOnce(`${notLetter}(?:last|past) ${countWord} (${unit})${ends}`, "giu");
const lastOrThis = compiledOnce(`${notLetter}(last|this) (week|weekend|month|year|night|${weekday})${ends}`, "giu");
const nearDays = compiledOnce(`${notLetter}(today|tonight|yesterday|this (?:morning|afternoon|evening))${ends}`, "giu");

/**
 * Every relative time contains one of these words. Few texts do, and one test is cheaper than looking for each form.
 */
const hasRelative = /\b(?:ago|last|past|this|today|tonight|yesterday)\b/i;

/**
 * The times that a text names by how long ago they were: "yesterday", "last week", "three months ago", "the past two
 * days".
 */
export function relativeTimes(text: string, now: number): TimeRange[] {
  const ranges: TimeRange[] = [];
  if (!hasRelative.test(text)) return ranges;
  for (const [, count, span] of text.matchAll(ago())) {
    const size = sizeOf(span!);
    const middle = now - countOf(count!) * size;
    // "Three weeks ago" is said of a whole week, "three hours ago" of the hour.
    ranges.push({ from: Math.min(startOfDay(middle), middle - size / 2), to: Math.min(now, middle + size / 2) });
  }
  for (const [, count, span] of text.matchAll(past())) {
    ranges.push({ from: startOfDay(now - countOf(count!) * sizeOf(span!)), to: now });
  }
  for (const [, which, span] of text.matchAll(lastOrThis())) {
    ranges.push(calendar(which!.toLowerCase() === "this", span!.toLowerCase(), now));
  }
  for (const [, word] of text.matchAll(nearDays())) {
    const start = startOfDay(now) - (word!.toLowerCase() === "yesterday" ? day : 0);
    ranges.push({ from: start, to: start + day - 1 });
  }
  return ranges;
}

function calendar(isThis: boolean, span: string, now: number): TimeRange {
  const today = startOfDay(now);
  const date = new Date(today);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const back = isThis ? 0 : 1;
  if (span === "year") return { from: Date.UTC(year - back, 0), to: Date.UTC(year - back + 1, 0) - 1 };
  if (span === "month") return { from: Date.UTC(year, month - back), to: Date.UTC(year, month - back + 1) - 1 };
  if (span === "night") return { from: today - back * day, to: today + (1 - back) * day - 1 };
  // Weeks begin on Monday; a weekend is its end.
  const monday = today - ((date.getUTCDay() + 6) % 7) * day - back * 7 * day;
  if (span === "week") return { from: monday, to: monday + 7 * day - 1 };
  if (span === "weekend") return { from: monday + 5 * day, to: monday + 7 * day - 1 };
  const since = (date.getUTCDay() - weekdays.indexOf(span) + 7) % 7;
  const that = today - (since === 0 && !isThis ? 7 : since) * day;
  return { from: that, to: that + day - 1 };
}

function sizeOf(span: string): number {
  const sizes = { minute: 60_000, hour: 3_600_000, day, week: 7 * day, month: 30.4 * day, year: 365.25 * day };
  return sizes[span.toLowerCase().replace(/s$/, "") as keyof typeof sizes];
}

const counts = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

function countOf(word: string): number {
  const lower = word.toLowerCase();
  if (/^\d/.test(lower)) return Number(lower);
  if (lower === "a couple of") return 2;
  if (lower === "a few" || lower === "several") return 3;
  return Math.max(1, counts.indexOf(lower));
}

function startOfDay(at: number): number {
  return Math.floor(at / day) * day;
}

const whenQuestion =
  /^\W*(?:and |but |so |since |do you (?:know|remember) |tell me |remember )*(?:when\b|(?:in |on |at |around )?(?:what|which) (?:time|day|date|week|weekend|month|season|year)\b|how (?:long|recently)\b)/i;

/** True for a question whose answer is a time. */
export function asksWhen(text: string): boolean {
  return whenQuestion.test(text);
}

const timeWords = compiledOnce(
  `${notLetter}(?:yesterday|today|tonight|tomorrow|ago|recently|lately|nowadays|(?:last|next|this|past|coming|every|each) (?:${countWord} )?(?:${unit}|weekend|night|morning|afternoon|evening|summer|winter|spring|fall|autumn|${weekday})|${weekday}s?|(?:${countWord}|for) ${unit}|the other day|\\d{1,2}(?::\\d{2})? ?(?:am|pm)|o'clock)${ends}`,
  "iu",
);

/** True when a text says when something was or will be. */
export function mentionsTime(text: string): boolean {
  return timeWords().test(text) || namedTimes(text).length > 0;
}

/** Days within which an event is still talked about. */
const stillTold = 8;

/**
 * How well a message of this time answers a question about these times, 0..1. Events are told of afterwards: in their
 * month or the next, and within days where the day is known.
 */
export function timeMatch(times: readonly NamedTime[], ranges: readonly TimeRange[], at: number): number {
  let best = 0;
  for (const time of times) best = Math.max(best, matchOf(time, at));
  for (const { from, to } of ranges) if (at >= from && at <= to) best = Math.max(best, whole);
  return best;
}

const exactDay = 1;
const whole = 2 / 3;
const monthAfter = 1 / 3;

function matchOf({ year, month, day: wantedDay }: NamedTime, at: number): number {
  const date = new Date(at);
  const saidYear = date.getUTCFullYear();
  if (month === undefined) return saidYear === year ? whole : 0;
  const saidMonth = date.getUTCMonth() + 1;
  if (wantedDay !== undefined) {
    const years = year === undefined ? [saidYear, saidYear - 1] : [year];
    for (const each of years) {
      const days = (startOfDay(at) - Date.UTC(each, month - 1, wantedDay)) / day;
      if (days >= 0 && days <= stillTold) return exactDay;
    }
  }
  const since = year === undefined ? (saidMonth - month + 12) % 12 : (saidYear - year) * 12 + saidMonth - month;
  return since === 0 ? whole : since === 1 ? monthAfter : 0;
}

/** Dates in fields and in questions. Days are compared as calendar days, regardless of time zones. */

/** Half-open interval, milliseconds since 1970 in UTC. */
export type DateInterval = { from: number; to: number };

const day = 24 * 60 * 60 * 1000;
const minute = 60 * 1000;
/** Longer texts are no dates. */
const longest = 80;

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const isoMonth = /^(\d{4})-(\d{2})$/;
const isoWeek = /^(\d{4})-W(\d{2})$/i;
const isoYear = /^(\d{4})$/;
/** `Dec 1st, 2026`, `December 1, 2026`, `Tue, Dec 1, 2026`, `1 December 2026`. */
const monthFirst = /^(?:[a-z]{3,9},? )?([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/i;
const dayFirst = /^(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? (\d{4})$/i;

/** The time that a field's value states; undefined for no date or an impossible one. */
export function dateOf(value: string): DateInterval | undefined {
  const text = value.trim().replace(/^\[\[(.*)\]\]$/, "$1");
  if (text.length > longest || !/\d{4}/.test(text)) return undefined;
  const slash = text.indexOf("/");
  if (slash < 0) return single(text);
  // An ISO 8601 interval.
  const [first, last] = [single(text.slice(0, slash)), single(text.slice(slash + 1))];
  return first && last && first.from <= last.from ? { from: first.from, to: Math.max(first.to, last.to) } : undefined;
}

function single(text: string): DateInterval | undefined {
  const trimmed = text.trim();
  const match = iso.exec(trimmed);
  if (match) return momentOf(match);
  const [, year = "", month = ""] = isoMonth.exec(trimmed) ?? [];
  if (year !== "") return monthOf(Number(year), Number(month));
  const week = isoWeek.exec(trimmed);
  if (week) return weekOf(Number(week[1]), Number(week[2]));
  const [, alone] = isoYear.exec(trimmed) ?? [];
  if (alone !== undefined) return { from: utc(Number(alone), 1, 1), to: utc(Number(alone) + 1, 1, 1) };
  const monthName = monthFirst.exec(trimmed);
  if (monthName) return dayOf(Number(monthName[3]), monthNumber(monthName[1]!), Number(monthName[2]));
  const dayName = dayFirst.exec(trimmed);
  return dayName ? dayOf(Number(dayName[3]), monthNumber(dayName[2]!), Number(dayName[1])) : undefined;
}

function momentOf([, year, month, date, hour, minutes, seconds, zone]: RegExpExecArray): DateInterval | undefined {
  const wholeDay = dayOf(Number(year), Number(month), Number(date));
  if (!wholeDay || hour === undefined) return wholeDay;
  const [h, m, s] = [Number(hour), Number(minutes), Number(seconds ?? 0)];
  if (h > 24 || m > 59 || s > 60) return undefined;
  const from = wholeDay.from + (h * 60 + m - zoneMinutes(zone)) * minute + s * 1000;
  return { from, to: from + (seconds === undefined ? minute : 1000) };
}

function zoneMinutes(zone: string | undefined): number {
  if (!zone || zone.length < 5) return 0;
  const digits = zone.replace(":", "");
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  return digits[0] === "-" ? -minutes : minutes;
}

function monthNumber(name: string): number {
  return months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function dayOf(year: number, month: number, date: number): DateInterval | undefined {
  const from = utc(year, month, date);
  const check = new Date(from);
  const isReal = check.getUTCMonth() === month - 1 && check.getUTCDate() === date;
  return isReal ? { from, to: from + day } : undefined;
}

function monthOf(year: number, month: number): DateInterval | undefined {
  return month >= 1 && month <= 12 ? { from: utc(year, month, 1), to: utc(year, month + 1, 1) } : undefined;
}

/** ISO week: week 1 contains the fourth of January; weeks begin on Monday. */
function weekOf(year: number, week: number): DateInterval | undefined {
  if (week < 1 || week > 53) return undefined;
  const fourth = utc(year, 1, 4);
  const from = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * day + (week - 1) * 7 * day;
  return { from, to: from + 7 * day };
}

function utc(year: number, month: number, date: number): number {
  // Date.UTC maps years below 100 to the 20th century.
  return new Date(0).setUTCFullYear(year, month - 1, date);
}

/** The local calendar day. */
export function today(now: number): DateInterval {
  const local = new Date(now);
  const from = utc(local.getFullYear(), local.getMonth() + 1, local.getDate());
  return { from, to: from + day };
}

const wordDays: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };

/** A time as people write it: any date, or today, tomorrow, `+7d`, `-2w`, this week, next month. */
export function dateAsked(input: string, now: number): DateInterval | undefined {
  const text = input.trim().toLowerCase();
  const current = today(now);
  if (text === "now") return current;
  if (Object.hasOwn(wordDays, text)) return shifted(current, wordDays[text]!);
  const [, sign, count, unit] = /^([+-])(\d{1,5})([dwmy])$/.exec(text) ?? [];
  if (unit !== undefined) return movedBy(current, Number(`${sign}${count}`), unit);
  const [, which, span] = /^(this|next|last) (week|month|year)$/.exec(text) ?? [];
  if (span !== undefined) return spanOf(current, span, which === "next" ? 1 : which === "last" ? -1 : 0);
  return dateOf(input);
}

function shifted({ from, to }: DateInterval, days: number): DateInterval {
  return { from: from + days * day, to: to + days * day };
}

function movedBy(current: DateInterval, count: number, unit: string): DateInterval {
  if (unit === "d" || unit === "w") return shifted(current, count * (unit === "w" ? 7 : 1));
  const at = new Date(current.from);
  const months = count * (unit === "y" ? 12 : 1);
  // The 31st of a shorter month becomes its last day.
  const last = new Date(utc(at.getUTCFullYear(), at.getUTCMonth() + 1 + months + 1, 0)).getUTCDate();
  const from = utc(at.getUTCFullYear(), at.getUTCMonth() + 1 + months, Math.min(at.getUTCDate(), last));
  return { from, to: from + day };
}

/** Weeks begin on a Monday. */
function spanOf(current: DateInterval, span: string, offset: number): DateInterval {
  const at = new Date(current.from);
  const year = at.getUTCFullYear();
  if (span === "week") {
    const from = current.from - ((at.getUTCDay() + 6) % 7) * day + offset * 7 * day;
    return { from, to: from + 7 * day };
  }
  if (span === "month") {
    const month = at.getUTCMonth() + 1 + offset;
    return { from: utc(year, month, 1), to: utc(year, month + 1, 1) };
  }
  return { from: utc(year + offset, 1, 1), to: utc(year + offset + 1, 1, 1) };
}

/** A time as `dateAsked` reads it. */
export function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

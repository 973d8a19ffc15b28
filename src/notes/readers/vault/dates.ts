/** Dates in notes. All are read as UTC, so that a file means the same everywhere. */

export type Day = { year: number; month: number; day: number };

const monthNames = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];
const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Titles of Logseq's journal pages besides the configured format. */
export const journalFormats = ["MMM do, yyyy", "yyyy-MM-dd", "yyyy_MM_dd"];

/** `2024_01_31`, `2024-01-31`: the name of a journal file. */
export function journalDay(name: string): Day | undefined {
  const match = /^(\d{4})[_-](\d{2})[_-](\d{2})$/.exec(name);
  return match ? realDay(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
}

export function isoDay({ year, month, day }: Day): string {
  return formatDay({ year, month, day }, "yyyy-MM-dd");
}

/** Formats a day with a pattern of Logseq's configuration. */
export function formatDay(date: Day, pattern: string): string {
  return pattern.replace(/'([^']*)'|do|y+|M+|d+|E+/g, (token, literal?: string) => literal ?? part(token, date));
}

function part(token: string, { year, month, day }: Day): string {
  if (token === "do") return `${day}${ordinal(day)}`;
  if (token[0] === "y") return token.length === 2 ? String(year).slice(-2) : String(year).padStart(4, "0");
  if (token[0] === "d") return String(day).padStart(token.length, "0");
  if (token[0] === "E") return shortened(dayNames[new Date(utc(year, month, day)).getUTCDay()]!, token.length > 3);
  return token.length < 3
    ? String(month).padStart(token.length, "0")
    : shortened(monthNames[month - 1]!, token.length > 3);
}

function shortened(name: string, isFull: boolean): string {
  return isFull ? name : name.slice(0, 3);
}

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}

export function dayTime({ year, month, day }: Day): number {
  return utc(year, month, day);
}

const isoTime = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Milliseconds since 1970 of a date, or of a number of milliseconds or seconds; undefined for other texts. */
export function parseTime(text: string): number | undefined {
  const plain = text.trim().replace(/^\[\[(.*)\]\]$/, "$1");
  // Seconds have ten digits from 2001 to 2286, milliseconds thirteen.
  if (/^\d{10}$/.test(plain)) return Number(plain) * 1000;
  if (/^\d{13}$/.test(plain)) return Number(plain);
  const match = isoTime.exec(plain);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  if (!realDay(year!, month!, day!) || hour! > 24 || minute! > 59 || second! > 60) return undefined;
  return utc(year!, month!, day!) + ((hour! * 60 + minute! - zoneMinutes(match[7])) * 60 + second!) * 1000;
}

function zoneMinutes(zone: string | undefined): number {
  if (!zone || zone.length < 5) return 0;
  const digits = zone.replace(":", "");
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5));
  return digits[0] === "-" ? -minutes : minutes;
}

function realDay(year: number, month: number, day: number): Day | undefined {
  const date = new Date(utc(year, month, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { year, month, day } : undefined;
}

function utc(year: number, month: number, day: number): number {
  // Date.UTC maps years below 100 to the 20th century.
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

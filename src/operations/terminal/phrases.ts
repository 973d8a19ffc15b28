import { visible } from "../../text/invisible.ts";

/** Numbers and texts as people read them on a terminal, the same in every language setting. */

/** 12345 -> "12,345". */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 file", "2 files", "0 files". */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** "0.4 s", "12 s", "3 min 20 s", "2 h 5 min". */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Names with their counts, most frequent first: "12 python, 3 go". */
export function tally(counts: Record<string, number>): string {
  return Object.entries(counts)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([name, count]) => `${grouped(count)} ${name}`)
    .join(", ");
}

/** One line without invisible characters and terminal control sequences. */
export function plain(text: string): string {
  return visible(text).replace(/\s+/g, " ").trim();
}

/**
 * A command that can be pasted into a shell. Control characters, which no terminal could show, become question marks.
 */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ")
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
}

/** Days from today that the API writes as words. */
const words: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const written = /^(?:[a-z]{3,9}, )?([a-z]{3})[a-z]* (\d{1,2})(?:, (\d{4}))?$/i;

/**
 * The day that the API writes for people, as `2026-03-15`: `Today`, `Mar 15`, `Sun, Mar 15, 2026`. It leaves out the current year, and all
 * of it is meant where Tana runs, on this machine. Undefined for what is written otherwise.
 */
export function dayWritten(text: string, now: number): string | undefined {
  const today = new Date(now);
  const days = Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined;
  if (days !== undefined) return iso(new Date(today.getFullYear(), today.getMonth(), today.getDate() + days));
  const [, month = "", day, year] = written.exec(text) ?? [];
  const number = months.indexOf(month.toLowerCase());
  if (number < 0) return undefined;
  const date = new Date(Number(year ?? today.getFullYear()), number, Number(day));
  return date.getMonth() === number ? iso(date) : undefined;
}

function iso(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

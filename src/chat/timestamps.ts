/**
 * ISO 8601, in UTC unless it has an offset; also RFC 5322 ("Tue, 03 Jun 2025 10:00:00 GMT"). Other formats depend on
 * the reader's locale.
 */
const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;
const mail = /^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|[+-]\d{4})$/i;

/** Times outside 1970 to 2200 are not times of messages. */
const latest = Date.UTC(2200, 0, 1);

/**
 * A time as exports write it, in milliseconds since 1970: ISO 8601, or a number of seconds, milliseconds or
 * microseconds.
 */
export function readTimestamp(value: unknown): number | undefined {
  const time =
    typeof value === "string" ? fromText(value.trim()) : typeof value === "number" ? scaled(value) : undefined;
  return time !== undefined && time >= 0 && time < latest ? Math.round(time) : undefined;
}

function fromText(text: string): number | undefined {
  if (/^\d{9,17}(?:\.\d{1,9})?$/.test(text)) return scaled(Number(text));
  const match = iso.exec(text);
  if (!match) return mail.test(text) ? finite(Date.parse(text)) : undefined;
  const [, date, time = "00:00", zone = "Z"] = match;
  const offset = zone
    .toUpperCase()
    .replace("UTC", "Z")
    .replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
  // Date.parse takes the 31st of February for the 3rd of March.
  const day = Date.parse(`${date}T00:00Z`);
  if (!Number.isFinite(day) || !new Date(day).toISOString().startsWith(date!)) return undefined;
  return finite(Date.parse(`${date}T${time.replace(",", ".")}${offset}`));
}

/** The unit by size: seconds until the year 5138, milliseconds from 1973 on, microseconds beyond. */
function scaled(number: number): number | undefined {
  if (!Number.isFinite(number)) return undefined;
  if (Math.abs(number) < 1e11) return number * 1000;
  return Math.abs(number) < 1e14 ? number : number / 1000;
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined;
}

import { numberWords } from "./word-lists.ts";

/** A number with its unit, made comparable: 1 minute is 60 of `time`. */
export type Quantity = {
  value: number;
  dimension: string /** As written, for versions: 3.11 is not 3.2, and 3.11.4 is a 3.11. */;
  digits: string;
};

const scales: Record<string, Record<string, number>> = {
  time: {
    ms: 0.001,
    millisecond: 0.001,
    milliseconds: 0.001,
    msec: 0.001,
    s: 1,
    sec: 1,
    secs: 1,
    second: 1,
    seconds: 1,
    m: 60,
    min: 60,
    mins: 60,
    minute: 60,
    minutes: 60,
    h: 3600,
    hr: 3600,
    hrs: 3600,
    hour: 3600,
    hours: 3600,
    d: 86_400,
    day: 86_400,
    days: 86_400,
    week: 604_800,
    weeks: 604_800,
    month: 2_629_800,
    months: 2_629_800,
    year: 31_557_600,
    years: 31_557_600,
  },
  bytes: {
    b: 1,
    byte: 1,
    bytes: 1,
    kb: 2 ** 10,
    kib: 2 ** 10,
    k: 2 ** 10,
    mb: 2 ** 20,
    mib: 2 ** 20,
    gb: 2 ** 30,
    gib: 2 ** 30,
    g: 2 ** 30,
    tb: 2 ** 40,
    tib: 2 ** 40,
  },
  share: { "%": 1, percent: 1 },
  length: {
    mm: 0.001,
    cm: 0.01,
    km: 1000,
    metre: 1,
    metres: 1,
    meter: 1,
    meters: 1,
    inch: 0.0254,
    inches: 0.0254,
    ft: 0.3048,
    feet: 0.3048,
    miles: 1609.344,
    mile: 1609.344,
  },
  weight: { mg: 0.000_001, gram: 0.001, grams: 0.001, kg: 1, kgs: 1, kilo: 1, kilos: 1, lb: 0.453_592, lbs: 0.453_592 },
  screen: { px: 1, pixel: 1, pixels: 1 },
  warmth: { "°c": 1, "°": 1, degrees: 1, celsius: 1 },
  pitch: { hz: 1, khz: 1000, mhz: 1_000_000, ghz: 1_000_000_000 },
  money: { $: 1, usd: 1, dollars: 1, "€": 1, eur: 1, euros: 1, "£": 1, gbp: 1 },
};

const units = new Map<string, { dimension: string; scale: number }>();
for (const [dimension, table] of Object.entries(scales)) {
  for (const [unit, scale] of Object.entries(table)) units.set(unit, { dimension, scale });
}

const numberForm = /^([$€£])?v?(\d+(?:[.,]\d+)*)(?:(st|nd|rd|th)|([a-z%°]{1,5}))?$/;
const clockForm = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/;

/**
 * Reads `30s`, `1,000`, `3.11`, `v2`, `50%`, `9:30`, `6am`, `15th`, `two`; lower case. `unit`: the next word, if it is
 * a unit.
 */
export function quantityOf(word: string, unit?: string): Quantity | undefined {
  const spelt = numberWords.get(word);
  if (spelt !== undefined) return scaled(String(spelt), unit);
  const clock = clockForm.exec(word);
  if (clock && (clock[2] !== undefined || clock[3] !== undefined)) {
    const hours = (Number(clock[1]) % (clock[3] ? 12 : 24)) + (clock[3] === "pm" ? 12 : 0);
    return { value: hours * 60 + Number(clock[2] ?? 0), dimension: "clock", digits: word };
  }
  const [, sign, digits, ordinal, own] = numberForm.exec(word) ?? [];
  if (digits === undefined) return undefined;
  if (ordinal !== undefined) return { value: Number(digits), dimension: "place", digits };
  if (own !== undefined && !units.has(own)) return undefined;
  return scaled(digits, own ?? sign ?? unit);
}

function scaled(text: string, unit: string | undefined): Quantity {
  const digits = /^\d{1,3}(,\d{3})+$/.test(text) ? text.replaceAll(",", "") : text.replaceAll(",", ".");
  const { dimension, scale } = units.get(unit ?? "") ?? { dimension: "", scale: 1 };
  return { value: Number.parseFloat(digits) * scale, dimension, digits: dimension === "" ? digits : "" };
}

/** `unknown`: they count different things. */
export function compareQuantities(a: Quantity, b: Quantity): "same" | "different" | "unknown" {
  if (a.dimension !== b.dimension) return "unknown";
  if (a.digits !== "" && b.digits !== "" && a.dimension === "") return compareVersions(a.digits, b.digits);
  return Math.abs(a.value - b.value) <= 1e-6 * Math.max(Math.abs(a.value), Math.abs(b.value)) ? "same" : "different";
}

/** A shorter version matches a longer one with the same beginning. */
function compareVersions(a: string, b: string): "same" | "different" {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long === short || long.startsWith(`${short}.`) ? "same" : "different";
}

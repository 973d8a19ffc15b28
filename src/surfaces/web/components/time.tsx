/** A relative time, such as "3 hours ago"; a tooltip has the exact one. */
export function Time({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={moment(iso)}>
      {ago(iso)}
    </time>
  );
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** "3 hours ago", "yesterday". */
function ago(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const);
  return unit === "second" ? "just now" : relative.format(Math.round(seconds / size), unit);
}

export function moment(iso: string): string {
  return exact.format(new Date(iso));
}

export function date(iso: string): string {
  return day.format(new Date(iso));
}

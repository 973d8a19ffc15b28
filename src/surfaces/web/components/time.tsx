import { ago, moment } from "./relative-time.ts";

/** A time as people speak of it; the exact one when pointed at. */
export function Time({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={moment(iso)}>
      {ago(iso)}
    </time>
  );
}

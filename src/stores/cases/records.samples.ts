import type { RecordWrite } from "../records.ts";

/** A record for tests. */
export function note(id: string, body: unknown = { text: id }, more: Partial<RecordWrite> = {}): RecordWrite {
  return { id: `mem-${id}`, type: "memory", created: 1000, changed: 2000, body, ...more };
}

import { randomBytes } from "node:crypto";
import type { Database } from "../engine/driver.ts";

type Table = "documents" | "threads" | "messages" | "thread_references" | "usage";
const prefixes: Record<Table, string> = {
  documents: "doc",
  threads: "thr",
  messages: "msg",
  thread_references: "ref",
  usage: "use",
};

/** 64 random bits in base 36, 13 characters. */
export function randomId(prefix: string, bytes: Buffer = randomBytes(8)): string {
  return `${prefix}-${bytes.readBigUInt64BE(0).toString(36).padStart(13, "0")}`;
}

/** As many ids that the owner has not. Within a write transaction, so that nobody takes one meanwhile. */
export function freshIds(
  database: Database,
  table: Table,
  owner: number,
  count: number,
  random: (size: number) => Buffer = randomBytes,
): string[] {
  const ids = new Set<string>();
  while (ids.size < count) {
    const bytes = random(8 * (count - ids.size));
    const drawn = new Set<string>();
    for (let at = 0; at < bytes.length; at += 8) drawn.add(randomId(prefixes[table], bytes.subarray(at, at + 8)));
    const taken = database.all<{ id: string }>(
      `SELECT id FROM ${table} WHERE owner = ? AND id IN (SELECT value FROM json_each(?))`,
      [owner, JSON.stringify([...drawn])],
    );
    for (const { id } of taken) drawn.delete(id);
    for (const id of drawn) ids.add(id);
  }
  return [...ids];
}

import { randomBytes } from "node:crypto";

export type LibraryTable = "documents" | "threads" | "messages" | "thread_references" | "usage";
const prefixes: Record<LibraryTable, string> = {
  documents: "doc",
  threads: "thr",
  messages: "msg",
  thread_references: "ref",
  usage: "use",
};

export type RandomBytes = (size: number) => Buffer;

/** 64 random bits in base 36, 13 characters. */
export function randomId(prefix: string, bytes: Buffer = randomBytes(8)): string {
  return `${prefix}-${bytes.readBigUInt64BE(0).toString(36).padStart(13, "0")}`;
}

/** At most this many ids. The engine checks which are taken, and draws others for those. */
export function drawIds(table: LibraryTable, count: number, random: RandomBytes = randomBytes): Set<string> {
  const bytes = random(8 * count);
  const ids = new Set<string>();
  for (let at = 0; at < bytes.length; at += 8) ids.add(randomId(prefixes[table], bytes.subarray(at, at + 8)));
  return ids;
}

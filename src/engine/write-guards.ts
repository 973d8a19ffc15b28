import { statSync } from "node:fs";
import type { Guard } from "./protocol.ts";

/**
 * Files of a database that a write changes. SQLite writes into the journal beside it first, so both are checked.
 * Reading changes neither.
 */
export function guardsOf(databases: readonly string[]): Guard[] {
  return databases.flatMap((database) => [database, `${database}-wal`]).map((path): Guard => [path, stampOf(path)]);
}

/** True while none of the files has changed: the request has written nothing. */
export function areUntouched(guards: readonly Guard[]): boolean {
  return guards.every(([path, stamp]) => stampOf(path) === stamp);
}

function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  // Opening a database leaves an empty journal beside it.
  return stats && stats.size > 0n ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : "none";
}

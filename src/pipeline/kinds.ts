import type { Kind } from "../item.ts";

/** Items that stand for a whole file rather than a part of one. */
export function isWholeFile(kind: Kind): boolean {
  return kind === "file" || kind === "document" || kind === "config";
}

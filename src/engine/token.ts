import { randomBytes, timingSafeEqual } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type EnginePlace, isPrivate } from "./place.ts";

/**
 * Creates the private folder and its token if they are missing. Returns undefined if another user has put something
 * there.
 */
export function prepareToken({ folder, tokenFile }: Pick<EnginePlace, "folder" | "tokenFile">): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder, "folder")) return undefined;
    writeFileSync(tokenFile, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // There is no place to listen at; everything works without an engine.
    if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOSPC", "ENOENT"].includes(code)) return undefined;
    // An earlier engine made the token; or a file is in the folder's place, which is then no private folder.
    if (code !== "EEXIST") throw error;
  }
  if (!isPrivate(folder, "folder") || !isPrivate(tokenFile, "file")) return undefined;
  const token = readFileSync(tokenFile, "utf8");
  return /^[0-9a-f]{64}$/.test(token) ? token : undefined;
}

/** Constant time: a wrong token takes as long as the right one. */
export function isToken(candidate: unknown, token: string): boolean {
  if (typeof candidate !== "string" || candidate.length !== token.length) return false;
  return timingSafeEqual(Buffer.from(candidate, "latin1"), Buffer.from(token, "latin1"));
}

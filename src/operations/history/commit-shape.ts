import * as z from "zod";
import { type Commit, fileChanges } from "../../stores/commits.ts";

/** A commit as operations answer it. */
export const commitShape = z.object({
  sha: z.string(),
  author: z.string(),
  email: z.string(),
  time: z.string().describe("ISO 8601"),
  subject: z.string(),
  message: z.string(),
  insertions: z.number().int().optional().describe("Absent where git cannot say"),
  deletions: z.number().int().optional(),
});

export const commitFileShape = z.object({
  path: z.string(),
  change: z.enum(fileChanges),
  from: z.string().optional().describe("Its name before, when renamed"),
});

export type ShownCommit = z.output<typeof commitShape>;

export function shownCommit({ sha, author, email, time, message, insertions, deletions }: Commit): ShownCommit {
  return {
    sha,
    author,
    email,
    time: new Date(time).toISOString(),
    subject: message.split("\n", 1)[0]!.trim(),
    message: message.trim(),
    ...(insertions === undefined ? {} : { insertions }),
    ...(deletions === undefined ? {} : { deletions }),
  };
}

/** `+12 -3`, or nothing where it was not counted. */
export function countsText({ insertions, deletions }: Pick<ShownCommit, "insertions" | "deletions">): string {
  return insertions === undefined || deletions === undefined ? "" : `+${insertions} -${deletions}`;
}

export function dayOf(time: string): string {
  return time.slice(0, 10);
}

import type { Dropped, Included } from "../item.ts";
import { hashText } from "../text/hash.ts";
import { droppedFor } from "./dropped.ts";
import { ownPrintable, type Rung } from "./levels.ts";
import type { Unique } from "./unique.ts";

/**
 * What a reader has already, so that nothing is paid for twice. It is remembered line by line, by what the line says and where: a method of
 * a class that was printed is known, whatever was its item then, and a line that was edited since is news.
 */
export type Given = ReadonlySet<string>;

/** What these items add to what was given. */
export function givenBy(items: readonly Included[]): string[] {
  return items.flatMap(({ id, citation, text }) => [hashText(id), ...linesToldBy(text).map(keyAt(citation.path))]);
}

/** Divides items into those that have something new to say, and those all of whose lines were given. */
export function withoutGiven(
  all: readonly Unique[],
  given: Given | undefined,
): { news: readonly Unique[]; told: Dropped[] } {
  if (!given || given.size === 0) return { news: all, told: [] };
  const isTold = (unique: Unique) => {
    const keys = linesToldBy(ownPrintable(unique)).map(keyAt(unique.citation.path));
    return keys.length === 0 ? given.has(hashText(unique.item.id)) : keys.every((key) => given.has(key));
  };
  const told = new Set(all.filter(isTold));
  return {
    news: all.filter((unique) => !told.has(unique)),
    told: [...told].map((unique) => droppedFor(unique, "given")),
  };
}

/** The ways to print an item that tell something new. */
export function newRungs(unique: Unique, rungs: Rung[], given: Given | undefined): Rung[] {
  if (!given || given.size === 0) return rungs;
  const key = keyAt(unique.citation.path);
  const own = new Set(linesToldBy(ownPrintable(unique)));
  return rungs.filter(({ text }) => {
    // What stands for elided lines is no line of the item.
    const lines = linesToldBy(text).filter((line) => own.has(line));
    return lines.length === 0 ? !given.has(hashText(unique.item.id)) : lines.some((line) => !given.has(key(line)));
  });
}

/** Lines with a word in them: a lone brace is the same everywhere. */
function linesToldBy(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
}

function keyAt(place: string): (line: string) => string {
  return (line) => hashText(`${place}\n${line}`);
}

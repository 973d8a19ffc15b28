import { similarity } from "../../text/similarity/similarity.ts";

/** Number of words in a sketch: the beginning identifies a unit, and a record stays small (400 characters). */
const sketchWords = 96;
/** 36^3 values: in a file of hundreds of units two words may collide, two sketches do not. */
const digits = 3;
/** For shorter units only identical words are proof: `return this.a` and `return this.b` are similar, and different. */
const shortUnit = 16;
const leastAlike = 0.8;

/**
 * A fingerprint of a unit's text without its own name: hashed words, as `42 1k3f8a…` with the number of words first.
 */
export function sketchOf(lines: readonly string[], name: string): string {
  const own = name.toLowerCase();
  let hashes = "";
  let count = 0;
  for (const line of lines) {
    for (const [word] of line.toLowerCase().matchAll(/[\p{L}\p{N}_$]+/gu)) {
      if (word === own) continue;
      if (count < sketchWords) hashes += hashOf(word);
      count++;
    }
  }
  return `${count} ${hashes}`;
}

function hashOf(word: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return ((hash >>> 0) % 36 ** digits).toString(36).padStart(digits, "0");
}

export type SketchLikeness = "same" | "alike" | "different";

/** `same`: word for word. `alike`: at least 80 % of the words, in the same order. */
export function compareSketches(a: string, b: string): SketchLikeness {
  if (a === b) return wordsIn(a) > 0 ? "same" : "different";
  const [left, right] = [wordsIn(a), wordsIn(b)];
  const [few, many] = left < right ? [left, right] : [right, left];
  if (few < shortUnit || few / many < leastAlike) return "different";
  return similarity(spaced(a), spaced(b)) >= leastAlike ? "alike" : "different";
}

/** Number of words in the sketched text. */
export function wordsIn(sketch: string): number {
  return Number(sketch.slice(0, sketch.indexOf(" ")));
}

function spaced(sketch: string): string {
  return (sketch.slice(sketch.indexOf(" ") + 1).match(/.{3}/g) ?? []).join(" ");
}

/**
 * Names, each hashed to three characters, so that a record can store all of a file. On a collision a new name is not
 * recognised as new.
 */
export function marksOf(names: Iterable<string>): string {
  return [...new Set([...names].map(hashOf))].sort().join("");
}

export function isMarked(marks: string, name: string): boolean {
  const mark = hashOf(name);
  for (let at = 0; at < marks.length; at += digits) if (marks.startsWith(mark, at)) return true;
  return false;
}

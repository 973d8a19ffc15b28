import { analyse } from "../../text/analysis/analyse.ts";

/** `TestBasicAuth_401` -> "Test Basic Auth 401". */
export function spaced(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The subject of a name or a sentence: stems of its words, without stop words. */
export function stemsOf(text: string): Set<string> {
  return new Set(analyse(spaced(text)));
}

export function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const each of a) if (b.has(each)) count++;
  return count;
}

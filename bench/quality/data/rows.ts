import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { random, shuffled } from "../../shared/random.ts";
import { seed } from "../measures/bootstrap.ts";

/** The rows of a file of JSON lines. */
export function rowsOf<Row>(path: string): Row[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Row);
}

/** Why a file of data cannot be read; undefined when it can. */
export function lacking(...parts: string[]): string | undefined {
  return existsSync(join(...parts)) ? undefined : `the data has no ${parts.slice(1).join("/")}`;
}

/** At most `count` of them, the same in every run, in their order; all without a count. */
export function sampleOf<T>(list: readonly T[], count: number | undefined): T[] {
  if (count === undefined || count >= list.length) return [...list];
  const places = shuffled([...list.keys()], random(seed)).slice(0, count);
  return places.sort((a, b) => a - b).map((place) => list[place]!);
}

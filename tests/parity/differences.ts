import { fieldsOf } from "../../src/operations/core/fields.ts";
import type { Operation } from "../../src/operations/core/operation.ts";
import { inputName } from "../../src/surfaces/cli/command-flags.ts";
import { snakeCase } from "../../src/surfaces/mcp/tools/snake-case.ts";
import type { SurfacePlace } from "./fixture.ts";

/** All that may differ between surfaces, and nothing else: what is left of an answer must be equal to the letter. */

/** Ids that are random, of records and library data; and ids of contexts, which depend on the folder's path. */
const drawn = /\b(?:mem|exp|doc|thr|msg|ref|use|ctx)-[0-9a-z]{13}\b/g;

/** How long something took: a field of data, and the end of a sentence. */
const durations = new Set(["milliseconds", "stages"]);
const took = /(?<= in )[\d.]+ m?s\b/g;

/** A server indexes behind its answers, and says so; the others index before they answer the next question. */
const ofServers = "indexing";

/** Only a server is asked with a key. */
const ofKeys = "keyScope";

/** What `doctor` says of the disk. */
const free = /[\d.]+ [kMGT]?B free/g;

const minute = 60_000;

export type Neutral = { data(value: unknown): unknown; text(value: string): string };

/** `began`: what carries a later time was written by the calls themselves. */
export function neutralFor(place: SurfacePlace, fixtureIds: ReadonlySet<string>, began: number): Neutral {
  const numbers = new Map<string, string>();
  const numbered = (id: string) => {
    if (fixtureIds.has(id)) return id;
    if (!numbers.has(id)) numbers.set(id, `${id.slice(0, 4)}#${numbers.size + 1}`);
    return numbers.get(id)!;
  };

  /**
   * What differs between surfaces by nature: ids, numbered by first mention, times of now, and where the workspace
   * lies.
   */
  const text = (value: string): string =>
    value
      .replaceAll(`${place.root}/`, "")
      .replaceAll(place.root, ".")
      .replaceAll(`${place.home}/`, "home/")
      .replace(drawn, numbered)
      .replace(took, "some time")
      .replace(free, "some free")
      .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z\b/g, (time) => (Date.parse(time) >= began ? "now" : time))
      .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC\b/g, (time) => (Date.parse(time) >= began - minute ? "now" : time));

  const data = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value === "number") return value >= began && value <= Date.now() ? "now" : value;
    if (Array.isArray(value)) return value.map(data);
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).filter(([key]) => !durations.has(key) && key !== ofServers && key !== ofKeys);
    return Object.fromEntries(kept.map(([key, each]) => [text(key), data(each)]));
  };
  return { data, text };
}

/**
 * Surfaces call inputs by their own names: `maxTokens`, `--max-tokens`, `<query>`, `max_tokens`; and steps: `thread
 * create`, `thread new`.
 */
export function sentenceOf(operation: Operation, message: string): string {
  let sentence = message;
  const { name: called, command = "" } = operation;
  const steps = typeof command === "string" ? [] : Object.entries(command);
  for (const { key } of fieldsOf(operation)) {
    const names = [undefined, ...steps.map(([step]) => step)].map((step) => inputName(operation, key, step));
    for (const name of [...names, snakeCase(key)]) sentence = sentence.replaceAll(name, key);
  }
  for (const [step, { words }] of steps) sentence = sentence.replace(new RegExp(`^${words}\\b`), `${called} ${step}`);
  return sentence;
}

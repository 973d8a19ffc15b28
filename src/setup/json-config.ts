import { isDeepStrictEqual } from "node:util";
import { DossierError } from "../errors.ts";
import { isObject } from "../text/json/is-object.ts";
import { withoutPart, withPart, withValue } from "../text/json/json-edit.ts";
import type { JsonNode, JsonPart } from "../text/json/parse-json.ts";
import { type ConfigFile, parseConfig, wrongPlace } from "../workspace/config-file.ts";

/** Sets one value in another program's settings file, or removes it. Everything else stays as it was written. */

/** Keys of objects and positions in lists that lead to a value. */
export type Way = readonly (string | number)[];

/** A blank file counts as none. */
export function isBlank(text: string | undefined): text is undefined | "" {
  return text === undefined || text.replace(/^\ufeff/, "").trim() === "";
}

/** Whether nothing that a person wrote is left: neither a setting nor a comment. */
export function isEmptied(text: string): boolean {
  return /^\ufeff?\s*\{\s*\}\s*$/.test(text);
}

export function valueAt(path: string, text: string | undefined, way: Way): unknown {
  if (isBlank(text)) return undefined;
  const { node, missing } = reach(parseConfig(path, text), way);
  return missing.length === 0 ? node.value : undefined;
}

/** Sets a value; the objects on the way to it are made where they are missing. */
export function withJson(path: string, text: string | undefined, way: Way, value: unknown): string {
  if (isBlank(text)) return `${JSON.stringify(wrapped(way, value), null, 2)}\n`;
  const file = parseConfig(path, text);
  const { node, missing } = reach(file, way);
  const [key, ...rest] = missing;
  const changed =
    key === undefined ? withValue(text, node, value) : withPart(text, node, wrapped(rest, value), String(key));
  return checked(file, changed, (root) => {
    let inner = root;
    for (const step of way.slice(0, -1)) inner = (inner[step] ??= {}) as Tree;
    inner[way.at(-1)!] = value;
  });
}

/** Adds a value at the end of a list, which is made where it is missing. */
export function withListed(path: string, text: string | undefined, way: Way, value: unknown): string {
  if (isBlank(text) || valueAt(path, text, way) === undefined) return withJson(path, text, way, [value]);
  const file = parseConfig(path, text);
  const { node } = reach(file, way);
  if (!Array.isArray(node.value)) throw wrongPlace(file, way, "is no list, as it would have to be");
  return checked(file, withPart(text, node, value), (root) => {
    (way.reduce<unknown>((inner, step) => (inner as Tree)[step], root) as unknown[]).push(value);
  });
}

/** Removes a value, and the containers that this leaves empty. */
export function withoutJson(path: string, text: string, way: Way): string {
  const file = parseConfig(path, text);
  const { node, missing } = reach(file, way.slice(0, -1));
  const position = missing.length > 0 ? -1 : partsOf(node).findIndex((part) => part.key === way.at(-1));
  if (position < 0) return text;
  if (partsOf(node).length === 1 && way.length > 1) return withoutJson(path, text, way.slice(0, -1));
  return checked(file, withoutPart(text, node, position), (root) => {
    const inner = way.slice(0, -1).reduce<unknown>((outer, step) => (outer as Tree)[step], root);
    if (Array.isArray(inner)) inner.splice(position, 1);
    else delete (inner as Tree)[way.at(-1)!];
  });
}

export function isListOf<Part extends object>(value: unknown): value is Part[] {
  return Array.isArray(value) && value.every((part) => typeof part === "object" && part !== null);
}

type Tree = Record<PropertyKey, unknown>;

/** The last node on the way that exists, and the steps that lead on from there. */
function reach(file: ConfigFile, way: Way): { node: JsonNode; missing: (string | number)[] } {
  let node = file.root;
  for (const [at, step] of way.entries()) {
    const isFitting = typeof step === "number" ? Array.isArray(node.value) : isObject(node.value);
    if (!isFitting) throw wrongPlace(file, way.slice(0, at), "is no object, as it would have to be");
    const part = partsOf(node).find((candidate) => candidate.key === step);
    if (!part) return { node, missing: way.slice(at) };
    node = part.node;
  }
  return { node, missing: [] };
}

function partsOf(node: JsonNode): JsonPart[] {
  return node.parts ?? [];
}

function wrapped(way: Way, value: unknown): unknown {
  return way.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

/** Returns the changed text, after checking that it says what is intended: nothing is tried out in a user's file. */
function checked(before: ConfigFile, text: string, change: (root: Tree) => void): string {
  const expected = structuredClone(before.root.value) as Tree;
  change(expected);
  if (isDeepStrictEqual(parseConfig(before.path, text).root.value, expected)) return text;
  throw new DossierError("bad-config", `${before.path} cannot be changed without touching something else in it.`);
}

import * as z from "zod";
import type { DossierError } from "../../errors.ts";
import { relations } from "../../note.ts";
import { builtInLenses, type Lens } from "../../recipes/lenses.ts";
import { alternatives } from "../../text/similarity/closest.ts";
import { type ConfigFile, settings, wrongPlace } from "../config-file.ts";

/** A lens of the workspace's config file, with everything that it has from another one filled in. */
export type CustomLens = Lens & { /** The lens that it changes. */ extends: string };

const mostNames = 100;
const longestName = 200;

const names = (takes: string) =>
  z
    .array(z.string({ error: takes }).trim().min(1, { error: takes }).max(longestName, { error: takes }), {
      error: takes,
    })
    .max(mostNames, { error: takes });
const relationList = `takes one or more of ${relations.join(", ")}`;
const depth = "takes a whole number from 1 to 5";

export const lensSettings = settings({
  extends: z.string({ error: "takes the name of a lens" }).optional(),
  priorityTypes: z
    .array(z.enum(relations, { error: relationList }), { error: relationList })
    .min(1, { error: relationList })
    .transform((types) => [...new Set(types)])
    .optional(),
  boostTags: names(`takes a list of up to ${mostNames} names of tags`)
    .transform((tags) => tags.map((tag) => tag.replace(/^#(?=.)/, "")))
    .optional(),
  includeFields: names(`takes a list of up to ${mostNames} names of fields`).optional(),
  maxDepth: z
    .number({ error: depth })
    .int({ error: depth })
    .min(1, { error: depth })
    .max(5, { error: depth })
    .optional(),
});

type LensSettings = z.output<typeof lensSettings>;

const namePattern = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/** The lens that is extended if none is named. */
const base = builtInLenses[0]!;

/** Custom lenses with the settings they inherit; a lens's own setting replaces the inherited one. */
export function completeLenses(file: ConfigFile, custom: Readonly<Record<string, LensSettings>>): CustomLens[] {
  const nodes = file.root.parts?.find(({ key }) => key === "lenses")?.node.parts ?? [];
  for (const { key } of nodes) refuseName(file, String(key));
  const settingsOf = new Map(
    Object.entries(custom).map(([name, { extends: below = base.name, ...rest }]) => [name, { below, ...rest }]),
  );
  const complete = new Map<string, Lens>(builtInLenses.map((lens) => [lens.name, lens]));
  for (const name of settingsOf.keys()) {
    // Down to a lens that is complete, then up again, filling in.
    const way = new Set<string>();
    for (let next = name; !complete.has(next); ) {
      if (way.has(next)) throw circularError(file, [...way], next);
      way.add(next);
      const { below } = settingsOf.get(next)!;
      if (!complete.has(below) && !settingsOf.has(below))
        throw unknownBelow(file, next, below, [...complete.keys(), ...settingsOf.keys()]);
      next = below;
    }
    for (const each of [...way].reverse()) {
      const { below, ...changes } = settingsOf.get(each)!;
      complete.set(each, { ...complete.get(below)!, ...withoutUndefined(changes), name: each });
    }
  }
  return [...settingsOf].map(([name, { below }]) => ({ ...complete.get(name)!, extends: below }));
}

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
}

function refuseName(file: ConfigFile, name: string): void {
  const way = ["lenses", name];
  if (builtInLenses.some((lens) => lens.name === name)) {
    throw wrongPlace(file, way, `has the name of a built-in lens; give it another one, with "extends": "${name}"`);
  }
  if (!namePattern.test(name)) {
    throw wrongPlace(file, way, "is no name for a lens: up to 64 small letters, digits and hyphens are");
  }
}

function unknownBelow(file: ConfigFile, name: string, below: string, names: string[]): DossierError {
  const problem = `is ${JSON.stringify(below)}, which is no lens; ${alternatives(below, [...new Set(names)])}`;
  return wrongPlace(file, ["lenses", name, "extends"], problem);
}

function circularError(file: ConfigFile, way: string[], again: string): DossierError {
  const all = [...way.slice(way.indexOf(again)), again];
  const names = all.length > 10 ? [...all.slice(0, 8), "…", again] : all;
  return wrongPlace(file, ["lenses", again, "extends"], `leads back to itself: ${names.join(" extends ")}`);
}

/** The effect of a lens, in one sentence. */
export function lensSentence({ priorityTypes, boostTags, includeFields, maxDepth }: Omit<Lens, "name">): string {
  const steps = `up to ${maxDepth} ${maxDepth === 1 ? "step" : "steps"}`;
  const parts = [`Follows ${listed(priorityTypes)} links ${steps}`];
  if (boostTags.length > 0) parts.push(`ranks notes tagged ${listed(boostTags, "or")} higher`);
  if (includeFields.length > 0) parts.push(`always shows ${listed(includeFields)}`);
  return `${parts.join("; ")}.`;
}

function listed(words: readonly string[], joint = "and"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;
}

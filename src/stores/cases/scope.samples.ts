import { expect } from "vitest";
import type { Kind, LinkKind } from "../../item.ts";
import type { Store } from "../store.ts";
import { idOf, type SampleFile, type SampleUnit } from "./store.samples.ts";

/** Units with what they call, for the cases of what names mean. */

export const ts: SampleFile = { language: "typescript" };
export const go: SampleFile = { language: "go" };

export function unit(name: string, kind: Kind = "function"): SampleUnit {
  return { name, kind, text: `${kind} ${name}` };
}

export function calls(name: string, ...names: string[]): SampleUnit {
  return { ...unit(name), links: names.map((each): [LinkKind, string] => ["calls", each]) };
}

export function method(inside: string, name: string, ...names: string[]): SampleUnit {
  return { ...calls(name, ...names), kind: "method", inside };
}

export function declaring(name: string, kind: Kind, ...declares: string[]): SampleUnit {
  return { ...unit(name, kind), links: declares.map((each) => ["declares", each]) };
}

/** The qualified names of what a unit links to, which is found from the other end, too. */
export function calledFrom(store: () => Store) {
  return async (path: string, from = "caller", kinds: LinkKind[] = ["calls"]): Promise<string[]> => {
    const links = await store().links("me", [idOf(path, from)], "from", kinds);
    const back = await Promise.all(links.map(({ to }) => store().links("me", [to], "to", kinds)));
    for (const [i, link] of links.entries()) expect(back[i]).toContainEqual(link);
    const items = await store().items("me", [...new Set(links.map(({ to }) => to))]);
    return items.map(({ qualifiedName }) => qualifiedName).sort();
  };
}

import type { Docs } from "./tana-docs.ts";
import type { TanaNames } from "./tana-names.ts";
import type { TanaOutline } from "./tana-outline.ts";
import { systemTags } from "./tana-system.ts";
import type { Statements } from "./tana-tuples.ts";

export type Tags = {
  /** Names of a doc's supertags, and of their ancestors that it does not have itself. */
  of(number: number): { tags: string[]; inherited: string[] };
  /** Number of applied supertags without a name, because the export lacks their definition. */
  nameless(): number;
};

export function tagsOf(docs: Docs, statements: Statements, outline: TanaOutline, names: TanaNames): Tags {
  const nameCache = new Map<number, string | undefined>();
  const inheritance = new Map<number, number[]>();
  let nameless = 0;

  function nameOf(tag: number): string | undefined {
    if (!nameCache.has(tag)) nameCache.set(tag, lookUp(tag));
    return nameCache.get(tag);
  }

  function lookUp(tag: number): string | undefined {
    const system = systemTags.get(docs.ids[tag]!);
    if (system !== undefined || docs.kind[tag] === "missing" || outline.inTrash(tag)) return system;
    return names.name(tag).replace(/^#+\s*/, "") || undefined;
  }

  /** All ancestors of a supertag, nearest first; cycles are allowed. */
  function ancestors(tag: number): number[] {
    const cached = inheritance.get(tag);
    if (cached) return cached;
    const seen = new Set([tag]);
    for (const next of seen) for (const parent of statements.parents.get(next) ?? []) seen.add(parent);
    const above = [...seen].slice(1);
    inheritance.set(tag, above);
    return above;
  }

  function of(number: number): { tags: string[]; inherited: string[] } {
    const applied = statements.tags.get(number);
    if (!applied) return { tags: [], inherited: [] };
    const tags = new Set<string>();
    const inherited = new Set<string>();
    for (const tag of applied) {
      const name = nameOf(tag);
      if (name !== undefined) tags.add(name);
      else if (docs.kind[tag] === "missing" && !docs.ids[tag]!.startsWith("SYS_")) nameless++;
    }
    for (const tag of applied) {
      for (const above of ancestors(tag)) {
        const name = nameOf(above);
        if (name !== undefined && !tags.has(name)) inherited.add(name);
      }
    }
    return { tags: [...tags], inherited: [...inherited] };
  }

  return { of, nameless: () => nameless };
}

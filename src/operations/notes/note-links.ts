import type { Context } from "../../document.ts";
import type { Facts, Included } from "../../item.ts";
import type { LinkOf } from "../../notes/deep-links.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Where the notes of a workspace open in their applications. */
export async function linksOf({ root, store, owner }: Workspace): Promise<LinkOf> {
  const [{ deepLinks }, { readOriginState }] = await Promise.all([
    import("../../notes/deep-links.ts"),
    import("../../notes/origin-state.ts"),
  ]);
  const states = await readOriginState(store, owner);
  return deepLinks(root, new Map(states.map(({ name, kind }) => [name, kind])));
}

/** The same answer, with every citation of a note leading to it. */
export async function withLinks<Answer extends Pick<Context, "items">>(
  answer: Answer,
  workspace: Workspace,
): Promise<Answer> {
  if (!answer.items.some(({ source }) => source === "note")) return answer;
  const linkOf = await linksOf(workspace);
  const items = answer.items.map((item): Included => {
    const link = item.source === "note" ? linkOfFacts(item.facts, linkOf) : undefined;
    return link === undefined ? item : { ...item, citation: { ...item.citation, link } };
  });
  return { ...answer, items };
}

export function linkOfFacts(facts: Facts | undefined, linkOf: LinkOf): string | undefined {
  if (typeof facts?.id !== "string" || typeof facts.origin !== "string") return undefined;
  const [, path, line] = /^(.*):(\d+)$/s.exec(String(facts.place ?? "")) ?? [];
  const place = path === undefined ? undefined : { path, line: Number(line) };
  return linkOf({ key: facts.id, origin: facts.origin, ...(place ? { place } : {}) });
}

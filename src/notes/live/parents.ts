import { oneLine } from "../../text/one-line.ts";
import { inlineMarkdown } from "../readers/tana/html.ts";
import type { LiveHit } from "./api-responses.ts";
import type { LiveClient } from "./client.ts";
import { isNoteHit } from "./read-answers.ts";

/** Limit of searches for parents per question. */
const mostSought = 4;

type Ask = <Answered>(ask: () => Promise<Answered | undefined>) => Promise<Answered | undefined>;

/**
 * The parents of these nodes. The API returns only the names above a node, not their ids: the parent is the one node
 * with that name and the same names above it. `hasParent`: true for nodes whose parent is stored already.
 */
export async function parentsOf(
  client: LiveClient,
  hits: readonly LiveHit[],
  hasParent: (id: string) => boolean,
  ask: Ask,
  signal: AbortSignal,
): Promise<Map<string, LiveHit>> {
  const orphans = hits.filter(({ id, breadcrumb }) => breadcrumb.length > 1 && !hasParent(id));
  const parents = new Map<string, LiveHit>();
  const byBreadcrumb = new Map<string, LiveHit[]>();
  for (const hit of orphans) {
    const breadcrumb = JSON.stringify(hit.breadcrumb);
    byBreadcrumb.set(breadcrumb, [...(byBreadcrumb.get(breadcrumb) ?? []), hit]);
  }
  let requests = 0;
  await Promise.all(
    [...byBreadcrumb].map(async ([breadcrumb, below]) => {
      const candidates = ownersAmong(hits, JSON.parse(breadcrumb) as string[]);
      const name = below[0]!.breadcrumb.at(-1)!;
      // The parent may be among the results.
      const owners =
        candidates.length > 0 || requests++ >= mostSought
          ? candidates
          : ownersAmong(
              (await ask(() => client.search({ textContains: name }, { signal }))) ?? [],
              below[0]!.breadcrumb,
            );
      const [owner] = owners;
      if (owner && owners.length === 1) for (const { id } of below) if (id !== owner.id) parents.set(id, owner);
    }),
  );
  return parents;
}

/** Nodes with the last name, below the names before it. */
function ownersAmong(hits: readonly LiveHit[], breadcrumb: readonly string[]): LiveHit[] {
  const name = plain(breadcrumb.at(-1)!);
  const above = JSON.stringify(breadcrumb.slice(0, -1).map(plain));
  return hits.filter(
    (hit) =>
      !hit.inTrash && isNoteHit(hit) && plain(hit.name) === name && JSON.stringify(hit.breadcrumb.map(plain)) === above,
  );
}

function plain(name: string): string {
  return oneLine(inlineMarkdown(name));
}

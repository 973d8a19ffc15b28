import { oneLine } from "../../text/one-line.ts";
import { inlineMarkdown } from "../readers/tana-html.ts";
import type { LiveClient } from "./client.ts";
import type { LiveHit } from "./shapes.ts";
import { isNoteHit } from "./told.ts";

/** Owners that are looked for by one question: each takes a request. */
const mostSought = 4;

type Ask = <Answered>(ask: () => Promise<Answered | undefined>) => Promise<Answered | undefined>;

/**
 * Who owns these nodes. The API tells the names of all that is above a node, and no ids: the owner is the one node that is called so and
 * has the rest of the names above it. `isKnown`: whose owner need not be asked for.
 */
export async function parentsOf(
  client: LiveClient,
  hits: readonly LiveHit[],
  isKnown: (id: string) => boolean,
  ask: Ask,
  signal: AbortSignal,
): Promise<Map<string, LiveHit>> {
  const sought = hits.filter(({ id, breadcrumb }) => breadcrumb.length > 1 && !isKnown(id));
  const parents = new Map<string, LiveHit>();
  const ways = new Map<string, LiveHit[]>();
  for (const hit of sought) {
    const way = JSON.stringify(hit.breadcrumb);
    ways.set(way, [...(ways.get(way) ?? []), hit]);
  }
  let requests = 0;
  await Promise.all(
    [...ways].map(async ([way, below]) => {
      const among = ownersAmong(hits, JSON.parse(way) as string[]);
      const name = below[0]!.breadcrumb.at(-1)!;
      // It may be among what was found already.
      const found =
        among.length > 0 || requests++ >= mostSought
          ? among
          : ownersAmong(
              (await ask(() => client.search({ textContains: name }, { signal }))) ?? [],
              below[0]!.breadcrumb,
            );
      const [owner] = found;
      if (owner && found.length === 1) for (const { id } of below) if (id !== owner.id) parents.set(id, owner);
    }),
  );
  return parents;
}

/** Those that are called as the last name says, below the names before it. */
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

import type { Context } from "../../document.ts";
import { DossierError } from "../../errors.ts";
import type { Request } from "../../options.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { hashText } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";

/**
 * Bundles stored for one owner. Each includes everything sent before, so only the newest of a conversation is needed.
 */
const remembered = 200;

/**
 * Assembles what was not sent yet if the request names a bundle, and returns a bundle that includes the new items.
 * Without a bundle it is the usual assembly, and nothing is written. `others`: what the reader has from elsewhere; the
 * new bundle does not include it.
 */
export async function assembleSince(
  workspace: Workspace,
  request: Request,
  recipe: Recipe,
  others?: Environment["receivedBundle"],
): Promise<Context> {
  const { assemble, sentKeys } = await import("../../assemble.ts");
  const { since } = request;
  if (since === undefined) return withCounts(workspace, await assemble(workspace, request, recipe));
  const { owner, store } = workspace;
  const stored = since === "start" ? undefined : await store.bundles.get(owner, since);
  const sent = new Set(stored ? unpack(stored) : []);
  const otherId = others?.(workspace.root);
  const otherBundle = otherId === undefined ? undefined : await store.bundles.get(owner, otherId);
  const all = otherBundle ? new Set([...sent, ...unpack(otherBundle)]) : sent;
  const context = await withCounts(workspace, await assemble(workspace, { ...request, given: all }, recipe));
  for (const key of sentKeys(context)) sent.add(key);
  const packed = pack(sent);
  const bundle = `bun-${hashText(packed)}`;
  const warnings =
    stored || since === "start" ? [] : [`The bundle ${since} is not known any more: all of it is given again.`];
  try {
    await store.bundles.put(owner, bundle, packed, remembered);
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
    const notKept = `What was given now is not remembered: ${error.message}`;
    return { ...context, bundle: since, warnings: [...warnings, notKept, ...context.warnings] };
  }
  return { ...context, bundle, warnings: [...warnings, ...context.warnings] };
}

/** One bundle with the content of all of these; unknown bundles are empty. */
export async function joinedBundle({ store, owner }: Workspace, names: string[]): Promise<string> {
  const bundles = await Promise.all(names.map((name) => store.bundles.get(owner, name)));
  const packed = pack(new Set(bundles.flatMap((each) => (each ? unpack(each) : []))));
  const bundle = `bun-${hashText(packed)}`;
  await store.bundles.put(owner, bundle, packed, remembered);
  return bundle;
}

/**
 * Adds the number of inserted and deleted lines to each commit, where git can tell. Only for printed commits, because
 * counting is slow.
 */
async function withCounts(workspace: Workspace, context: Context): Promise<Context> {
  const uncounted = context.items.filter(({ source, facts }) => source === "commit" && facts?.insertions === undefined);
  if (uncounted.length === 0) return context;
  const { countCommits } = await import("../../indexing/history/line-counts.ts");
  const counts = await countCommits(
    workspace,
    uncounted.map(({ facts }) => String(facts?.sha)),
  );
  const items = context.items.map((item) => {
    const counted = item.source === "commit" ? counts.get(String(item.facts?.sha)) : undefined;
    return counted ? { ...item, facts: { ...item.facts, ...counted } } : item;
  });
  return { ...context, items };
}

/** Eight bytes for each key, sorted, so that the same lines make the same bundle. */
function pack(keys: ReadonlySet<string>): Uint8Array {
  const numbers = BigUint64Array.from([...keys].map(numberOf)).sort();
  return new Uint8Array(numbers.buffer);
}

function unpack(packed: Uint8Array): string[] {
  const numbers = new BigUint64Array(packed.slice().buffer);
  return Array.from(numbers, (number) => number.toString(36).padStart(13, "0"));
}

/** Hashes are written in base 36 and exceed a double, so they are read as a bigint. */
function numberOf(key: string): bigint {
  const [high, low] = [key.slice(0, -6), key.slice(-6)];
  return BigInt(Number.parseInt(high, 36)) * 36n ** 6n + BigInt(Number.parseInt(low, 36));
}

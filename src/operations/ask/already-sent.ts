import { DossierError } from "../../errors.ts";
import type { Context } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { hashText } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";

/** Bundles of one owner that are remembered. Each holds all that was given up to it, so only the newest of a conversation is asked for. */
const remembered = 200;

/**
 * Assembles what was not given yet when the request names a bundle, and names a bundle that holds that too. Without one it is the usual
 * assembly, and nothing is written down. `others`: what the reader was given besides, and which the new bundle does not hold.
 */
export async function assembleSince(
  workspace: Workspace,
  request: Request,
  recipe: Recipe,
  others?: Environment["given"],
): Promise<Context> {
  const { assemble, sentKeys } = await import("../../assemble.ts");
  const { since } = request;
  if (since === undefined) return withCounts(workspace, await assemble(workspace, request, recipe));
  const { owner, store } = workspace;
  const stored = since === "start" ? undefined : await store.bundles.get(owner, since);
  const given = new Set(stored ? unpack(stored) : []);
  const besides = others?.(workspace.root);
  const known = besides === undefined ? undefined : await store.bundles.get(owner, besides);
  const all = known ? new Set([...given, ...unpack(known)]) : given;
  const context = await withCounts(workspace, await assemble(workspace, { ...request, given: all }, recipe));
  for (const key of sentKeys(context)) given.add(key);
  const packed = pack(given);
  const bundle = `bun-${hashText(packed)}`;
  const warnings =
    stored || since === "start" ? [] : [`The bundle ${since} is not known any more: all of it is given again.`];
  try {
    await store.bundles.put(owner, bundle, packed, remembered);
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
    const told = `What was given now is not remembered: ${error.message}`;
    return { ...context, bundle: since, warnings: [...warnings, told, ...context.warnings] };
  }
  return { ...context, bundle, warnings: [...warnings, ...context.warnings] };
}

/** The bundle of all that these hold; those that are not known any more hold nothing. */
export async function joinedBundle({ store, owner }: Workspace, names: string[]): Promise<string> {
  const held = await Promise.all(names.map((name) => store.bundles.get(owner, name)));
  const packed = pack(new Set(held.flatMap((each) => (each ? unpack(each) : []))));
  const bundle = `bun-${hashText(packed)}`;
  await store.bundles.put(owner, bundle, packed, remembered);
  return bundle;
}

/** Every commit says how many lines it inserted and deleted, where git can tell: counted for what is printed only, for it is slow. */
async function withCounts(workspace: Workspace, context: Context): Promise<Context> {
  const uncounted = context.items.filter(({ source, facts }) => source === "commit" && facts?.insertions === undefined);
  if (uncounted.length === 0) return context;
  const { countCommits } = await import("../../indexing/history/counts.ts");
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

/** Eight bytes for each, in order, so that the same lines are the same bundle. */
function pack(keys: ReadonlySet<string>): Uint8Array {
  const numbers = BigUint64Array.from([...keys].map(numberOf)).sort();
  return new Uint8Array(numbers.buffer);
}

function unpack(packed: Uint8Array): string[] {
  const numbers = new BigUint64Array(packed.slice().buffer);
  return Array.from(numbers, (number) => number.toString(36).padStart(13, "0"));
}

/** Hashes are written in base 36, which is more than one number can be read from at once. */
function numberOf(key: string): bigint {
  const [high, low] = [key.slice(0, -6), key.slice(-6)];
  return BigInt(Number.parseInt(high, 36)) * 36n ** 6n + BigInt(Number.parseInt(low, 36));
}

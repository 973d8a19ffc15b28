import { setImmediate } from "node:timers/promises";
import { DossierError } from "../../errors.ts";
import type { RecordStore, StoredRecord } from "../../stores/records.ts";
import { type Axis, type Experience, tiers } from "../experience.ts";
import { findClusters, type Landscape, type ResolvedExperience } from "./clusters.ts";

/** Only the newest take part. Time grows with their square: this many take some four seconds. */
const mostExperiences = 5000;

const pageSize = 1000;

/** The newest resolved experiences: only those have an outcome to learn from. */
async function resolvedExperiences(records: RecordStore, owner: string): Promise<ResolvedExperience[]> {
  const resolved: ResolvedExperience[] = [];
  for (let more = true; more && resolved.length < mostExperiences; ) {
    const page = await records.list(owner, {
      type: "experience",
      where: { tier: [...tiers] },
      limit: pageSize,
      offset: resolved.length,
    });
    resolved.push(...page.records.map(asResolved));
    more = page.records.length === pageSize;
  }
  return resolved.slice(0, mostExperiences);
}

function asResolved({ id, created, body }: StoredRecord): ResolvedExperience {
  return { id, created, experience: body as Experience };
}

/**
 * The last result for each store, until something is written: listing, checking and adding a value are separate calls.
 */
const cache = new WeakMap<RecordStore, { owner: string; axis: Axis; revision: number; landscape: Landscape }>();

/** The current clusters of an owner's experiences on one axis. */
export async function landscapeOf(
  records: RecordStore,
  owner: string,
  axis: Axis,
  signal?: AbortSignal,
): Promise<Landscape> {
  const revision = await records.revision(owner);
  const last = cache.get(records);
  if (last && last.owner === owner && last.axis === axis && last.revision === revision) return last.landscape;
  const landscape = await findClusters(await resolvedExperiences(records, owner), axis, async () => {
    await setImmediate();
    if (signal?.aborted) throw new DossierError("interrupted", "Looking for clusters was interrupted.");
  });
  cache.set(records, { owner, axis, revision, landscape });
  return landscape;
}

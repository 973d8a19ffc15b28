import { setImmediate } from "node:timers/promises";
import { DossierError } from "../../errors.ts";
import type { RecordStore, StoredRecord } from "../../stores/records.ts";
import { type Axis, type Experience, tiers } from "../experience.ts";
import { findClusters, type Landscape, type ResolvedCluster } from "./clusters.ts";

/** The newest that take part. Time grows with their square: so many take some four seconds. */
const mostExperiences = 5000;

const pageSize = 1000;

/** The newest resolved experiences: only those have an outcome that something can be learned from. */
async function resolvedExperiences(records: RecordStore, owner: string): Promise<ResolvedCluster[]> {
  const resolved: ResolvedCluster[] = [];
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

function asResolved({ id, created, body }: StoredRecord): ResolvedCluster {
  return { id, created, experience: body as Experience };
}

/** The last one of each store, until something is written: looking, checking and adding are calls of their own. */
const known = new WeakMap<RecordStore, { owner: string; axis: Axis; revision: number; landscape: Landscape }>();

/** What an owner's experiences look like on one axis now. */
export async function landscapeOf(
  records: RecordStore,
  owner: string,
  axis: Axis,
  signal?: AbortSignal,
): Promise<Landscape> {
  const revision = await records.revision(owner);
  const last = known.get(records);
  if (last && last.owner === owner && last.axis === axis && last.revision === revision) return last.landscape;
  const landscape = await findClusters(await resolvedExperiences(records, owner), axis, async () => {
    await setImmediate();
    if (signal?.aborted) throw new DossierError("interrupted", "Looking for clusters was interrupted.");
  });
  known.set(records, { owner, axis, revision, landscape });
  return landscape;
}

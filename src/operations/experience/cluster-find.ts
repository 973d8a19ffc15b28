import { DossierError } from "../../errors.ts";
import { type Cluster, fewestExperiences } from "../../learned/cluster/clusters.ts";
import { landscapeOf } from "../../learned/cluster/landscapes.ts";
import type { Space } from "../../learned/cluster/vector-space.ts";
import { type Axis, axes } from "../../learned/experience.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { counted } from "../terminal/phrases.ts";

const mostNamed = 5;

/**
 * The cluster that a typed id means: its own, the beginning of it, or the id of an experience that is in it. The axis is part of
 * a cluster's id and of the id of an experience's axis; otherwise it is the one given, or `full`.
 */
export async function findCluster(
  workspace: Workspace,
  typed: string,
  given: Axis | undefined,
  signal?: AbortSignal,
): Promise<{ cluster: Cluster; space: Space }> {
  const shown = JSON.stringify(typed);
  const id = typed.trim().replace(/^\[(.*)\]$/, "$1");
  const isCluster = id.startsWith("clu-");
  const named = axes.find((axis) => (isCluster ? id.startsWith(`clu-${axis}-`) : id.endsWith(`-${axis}`)));
  if (named && given && named !== given) {
    throw new DossierError("bad-input", `${shown} is on the axis ${named}, not ${given}.`);
  }
  if (isCluster ? !named : !id.startsWith("exp-")) {
    throw new DossierError("not-found", `${shown} is no id of a cluster; dossier experience clusters lists them.`);
  }
  const axis = named ?? given ?? "full";
  if (!workspace.hasRecords()) throw tooFew(axis, 0);
  const landscape = await landscapeOf(await workspace.records(), workspace.owner, axis, signal);
  if (landscape.missing > 0) throw tooFew(axis, landscape.experiences);
  const { clusters, space } = landscape;
  const member = id.slice(0, id.length - (named ? named.length + 1 : 0));
  const found = isCluster
    ? clusters.filter((cluster) => cluster.id.startsWith(id))
    : clusters.filter(({ members }) => members.some((each) => each.id.startsWith(member)));
  const cluster = found.find((each) => each.id === id) ?? (found.length === 1 ? found[0] : undefined);
  if (cluster && space) return { cluster, space };
  const names = (found.length > 0 ? found : clusters).slice(0, mostNamed).map((each) => each.id);
  if (found.length > 1) throw new DossierError("bad-input", `${shown} could be any of ${names.join(", ")}.`);
  const there = names.length > 0 ? `; there are ${names.join(", ")}` : "";
  const what = isCluster ? `There is no cluster ${shown}` : `${shown} is in no cluster on the axis ${axis}`;
  throw new DossierError("not-found", `${what}${there}${clusters.length > mostNamed ? " and others" : ""}.`);
}

function tooFew(axis: Axis, experiences: number): DossierError {
  const having = `${counted(experiences, "resolved experience")} with the axis ${axis}`;
  return new DossierError("not-found", `There are ${having}; clusters are looked for from ${fewestExperiences} on.`);
}

import { DossierError } from "../../errors.ts";
import { type Cluster, fewestExperiences } from "../../learned/cluster/clusters.ts";
import { landscapeOf } from "../../learned/cluster/landscapes.ts";
import type { Space } from "../../learned/cluster/vector-space.ts";
import { type Axis, axes } from "../../learned/experience.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { counted } from "../terminal/phrases.ts";

const mostNamed = 5;

/**
 * The cluster that a typed id means: its own id, the beginning of it, or the id of an experience in it. The axis is
 * part of a cluster's id and of the id of an experience's axis; otherwise it is the given one, or `full`.
 */
export async function findCluster(
  workspace: Workspace,
  typed: string,
  wantedAxis: Axis | undefined,
  signal?: AbortSignal,
): Promise<{ cluster: Cluster; space: Space }> {
  const quoted = JSON.stringify(typed);
  const id = typed.trim().replace(/^\[(.*)\]$/, "$1");
  const isCluster = id.startsWith("clu-");
  const axisOfId = axes.find((axis) => (isCluster ? id.startsWith(`clu-${axis}-`) : id.endsWith(`-${axis}`)));
  if (axisOfId && wantedAxis && axisOfId !== wantedAxis) {
    throw new DossierError("bad-input", `${quoted} is on the axis ${axisOfId}, not ${wantedAxis}.`);
  }
  if (isCluster ? !axisOfId : !id.startsWith("exp-")) {
    throw new DossierError("not-found", `${quoted} is no id of a cluster; dossier experience clusters lists them.`);
  }
  const axis = axisOfId ?? wantedAxis ?? "full";
  if (!workspace.hasRecords()) throw tooFew(axis, 0);
  const landscape = await landscapeOf(await workspace.records(), workspace.owner, axis, signal);
  if (landscape.missing > 0) throw tooFew(axis, landscape.experiences);
  const { clusters, space } = landscape;
  const member = id.slice(0, id.length - (axisOfId ? axisOfId.length + 1 : 0));
  const matches = isCluster
    ? clusters.filter((cluster) => cluster.id.startsWith(id))
    : clusters.filter(({ members }) => members.some((each) => each.id.startsWith(member)));
  const cluster = matches.find((each) => each.id === id) ?? (matches.length === 1 ? matches[0] : undefined);
  if (cluster && space) return { cluster, space };
  const names = (matches.length > 0 ? matches : clusters).slice(0, mostNamed).map((each) => each.id);
  if (matches.length > 1) throw new DossierError("bad-input", `${quoted} could be any of ${names.join(", ")}.`);
  const choices = names.length > 0 ? `; there are ${names.join(", ")}` : "";
  const problem = isCluster ? `There is no cluster ${quoted}` : `${quoted} is in no cluster on the axis ${axis}`;
  throw new DossierError("not-found", `${problem}${choices}${clusters.length > mostNamed ? " and others" : ""}.`);
}

function tooFew(axis: Axis, experiences: number): DossierError {
  const have = `${counted(experiences, "resolved experience")} with the axis ${axis}`;
  return new DossierError(
    "not-found",
    `There ${experiences === 1 ? "is" : "are"} ${have}; clusters are looked for from ${fewestExperiences} on.`,
  );
}

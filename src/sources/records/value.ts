import type { Experience } from "../../learned/experience.ts";
import { clusterId, type Value } from "../../learned/value.ts";
import { splitLines } from "../../text/lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { candidatesEach } from "../find-on-shelf.ts";
import type { Source } from "../source.ts";
import { findRecords, type Recorded, readRecords } from "./records.ts";

/** Principles that emerged from experiences. */
export const value: Source = {
  name: "value",
  brings: ["value"],
  shelf: "value",
  measuredAs: "texts",
  async find(query, search, workspace) {
    const { where, certain, ...rest } = search;
    const wider = { ...rest, limit: search.limit * candidatesEach };
    if (!certain) return (await findRecords<Value>("value", query, wider, workspace)).map(({ candidate }) => candidate);
    // Reads all values, newest first: there are never many, and only their members show the domain.
    const all = await findRecords<Value>("value", query, { ...wider, where: {}, certain }, workspace);
    const belonging = await belongs(all, where ?? {}, workspace);
    return belonging.map(({ candidate }) => candidate);
  },
  async read(items, workspace) {
    const bodies = await readRecords<Value>(items, workspace);
    return new Map(
      [...bodies].map(([id, { record, body }]) => [
        id,
        {
          lines: splitLines(body.text.trim()),
          facts: {
            id: record.id,
            axis: body.axis,
            cluster_id: clusterId(body.axis, body.members),
            cluster_size: body.members.length,
            similarity_to_centroid: Number((1 - body.distance).toFixed(4)),
          },
        },
      ]),
    );
  },
};

/** Number of members that are read to determine the subject of a value. */
const sampleSize = 10;

/** Values most of whose members pass the conditions. */
async function belongs(
  values: Recorded<Value>[],
  where: Record<string, (string | boolean)[]>,
  workspace: Workspace,
): Promise<Recorded<Value>[]> {
  const ids = values.flatMap(({ body }) => body.members.slice(0, sampleSize));
  const records = await (await workspace.records()).get(workspace.owner, [...new Set(ids)]);
  const experiences = new Map(records.map(({ id, body }) => [id, body as Experience]));
  const passes = (experience: Experience) =>
    Object.entries(where).every(([key, among]) => among.includes(String(experience[key as keyof Experience])));
  return values.filter(({ body }) => {
    const members = body.members.slice(0, sampleSize).flatMap((id) => experiences.get(id) ?? []);
    return members.length > 0 && members.filter(passes).length * 2 >= members.length;
  });
}

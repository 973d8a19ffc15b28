import { axisTexts, linesOf } from "../../learned/axis-texts.ts";
import { type Axis, axes, type Experience, tierWeights } from "../../learned/experience.ts";
import { candidatesEach } from "../find-on-shelf.ts";
import type { Source } from "../source.ts";
import { axisItemId, axisOf } from "./record-items.ts";
import { findRecords, readRecords } from "./records.ts";

/** Earlier attempts and their outcomes, on the requested axis. */
export const experience: Source = {
  name: "experience",
  brings: ["experience"],
  shelf: "experience",
  measuredAs: "texts",
  async find(query, search, workspace) {
    const itemKinds = (search.filter.kinds ?? ["experience"]).filter((kind) =>
      (axisKindNames as string[]).includes(kind),
    );
    if (itemKinds.length === 0) return [];
    const kinds = itemKinds.map(axisOf);
    const records = await findRecords<Experience>(
      "experience",
      query,
      { ...search, filter: { ...search.filter, kinds: itemKinds }, limit: search.limit * candidatesEach },
      workspace,
      (id) => kinds.map((axis) => axisItemId(id, axis)),
    );
    return records.map(({ candidate, body }) => ({
      ...candidate,
      signals: { ...candidate.signals, tier: body.tier ? tierWeights[body.tier] : unresolved },
    }));
  },
  async check(items, workspace) {
    const bodies = await readRecords<Experience>(items, workspace);
    const claims = [...bodies].map(([id, { item, record, body }]) => ({
      id,
      text: linesOf(axisTexts(body)[axisOf(item.kind)] ?? { fields: [] }).join("\n"),
      written: record.changed,
      anchors: body.anchors,
    }));
    const { ground } = await import("../../learned/grounding/ground.ts");
    return ground(claims, workspace);
  },
  async read(items, workspace) {
    const bodies = await readRecords<Experience>(items, workspace);
    return new Map(
      [...bodies].flatMap(([id, { item, record, body }]) => {
        const axis = axisOf(item.kind);
        const text = axisTexts(body)[axis];
        if (!text) return [];
        const facts = {
          id: record.id,
          domain: body.domain,
          strategy: body.strategy,
          ...(body.outcome ? { outcome_status: body.outcome.status } : {}),
          ...(body.tier ? { confidence_tier: body.tier } : {}),
          iteration_count: body.iterations,
          axis,
        };
        return [[id, { lines: linesOf(text), facts }] as const];
      }),
    );
  },
};

const axisKindNames = axes.map((axis: Axis) => (axis === "full" ? "experience" : axis));
/** An active experience is neither success nor failure: as certain as one stated after the fact. */
const unresolved = tierWeights.bronze;

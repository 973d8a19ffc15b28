import { isCurrent, validityNotes, writtenAt } from "../../learned/memory/validity.ts";
import type { Memory } from "../../learned/memory.ts";
import { pathMatcher } from "../../stores/globs.ts";
import { userScope } from "../../stores/layered-records.ts";
import type { Query } from "../../text/analysis/query.ts";
import { splitLines } from "../../text/lines.ts";
import { candidatesEach } from "../find-on-shelf.ts";
import type { CheckFinding, Source } from "../source.ts";
import { findRecords, readRecords } from "./records.ts";

/** Facts, preferences and decisions that were recorded. */
export const memory: Source = {
  name: "memory",
  brings: ["memory"],
  shelf: "memory",
  measuredAs: "texts",
  async find(query, search, workspace) {
    const at = { now: Date.now(), asOf: search.before };
    const find = async (limit: number) => {
      const matches = await findRecords<Memory>("memory", query, { ...search, limit }, workspace);
      const current = matches.filter(
        ({ record, body }) => isCurrent(body, record.created, at) && holdsFor(body, query),
      );
      return { current, isAll: matches.length < limit };
    };
    const first = await find(search.limit * candidatesEach);
    // Former versions of a text match the same words, but must not displace the current version.
    const isEnough = first.isAll || first.current.length >= search.limit;
    const { current } = isEnough ? first : await find(search.limit * candidatesEach * manyFormer);
    return current.map(({ candidate, body }) => ({
      ...candidate,
      signals: { ...candidate.signals, importance: body.importance },
    }));
  },
  async current(items, workspace) {
    const bodies = await readRecords<Memory>(items, workspace);
    const now = Date.now();
    return items.filter(({ id }) => {
      const found = bodies.get(id);
      return found !== undefined && isCurrent(found.body, found.record.created, { now });
    });
  },
  async check(items, workspace) {
    const bodies = [...(await readRecords<Memory>(items, workspace)).values()];
    const claims = bodies.map(({ record, body }) => ({
      id: record.id,
      text: body.content,
      written: record.changed,
      anchors: body.anchors,
    }));
    const [{ ground }, { contradictions }] = await Promise.all([
      import("../../learned/grounding/ground.ts"),
      import("../../learned/contradictions/contradictions.ts"),
    ]);
    const findings = new Map<string, CheckFinding>(await ground(claims, workspace));
    const now = Date.now();
    const statements = bodies.map(({ record, body }) => ({
      id: record.id,
      text: body.content,
      at: writtenAt(record.changed, now),
    }));
    for (const { record, body } of bodies) {
      const notes = validityNotes(body);
      if (notes.length > 0) add(findings, record.id, { factor: 1, notes });
    }
    for (const { newer, older } of contradictions(statements)) {
      add(findings, newer, { factor: 1, notes: [`contradicts the older ${older}`] });
      add(findings, older, { factor: olderCounts, notes: [`contradicted by the newer ${newer}`], follows: newer });
    }
    return findings;
  },
  async read(items, workspace) {
    const bodies = await readRecords<Memory>(items, workspace);
    return new Map(
      [...bodies].map(([id, { record, body }]) => [
        id,
        {
          lines: splitLines(body.content.trim()),
          facts: {
            id: record.id,
            category: body.category,
            importance: body.importance,
            created_at: new Date(record.created).toISOString(),
            ...(body.tags.length > 0 ? { tags: body.tags } : {}),
            ...(body.pinned ? { pinned: true } : {}),
            ...(body.scope === undefined ? {} : { scope: body.scope }),
          },
        },
      ]),
    );
  },
};

/** False for a memory with a scope if the question is about other paths. */
function holdsFor({ scope }: Memory, { paths }: Query): boolean {
  if (scope === undefined || scope === userScope || paths.length === 0) return true;
  const isInside = pathMatcher([scope]);
  return paths.some(({ path }) => isInside(path));
}

/** Factor on the limit if most matches are no longer valid. */
const manyFormer = 8;

/** Both sides of a contradiction are kept and marked; the older counts less. */
const olderCounts = 0.8;

function add(findings: Map<string, CheckFinding>, id: string, finding: CheckFinding): void {
  const existing = findings.get(id) ?? { factor: 1, notes: [] };
  findings.set(id, {
    ...existing,
    ...finding,
    factor: existing.factor * finding.factor,
    notes: [...existing.notes, ...finding.notes],
  });
}

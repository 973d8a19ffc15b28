import type { Memory } from "../learned/memory.ts";
import { splitLines } from "../text/lines.ts";
import { findRecords, readRecords } from "./records.ts";
import { candidatesEach } from "./shelf.ts";
import type { Finding, Source } from "./source.ts";

/** Facts, preferences and decisions that were written down. */
export const memory: Source = {
  name: "memory",
  brings: ["memory"],
  shelf: "memory",
  async find(query, search, workspace) {
    const found = await findRecords<Memory>(
      "memory",
      query,
      { ...search, limit: search.limit * candidatesEach },
      workspace,
    );
    return found.map(({ candidate, body }) => ({
      ...candidate,
      signals: { ...candidate.signals, importance: body.importance },
    }));
  },
  async check(items, workspace) {
    const read = [...(await readRecords<Memory>(items, workspace)).values()];
    const claims = read.map(({ record, body }) => ({
      id: record.id,
      text: body.content,
      written: record.changed,
      anchors: body.anchors,
    }));
    const [{ ground }, { contradictions }] = await Promise.all([
      import("../learned/grounding/ground.ts"),
      import("../learned/contradictions/contradictions.ts"),
    ]);
    const findings = new Map<string, Finding>(await ground(claims, workspace));
    const statements = read.map(({ record, body }) => ({ id: record.id, text: body.content, at: record.changed }));
    for (const { newer, older } of contradictions(statements)) {
      add(findings, newer, { factor: 1, notes: [`contradicts the older ${older}`] });
      add(findings, older, { factor: olderCounts, notes: [`contradicted by the newer ${newer}`], follows: newer });
    }
    return findings;
  },
  async read(items, workspace) {
    const read = await readRecords<Memory>(items, workspace);
    return new Map(
      [...read].map(([id, { record, body }]) => [
        id,
        {
          lines: splitLines(body.content.trim()),
          facts: {
            id: record.id,
            category: body.category,
            importance: body.importance,
            created_at: new Date(record.created).toISOString(),
            ...(body.tags.length > 0 ? { tags: body.tags } : {}),
          },
        },
      ]),
    );
  },
};

/** Both sides of a contradiction are kept and marked; the older counts less. */
const olderCounts = 0.8;

function add(findings: Map<string, Finding>, id: string, finding: Finding): void {
  const known = findings.get(id) ?? { factor: 1, notes: [] };
  findings.set(id, {
    ...known,
    ...finding,
    factor: known.factor * finding.factor,
    notes: [...known.notes, ...finding.notes],
  });
}

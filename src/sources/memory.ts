import type { Candidate } from "../item.ts";
import type { Memory } from "../learned/memory.ts";
import { splitLines } from "../text/lines.ts";
import type { Workspace } from "../workspace.ts";
import { findRecords, type Recorded, readRecords } from "./records.ts";
import { candidatesEach } from "./shelf.ts";
import type { Source } from "./source.ts";

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
    for (const { candidate, body } of found) candidate.signals.importance = body.importance;
    await noteGrounding(found, workspace);
    await noteContradictions(found);
    return found.map(({ candidate }) => candidate);
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

async function noteGrounding(found: Recorded<Memory>[], workspace: Workspace): Promise<void> {
  if (found.length === 0) return;
  const { ground } = await import("../learned/grounding.ts");
  const claims = found.map(({ record, body }) => ({
    id: record.id,
    text: body.content,
    written: record.changed,
    anchors: body.anchors,
  }));
  const grounded = await ground(claims, workspace);
  for (const { candidate, record } of found) {
    const grounding = grounded.get(record.id);
    if (!grounding) continue;
    candidate.signals.grounding = grounding.factor;
    note(candidate, ...grounding.notes);
  }
}

/** Both sides are kept and marked; the newer is to be read first, so the older counts less. */
const olderCounts = 0.8;

async function noteContradictions(found: Recorded<Memory>[]): Promise<void> {
  if (found.length < 2) return;
  const { contradictions } = await import("../learned/contradictions.ts");
  const byId = new Map(found.map((each) => [each.record.id, each.candidate]));
  const texts = found.map(({ record, body }) => ({ id: record.id, text: body.content, at: record.changed }));
  for (const { newer, older } of contradictions(texts)) {
    note(byId.get(newer)!, `contradicts the older ${older}`);
    note(byId.get(older)!, `contradicted by the newer ${newer}`);
    const { signals } = byId.get(older)!;
    signals.grounding = (signals.grounding ?? 1) * olderCounts;
    byId.get(older)!.follows = newer;
  }
}

function note(candidate: Candidate, ...notes: string[]): void {
  candidate.notes = [...(candidate.notes ?? []), ...notes];
}

import type { Experience } from "../src/learned/experience.ts";
import type { Memory } from "../src/learned/memory.ts";
import type { RecordWrite } from "../src/stores/records.ts";

/** Records made by hand, as the operations would write them. */

export const day = 24 * 60 * 60 * 1000;
export const longAgo = Date.UTC(2026, 0, 1);

export function memoryRecord(id: string, content: string, body: Partial<Memory> = {}, at = longAgo): RecordWrite {
  const memory: Memory = { content, category: "fact", importance: 0.5, tags: [], ...body };
  return { id: `mem-${id}`, type: "memory", created: at, changed: at, body: memory };
}

/** A resolved experience; a falsified one has its reasons. */
export function experienceRecord(id: string, body: Partial<Experience> = {}, at = longAgo): RecordWrite {
  const status = body.outcome?.status ?? "falsified";
  const experience: Experience = {
    session: "default",
    domain: "debugging",
    strategy: "read-the-error",
    goal: `find out why ${id} fails`,
    hypothesis: `the ${id} module loses its connection`,
    action: `log every reconnect of ${id}`,
    prediction: `the log of ${id} shows a gap`,
    history: [],
    iterations: 1,
    outcome: { status, result: `no gap at all in ${id}`, capturedAt: at, autoCaptured: false },
    ...(status === "falsified"
      ? {
          surprise: `the connection of ${id} was never lost`,
          rootCause: {
            category: "wrong-assumption" as const,
            description: `a stale cache of ${id} looked like a lost connection`,
          },
        }
      : {}),
    tier: "silver",
    notes: [],
    ...body,
  };
  return { id: `exp-${id}`, type: "experience", created: at, changed: at, body: experience };
}

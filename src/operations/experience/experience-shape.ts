import * as z from "zod";
import {
  domains,
  type Experience,
  experienceStrategies,
  outcomes,
  rootCauses,
  tiers,
} from "../../learned/experience.ts";
import type { StoredRecord } from "../../stores/records.ts";
import { iso } from "../../text/times/iso.ts";

const time = z.string().describe("ISO 8601");
const attempt = {
  strategy: z.enum(experienceStrategies),
  hypothesis: z.string(),
  action: z.string(),
  prediction: z.string(),
};

/** An experience as results show it. */
export const experienceShape = z.object({
  id: z.string(),
  session: z.string(),
  created: time,
  changed: time,
  active: z.boolean().describe("Not resolved yet; a captured failure waits for its surprise and root cause"),
  domain: z.enum(domains),
  goal: z.string(),
  ...attempt,
  iterations: z.number().int().min(1),
  history: z.array(z.object({ ...attempt, until: time, observed: z.string().optional() })).describe("Earlier attempts"),
  outcome: z
    .object({
      status: z.enum(outcomes),
      result: z.string().optional(),
      capturedAt: time,
      autoCaptured: z.boolean().describe("A command's exit status decided it"),
      command: z.string().optional(),
    })
    .optional(),
  surprise: z.string().optional(),
  rootCause: z.object({ category: z.enum(rootCauses), description: z.string() }).optional(),
  lesson: z.object({ whatWorked: z.string(), takeaway: z.string().optional() }).optional(),
  tier: z.enum(tiers).optional().describe("How sure the outcome is; none while active"),
  notes: z.array(z.object({ at: time, text: z.string() })),
  forgotten: time.optional().describe("When it was forgotten"),
});

export type ShownExperience = z.output<typeof experienceShape>;

export function bodyOf(record: StoredRecord): Experience {
  return record.body as Experience;
}

export function shownExperience(record: StoredRecord): ShownExperience {
  const { outcome, history, notes, anchors: _anchors, ...rest } = bodyOf(record);
  return {
    id: record.id,
    created: iso(record.created),
    changed: iso(record.changed),
    ...rest,
    active: rest.tier === undefined,
    history: history.map((each) => ({ ...each, until: iso(each.until) })),
    ...(outcome && { outcome: { ...outcome, capturedAt: iso(outcome.capturedAt) } }),
    notes: notes.map(({ at, text }) => ({ at: iso(at), text })),
    ...(record.deleted !== undefined && { forgotten: iso(record.deleted) }),
  };
}

import * as z from "zod";
import {
  domains,
  type Experience,
  experienceStrategies,
  longestStatement,
  outcomes,
  rootCauses,
  tiers,
} from "../experience.ts";
import { anchorSchema } from "../memory/schema.ts";

/** Several remarks may have been joined into one, and a captured command may be long. */
const longestKept = 20_000;

const statement = z.string().min(1).max(longestStatement);
const remark = z.string().max(longestKept);
const time = z.number();

const attempt = {
  hypothesis: statement,
  action: statement,
  prediction: statement,
  strategy: z.enum(experienceStrategies),
};

/** See ../memory/schema.ts for what these schemas promise. */
export const experienceSchema: z.ZodType<Experience> = z.looseObject({
  session: z.string().min(1),
  domain: z.enum(domains),
  goal: statement,
  ...attempt,
  history: z.array(z.looseObject({ ...attempt, until: time, observed: remark.exactOptional() })),
  iterations: z.number().int().min(1),
  outcome: z
    .looseObject({
      status: z.enum(outcomes),
      result: remark.exactOptional(),
      capturedAt: time,
      autoCaptured: z.boolean(),
      command: remark.exactOptional(),
    })
    .exactOptional(),
  surprise: remark.exactOptional(),
  rootCause: z.looseObject({ category: z.enum(rootCauses), description: remark }).exactOptional(),
  lesson: z.looseObject({ whatWorked: remark, takeaway: remark.exactOptional() }).exactOptional(),
  tier: z.enum(tiers).exactOptional(),
  notes: z.array(z.looseObject({ at: time, text: remark })),
  anchors: z.array(anchorSchema).exactOptional(),
});

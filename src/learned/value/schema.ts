import * as z from "zod";
import { axes } from "../experience.ts";
import { longestValue, type Value } from "../value.ts";

/** See ../memory/schema.ts for what these schemas promise. */
export const valueSchema: z.ZodType<Value> = z.looseObject({
  text: z.string().min(1).max(longestValue),
  axis: z.enum(axes),
  members: z.array(z.string()),
  distance: z.number(),
  threshold: z.number(),
  validatedAt: z.number(),
  state: z.enum(["valid", "moved"]),
});

import * as z from "zod";
import { type Anchor, categories, longestContent, longestTag, type Memory, mostTags } from "../memory.ts";

/**
 * What makes a body valid. Unknown keys are preserved: a file of a newer Dossier may have them, and nothing of it may
 * get lost. The order of the keys here is their order in an export.
 */
export const anchorSchema: z.ZodType<Anchor> = z.looseObject({
  name: z.string(),
  path: z.string(),
  hash: z.string(),
  item: z.string().exactOptional(),
  sketch: z.string().exactOptional(),
  beside: z.string().exactOptional(),
});

export const memorySchema: z.ZodType<Memory> = z.looseObject({
  content: z.string().max(longestContent).regex(/\S/, "is empty"),
  category: z.enum(categories),
  importance: z.number().min(0).max(1),
  tags: z.array(z.string().min(1).max(longestTag)).max(mostTags),
  supersedes: z.string().exactOptional(),
  superseded: z.looseObject({ by: z.string(), at: z.number() }).exactOptional(),
  pinned: z.boolean().exactOptional(),
  scope: z.string().max(200).exactOptional(),
  until: z.number().exactOptional(),
  anchors: z.array(anchorSchema).exactOptional(),
});

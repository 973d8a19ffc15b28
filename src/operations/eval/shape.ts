import * as z from "zod";
import { caseKinds } from "../../evaluation/case.ts";
import { measureNames } from "../../evaluation/measures.ts";

/** The output of `eval`. */

const count = z.number().int().min(0);

const estimate = z.object({
  mean: z.number(),
  low: z.number().describe("Lower end of the 95 % interval (bootstrap)"),
  high: z.number(),
  count: count.describe("Cases it is of"),
});

const factors = z.record(z.string(), z.number());
const weights = z.object({
  files: factors.optional().describe("Signals of files and what their weight is multiplied by"),
  items: factors.optional().describe("The same of items"),
});

const tuning = z.object({
  fitted: count.describe("Cases that the factors were fitted on, the older ones"),
  reported: count.describe("Other cases, the newer ones, that before and after are measured on"),
  weights: weights.describe("What fitting came to"),
  before: estimate.describe("Mean reciprocal rank with the built-in weights"),
  after: estimate.describe("The same with the fitted ones"),
  difference: estimate.describe("Of the same cases, paired"),
  better: z.boolean().describe("True when the difference is above 0 with 95 %"),
  written: z.boolean().describe("True when they were written into dossier.json"),
  why: z.string().optional(),
});

export const evalOutput = z.object({
  cases: z
    .array(
      z.object({
        kind: z.enum(caseKinds),
        cases: count.describe("Asked"),
        found: count.describe("Looked at to choose them from"),
        why: z.string().optional().describe("Why there are none"),
      }),
    )
    .describe("What was mined"),
  figures: z.array(
    z.object({
      kind: z.enum(caseKinds),
      measure: z.enum(measureNames),
      dossier: estimate,
      bm25: estimate.describe("Plain BM25 on the same cases"),
      difference: estimate.describe("Paired: dossier less bm25"),
    }),
  ),
  tokens: z
    .array(z.object({ kind: z.enum(caseKinds), dossier: z.number(), bm25: z.number() }))
    .describe("Mean tokens of the documents that `within` is of"),
  model: z
    .object({
      name: z.string(),
      figures: z.array(
        z.object({
          kind: z.enum(caseKinds),
          measure: z.enum(measureNames),
          with: estimate.describe("With the language model's vectors"),
          without: estimate.describe("The same cases with the built-in vectors alone"),
          difference: estimate.describe("Paired"),
        }),
      ),
    })
    .optional()
    .describe("What the language model of this workspace brings here, where one answers"),
  misses: z.array(
    z.object({
      kind: z.enum(caseKinds),
      query: z.string(),
      expected: z.array(z.string()),
      from: z.string().describe("Where the case comes from"),
      rank: count.optional().describe("Of the best of what is expected; absent where it was not found"),
      bm25: count.optional().describe("The same of plain BM25"),
      instead: z.array(z.string()).describe("What came first"),
      look: z.string().describe("A command that explains it"),
    }),
  ),
  weights: weights.optional().describe("The factors of dossier.json that were in force"),
  tuning: tuning.optional(),
  reset: z.boolean().optional().describe("True when the weights of dossier.json were removed"),
  lines: z.string().optional().describe("The cases themselves, in the format of --cases"),
  maxTokens: count,
  warnings: z.array(z.string()),
});

export type EvalOutput = z.output<typeof evalOutput>;

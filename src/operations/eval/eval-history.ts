import * as z from "zod";
import { caseKinds } from "../../evaluation/case.ts";
import { measureNames } from "../../evaluation/measures.ts";
import { path, workspace as workspaceOption } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";

const count = z.number().int().min(0);

/** The trend of the measurements over time. */
export const evalHistory = operation({
  name: "eval_history",
  command: "evals",
  group: "Index",
  summary: "List what earlier measurements of eval came to, the oldest first",
  input: z.object({
    path,
    workspace: workspaceOption,
    limit: z.number().int().min(1).max(1000).default(100).describe("Most measurements to list, the newest of them"),
  }),
  output: z.object({
    measurements: z.array(
      z.object({
        at: z.string().describe("ISO 8601"),
        version: z.string(),
        maxTokens: count,
        files: count.describe("Files that were indexed then"),
        weighted: z.boolean().describe("True where the weights of dossier.json were in force"),
        figures: z.array(
          z.object({
            kind: z.enum(caseKinds),
            measure: z.enum(measureNames),
            cases: count,
            dossier: z.object({ mean: z.number(), low: z.number(), high: z.number() }),
            bm25: z.number().describe("Plain BM25 on the same cases"),
          }),
        ),
      }),
    ),
  }),
  examples: [{ command: "dossier evals", what: "how well answers were found, measurement by measurement" }],
  async run({ limit }, environment) {
    const { readMeasurements } = await import("../../evaluation/history.ts");
    return { measurements: readMeasurements(await environment.workspace()).slice(-limit) };
  },
  text({ measurements }, _input, colour) {
    const p = paint(colour);
    if (measurements.length === 0) return "Nothing was measured here yet: dossier eval does it.";
    return measurements
      .map(({ at, files, figures }) => {
        const figureTexts = figures
          .filter(({ measure }) => measure === "mrr")
          .map(({ kind, dossier, bm25, cases }) => {
            const baseline = p.dim(`(BM25 ${bm25.toFixed(3)}, ${cases} cases)`);
            return `${kind} ${dossier.mean.toFixed(3)} ${baseline}`;
          });
        return `${p.bold(`${at.slice(0, 16).replace("T", " ")} UTC`)}  ${files} files  ${figureTexts.join("  ")}`;
      })
      .join("\n");
  },
});

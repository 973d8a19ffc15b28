import * as z from "zod";

/** The output of `model`. */

const count = z.number().int().min(0);

const modelShape = z.object({
  name: z.string(),
  provider: z.enum(["static", "onnx", "http"]),
  place: z.string().describe("Its folder, or the address of its server"),
  dimensions: count.optional().describe("Components of a vector, where it was opened"),
  licence: z.string().optional(),
});

export const modelOutput = z.object({
  model: modelShape.optional().describe("The one that is configured; absent where only the built-in vectors are used"),
  answering: z.string().describe("Whose vectors questions are compared with: a model's, or builtin"),
  items: count.describe("Items that have vectors or will have"),
  made: count.describe("Vectors of the configured model that are made"),
  complete: z.boolean().describe("True when questions are answered with the configured model"),
  secondsLeft: count.optional().describe("Roughly, where the model's speed is known"),
  others: z
    .array(z.object({ name: z.string(), vectors: count }))
    .describe("Further models that were added here, with the vectors they have"),
  files: z
    .array(z.object({ name: z.string(), bytes: count, sha256: z.string() }))
    .optional()
    .describe("Of a model that was just added"),
  config: z.string().describe("The file that names it"),
  message: z.string(),
  next: z.array(z.string()).describe("Commands to go on with"),
  warnings: z.array(z.string()),
});

export type ModelOutput = z.output<typeof modelOutput>;

import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { compare, isSame } from "./diff-compare.ts";
import { readResult, shapes } from "./diff-read.ts";
import { differenceText, summary } from "./diff-text.ts";

const rank = z.number().int().min(1);
const count = z.number().int().min(0);

function change<Value extends z.ZodType>(value: Value) {
  return z.object({ before: value.optional(), after: value.optional() });
}

const placed = z.object({
  id: z.string(),
  name: z.string(),
  rank,
  level: z.string().optional(),
  score: z.number().optional(),
  reason: z.string().optional().describe("Why the other result did not show it, where it says so"),
});

const result = (which: string) =>
  z
    .string()
    .describe(`The ${which} result: what dossier printed for --json, or for --format json`)
    .meta({ fromFile: true });

/** Two answers, before and after. */
export const diff = operation({
  name: "diff",
  command: "diff",
  group: "Ask",
  summary: "Compare two earlier JSON results: what entered, left, moved and changed between them",
  input: z.object({
    a: result("earlier"),
    b: result("later"),
    path,
    exitCode: z.boolean().default(false).describe("End with status 1 when they differ, for scripts"),
  }),
  output: z.object({
    same: z.boolean(),
    summary: z.string(),
    what: z.string().describe("What both results are"),
    settings: z
      .array(change(z.union([z.string(), z.number()])).extend({ name: z.string() }))
      .describe("What was asked differently: query, budget, lens; and the tokens used"),
    entered: z.array(placed).describe("Only in the later one, in its order"),
    left: z.array(placed).describe("Only in the earlier one, in its order"),
    moved: z
      .array(z.object({ id: z.string(), name: z.string(), before: rank, after: rank }))
      .describe("In another order among those that stayed, with their ranks in both"),
    changed: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        rank,
        level: change(z.string()).optional(),
        score: change(z.number()).optional(),
        text: change(z.string())
          .extend({ removed: count, added: count, line: rank })
          .optional()
          .describe("How many lines differ, and the first of them"),
      }),
    ),
    unchanged: count.describe("Shown by both, the same and in the same order"),
  }),
  positional: ["a", "b"],
  examples: [
    { command: 'dossier "retry policy" --json > before.json', what: "keep a result; later another one" },
    { command: "dossier diff before.json after.json", what: "what is different" },
    {
      command: 'dossier "retry policy" --json | dossier diff before.json - --exit-code',
      what: "from a pipe, for a script",
    },
  ],
  async run({ a, b }, { nameOf = (key) => key }) {
    const before = readResult(a, `The earlier result ${nameOf("a")}`);
    const after = readResult(b, `The later result ${nameOf("b")}`);
    if (before.shape !== after.shape) {
      const kinds = `${nameOf("a")} seems to be ${shapes[before.shape]}, ${nameOf("b")} ${shapes[after.shape]}`;
      throw new DossierError("bad-input", `The results are of two kinds and cannot be compared: ${kinds}.`);
    }
    const difference = compare(before, after);
    return { same: isSame(difference), summary: summary(difference), what: shapes[before.shape], ...difference };
  },
  exit: ({ same }, input) => (input?.exitCode && !same ? 1 : 0),
  text: (difference, _input, colour) => differenceText(difference, colour),
});

import * as z from "zod";
import { dropReasons } from "../../document.ts";
import { addressOf, isInFile, kinds, levels } from "../../item.ts";
import { contextInput } from "../../options.ts";
import { signals, via } from "../core/item-shapes.ts";
import { operation } from "../core/operation.ts";
import { prepare } from "./prepare.ts";

const output = z.object({
  query: z.string(),
  id: z.string(),
  name: z.string(),
  kind: z.enum(kinds),
  location: z.string(),
  outcome: z.enum(["included", ...dropReasons, "beyond-limit", "not-found"]),
  level: z.enum(levels).optional(),
  rank: z.number().int().optional(),
  of: z.number().int(),
  score: z.number().optional(),
  because: signals.optional(),
  signals: signals.optional(),
  distance: z.number().int().optional(),
  via: via.optional(),
  standsFor: z.string().optional(),
  displacedBy: z.array(z.object({ id: z.string(), name: z.string(), score: z.number(), tokens: z.number().int() })),
  smallestBudget: z.number().int().optional(),
});

export const why = operation({
  name: "why",
  command: "why",
  group: "Ask",
  summary: "Explain why an item is, or is not, in the context of a query",
  input: z.object({
    query: contextInput.shape.query,
    item: z.string().min(1).describe("An id, a citation, a qualified name, a name, a path or path:line"),
    ...contextInput.omit({ query: true, since: true }).shape,
  }),
  output,
  positional: ["query", "item"],
  examples: [
    {
      command: 'dossier why "token budget" fitBudget',
      what: "rank, signals and the smallest budget at which it enters",
    },
    {
      command: 'dossier why "login" src/auth.ts:40 --max-tokens 800',
      what: "the unit around a line, at a smaller budget",
    },
  ],
  text: (output) => sentences(output).join("\n"),
  async run({ item: reference, ...input }, environment) {
    const workspace = await environment.workspace();
    const { request, recipe } = await prepare(input, workspace, environment);
    const { explain } = await import("../../explain.ts");
    const { item, ...rest } = await explain(workspace, request, reference, recipe);
    const { id, name, kind, path, startLine, endLine } = item;
    return {
      query: request.query,
      id,
      name,
      kind,
      location: isInFile(item.source) ? `${path}:${startLine}-${endLine}` : addressOf(item),
      ...rest,
    };
  },
});

type Output = z.output<typeof output>;

const outcomes: Record<Output["outcome"], string> = {
  included: "is in the context",
  duplicate: "is left out: another item stands for it",
  "over-budget": "is left out: better items took the room",
  "below-score": "is left out: its score is below the minimum",
  diversity: "is left out: too much of its kind was there already",
  unreadable: "is left out: it is no longer in its file",
  empty: "is left out: there is no text in it",
  given: "is left out: it was given before",
  excluded: "is left out: it was excluded",
  "beyond-limit": "is left out: its rank is beyond the limit of items to consider",
  "not-found": "was not found by any strategy for this query",
};

function sentences(output: Output): string[] {
  const lines = [`${output.kind} ${output.name} (${output.location}) ${outcomes[output.outcome]}.`];
  if (output.level) lines.push(`level: ${output.level}`);
  if (output.rank !== undefined) lines.push(`rank: ${output.rank} of ${output.of}, score ${output.score?.toFixed(3)}`);
  for (const [signal, part] of Object.entries(output.because ?? {}).sort((a, b) => b[1] - a[1])) {
    lines.push(`  ${signal.padEnd(8)} ${part.toFixed(3)}`);
  }
  if (output.via?.[0]) lines.push(`reached by: ${output.via.map((step) => `${step.kind} ${step.name}`).join(", ")}`);
  if (output.standsFor)
    lines.push(
      output.outcome === "duplicate"
        ? `stands for it: ${output.standsFor}`
        : `merged into: ${output.standsFor}, which is left out`,
    );
  if (output.displacedBy.length > 0) {
    lines.push("what took the room:");
    for (const each of output.displacedBy.slice(0, 8))
      lines.push(`  ${each.score.toFixed(3)} ${each.name} (${each.tokens} tokens)`);
  }
  if (output.smallestBudget !== undefined)
    lines.push(`smallest budget at which it enters: ${output.smallestBudget} tokens`);
  return lines;
}

import * as z from "zod";
import type { Scored } from "../item.ts";
import { searchInput } from "../options.ts";
import { fresh } from "./fresh.ts";
import { operation } from "./operation.ts";
import { ranked } from "./shapes.ts";

export const search = operation({
  name: "search",
  summary: "Rank the items that match a query, without assembling a document",
  input: searchInput,
  output: z.object({
    query: z.string(),
    confidence: z.number(),
    results: z.array(ranked),
    warnings: z.array(z.string()),
  }),
  positional: ["query"],
  examples: [
    { command: "dossier search processPayment", what: "where a name is defined and used" },
    { command: 'dossier search "csrf token" --types file --limit 10', what: "the ten best files" },
    { command: 'dossier search "session expiry" --json', what: "scores and signals as JSON" },
  ],
  text: ({ results, warnings }) =>
    results.length === 0
      ? (warnings[0] ?? "Nothing relevant was found.")
      : results
          .map((each) => `${each.score.toFixed(2)}  ${each.kind} ${each.name}  ${each.path}:${each.startLine}`)
          .join("\n"),
  async run(input, environment) {
    const workspace = await environment.workspace();
    const [warnings, { rank }] = await Promise.all([
      input.refresh ? fresh(workspace, environment) : [],
      import("../assemble.ts"),
    ]);
    const ranking = await rank(workspace, input);
    const results = ranking.ranked.slice(0, input.limit).map(asResult);
    const nothing = results.length === 0 ? ["Nothing relevant was found."] : [];
    return {
      query: input.query,
      confidence: ranking.confidence,
      results,
      warnings: [...warnings, ...ranking.warnings, ...nothing],
    };
  },
});

function asResult({ item, score, because, distance, via }: Scored, index: number): z.output<typeof ranked> {
  const { id, source, kind, name, qualifiedName, path, startLine, endLine, language, signature } = item;
  return {
    rank: index + 1,
    id,
    source,
    kind,
    name,
    qualifiedName,
    path,
    startLine,
    endLine,
    language,
    signature,
    score,
    because,
    distance,
    via,
  };
}

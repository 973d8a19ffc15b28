import * as z from "zod";
import { addressOf, type Item, isInFile, type Scored } from "../../item.ts";
import { searchInput } from "../../options.ts";
import { recipes } from "../../recipes/all.ts";
import { after, cursorOf, next, rankedPage } from "../core/cursor.ts";
import { ranked } from "../core/item-shapes.ts";
import { masked } from "../core/mask-secrets.ts";
import { operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { sourcesOf } from "../core/sources-needed.ts";
import { tuned } from "../notes/graph-recipe.ts";
import { plain } from "../terminal/phrases.ts";

export const search = operation({
  name: "search",
  command: "search",
  group: "Ask",
  summary: "Rank the items that match a query, without assembling a document",
  input: searchInput.extend({ after }),
  output: z.object({
    query: z.string(),
    confidence: z.number(),
    results: z.array(ranked),
    next,
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
      ? (warnings.at(-1) ?? nothing)
      : results
          .map(
            (each) => `${each.score.toFixed(2)}  ${each.kind} ${plain(each.name)}  ${plain(each.path)}${lineOf(each)}`,
          )
          .join("\n"),
  async run(input, environment) {
    const cursor = cursorOf("search", input, environment);
    const workspace = await environment.workspace();
    const [warnings, { rank }] = await Promise.all([
      input.refresh ? refreshSources(workspace, environment, sourcesOf(input), input) : [],
      import("../../assemble.ts"),
    ]);
    const recipe = await tuned(recipes.auto, workspace);
    let ranking: Awaited<ReturnType<typeof rank>> | undefined;
    const best = async (limit: number) => (ranking = await rank(workspace, { ...input, limit }, recipe)).ranked;
    const { page, before, next } = await rankedPage(best, cursor, input, ({ item }) => item.id);
    const results = page.map((each, index) => asResult(each, before + index));
    const { notice, nearMisses, confidence, warnings: more } = ranking!;
    // Scores in the list show how good the results are. Only an empty list needs the notice about words that occur
    // nowhere.
    const unfound = results.length + before === 0 ? [`${notice ?? nothing}${nearOf(nearMisses)}`] : [];
    return {
      query: input.query,
      confidence,
      results,
      ...(next !== undefined && { next }),
      warnings: [...new Set([...warnings, ...more, ...unfound])],
    };
  },
});

const nothing = "Nothing here matches.";

function nearOf(misses: readonly Scored[]): string {
  const places = misses.map(({ item }) => `${plain(item.name)} (${plain(addressOf(item))}${lineOf(item)})`);
  return places.length > 0 ? ` Near: ${places.join(", ")}.` : "";
}

/** A record is found by its id; it has no line. */
function lineOf({ source, startLine }: Pick<Item, "source" | "startLine">): string {
  return isInFile(source) ? `:${startLine}` : "";
}

function asResult({ item, score, because, distance, via }: Scored, index: number): z.output<typeof ranked> {
  const { id, source, kind, name, qualifiedName, startLine, endLine, language, signature } = item;
  return {
    rank: index + 1,
    id,
    source,
    kind,
    name: masked(name),
    qualifiedName: masked(qualifiedName),
    path: addressOf(item),
    startLine,
    endLine,
    language,
    signature: signature === undefined ? undefined : masked(signature),
    score,
    because,
    distance,
    via,
  };
}

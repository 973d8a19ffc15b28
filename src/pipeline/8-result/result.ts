import type { Context, DocumentPart } from "../../document.ts";
import type { Included } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import type { Fit, Printed } from "../7-budget/fit-budget.ts";
import { printedSpan } from "../layout/entry.ts";
import { sectionOf } from "../layout/groups.ts";
import { shortfall } from "./shortfall.ts";

/** Facts about the run from earlier stages. */
export type RunFacts = Pick<Context, "confidence" | "stats"> &
  Partial<Pick<Context, "notice" | "unknown">> & {
    filesRead: number;
    warnings: string[];
  };

/** Builds the result: the joined text, and every item either in `items` or, with its reason, in `dropped`. */
export function render(fit: Fit, request: Request, recipe: Recipe, run: RunFacts): Context {
  const { used, encoding, exact } = fit.tokens;
  const budget = request.maxTokens;
  const isShortened = fit.kept.some(({ printLevel }) => printLevel.level !== "full") && request.includeCodeContent;
  return {
    query: request.query,
    recipe: recipe.name,
    format: request.format,
    text: fit.parts.map(({ text }) => text).join(""),
    tokens: { budget, used, encoding, exact, fill: used / budget },
    items: fit.kept.map((kept) => included(kept, recipe)),
    dropped: fit.dropped,
    warnings: [...new Set([...run.warnings, ...fit.warnings])],
    summary: {
      included: fit.kept.length,
      excluded: fit.dropped.length,
      filesRead: run.filesRead,
      truncated: isShortened || fit.dropped.some(({ reason }) => reason === "over-budget" || reason === "diversity"),
      sentence: shortfall(fit.kept, fit.dropped, request.includeCodeContent),
    },
    optimality: fit.optimality,
    confidence: run.confidence,
    stats: run.stats,
    ...(fit.header ? { header: fit.header } : {}),
    ...(run.notice === undefined ? {} : { notice: run.notice }),
    unknown: run.unknown ?? [],
    ...(request.report?.includes("parts") ? { parts: partsOf(fit, recipe) } : {}),
  };
}

function partsOf({ parts }: Fit, { look }: Recipe): DocumentPart[] {
  return parts.map(({ text, tokens, owner }) => ({
    tokens,
    characters: text.length,
    ...(owner ? { item: owner.unique.item.id, section: sectionOf(owner.unique, look).title } : {}),
  }));
}

function included(kept: Printed, recipe: Recipe): Included {
  const { unique, printLevel, tokens, block, rank, content, levels } = kept;
  const { item, score, because, distance, freshness, citation, related, merged, uses, facts, notes, section, via } =
    unique;
  return {
    id: item.id,
    source: item.source,
    kind: item.kind,
    name: item.name,
    title: `${item.kind}: ${item.name}`,
    qualifiedName: item.qualifiedName,
    citation,
    level: printLevel.level,
    tokens,
    score,
    because,
    ...(distance > 0 ? { distance } : {}),
    path: citation.path,
    ...printedSpan(kept),
    ...(item.language ? { language: item.language } : {}),
    freshness,
    text: printLevel.text,
    ...(recipe.look.style === "brief" ? { block } : {}),
    imports: printLevel.imports,
    related,
    merged,
    ...(uses && printLevel.level !== "pointer" ? { uses } : {}),
    ...(facts ? { facts } : {}),
    ...(notes ? { notes } : {}),
    ...(section === undefined ? {} : { section }),
    ...(via ? { via } : {}),
    rank: rank + 1,
    ...(unique.pinned ? { pinned: true } : {}),
    ...(content === undefined ? {} : { content }),
    ...(levels ? { levels } : {}),
  };
}

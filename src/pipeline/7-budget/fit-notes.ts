import type { Dropped, Header } from "../../document.ts";
import { DossierError } from "../../errors.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import type { Query } from "../../text/analysis/query.ts";
import { droppedFor } from "../dropped.ts";
import type { Unique } from "../unique.ts";
import { type Assurance, type Fit, fitBudget, isTooSmall, namesOnlyWarning, onlyNames } from "./fit-budget.ts";

/**
 * Fits a document about a notes graph. Nothing is left out silently: notes without room are counted and can be listed
 * page by page, and warnings about the walk are printed in the document.
 */
export function fitNotes(
  all: readonly Unique[],
  leftOut: readonly Dropped[],
  request: Request,
  query: Query,
  baseLook: Look,
  assurance: Assurance & { warnings: readonly string[] },
): Fit {
  const look = withWarnings(baseLook, request, assurance.warnings);
  try {
    const fit = fitOrPage(all, leftOut, request, query, look, assurance);
    return look.header ? { ...fit, header: look.header } : fit;
  } catch (error) {
    // The header fits without its warnings only, so they are not printed. The result still reports them.
    const { warnings, ...header } = look.header ?? {};
    if (!(error instanceof DossierError && error.code === "budget-too-small") || !warnings) throw error;
    const fit = fitOrPage(all, leftOut, request, query, { ...look, header: header as Header }, assurance);
    return { ...fit, header: look.header! };
  }
}

const noMore = "No more notes were left out.";

function fitOrPage(
  all: readonly Unique[],
  leftOut: readonly Dropped[],
  request: Request,
  query: Query,
  look: Look,
  assurance: Assurance,
): Fit {
  const { limit, overflowFrom, maxTokens } = request;
  // Notes beyond the limit are only counted, unless they are pinned.
  const isWithin = (each: Unique, rank: number) => rank < limit || each.pinned;
  const within = all.filter(isWithin);
  const beyond = all.filter((each, rank) => !isWithin(each, rank)).map((each) => droppedFor(each, "over-budget"));
  const fit = fitBudget(within, [...leftOut, ...beyond], request, query, look, assurance);
  if (overflowFrom === undefined) return fit;
  const printed = new Set(
    fit.kept.filter(({ printLevel }) => printLevel.level !== "pointer").map(({ unique }) => unique.item.id),
  );
  const notPrinted = all.filter(({ item }) => !printed.has(item.id));
  const before = notPrinted.slice(0, overflowFrom).map((each) => droppedFor(each, "given"));
  // As many notes as can fit: a name takes about ten tokens.
  const page = notPrinted.slice(overflowFrom, overflowFrom + Math.ceil(maxTokens / 8));
  const after = notPrinted.slice(overflowFrom + page.length).map((each) => droppedFor(each, "over-budget"));
  return onlyNames(page, noMore, [...leftOut, ...before, ...after], request, look, maxTokens);
}

/** Below this budget the warnings would take the room of the notes themselves. */
const smallestWithWarnings = 200;
const mostWarnings = 3;
const shortWarning = "Only names below 500 tokens.";

function withWarnings(look: Look, request: Request, walkWarnings: readonly string[]): Look {
  if (!look.header) return look;
  const { warnings = [], ...header } = look.header;
  const all = new Set([...warnings, ...(isTooSmall(look, request) ? [namesOnlyWarning] : []), ...walkWarnings]);
  if (all.size === 0) return { ...look, header };
  if (request.maxTokens < smallestWithWarnings) {
    return { ...look, header: isTooSmall(look, request) ? { ...header, warnings: [shortWarning] } : header };
  }
  return { ...look, header: { ...header, warnings: [...all].slice(0, mostWarnings) } };
}

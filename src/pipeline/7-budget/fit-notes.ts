import type { Dropped, Header } from "../../document.ts";
import { DossierError } from "../../errors.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import type { Query } from "../../text/analysis/query.ts";
import { droppedFor } from "../dropped.ts";
import type { Unique } from "../unique.ts";
import { type Assurance, type Fit, fitBudget, isTooSmall, namesOnlyWarning, onlyNames } from "./fit-budget.ts";

/**
 * Fits a document about a notes graph: nothing is left out silently. What has no room is counted, and can be asked for name by name; what
 * the reader must know of the walk is said in the document itself.
 */
export function fitNotes(
  all: readonly Unique[],
  leftOut: readonly Dropped[],
  request: Request,
  query: Query,
  given: Look,
  assurance: Assurance & { warnings: readonly string[] },
): Fit {
  const look = withWarnings(given, request, assurance.warnings);
  try {
    const fit = fitMost(all, leftOut, request, query, look, assurance);
    return look.header ? { ...fit, header: look.header } : fit;
  } catch (error) {
    // There is room for what the document says of itself, but not for a warning: whoever called is told all the same.
    const { warnings, ...header } = look.header ?? {};
    if (!(error instanceof DossierError && error.code === "budget-too-small") || !warnings) throw error;
    const fit = fitMost(all, leftOut, request, query, { ...look, header: header as Header }, assurance);
    return { ...fit, header: look.header! };
  }
}

const noMore = "No more notes were left out.";

function fitMost(
  all: readonly Unique[],
  leftOut: readonly Dropped[],
  request: Request,
  query: Query,
  look: Look,
  assurance: Assurance,
): Fit {
  const { limit, overflowFrom, maxTokens } = request;
  // More notes than may be printed are only counted, unless somebody pinned them.
  const isWithin = (each: Unique, rank: number) => rank < limit || each.pinned;
  const within = all.filter(isWithin);
  const beyond = all.filter((each, rank) => !isWithin(each, rank)).map((each) => droppedFor(each, "over-budget"));
  const fit = fitBudget(within, [...leftOut, ...beyond], request, query, look, assurance);
  if (overflowFrom === undefined) return fit;
  const printed = new Set(
    fit.kept.filter(({ printLevel }) => printLevel.level !== "pointer").map(({ unique }) => unique.item.id),
  );
  const left = all.filter(({ item }) => !printed.has(item.id));
  const before = left.slice(0, overflowFrom).map((each) => droppedFor(each, "given"));
  // As many as may fit: a name takes some ten tokens.
  const page = left.slice(overflowFrom, overflowFrom + Math.ceil(maxTokens / 8));
  const after = left.slice(overflowFrom + page.length).map((each) => droppedFor(each, "over-budget"));
  return onlyNames(page, noMore, [...leftOut, ...before, ...after], request, look, maxTokens);
}

/** Below this a warning at length would take the place of what it warns of. */
const smallestWithWarnings = 200;
const mostWarnings = 3;
const briefly = "Only names below 500 tokens.";

function withWarnings(look: Look, request: Request, told: readonly string[]): Look {
  if (!look.header) return look;
  const { warnings = [], ...header } = look.header;
  const all = new Set([...warnings, ...(isTooSmall(look, request) ? [namesOnlyWarning] : []), ...told]);
  if (all.size === 0) return { ...look, header };
  if (request.maxTokens < smallestWithWarnings) {
    return { ...look, header: isTooSmall(look, request) ? { ...header, warnings: [briefly] } : header };
  }
  return { ...look, header: { ...header, warnings: [...all].slice(0, mostWarnings) } };
}

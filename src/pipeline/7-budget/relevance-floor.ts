import { isTurn, type SourceName } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import type { Query } from "../../text/analysis/query.ts";
import { isExplicit } from "../explicit.ts";
import type { Unique } from "../unique.ts";
import { chanceOf } from "./chance.ts";
import { withinSections } from "./section-floor.ts";

/** Whether the document ends where relevance ends. Briefings share their budget out, walks name all they reach, chats have bands. */
export function byRelevance({ budget, header, exact }: Look): boolean {
  return budget === "worth" && !header && !exact;
}

/** What was asked for by name, and the best of what was found. */
export function withLeads(all: readonly Unique[], look: Look): readonly Unique[] {
  if (look.header)
    return all.map((unique, rank) => (rank === 0 || unique.signals.asked ? { ...unique, lead: true } : unique));
  if (!byRelevance(look)) return all;
  return all.map((unique, rank) =>
    rank === 0 || unique.signals.named !== undefined ? { ...unique, lead: true } : unique,
  );
}

/**
 * What is less likely than this to be relevant is not printed, however much room is left; the first of a file may be less likely, since it
 * tells of the file too. What is likely enough is printed at the level at which each token is worth its price, in chances of being relevant.
 * With these, answers to questions take 3,600 of 4,000 tokens and have two points less of what fills all of them would have (226 questions).
 */
const leastChance = { firstOfFile: 0.025, other: 0.05, message: 0.01, besideNamed: 0.5 };
const tokenPrice = 0.00018;
/** Whoever gives a larger budget than this says that tokens are worth less to them: 16,000 for a report had 5 % less of its lines at the full price. */
const pricedBudget = 4000;

export function byChance(
  all: readonly Unique[],
  confidence: number,
  query: Query,
  { fill, maxTokens }: Request,
  look: Look,
): { likely: readonly Unique[]; unlikely: readonly Unique[] } {
  if (fill) return { likely: all, unlikely: [] };
  if (look.budget === "shares") return withinSections(all, look, confidence);
  if (!byRelevance(look)) return { likely: all, unlikely: [] };
  // Who asks for a name and nothing else wants what it names, and who uses it.
  const isLookup = query.onlyNames && all.some(({ signals }) => signals.named !== undefined);
  const files = new Set<string>();
  const isLikely = all.map((unique, rank) => {
    const { path, source } = unique.item;
    const least = isLookup ? leastChance.besideNamed : leastFor(source, files.has(path)) * worthOfToken(maxTokens);
    files.add(path);
    return unique.lead || unique.pinned || isExplicit(unique) || chanceOf(unique, rank, confidence) >= least;
  });
  return {
    likely: all.filter((_, rank) => isLikely[rank]),
    unlikely: all.filter((_, rank) => !isLikely[rank]),
  };
}

/** What a token costs, in chances of being relevant. Of a thread alone, what is likely enough is worth its few tokens. */
export function tokenPriceFor(unique: readonly Unique[], { fill, maxTokens }: Request, look: Look): number {
  if (!byRelevance(look) || fill || unique.every(({ item }) => isTurn(item.source))) return 0;
  return tokenPrice * worthOfToken(maxTokens) ** 2;
}

/** What a token is worth to whoever gives so many, beside one of 4,000. */
function worthOfToken(maxTokens: number): number {
  return Math.min(1, pricedBudget / maxTokens);
}

/** A message is a fifth of a function: of five, one need be relevant. */
function leastFor(source: SourceName, isFurther: boolean): number {
  if (isTurn(source)) return leastChance.message;
  return isFurther ? leastChance.other : leastChance.firstOfFile;
}

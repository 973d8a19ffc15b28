import { isTurn, type SourceName } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import { certainMatch } from "../../text/analysis/message-match.ts";
import type { Query } from "../../text/analysis/query.ts";
import { brevityOf } from "../../text/analysis/question-words.ts";
import { isExplicit } from "../explicit.ts";
import { sectionOf } from "../layout/groups.ts";
import { contains, ownSpan, sizeOf, type Unique } from "../unique.ts";
import { type ChanceOf, isUnaskedRole } from "./chance.ts";
import { withHelpOutputLater } from "./help-output.ts";
import { hasOneStatement } from "./levels/skeleton.ts";

/**
 * Whether items below a relevance floor are left out. Not for briefings (budget shares), walks (which name all notes)
 * and chats (score bands).
 */
export function hasRelevanceFloor({ budget, header, exact }: Look): boolean {
  return budget === "worth" && !header && !exact;
}

/** Marks as `lead`: items that were requested by name, and the best item. */
export function withLeads(all: readonly Unique[], look: Look, query: Query): readonly Unique[] {
  if (look.header)
    return all.map((unique, rank) => (rank === 0 || unique.signals.asked ? { ...unique, lead: true } : unique));
  if (!hasRelevanceFloor(look)) return all;
  const isLead = leadsAmong(all, query);
  return withPartFirst(withHelpOutputLater(all)).map((unique, rank) =>
    rank === 0 || isLead(unique) ? { ...unique, lead: true } : unique,
  );
}

/**
 * Items that were requested by name. If a literal has several places, those in changelogs and licences do not count:
 * "how does it parse the 'link' header" printed 1,172 tokens of a licence, whatever its chance.
 */
function leadsAmong(all: readonly Unique[], query: Query): (unique: Unique) => boolean {
  const isUnasked = ({ item, signals }: Unique) => signals.literal !== undefined && isUnaskedRole(item, query);
  const isElsewhere = all.some((unique) => unique.signals.literal !== undefined && !isUnasked(unique));
  return (unique) => unique.signals.named !== undefined && !(isElsewhere && isUnasked(unique));
}

/**
 * If a class is only outlined, its best part comes first: an outline answers nothing, and is often not worth its
 * tokens.
 */
function withPartFirst(all: readonly Unique[]): readonly Unique[] {
  const [best] = all;
  if (!best?.outline || best.signals.named !== undefined) return all;
  const isPart = ({ item }: Unique) =>
    item.id !== best.item.id && item.path === best.item.path && contains(ownSpan(best), item);
  const part = all.find((unique) => !unique.outline && isPart(unique));
  return part ? [part, ...all.filter((unique) => unique !== part)] : all;
}

/**
 * The relevance floor: an item with a lower probability is not printed, even if there is room. The floor is lower for
 * the first item of a file, which also shows that the file is relevant. Above the floor, an item is printed at the
 * level at which each token is worth its price in probability. Answers to 226 questions take 2,795 of 4,000 tokens and
 * have 71.8 % of files and lines; answers that fill the budget have 77.3, and 80.9 % source lines instead of 88.1.
 */
const minChance = {
  firstOfFile: 0.025,
  other: 0.05,
  message: 0.01,
  besideNamed: 0.5,
  besideValue: 0.15,
  besidePrinter: 0.2,
};
const tokenPrice = 0.000178;
/**
 * The share that full confidence adds to the price. If the ranking is sure, its first items answer: at twice the price,
 * 133 long questions lose 2.8 points for each thousand tokens saved where the confidence is above .95, and 4 to 9 where
 * it is between .33 and .95; 241 short ones lose 3.5, and 6 to 9.
 */
const certainty = { from: 0.5, added: 0.7 };
/**
 * Factor on the price for reports. Their ranking is always sure, since some of their many words occur everywhere. At
 * the price of a question, answers to 74 issues had 66.4 % of the changed files instead of 73.4 within 4,000 tokens;
 * without certainty 72.5, and 54.7 % of the changed functions instead of 56.3; with this factor 73.0 and 56.8, in 3,648
 * tokens instead of 3,703.
 */
const factorOfReports = 0.75;
/**
 * The share that is taken off the price for a short question about behaviour. Its few words occur in many functions, and
 * the one that answers ranks lower: at the full price it is printed for 78.2 % of 321 such questions instead of 80.1, in
 * 2,990 tokens instead of 3,360.
 */
const brevityDiscount = 0.3;
/**
 * Above this budget the price falls: a caller who allows more tokens values each less. At the full price, 16,000 tokens
 * for a report had 5 % fewer of its lines.
 */
const pricedBudget = 4000;
const largestPriced = 32_000;

/**
 * Splits the items by the relevance floor. Leads, frames of a stack trace, pinned and explicitly named items are always
 * likely.
 */
export function byRelevanceFloor(
  all: readonly Unique[],
  chanceOf: ChanceOf,
  confidence: number,
  query: Query,
  { fill, maxTokens }: Request,
  look: Look,
): { likely: readonly Unique[]; unlikely: readonly Unique[] } {
  if (fill) return { likely: all, unlikely: [] };
  if (look.budget === "shares") return bySectionFloor(all, look, confidence);
  if (!hasRelevanceFloor(look)) return { likely: all, unlikely: [] };
  const lookupMinimum = query.onlyNames || query.onlyPaths ? minChanceBeside(all) : undefined;
  const isPlaceKnown = printsMessage(all[0], query);
  const files = new Set<string>();
  const isLikely = all.map((unique, rank) => {
    const { path, source } = unique.item;
    const usual = minChanceFor(source, files.has(path)) * tokenValue(maxTokens);
    const minimum = lookupMinimum ?? (isPlaceKnown && isOnlyFound(unique) ? minChance.besidePrinter : usual);
    files.add(path);
    const isCertain = unique.lead || unique.pinned || unique.signals.frame !== undefined || isExplicit(unique);
    return isCertain || (chanceOf(unique, rank, confidence) >= minimum && !isChance(unique, query));
  });
  return {
    likely: all.filter((_, rank) => isLikely[rank]),
    unlikely: all.filter((_, rank) => !isLikely[rank]),
  };
}

/**
 * Whether a function of one statement, such as a getter, contains no word of the question. Its rank then comes from its
 * neighbours: its file, or the items it is linked with.
 */
function isChance(unique: Unique, { terms, also, wantsTests }: Query): boolean {
  const { item, companion, lines, startLine } = unique;
  if ((item.kind !== "function" && item.kind !== "method") || companion || (item.test && wantsTests)) return false;
  const { startLine: first, endLine: last } = ownSpan(unique);
  const own = lines.slice(first - startLine, last - startLine + 1);
  const text = `${item.qualifiedName.slice(item.qualifiedName.indexOf("::"))}\n${own.join("\n")}`.toLowerCase();
  // Words are checked first: most items contain one, and then their lines need not be read.
  return ![...terms, ...also].some(({ term }) => text.includes(term.toLowerCase())) && hasOneStatement(unique, own);
}

/**
 * A query that is only a name or a path wants that item and its users, little else. The declaration of a value alone
 * does not show its purpose: its accessors and the functions that act on it do.
 */
function minChanceBeside(all: readonly Unique[]): number | undefined {
  const named = all.filter(({ signals }) => signals.named !== undefined);
  if (named.length === 0) return undefined;
  return named.every(isShortValue) ? minChance.besideValue : minChance.besideNamed;
}

/** Whether the lead certainly prints the message that is the whole query, or raised its error. */
function printsMessage(first: Unique | undefined, { trace, messages }: Query): boolean {
  if (!first || !(trace?.alone || messages.some(({ alone, likely }) => alone && likely))) return false;
  return first.signals.frame !== undefined || (first.signals.message ?? 0) >= certainMatch;
}

/**
 * Whether an item was found by its words alone: it neither prints nor raises the message, nor calls or is called by an
 * item that does.
 */
function isOnlyFound({ distance, companion, signals }: Unique): boolean {
  const { message, frame, named, literal } = signals;
  return distance === 0 && !companion && [message, frame, named, literal].every((signal) => signal === undefined);
}

const longestValue = 3;

/**
 * Whether a value has about one line, like a field. A longer constant, such as a table, explains itself. In a group,
 * the requested value counts.
 */
function isShortValue(unique: Unique): boolean {
  const { kind } = unique.item;
  const inGroup = unique.absorbed?.filter(
    ({ item, signals }) => item.id !== unique.item.id && signals.named !== undefined,
  );
  if (inGroup?.some(isShortValue)) return true;
  return kind === "field" || (kind === "constant" && sizeOf(ownSpan(unique)) <= longestValue);
}

/**
 * The price of a token, as a probability of being relevant: higher if the ranking is surer, and lower for the report of
 * an issue. It is 0 for a thread alone, since messages are short enough.
 */
export function tokenPriceFor(
  unique: readonly Unique[],
  confidence: number,
  { shape, title, terms, wantsBehaviour }: Pick<Query, "shape" | "title" | "terms" | "wantsBehaviour">,
  { fill, maxTokens }: Request,
  look: Look,
): number {
  if (!hasRelevanceFloor(look) || fill || unique.every(({ item }) => isTurn(item.source))) return 0;
  const sure = Math.max(0, confidence - certainty.from) / (1 - certainty.from);
  // A long question of one line is not a report.
  const isReport = shape === "issue" && title.length > 0;
  const ofQuestion = wantsBehaviour ? 1 - brevityDiscount * brevityOf(terms.length) : 1;
  const factor = isReport ? factorOfReports : ofQuestion * (1 + certainty.added * sure);
  return tokenPrice * factor * tokenValue(maxTokens) ** 2;
}

/**
 * The value of one token in a budget of this size, relative to one of `pricedBudget`. It does not fall further above
 * 32,000: files and lines of 133 questions are 86.4 % within 8,000, 89.4 within 16,000 (12,400 used) and 90.4 within
 * 32,000 (23,800 used); with 100,000, 69,000 were used, nearly all unrelated.
 */
function tokenValue(maxTokens: number): number {
  return Math.min(1, pricedBudget / Math.min(maxTokens, largestPriced));
}

/** A message has a fifth of a function's length, so its floor is a fifth. */
function minChanceFor(source: SourceName, isKnownFile: boolean): number {
  if (isTurn(source)) return minChance.message;
  return isKnownFile ? minChance.other : minChance.firstOfFile;
}

/**
 * With budget shares: the minimum score of an item as a share of the best in its section, rising with its place. On 50
 * tasks of two projects this keeps 86 % of the relevant records in 2,880 of 4,000 tokens; filling the budget keeps 87 %
 * (at .4: 81 % in 2,220).
 */
const minShareOfBest = 0.3;
const addedByPlace = 0.08;
/** Added at confidence 0. */
const addedUnsure = 0.25;
/**
 * Added by place at confidence 0: matches are then chance, and many have similar scores, so only the best few of each
 * section are printed. 15 tasks of other trades take 1,108, 945 and 310 of 2,000 tokens in three collections of
 * records; without it 1,519, 1,482 and 300.
 */
const addedByChance = 0.17;
const certainFrom = 1 / 3;

/**
 * Drops items that are much weaker than the best of their section, even if there is room. Certain and pinned items
 * always stay.
 */
function bySectionFloor(
  all: readonly Unique[],
  look: Look,
  confidence: number,
): { likely: readonly Unique[]; unlikely: readonly Unique[] } {
  const sections = new Map<unknown, { best: number; place: number }>();
  const isLikely = all.map((unique) => {
    if (unique.signals.asked === 1 || unique.pinned) return true;
    // Each source is judged separately: an answer in the code says nothing about the records.
    const doubt = 1 - Math.min(1, (unique.confidence ?? confidence) / certainFrom);
    const minShare = minShareOfBest + addedUnsure * doubt;
    const byPlace = addedByPlace + addedByChance * doubt;
    const title = sectionOf(unique, look);
    const section = sections.get(title) ?? { best: unique.score, place: 0 };
    sections.set(title, section);
    return unique.score >= section.best * (minShare + byPlace * Math.log(1 + section.place++));
  });
  return {
    likely: all.filter((_, rank) => isLikely[rank]),
    unlikely: all.filter((_, rank) => !isLikely[rank]),
  };
}

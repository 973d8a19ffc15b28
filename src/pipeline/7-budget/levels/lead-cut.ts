import { isNode } from "../../../item.ts";
import type { Request } from "../../../options.ts";
import type { Layouter } from "../../layout/layout.ts";
import type { PrintLevel } from "../../layout/print-level.ts";
import type { Shown } from "../../layout/printed-parts.ts";
import { cutOption, headTokens, isCutByLines, withExtraOption } from "./cut-option.ts";
import { expenseOf } from "./framing.ts";
import type { WeighLines } from "./line-weights.ts";
import { isMention } from "./mentions.ts";
import { longestHead } from "./print-levels.ts";
import type { ItemPrintOptions, PrintOption } from "./print-options.ts";

/** Tokens by which the footer may grow once the reasons for leaving items out are known. */
const footerChange = 6;

/** The share of the budget to which a long note is cut: the rest of the budget names its neighbours. */
const largestNote = 0.8;

/**
 * The share of the budget to which the best item is cut at first if it does not fit whole. It grows into the room that
 * the others leave. An item that was requested by name may take all of the budget. An item that was only found may be
 * the wrong one: with all of the budget, a function of 525 lines was the whole answer. At 500 tokens a function that
 * answers is printed for 48 % of 321 questions instead of 43, at 1,000 for 57 instead of 55. The cut is never below
 * `tokens`: in the smallest budgets, pieces of several items say nothing.
 */
const largestFound = { share: 0.5, tokens: 250 };

/**
 * A lead item is not printed in fragments: if it does not fit whole, it is cut to the available room. Notes that were
 * requested together share that room.
 */
export function withLeadCut(
  item: ItemPrintOptions,
  leads: number,
  weigh: WeighLines,
  request: Request,
  layouter: Layouter,
): PrintOption[] {
  const { unique, rank, options, whole } = item;
  const isNote = isNode(unique.item.source);
  const room = request.maxTokens - footerChange;
  // Files that were requested together share the room as well.
  const isShared = isNote || unique.askedWhole === true;
  const isCode = isCutByLines(item, request);
  const { named, message, frame, literal } = unique.signals;
  // One line of the item is wanted, and the frames or places after it need room as well.
  const hasPlace = message === undefined && (frame ?? literal) !== undefined;
  const isFound = (named ?? message ?? frame) === undefined || hasPlace;
  // For a setting, three items are wanted: the line that sets it, the code that reads it, and its documentation.
  const sharing = isShared ? leads : literal === undefined ? 1 : Math.min(leads, 3);
  const wholeRoom = room / sharing;
  const cutRoom = isNote
    ? largestNote * wholeRoom
    : isCode && isFound
      ? Math.min(room, Math.max(largestFound.share * room, largestFound.tokens))
      : wholeRoom;
  const wholeFits = (shown: Shown) => layouter.lay([shown]).tokens <= wholeRoom;
  const fitsAlone = (shown: Shown) => layouter.lay([shown]).tokens <= cutRoom;
  const longestWhole = isCode && hasPlace && rank === 0 ? largestFound.share * room : room;
  const enough = isMention(unique) ? ["full", "elided"] : ["full"];
  const isEnough = (option: PrintOption) => enough.includes(option.printLevel.level) && option.cost <= longestWhole;
  if (!whole || options.some((option) => isEnough(option) && wholeFits(option))) return options;
  const longest = isCode
    ? longestHead(unique, whole, weigh, (printLevel) => fitsAlone({ rank, unique, printLevel }))
    : undefined;
  const cut = longest ? leadOption(item, longest, layouter) : firstCut(item, request, layouter, fitsAlone);
  // The best item needs no shorter options than the longest cut that fits.
  const others =
    rank === 0 && cut && (isShared || sharing === 1)
      ? options.filter(({ printLevel }) => printLevel.level !== "elided" && printLevel.level !== "full")
      : options;
  return withExtraOption(others, cut);
}

/** The print option of a lead item at this level. */
export function leadOption(
  { rank, unique, weight, valuation }: Omit<ItemPrintOptions, "options" | "weigh">,
  printLevel: PrintLevel,
  layouter: Layouter,
): PrintOption {
  const shown = { rank, unique, printLevel };
  const shared = layouter.sharedTokens(shown, true);
  const cost = layouter.blockTokens(shown, printLevel.imports) + shared;
  return { ...shown, cost, value: weight * printLevel.utility - expenseOf(shown, cost, shared, valuation.price) };
}

/** Shares of the room that are tried: the tokens around a text are only known together with it. */
const cutShares = [1, 0.97, 0.92, 0.85, 0.75, 0.7, 0.5, 0.35, 0.2, 0.1];

function firstCut(
  item: ItemPrintOptions,
  request: Request,
  layouter: Layouter,
  fitsAlone: (shown: Shown) => boolean,
): PrintOption | undefined {
  const room = request.maxTokens - layouter.lay([]).tokens - headTokens(item, layouter);
  for (const share of cutShares) {
    const cut = cutOption(item, Math.floor(room * share), request, layouter);
    if (cut && fitsAlone(cut)) return cut;
  }
  return undefined;
}

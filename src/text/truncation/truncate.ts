import type { TokenCounter } from "../tokens/tokens.ts";
import { commentMark } from "./comments.ts";
import { type Cut, draftOf, longestToken, type MarkStyle, type Truncation } from "./line-ranges.ts";
import { signatureSpan } from "./signature.ts";
import { indentOf, type Open } from "./structure.ts";

export type TruncationName = "signature-first" | "bookend" | "head";

export type TruncateOptions = {
  maxTokens: number;
  strategy: TruncationName;
  language?: string;
  counter: TokenCounter;
  /** Counts the whole text, for a caller that memoises counts. */
  countWhole?: (text: string) => number;
  /** How many lines at the beginning make up the signature, if the caller knows it. */
  signatureLines?: number;
};

/**
 * `lines`: for each printed line the index of the whole line it shows; undefined for marks and for lines that close the
 * cut.
 */
export type Truncated = { text: string; cut: boolean; lines?: (number | undefined)[] };

/**
 * Cuts a text to `maxTokens` tokens. Gaps are marked in the language's comment syntax, and open brackets, strings and
 * comments are closed. Undefined when not even a mark fits.
 */
export function truncate(text: string, options: TruncateOptions): Truncated | undefined {
  const { counter, maxTokens, strategy, language } = options;
  if (maxTokens < 1) return text === "" ? { text, cut: false } : undefined;
  const count = options.countWhole ?? counter.count;
  if (text.length <= maxTokens * longestToken && count(text) <= maxTokens) return { text, cut: false };
  const draft = draftOf(text, language, counter, maxTokens);
  for (const mark of ["counted", "short"] as const) {
    const attempt: Attempt = { draft, mark, maxTokens, counter };
    const fitted =
      strategy === "head"
        ? head(attempt, 0)
        : strategy === "bookend"
          ? bookend(attempt)
          : signatureFirst(attempt, options);
    if (fitted) return { text: fitted.text, cut: true, lines: draft.origins(fitted.cut, mark) };
  }
  const lineEnd = text.endsWith("\n") ? "\n" : "";
  const marks = [draft.render({ ranges: [] }, "counted"), commentMark(language, "...") + lineEnd];
  const alone = marks.find((mark) => counter.count(mark) <= maxTokens);
  return alone === undefined ? undefined : { text: alone, cut: true, lines: [undefined] };
}

type Attempt = { draft: Truncation; mark: MarkStyle; maxTokens: number; counter: TokenCounter };

/** A rendered cut and the number of tokens it leaves unused, negative when it is too long. */
type Fitted = { text: string; left: number; cut: Cut };

function measured({ draft, mark, maxTokens, counter }: Attempt, cut: Cut): Fitted {
  const text = draft.render(cut, mark);
  const fewest = Math.ceil(text.length / longestToken);
  return { text, cut, left: maxTokens - (fewest > maxTokens ? fewest : counter.count(text)) };
}

/**
 * Only longer lines, in characters, are cut: a paragraph on one line, minified code. Half of a shorter line would look
 * like a line that the file does not have.
 */
const longLine = 160;

/**
 * As many lines as fit from `start` on, and part of a long next line if omitting it would leave much of the budget
 * unused. Lines are chosen by the sum of their costs and then counted exactly, a few times at most.
 */
function head(attempt: Attempt, start: number, atLeast = start): Fitted | undefined {
  const { draft, maxTokens } = attempt;
  const ranges = (end: number): Cut["ranges"] => (start > 0 || end > start ? [[start, end]] : []);
  let end = start + affordable(draft, start, maxTokens);
  let best = measured(attempt, { ranges: ranges(end) });
  while (best.left < 0 && end > start) {
    // If the text is too long by some factor, the number of lines is reduced by the same factor.
    end = Math.min(end - 1, start + Math.floor(((end - start) * maxTokens) / (maxTokens - best.left)));
    best = measured(attempt, { ranges: ranges(end) });
  }
  if (best.left < 0) return undefined;
  for (let tries = 0; tries < 8; tries++) {
    const more = affordable(draft, end, best.left);
    if (more === 0) break;
    const longer = measured(attempt, { ranges: ranges(end + more) });
    if (longer.left < 0) break;
    best = longer;
    end += more;
  }
  const isLong = (draft.lines[end] ?? "").length > longLine;
  if (end < draft.lines.length && (end === start || (isLong && best.left > maxTokens / 3))) {
    const partial = cutLine(attempt, ranges(end), end);
    if (partial !== undefined) return partial;
  }
  return end > Math.max(start, atLeast - 1) ? best : undefined;
}

/** How many lines from `start` on have a total cost of at most `tokens`. */
function affordable(draft: Truncation, start: number, tokens: number): number {
  let sum = 0;
  let end = start;
  while (end < draft.lines.length && (sum += draft.lineCost(end)) <= tokens) end++;
  return end - start;
}

/**
 * The longest beginning of one line that fits after the ranges. A few guesses find it, each based on the tokens per
 * character of the previous one, so that only few and short texts are counted.
 */
function cutLine(attempt: Attempt, ranges: Cut["ranges"], index: number): Fitted | undefined {
  const { draft, maxTokens } = attempt;
  const line = draft.lines[index]!;
  const empty = measured(attempt, { ranges });
  let best: Fitted | undefined;
  let [fits, over] = [0, line.length];
  let guess = empty.left * 3;
  for (let tries = 0; tries < 24 && over - fits > 1 && guess > fits; tries++) {
    const length = Math.max(fits + 1, Math.min(Math.floor(guess), over - 1));
    const result = measured(attempt, { ranges, characters: wholeCharacters(line, length) });
    const tokens = Math.max(1, empty.left - result.left);
    if (result.left >= 0) [best, fits] = [result, length];
    else over = length;
    if (result.left >= 0 && result.left <= maxTokens / 50) break;
    guess = result.left < 0 && tries > 6 ? (fits + over) / 2 : (length * empty.left) / tokens;
    if (guess <= fits) guess = (fits + over) / 2;
  }
  return fits > 0 && line.slice(0, fits).trim() !== "" ? best : undefined;
}

/** A length that does not end within a surrogate pair. */
function wholeCharacters(line: string, length: number): number {
  return /[\ud800-\udbff]/.test(line[length - 1] ?? "") && /[\udc00-\udfff]/.test(line[length] ?? "")
    ? length - 1
    : length;
}

/** The whole signature, then the comment above it and the body as far as they fit. */
function signatureFirst(attempt: Attempt, options: TruncateOptions): Fitted | undefined {
  const { draft } = attempt;
  const signature = signatureSpan(draft.lines, options.language);
  const end = Math.min(options.signatureLines ?? signature.end, draft.lines.length);
  const start = Math.min(signature.start, Math.max(0, end - 1));
  const whole = measured(attempt, { ranges: [[0, end]] });
  if (whole.left >= 0) return head(attempt, 0, end);
  if (start === 0) return head(attempt, 0);
  // The comment above is cut first: its first lines are kept if there is room.
  let best = measured(attempt, { ranges: [[start, end]] });
  if (best.left < 0) return head(attempt, start);
  for (let above = affordable(draft, 0, best.left); above > 0; above = above >> 1) {
    const longer = measured(attempt, {
      ranges: [
        [0, above],
        [start, end],
      ],
    });
    if (longer.left < 0) continue;
    best = longer;
    break;
  }
  return best;
}

/** The first and the last lines, half of the budget each; the lines between are cut. */
function bookend(attempt: Attempt): Fitted | undefined {
  const { draft, maxTokens } = attempt;
  const count = draft.lines.length;
  let end = Math.max(1, affordable(draft, 0, maxTokens >> 1));
  for (let tries = 0; tries < 12; tries++) {
    let sum = 0;
    for (let i = 0; i < end; i++) sum += draft.lineCost(i);
    let start = count;
    while (start > end && (sum += draft.lineCost(start - 1)) <= maxTokens) start--;
    start = balancedStart(draft, end, start);
    for (let shorter = 0; shorter < 12 && start < count; shorter++) {
      const result = measured(attempt, {
        ranges: [
          [0, end],
          [start, count],
        ],
      });
      if (result.left >= 0) return lengthenHead(attempt, end, start, result);
      start = balancedStart(draft, end, start + Math.max(1, Math.ceil(((count - start) * -result.left) / maxTokens)));
    }
    if (end === 1) break;
    end >>= 1;
  }
  return head(attempt, 0);
}

/**
 * The first line from `start` on where all open brackets were opened by the first `end` lines, so the rest closes them.
 * In languages with blocks by indentation or ending in a keyword, no line in between may be indented less.
 */
function balancedStart(draft: Truncation, end: number, start: number): number {
  const shared = new Set<Open | undefined>();
  for (let node = draft.openBefore(end); node !== undefined; node = node.below) {
    // Brackets around a comment or string count; those inside are closed at its end.
    if (node.kind === "text") shared.clear();
    else shared.add(node);
  }
  shared.add(undefined);
  let least = Number.POSITIVE_INFINITY;
  for (let i = end; i < draft.lines.length; i++) {
    const line = draft.lines[i]!;
    if (line.trim() === "") continue;
    const depth = indentOf(line).length;
    const level = draft.syntax.blockEnd?.test(line) ? depth < least : depth <= least || !byIndentation(draft);
    const isWhole = !byIndentation(draft) || !goesOn.test(line) || (depth < least && isOpenAt(draft, end, depth));
    if (i >= start && level && isWhole && shared.has(draft.openBefore(i))) return i;
    least = Math.min(least, depth);
  }
  return draft.lines.length;
}

/** A line that continues the block above it: an `except` must not be separated from its `try`. */
const goesOn = /^\s*(?:except|elif|else|finally|elsif|elseif|rescue|ensure|catch|when|then)\b/;

/** True when the first `end` lines end inside a block whose head is indented this deep. */
function isOpenAt({ lines }: Truncation, end: number, depth: number): boolean {
  const head = lines.slice(0, end).findLast((line) => line.trim() !== "" && indentOf(line).length <= depth);
  return head !== undefined && indentOf(head).length === depth;
}

function byIndentation({ syntax }: Truncation): boolean {
  return syntax.head === "colon" || syntax.blockEnd !== undefined;
}

/** Gives the room that the end could not use to the beginning, as long as the brackets still match. */
function lengthenHead(attempt: Attempt, end: number, start: number, fitted: Fitted): Fitted {
  const { draft } = attempt;
  let best = fitted;
  for (let more = affordable(draft, end, best.left); more > 0; more >>= 1) {
    const longer = Math.min(end + more, start);
    if (longer === start || balancedStart(draft, longer, start) !== start) continue;
    const result = measured(attempt, {
      ranges: [
        [0, longer],
        [start, draft.lines.length],
      ],
    });
    if (result.left >= 0) {
      best = result;
      break;
    }
  }
  return best;
}

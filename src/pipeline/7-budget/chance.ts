import { isInFile, isTurn, sourceTraits } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Query } from "../../text/analysis/query.ts";
import { ownSpan, sizeOf, type Unique } from "../unique.ts";

/** The probability that an item at a rank is relevant, 0..1. */
export type ChanceOf = (unique: Unique, rank: number, confidence?: number) => number;

/**
 * Logistic regression: the probability that an item is relevant, by its rank, score and length. Fitted to which ranked items contain lines
 * that the reference answers of 133 questions about three repositories cite. Length counts because two lines with the word are seldom the answer;
 * less for code, whose score counts its decisions already: with the length of texts, files and lines of 226 questions are 70.9 instead of 72.9.
 * Fitted anew to 374 questions about 35 repositories, with the distance to the first item's score and whether either uses the other, answers to the 226
 * are 250 tokens shorter, but have 83.5 % instead of 85.8 of the files, and on repositories held aside 60.9 instead of 62.4 of files and lines.
 */
const coefficients = { rank: -0.76, score: 3.35 };
const ofCode = { constant: -3.55, lines: 0.25 };
const ofText = { constant: -4.5, lines: 0.52 };
/** Lines beyond this do not count. A record has no lines and counts as a short function. */
const mostLines = 200;
const linesOfRecord = 10;

/** Factor of tests that are not asked for, and of configuration in a question about what the project does: none of 1,200 was an answer. */
const unaskedFactor = 0.2;

/**
 * Factor at confidence 0. An answer to what is not there takes 662 tokens with it, 1,870 with .65; files and lines of 226 questions that have an
 * answer are 71.0 and 71.1.
 */
const unsureFactor = 0.05;
/**
 * The same for turns of a conversation, which are short, and whose words seldom repeat those of a question. With .05 a document of 2,000 tokens
 * had 87.3 % of the turns that answer 495 questions instead of 89.8 %.
 */
const unsureFactorOfTurns = 0.65;
const certainFrom = 1 / 3;

/** At least, of what a better item names and is not understood without. */
const companionChance = 0.06;
/** What does the work of a function that was asked for by name is wanted with it, more often than not. */
const workingChance = 0.55;

/** How likely each item is to be relevant to this query. */
export function chancesFor(
  query: Pick<Query, "wantsTests" | "wantsBehaviour">,
  { tests }: Pick<Request, "tests">,
): ChanceOf {
  const isUnasked = ({ item }: Unique) =>
    (item.test && !query.wantsTests && tests === "auto") || (item.kind === "config" && query.wantsBehaviour);
  return (unique, rank, confidence = 1) => {
    const { source } = unique.item;
    const lines = isInFile(source) ? Math.min(mostLines, sizeOf(ownSpan(unique))) : linesOfRecord;
    const length = sourceTraits[source].lines === "code" ? ofCode : ofText;
    const least = unique.works ? workingChance : unique.companion ? companionChance : 0;
    const sum =
      length.constant +
      length.lines * Math.log(lines) +
      coefficients.rank * Math.log(1 + rank) +
      coefficients.score * unique.score;
    const unsure = isTurn(source) ? unsureFactorOfTurns : unsureFactor;
    const sure = unsure + (1 - unsure) * Math.min(1, confidence / certainFrom);
    return sure * Math.max(least, (isUnasked(unique) ? unaskedFactor : 1) / (1 + Math.exp(-sum)));
  };
}

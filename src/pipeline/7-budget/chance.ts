import { type Item, isInFile, isTurn, sourceTraits } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Query } from "../../text/analysis/query.ts";
import { ownSpan, sizeOf, type Unique } from "../unique.ts";

/** The probability that an item at a rank is relevant, 0..1. */
export type ChanceOf = (unique: Unique, rank: number, confidence?: number) => number;

/**
 * Logistic regression: the probability that an item is relevant, by its rank, score and length. Fitted to which ranked
 * items contain lines that the reference answers of 133 questions about three repositories cite. Length counts, because
 * an item of two lines with the word is seldom the answer. It counts less for code, whose score includes its decisions
 * already: with the length coefficient of texts, files and lines of 226 questions are 70.9 instead of 72.9. A fit to
 * 374 questions about 35 repositories, with the distance to the first item's score and whether either uses the other,
 * makes answers to the 226 questions 250 tokens shorter, but with 83.5 % instead of 85.8 of the files, and on held-out
 * repositories 60.9 instead of 62.4 of files and lines.
 */
const coefficients = { rank: -0.76, score: 3.35 };
const ofCode = { constant: -3.55, lines: 0.25 };
const ofText = { constant: -4.5, lines: 0.52 };
/** Most lines that count. A record has no lines and counts as a short function. */
const mostLines = 200;
const linesOfRecord = 10;

/**
 * Factor for tests that were not requested, and for configuration in a question about what the project does: none of
 * 1,200 was an answer. It also applies to project files and changelogs.
 */
const unaskedFactor = 0.2;

/**
 * Factor at confidence 0. An item that shares few words with a question may still answer it: of 13 such short questions
 * a function that does it is printed for 8 (for 6 with .05), at a cost of 290 tokens; 41 questions that the project
 * cannot answer take 150 more. With .35 they take 100 more, and no further question is answered.
 */
const unsureFactor = 0.2;
/**
 * Factor at confidence 0 for turns of a conversation, which are short and seldom repeat the words of a question. With
 * .05 a document of 2,000 tokens had 87.3 % of the turns that answer 495 questions instead of 89.8 %.
 */
const unsureFactorOfTurns = 0.65;
const certainFrom = 1 / 3;

/**
 * The least probability of an item that a better item names and needs to be understood. In a group with several such
 * values, it applies to each of the first few.
 */
const companionChance = 0.06;
const mostCompanions = 3;
/**
 * The least probability of the function that does the work of one that was requested by name: the reader needs it more
 * often than not.
 */
const workingChance = 0.55;

type AskedRoles = Pick<Query, "wantsRoles" | "wantsHistory">;

/** How likely each item is to be relevant to this query. */
export function chancesFor(
  query: Pick<Query, "wantsTests" | "wantsBehaviour" | "messages"> & AskedRoles,
  { tests }: Pick<Request, "tests">,
): ChanceOf {
  const isMessage = query.messages.some(({ alone, likely }) => alone && likely);
  const isUnasked = ({ item, signals }: Unique) =>
    (item.test && !query.wantsTests && tests === "auto") ||
    (item.kind === "config" && (query.wantsBehaviour || (isMessage && !signals.message))) ||
    isUnaskedRole(item, query);
  return (unique, rank, confidence = 1) => {
    const { source } = unique.item;
    const lines = isInFile(source) ? Math.min(mostLines, sizeOf(ownSpan(unique))) : linesOfRecord;
    const length = sourceTraits[source].lines === "code" ? ofCode : ofText;
    const least = unique.works ? workingChance : companionChance * companionsIn(unique);
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

/** Whether an item is a project file or a changelog, and the query is about neither. */
export function isUnaskedRole({ role }: Item, { wantsRoles, wantsHistory }: AskedRoles): boolean {
  if (role === "changelog") return !wantsRoles.includes(role) && !wantsHistory;
  return role === "project" && !wantsRoles.includes(role);
}

function companionsIn({ companion, absorbed = [] }: Unique): number {
  if (!companion) return 0;
  return Math.min(mostCompanions, Math.max(1, absorbed.filter((each) => each.companion).length));
}

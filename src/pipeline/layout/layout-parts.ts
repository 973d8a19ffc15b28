import type { Dropped, DropReason } from "../../document.ts";
import { DossierError } from "../../errors.ts";
import type { Format, LeftOut, SourcePlace } from "../../formats/format.ts";
import { isInFile, sourceTraits } from "../../item.ts";
import type { Look } from "../../recipes/recipe.ts";
import { sourceOf } from "../../sources/all.ts";
import { hasName, hasStatement, trimmedImport } from "../imports.ts";
import type { Unique } from "../unique.ts";
import { isPointer, printedSpan } from "./entry.ts";
import type { LeftCounts, Shown } from "./printed-parts.ts";

/** The parts of a layout besides the items' own text. */

/** Tokens of a file's heading and closing. */
export function fileFrame(
  { file }: Format,
  path: string,
  language: string | undefined,
  tokensOf: (text: string) => number,
): number {
  const opening = tokensOf(file.opening({ path, ...(language ? { language } : {}) }, false));
  const closing = file.closing("open");
  return opening + (closing === "" ? 0 : tokensOf(closing));
}

/** All texts that may be printed: a format chooses marks that none of them contains. */
export function* textsOf(all: readonly Unique[]): Iterable<string> {
  for (const { lines, imports, item } of all) {
    yield lines.join("\n");
    yield imports.join("\n");
    if (item.doc) yield item.doc;
  }
}

/**
 * The imports that the parts of a file use, each once, in the file's order, without those that a part already contains.
 */
export function importsOf(spans: readonly Shown[]): string[] {
  const all = new Set(spans.flatMap(({ printLevel }) => printLevel.imports));
  if (all.size === 0) return [];
  const isUsed = (name: string) => spans.some(({ printLevel }) => hasName(printLevel, name));
  return inFileOrder([...all], spans)
    .filter((statement) => !spans.some(({ printLevel }) => hasStatement(printLevel, statement)))
    .flatMap((statement) => trimmedImport(statement, isUsed) ?? []);
}

function inFileOrder(statements: string[], spans: readonly Shown[]): string[] {
  if (statements.length === 1) return statements;
  const inFile = spans.find(({ unique }) => unique.fileImports)?.unique.fileImports ?? [];
  const places = new Map(statements.map((statement) => [statement, inFile.indexOf(statement)]));
  return statements.sort((a, b) => places.get(a)! - places.get(b)!);
}

/**
 * Whether a part may begin with this text: it must start with a visible character, and after a bare fence not with "/",
 * so that no token spans two parts.
 */
export function mayLead({ unique, printLevel }: Shown): boolean {
  const text = printLevel.doc ?? printLevel.text;
  return /^[ \t]*\S/.test(text) && (unique.item.language !== undefined || !text.startsWith("/"));
}

/** Each import statement is printed once per file, with the first block that uses it. */
export function freshImports({ unique, printLevel }: Shown, printed: Map<string, Set<string>>): string[] {
  if (printLevel.imports.length === 0) return [];
  let statements = printed.get(unique.item.path);
  if (!statements) printed.set(unique.item.path, (statements = new Set()));
  const fresh = printLevel.imports.filter((statement) => !statements.has(statement));
  for (const statement of fresh) statements.add(statement);
  return fresh;
}

/** All blocks that show text of a file, in the order of print. */
export function placesOf(order: readonly Shown[]): SourcePlace[] {
  return order.filter((shown) => !isPointer(shown) && isInFile(shown.unique.item.source)).map(sourcePlace);
}

export function sourcePlace(shown: Shown): SourcePlace {
  const { name, kind, path } = shown.unique.item;
  return { name, kind, path, ...printedSpan(shown) };
}

const reasonOrder: DropReason[] = [
  "given",
  "over-budget",
  "diversity",
  "duplicate",
  "below-score",
  "unreadable",
  "empty",
  "excluded",
];

/** Counts by reason: items that earlier stages left out, and items that are not printed. */
export function countsOf(
  leftOut: readonly Dropped[],
  notShown: number,
  { forDiversity, alreadySent, unworthy }: LeftCounts,
): LeftOut[] {
  const counts = new Map<DropReason, number>([
    ["over-budget", notShown - forDiversity - alreadySent - unworthy],
    ["diversity", forDiversity],
    ["given", alreadySent],
    ["below-score", unworthy],
  ]);
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return reasonOrder.map((reason) => ({ reason, count: counts.get(reason) ?? 0 })).filter(({ count }) => count > 0);
}

/** The footer: the summary, the counts of what was left out, and the list of sources. Empty without any of them. */
export function footerTexts(
  format: Format,
  summary: string | undefined,
  counts: LeftOut[],
  places: SourcePlace[],
): string[] {
  if (summary === undefined && counts.length === 0 && places.length === 0) return [];
  const sources = places.map((place, index) => format.source(place, index === 0));
  return [
    format.footerOpening,
    ...(summary === undefined ? [] : [format.summary(summary)]),
    ...(counts.length > 0 ? [format.leftOut(counts)] : []),
    ...(sources.length > 0 ? [format.sourcesOpening, ...sources, format.sourcesClosing] : []),
  ];
}

/** The error for a budget that the metadata alone exceeds. */
export function tooSmall(tokens: number, budget: number): DossierError {
  const needs = `The metadata of this document alone takes ${tokens} tokens`;
  return new DossierError("budget-too-small", `${needs}, and the budget is ${budget}.`);
}

/** The summary line at the end of a document. */
export function summaryOf(kind: NonNullable<Look["summary"]>, shown: readonly Unique[]): string {
  if (kind === "experiences") {
    // An experience may be printed on several axes: count it once.
    const count = new Set(shown.filter(({ item }) => sourceTraits[item.source].axes).map(({ item }) => item.path)).size;
    return `Based on ${count} past experience${count === 1 ? "" : "s"}`;
  }
  const sources = new Set(shown.map(({ item }) => sourceOf(item.source)?.name ?? item.source)).size;
  return `${shown.length} item${shown.length === 1 ? "" : "s"} from ${sources} source${sources === 1 ? "" : "s"}`;
}

/** Limit on the tries of `selfCounting`. */
const mostTries = 8;

/**
 * A text that contains the token count of the whole document, itself included. A longer number may make the text
 * longer, so it is tried until both agree (fixed point). If they never do, the text has the smallest number that is not
 * too small.
 */
export function selfCounting(
  rest: number,
  textFor: (used: number) => string,
  count: (text: string) => number,
): { text: string; tokens: number } {
  let used = rest;
  let text = textFor(used);
  let tokens = count(text);
  for (let tries = 0; tries < mostTries && used !== rest + tokens; tries++) {
    used = tries < mostTries / 2 ? rest + tokens : Math.max(used, rest + tokens);
    text = textFor(used);
    tokens = count(text);
  }
  return { text, tokens };
}

import { tokenCounter } from "../../../src/index.ts";
import type { Answer, Lines, Span } from "../measures/answer.ts";
import type { Definition } from "../mining/definitions.ts";
import { type SymbolCase, symbolsOf } from "../mining/symbols.ts";
import type { Scores } from "../set.ts";
import { type MinedSet, minedSet } from "./mined-set.ts";

/**
 * A name, and every place where it is defined.
 * - `first item`: the line of a definition is in the first item.
 * - `first block`: it is there, or in the items of the same file that follow.
 * - `whole`, `all whole`: all lines of a definition are printed, of all its definitions. Only where they fit.
 */
const perRepository = 20;
/** Definitions of more tokens cannot be whole in an answer of 4,000. */
const mostTokens = 3000;
const counter = tokenCounter("o200k_base");

export const minedSymbols: MinedSet<SymbolCase> = {
  name: "symbols",
  about: "names of functions, methods, classes, fields and constants, and their definitions",
  mine: (files) => symbolsOf(files, perRepository),
  idOf: ({ kind, query, definitions }) => `${kind} ${query} ${placesOf(definitions)}`,
  scoresOf: scoresOfSymbol,
};

export const symbols = minedSet(minedSymbols);

function placesOf(definitions: readonly Definition[]): string {
  return definitions.map(({ path, first, last }) => `${path}:${first}-${last}`).join(" ");
}

function scoresOfSymbol({ spans, used }: Answer, { definitions }: SymbolCase, lines: Lines): Scores {
  const shown = new Set(spans.flatMap((span) => span.lines.map((line) => `${span.path}:${line}`)));
  const isWhole = (definition: Definition) => linesOf(definition).every((line) => shown.has(line));
  const defines = (span: Span) =>
    definitions.some(({ path, first }) => span.path === path && span.lines.includes(first));
  const tokens = definitions.map(({ path, first, last }) =>
    counter.count(
      lines(path)
        .slice(first - 1, last)
        .join("\n"),
    ),
  );
  const fitsOne = Math.min(...tokens) <= mostTokens;
  const fitsAll = tokens.reduce((sum, each) => sum + each, 0) <= mostTokens;
  return {
    "first item": Number(spans.slice(0, 1).some(defines)),
    "first block": Number(firstBlock(spans).some(defines)),
    "definition printed": Number(spans.some(defines)),
    ...(fitsOne && { whole: Number(definitions.some(isWhole)) }),
    ...(fitsAll && definitions.length > 1 && { "all whole": Number(definitions.every(isWhole)) }),
    tokens: used,
  };
}

function linesOf({ path, first, last }: Definition): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => `${path}:${first + i}`);
}

/** The first span, and those of its file that follow at once. */
function firstBlock(spans: readonly Span[]): Span[] {
  const other = spans.findIndex(({ path }) => path !== spans[0]!.path);
  return spans.slice(0, other < 0 ? spans.length : other);
}

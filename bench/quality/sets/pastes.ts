import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rowsOf } from "../data/rows.ts";
import type { Answer, Span } from "../measures/answer.ts";
import type { MinedRevision } from "../mining/revisions.ts";
import type { Scores } from "../set.ts";
import { type MinedSet, minedSet } from "./mined-set.ts";

/** A line of a file, from 1. */
type Place = { path: string; line: number };
/**
 * `sites`: the lines that print or raise it, any of them will do. `callers`: of a stack trace, the frames below that
 * are the repository's.
 */
type PasteCase = { repo: string; kind: string; query: string; sites: Place[]; callers?: Place[] };

const folder = new URL("../pastes/", import.meta.url);
const cases = rowsOf<PasteCase>(fileURLToPath(new URL("pastes.jsonl", folder)));
const revisions: MinedRevision[] = JSON.parse(readFileSync(new URL("revisions.json", folder), "utf8"));

/** Room for little more than the statement itself. */
const smallBudget = 500;

/**
 * What people paste: messages as programs print them, log lines, response bodies, output of tests and compilers, stack
 * traces.
 * - `first`, `first three`: a line that prints or raises it is printed in the first item, in the first three.
 * - `printed within 500`: the same line, with a budget of 500 tokens.
 * - `callers`: of a stack trace, the share of the other frames whose lines are printed.
 */
const writtenPastes: MinedSet<PasteCase> = {
  name: "pastes",
  about: "what people paste, and the lines that print or raise it: messages, logs, stack traces",
  mine: (_, repo) => cases.filter((each) => each.repo === repo),
  idOf: ({ query }) => query,
  groupOf: ({ kind }) => kind,
  scoresOf: scoresOfPaste,
  also: {
    budget: smallBudget,
    scoresOf: ({ spans }, { sites }) => ({ "printed within 500": Number(spans.some(shows(sites))) }),
  },
};

export const pastes = minedSet(writtenPastes, revisions);

function shows(places: readonly Place[]): (span: Span) => boolean {
  return ({ path, lines }) => places.some((place) => place.path === path && lines.includes(place.line));
}

function scoresOfPaste({ spans, used }: Answer, { sites, callers }: PasteCase): Scores {
  const printed = callers?.filter((caller) => spans.some(shows([caller])));
  return {
    first: Number(spans.slice(0, 1).some(shows(sites))),
    "first three": Number(spans.slice(0, 3).some(shows(sites))),
    printed: Number(spans.some(shows(sites))),
    callers: printed && printed.length / callers!.length,
    tokens: used,
  };
}

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rowsOf } from "../data/rows.ts";
import type { Answer, Span } from "../measures/answer.ts";
import type { MinedRevision } from "../mining/revisions.ts";
import type { Scores } from "../set.ts";
import { type MinedSet, minedSet } from "./mined-set.ts";

/**
 * Lines are 1-based and inclusive, from the heading to the line before the next heading. `(page)`: what stands before a
 * page's first heading.
 */
type Section = { path: string; heading: string; first: number; last: number };
type UsageCase = { repo: string; query: string; sections: Section[] };

const folder = new URL("../usage/", import.meta.url);
const cases = rowsOf<UsageCase>(fileURLToPath(new URL("questions.jsonl", folder)));
const revisions: MinedRevision[] = JSON.parse(readFileSync(new URL("revisions.json", folder), "utf8"));

/**
 * A question about how to use or set up something, and the sections of the documentation that answer it. Any of them is
 * right.
 * - `first`, `first three`: one of them is in the first item, in the first three.
 * - `whole`: all lines of one of them are printed.
 * - `in documents`: share of the printed lines' tokens that are in the files of these sections.
 */
const writtenUsage: MinedSet<UsageCase> = {
  name: "usage",
  about: "questions about how to use or set up something, and the sections of the documentation that tell it",
  baseline: "all",
  mine: (_, repo) => cases.filter((each) => each.repo === repo),
  idOf: ({ query }) => query,
  scoresOf: scoresOfUsage,
};

export const usage = minedSet(writtenUsage, revisions);

function scoresOfUsage({ spans, used }: Answer, { sections }: UsageCase): Scores {
  const shown = new Set(spans.flatMap((span) => span.lines.map((line) => `${span.path}:${line}`)));
  const isWhole = ({ path, first, last }: Section) =>
    Array.from({ length: last - first + 1 }, (_, i) => `${path}:${first + i}`).every((line) => shown.has(line));
  const begins = (span: Span) => sections.some(({ path, first }) => span.path === path && span.lines.includes(first));
  const paths = new Set(sections.map(({ path }) => path));
  const tokensOf = (each: readonly Span[]) => each.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    first: Number(spans.slice(0, 1).some(begins)),
    "first three": Number(spans.slice(0, 3).some(begins)),
    printed: Number(spans.some(begins)),
    whole: Number(sections.some(isWhole)),
    "in documents": spans.length === 0 ? 0 : tokensOf(spans.filter(({ path }) => paths.has(path))) / tokensOf(spans),
    tokens: used,
  };
}

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rowsOf } from "../data/rows.ts";
import type { Answer, Span } from "../measures/answer.ts";
import type { MinedRevision } from "../mining/revisions.ts";
import type { Scores } from "../set.ts";
import { type MinedSet, minedSet } from "./mined-set.ts";

/** Lines are 1-based and inclusive, from the line with the name to the end of the body. */
type Lead = { path: string; name: string; first: number; last: number };
type LeadCase = { repo: string; query: string; leads: Lead[] };

const folder = new URL("../leads/", import.meta.url);
export const leadCases = rowsOf<LeadCase>(fileURLToPath(new URL("questions.jsonl", folder)));
export const leadRevisions: MinedRevision[] = JSON.parse(readFileSync(new URL("revisions.json", folder), "utf8"));

/**
 * A question about what a project does, and the functions whose bodies do it; any of them will do.
 * - `first`: one of them is in the first item; `first three`: in the first three items.
 * - `whole`: all lines of one of them are printed.
 */
const writtenLeads: MinedSet<LeadCase> = {
  name: "leads",
  about: "questions about what a project does, and the functions that do it: what leads the answer",
  mine: (_, repo) => leadCases.filter((each) => each.repo === repo),
  idOf: ({ query }) => query,
  scoresOf: scoresOfLeads,
};

export const leads = minedSet(writtenLeads, leadRevisions);

/** Of 145 of them, what an agent that knows the trade but not the code would pass as hints. */
const hinted = new Map(
  rowsOf<{ query: string; hints: string }>(fileURLToPath(new URL("hints.jsonl", folder))).map(({ query, hints }) => [
    query,
    hints,
  ]),
);

export const hintedLeads = minedSet<LeadCase & { hints?: string }>(
  {
    ...writtenLeads,
    name: "hints",
    about: "145 of the leads, asked with an agent's guesses of what the code calls it",
    mine: (_, repo) =>
      leadCases.flatMap((each) => {
        const hints = each.repo === repo ? hinted.get(each.query) : undefined;
        return hints === undefined ? [] : [{ ...each, hints }];
      }),
  },
  leadRevisions,
);

function scoresOfLeads({ spans, used }: Answer, { leads }: LeadCase): Scores {
  const shown = new Set(spans.flatMap((span) => span.lines.map((line) => `${span.path}:${line}`)));
  const isWhole = ({ path, first, last }: Lead) =>
    Array.from({ length: last - first + 1 }, (_, i) => `${path}:${first + i}`).every((line) => shown.has(line));
  const begins = (span: Span) => leads.some(({ path, first }) => span.path === path && span.lines.includes(first));
  return {
    first: Number(spans.slice(0, 1).some(begins)),
    "first three": Number(spans.slice(0, 3).some(begins)),
    printed: Number(spans.some(begins)),
    whole: Number(leads.some(isWhole)),
    tokens: used,
  };
}

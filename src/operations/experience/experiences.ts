import * as z from "zod";
import { type Axis, axes, domains, experienceStrategies, outcomes, tiers } from "../../learned/experience.ts";
import { path } from "../../options.ts";
import { axisItemId, axisKinds, recordIdOf } from "../../sources/records/record-items.ts";
import type { RecordFilter, RecordStore } from "../../stores/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { hasReadableRecords } from "../core/closed-records.ts";
import { after, type Cursor, cursorOf, next, pageOf } from "../core/cursor.ts";
import { signals } from "../core/item-shapes.ts";
import { operation } from "../core/operation.ts";
import { pageText } from "../library/library-shape.ts";
import { forgottenPage, newestFirst, newestPage, placeOf, rankedRecords } from "../memory/record-page.ts";
import { paint } from "../terminal/colours.ts";
import { parseTime } from "../terminal/parse-time.ts";
import { plain } from "../terminal/phrases.ts";
import { longestSession } from "./experience-find.ts";
import { experienceShape, type ShownExperience, shownExperience } from "./experience-shape.ts";
import { stateOf } from "./experience-text.ts";

const input = z.object({
  query: z.string().optional().describe("Rank by this question; without it the newest come first"),
  path,
  axis: z.enum(axes).default("full").describe("What to compare: the whole story, or what only falsified ones have"),
  domain: z.enum(domains).optional().describe("Only this kind of work"),
  strategy: z.enum(experienceStrategies).optional().describe("Only this way of going about it"),
  outcome: z
    .enum([...outcomes, "active"])
    .optional()
    .describe("Only what ended like this, or has not ended yet"),
  tier: z.enum(tiers).optional().describe("Only outcomes as sure as this"),
  session: z.string().trim().min(1).max(longestSession).optional().describe("Only those of this session"),
  since: z.string().optional().describe("Only those started since a date or within an age: 2026-01-31, 30d, 2w"),
  until: z.string().optional().describe("Only those started before a date or longer ago than an age"),
  deleted: z.boolean().default(false).describe("Only those that were forgotten and can be restored"),
  limit: z.number().int().min(1).max(500).default(20).describe("Most experiences to show"),
  offset: z.number().int().min(0).default(0).describe("How many to pass over first"),
  after,
});

type Input = z.output<typeof input>;

const output = z.object({
  total: z.number().int().min(0).describe("How many there are on all pages; with a query, how many were ranked"),
  experiences: z.array(experienceShape.extend({ score: z.number().optional(), because: signals.optional() })),
  next,
  warnings: z.array(z.string()),
});

export const experiences = operation({
  name: "experiences",
  command: "experience log",
  group: "Experiences",
  summary: "List what was tried before, or find it by a question, on one of four axes",
  input,
  output,
  positional: ["query"],
  examples: [
    { command: "dossier experience log", what: "the newest" },
    { command: 'dossier experience log "login cookie" --domain debugging', what: "the most alike" },
    { command: 'dossier experience log "flaky timeout" --axis root_cause --since 90d', what: "by why it failed" },
    { command: "dossier experience log --outcome active", what: "what is still open" },
  ],
  async run(input, environment) {
    const filter = filterOf(input, Date.now(), environment.nameOf);
    const cursor = cursorOf("experiences", input, environment);
    const nothing = { total: 0, experiences: [] };
    if (isFailureAxis(input.axis) && input.outcome !== undefined && input.outcome !== "falsified") {
      return { ...nothing, warnings: [`Only falsified experiences have the axis ${input.axis}.`] };
    }
    const workspace = await environment.workspace();
    if (!hasReadableRecords(workspace)) return { ...nothing, warnings: [] };
    const records = await workspace.records();
    const query = input.query?.trim() ?? "";
    if (query !== "" && input.deleted) {
      const { page, ...more } = await forgottenPage(records, workspace.owner, filter, cursor, { ...input, query });
      return { ...more, experiences: page.map(shownExperience), warnings: [] };
    }
    if (query !== "")
      return { ...(await ranked(workspace, records, { ...input, query }, filter, cursor)), warnings: [] };
    return { ...(await newest(records, workspace.owner, input, filter, cursor)), warnings: [] };
  },
  text({ total, experiences, warnings, next }, { axis, query, offset, after }, colour) {
    if (experiences.length === 0) return warnings.length > 0 ? "" : "There are no such experiences.";
    const p = paint(colour);
    const lines = experiences.map((each) => {
      const score = each.score === undefined ? "" : `${each.score.toFixed(2)}  `;
      const kind = `${each.domain} | ${each.strategy}`;
      return `${score}${p.cyan(each.id)}  ${each.created.slice(0, 10)}  ${kind}  ${stateOf(each)}  ${summaryOf(each, axis)}`;
    });
    const page = { offset, shown: experiences.length, total, after, next: query ? undefined : next };
    const rest = pageText(page, "experience");
    return [...lines, ...(rest === "" ? [] : [p.dim(rest)])].join("\n");
  },
});

function filterOf(input: Input, now: number, nameOf = (key: string) => key): RecordFilter {
  const { domain, strategy, outcome, tier, session, since, until, axis } = input;
  const where: NonNullable<RecordFilter["where"]> = {};
  if (domain) where.domain = [domain];
  if (strategy) where.strategy = [strategy];
  if (session) where.session = [session];
  if (tier) where.tier = [tier];
  if (isFailureAxis(axis)) where["outcome.status"] = ["falsified"];
  if (outcome && outcome !== "active") where["outcome.status"] = [outcome];
  // A captured failure without an explanation is still active.
  if (where["outcome.status"]) where.tier ??= [...tiers];
  return {
    type: "experience",
    deleted: input.deleted,
    where,
    ...(since !== undefined && { since: parseTime(since, now, nameOf("since")) }),
    ...(until !== undefined && { until: parseTime(until, now, nameOf("until")) }),
  };
}

type ExperiencePage = Pick<z.output<typeof output>, "total" | "experiences" | "next">;

async function newest(
  records: RecordStore,
  owner: string,
  input: Input,
  filter: RecordFilter,
  cursor: Cursor,
): Promise<ExperiencePage> {
  if (input.outcome !== "active") {
    const { total, page, ...more } = await newestPage(records, owner, filter, cursor, input);
    return { total, experiences: page.map(shownExperience), ...more };
  }
  const ids = await activeIds(records, owner, filter);
  const active = await records.get(owner, ids, { deleted: input.deleted });
  const { page, ...more } = pageOf(active.sort(newestFirst), cursor, input, placeOf, 1);
  return { total: active.length, experiences: page.map(shownExperience), ...more };
}

/**
 * The number of experiences without a tier. A filter can only ask for existing values, so those with a tier are
 * subtracted.
 */
async function activeIds(records: RecordStore, owner: string, filter: RecordFilter): Promise<string[]> {
  if (filter.where?.tier) return [];
  const [all, resolved] = await Promise.all([
    records.ids(owner, filter),
    records.ids(owner, { ...filter, where: { ...filter.where, tier: [...tiers] } }),
  ]);
  const resolvedIds = new Set(resolved);
  return all.filter((id) => !resolvedIds.has(id));
}

async function ranked(
  workspace: Workspace,
  records: RecordStore,
  input: Input & { query: string },
  filter: RecordFilter,
  cursor: Cursor,
): Promise<ExperiencePage> {
  const { owner } = workspace;
  const { query, axis, outcome } = input;
  const unfiltered =
    Object.keys(filter.where!).length === 0 && filter.since === undefined && filter.until === undefined;
  const ids =
    outcome === "active"
      ? await activeIds(records, owner, filter)
      : unfiltered
        ? undefined
        : await records.ids(owner, filter);
  if (ids?.length === 0) return { total: 0, experiences: [] };
  const request = {
    source: "experience" as const,
    query,
    kinds: [axisKinds[axis]],
    ...(ids && { ids: ids.map((id) => axisItemId(id, axis)) }),
  };
  const { page, ranked, ...more } = await rankedRecords(workspace, request, cursor, input);
  const read = await records.get(
    owner,
    page.map(({ item }) => recordIdOf(item)),
  );
  const byId = new Map(read.map((record) => [record.id, shownExperience(record)]));
  const experiences = page.flatMap(({ item, score, because }) => {
    const experience = byId.get(recordIdOf(item));
    return experience ? [{ ...experience, score, because }] : [];
  });
  return { total: ranked, experiences, ...more };
}

function isFailureAxis(axis: Axis): boolean {
  return axis === "surprise" || axis === "root_cause";
}

/** The summary of an experience in a line: its goal, or its text on the axis. */
function summaryOf({ goal, surprise, rootCause }: ShownExperience, axis: Axis): string {
  if (axis === "surprise" && surprise) return plain(surprise);
  if (axis === "root_cause" && rootCause) return plain(`${rootCause.category} - ${rootCause.description}`);
  return plain(goal);
}

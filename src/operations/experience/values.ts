import * as z from "zod";
import { DossierError, type ErrorCode } from "../../errors.ts";
import { axes } from "../../learned/experience.ts";
import { path } from "../../options.ts";
import type { StoredRecord } from "../../stores/records.ts";
import { wordsOf } from "../../text/similarity/similarity.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { hasReadableRecords } from "../core/closed-records.ts";
import { after, cursorOf, next, pageOf, rankedPage } from "../core/cursor.ts";
import { signals } from "../core/item-shapes.ts";
import { operation } from "../core/operation.ts";
import { pageText } from "../library/library-shape.ts";
import { paint } from "../terminal/colours.ts";
import { counted } from "../terminal/phrases.ts";
import { type ShownValue, shownValue, valueShape, valueText } from "./value-shape.ts";

const input = z.object({
  query: z.string().optional().describe("Rank by this question; without it the newest come first"),
  path,
  axis: z.enum(axes).optional().describe("Only values of this axis"),
  state: z.enum(["valid", "moved"]).optional().describe("Only values that fit their cluster, or that no longer do"),
  deleted: z.boolean().default(false).describe("Only those that were forgotten and can be restored"),
  limit: z.number().int().min(1).max(500).default(20).describe("Most values to show"),
  offset: z.number().int().min(0).default(0).describe("How many to pass over first"),
  after,
});

type Input = z.output<typeof input>;
type Listed = ShownValue & { score?: number; because?: Record<string, number> };

/** The most values ranked; those beyond this rank are not what was asked for. */
const mostRanked = 500;

export const values = operation({
  name: "values",
  command: "value list",
  group: "Experiences",
  summary: "List the principles that emerged from experiences, or find them by a question",
  input,
  output: z.object({
    total: z.number().int().min(0).describe("How many there are on all pages"),
    values: z.array(valueShape.extend({ score: z.number().optional(), because: signals.optional() })),
    next,
    uncompared: z.number().int().min(0).describe("Experiences that changed since the values were compared with them"),
    warnings: z.array(z.string()),
  }),
  positional: ["query"],
  examples: [
    { command: "dossier value list", what: "all, with their state" },
    { command: 'dossier value list "flaky tests"', what: "the most relevant" },
    { command: "dossier value list --state moved", what: "those to be reworded" },
  ],
  async run(input, environment) {
    const cursor = cursorOf("values", input, environment);
    const workspace = await environment.workspace();
    if (!hasReadableRecords(workspace)) return { total: 0, values: [], uncompared: 0, warnings: [] };
    // Forgotten values are compared again when they are restored.
    const { uncompared, warnings } = input.deleted
      ? { uncompared: 0, warnings: [] }
      : await compareValues(workspace, environment.signal);
    const matches = (await listed(workspace, input)).filter(
      ({ axis, state }) => axis === (input.axis ?? axis) && state === (input.state ?? state),
    );
    const { page, ...more } = await (input.query?.trim()
      ? rankedPage(
          async () => matches,
          cursor,
          input,
          ({ id }) => id,
        )
      : pageOf(matches, cursor, input, ({ created, id }) => [created, id], 1));
    return { total: matches.length, values: page, next: more.next, uncompared, warnings };
  },
  text({ total, values, uncompared, next }, { query, offset, after }, colour) {
    if (values.length === 0) return "There are no such values.";
    const p = paint(colour);
    const lines = values.map((value) => valueText(value, colour));
    const rest = pageText({ offset, shown: values.length, total, after, next: query ? undefined : next }, "value");
    if (rest !== "") lines.push(p.dim(rest));
    if (uncompared > 0) {
      const changed = counted(uncompared, "experience");
      lines.push(p.dim(`${changed} changed since their state was found out; dossier value revalidate does it again.`));
    }
    return lines.join("\n");
  },
});

/** These errors only mean that the values are out of date. */
const tolerated: ErrorCode[] = ["store-locked", "not-readable", "disk-full"];

async function compareValues(
  workspace: Workspace,
  signal: AbortSignal | undefined,
): Promise<{ uncompared: number; warnings: string[] }> {
  const { refreshValues } = await import("../../learned/value/refresh.ts");
  try {
    return { ...(await refreshValues(workspace, Date.now(), signal)), warnings: [] };
  } catch (error) {
    if (!(error instanceof DossierError) || !tolerated.includes(error.code)) throw error;
    return { uncompared: 0, warnings: [`The values were not compared with the experiences: ${error.message}`] };
  }
}

async function listed(workspace: Workspace, { query = "", deleted }: Input): Promise<Listed[]> {
  if (deleted) return forgottenValues(workspace, query);
  const { allValues } = await import("../../learned/value/refresh.ts");
  const records = await allValues(await workspace.records(), workspace.owner);
  if (query.trim() === "") return records.map(shownValue);
  const byId = new Map<string, StoredRecord>(records.map((record) => [record.id, record]));
  const { rankSource } = await import("../../assemble.ts");
  const ranked = await rankSource(workspace, { source: "value", query, limit: mostRanked });
  return ranked.flatMap(({ item, score, because }) => {
    const record = byId.get(item.id);
    return record ? [{ ...shownValue(record), score, because }] : [];
  });
}

/** Forgotten values are not in the index; those with all words of the query match. */
async function forgottenValues(workspace: Workspace, query: string): Promise<Listed[]> {
  const filter = { type: "value" as const, deleted: true, limit: mostRanked };
  const { records } = await (await workspace.records()).list(workspace.owner, filter);
  const queryWords = wordsOf(query);
  const isMeant = ({ text }: ShownValue) => {
    const words = new Set(wordsOf(text));
    return queryWords.every((word) => words.has(word));
  };
  return records.map(shownValue).filter(isMeant);
}

import * as z from "zod";
import { usageFrequency } from "../../chat/usage-frequency.ts";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import type { UsageEvent } from "../../stores/library.ts";
import { findItem } from "../ask/item-find.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { counted, plain } from "../terminal/phrases.ts";

const share = z.number().min(0).max(1);

export const usageChange = z.object({
  item: z.string().describe("Id of the item"),
  name: z.string(),
  before: share.describe("Its usage before, 0 to 1"),
  after: share.describe("Its usage now: a tenth of the signals of its rank"),
});

export type UsageChange = z.output<typeof usageChange>;

export function usageText({ item, name, before, after }: UsageChange, colour: boolean): string {
  const change = before === after ? `stays ${after.toFixed(2)}` : `${before.toFixed(2)} -> ${after.toFixed(2)}`;
  return `${paint(colour).cyan(item)}  ${plain(name).slice(0, 80)}  usage ${change}`;
}

/** Rounded, as results show it: the exact value changes a little every moment. */
export function usageOf(events: readonly Pick<UsageEvent, "kind" | "at">[], now: number): number {
  return Math.round(usageFrequency(events, now) * 10_000) / 10_000;
}

/** Events that are read; more would not change the result. */
export const mostEvents = 200;
export const context = z.string().trim().min(1).max(200).optional();

export const feedback = operation({
  name: "feedback",
  command: "feedback",
  group: "Library",
  summary: "Say whether an item of a context was useful: the next contexts rank it by that; can be undone",
  access: "write",
  input: z.object({
    item: z.string().trim().min(1).optional().describe("Id of an item, its beginning, or a citation"),
    path,
    useful: z.boolean().optional().describe("Whether it was useful"),
    context: context.describe("The context it was given in: of each item only the last word about it counts there"),
    undo: z
      .array(z.string().trim().min(1))
      .min(1)
      .max(1000)
      .optional()
      .describe("Take these events back, of feedback or of citations"),
  }),
  output: z.object({
    event: z.string().optional().describe("What undoes it"),
    kind: z.enum(["useful", "not-useful"]).optional(),
    repeated: z
      .boolean()
      .describe("True when the same was said of it in this context before; nothing was counted then"),
    change: usageChange.optional(),
    undone: z.number().int().min(0).describe("Events that were taken back"),
  }),
  positional: ["item"],
  examples: [
    { command: "dossier feedback chk-1k3f --useful", what: "this helped" },
    { command: "dossier feedback '[msg-9q2z]' --no-useful --context reply-7", what: "this did not" },
    { command: "dossier feedback --undo use-4m8w1k3f9q2z7", what: "take it back" },
  ],
  async run({ item, useful, context, undo }, environment) {
    const nameOf = environment.nameOf ?? ((key: string) => key);
    const workspace = await environment.workspace();
    const { owner } = workspace;
    if (undo !== undefined) {
      const other = item !== undefined ? "item" : useful !== undefined ? "useful" : undefined;
      if (other) throw new DossierError("bad-input", `${nameOf("undo")} goes without ${nameOf(other)}.`);
      const undone = workspace.hasRecords()
        ? await (await workspace.library()).undoUsage(owner, [...new Set(undo)])
        : 0;
      if (undone > 0) return { repeated: false, undone };
      throw new DossierError(
        "not-found",
        `There is no event ${undo
          .slice(0, 5)
          .map((id) => JSON.stringify(id.slice(0, 100)))
          .join(", ")}.`,
      );
    }
    if (item === undefined || useful === undefined) {
      const missing = [item === undefined ? "item" : [], useful === undefined ? "useful" : []].flat().map(nameOf);
      throw new DossierError("bad-input", `feedback also needs ${missing.join(" and ")}, or ${nameOf("undo")} alone.`);
    }
    const target = await findItem(workspace, item);
    const library = await workspace.library();
    const now = Date.now();
    const events = (await library.usage(owner, [target.id], mostEvents)).get(target.id) ?? [];
    const kind = useful ? ("useful" as const) : ("not-useful" as const);
    // A repeated or changed vote: within one context only the last one counts.
    const earlier =
      context === undefined ? [] : events.filter((each) => each.context === context && each.kind !== "cited");
    const repeated = earlier.find((each) => each.kind === kind);
    const before = usageOf(events, now);
    const change = { item: target.id, name: target.name, before };
    if (repeated) return { event: repeated.id, kind, repeated: true, change: { ...change, after: before }, undone: 0 };
    const replaced = earlier.map(({ id }) => id);
    const undone = replaced.length > 0 ? await library.undoUsage(owner, replaced) : 0;
    const vote = { item: target.id, kind, ...(context !== undefined && { context }), at: now };
    const [event] = await library.recordUsage(owner, [vote]);
    const after = usageOf([...events.filter(({ id }) => !replaced.includes(id)), vote], now);
    return { event: event!.id, kind, repeated: false, change: { ...change, after }, undone };
  },
  text({ event, kind, repeated, change, undone }, _input, colour) {
    const p = paint(colour);
    if (!change) return `Taken back: ${counted(undone, "event")}.`;
    const outcome = repeated ? "Nothing was changed; that was said before" : `Counted as ${kind!.replace("-", " ")}`;
    const lines = [`${outcome}: ${usageText(change, colour)}`];
    if (undone > 0) lines.push("What was said of it in this context before was taken back.");
    return [...lines, p.dim(`To take it back: dossier feedback --undo ${event}`)].join("\n");
  },
});

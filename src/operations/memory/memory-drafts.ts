import * as z from "zod";
import { DossierError } from "../../errors.ts";
import type { MemoryDraft } from "../../learned/draft/draft.ts";
import { path } from "../../options.ts";
import type { StoredRecord } from "../../stores/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { readInput } from "../core/input.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { plain } from "../terminal/phrases.ts";
import { allDrafts, draftShape, saidBy, shownDraft } from "./drafts.ts";
import { memoryShape, memoryText } from "./memory-shape.ts";

const steps = ["drafts", "accept", "drop"] as const;

export const memory = operation({
  name: "memory",
  command: {
    drafts: { words: "memory drafts", summary: "List what sessions left as drafts" },
    accept: { words: "memory accept", summary: "Remember drafts, all or those that are named" },
    drop: { words: "memory drop", summary: "Let go of drafts, all or those that are named" },
  },
  group: "Memories",
  summary: "Look through what sessions left as drafts: list them, accept or drop them",
  access: { drafts: "read", accept: "write", drop: "write" },
  input: z.object({
    step: z.enum(steps).default("drafts").describe("What to do"),
    ids: z
      .array(z.string().trim().min(1))
      .optional()
      .describe("Ids of drafts, or their beginnings; default: all of them"),
    path,
    deleted: z.boolean().default(false).describe("Those that were accepted or dropped, instead of those that wait"),
    force: z.boolean().default(false).describe("Accept what is known already, too"),
  }),
  output: z.object({
    drafts: z.array(draftShape).describe("Those that wait after this step, or were decided on"),
    accepted: z.array(memoryShape).describe("Remembered from drafts"),
    dropped: z.array(z.string()).describe("Ids of drafts that are gone"),
    warnings: z.array(z.string()),
  }),
  positional: ["step", "ids"],
  takes: {
    drafts: { needs: [], may: ["ids", "deleted"] },
    accept: { needs: [], may: ["ids", "force"] },
    drop: { needs: [], may: ["ids"] },
  },
  examples: [
    { command: "dossier memory drafts", what: "what waits" },
    { command: "dossier memory accept dra-1k3f", what: "remember one" },
    { command: "dossier memory drop", what: "let go of them all" },
    { command: "dossier memory drafts --deleted", what: "what was decided on; dossier memory restore brings it back" },
  ],
  async run({ step, ids, deleted, force }, environment) {
    const workspace = await environment.workspace();
    const waiting = await allDrafts(workspace, deleted && step === "drafts");
    const chosen = step === "drafts" && ids === undefined ? [] : chosenOf(waiting, ids);
    const output = {
      accepted: [] as z.output<typeof memoryShape>[],
      dropped: [] as string[],
      warnings: [] as string[],
    };
    const decidedIds: string[] = [];
    if (step === "drop") decidedIds.push(...chosen.map(({ id }) => id));
    if (step === "accept") {
      const { remember } = await import("./remember.ts");
      for (const { id, body } of chosen) {
        const { content, category } = body as MemoryDraft;
        const input = readInput(remember, { content, category, force });
        const result = await remember.run(input, { ...environment, workspace: async () => workspace });
        if (result.memory) output.accepted.push(result.memory);
        else output.warnings.push(`${id} is known already: ${result.duplicates[0]!.memory.id}.`);
        output.warnings.push(...result.warnings);
        decidedIds.push(id);
      }
    }
    await discard(workspace, decidedIds);
    output.dropped = step === "drop" ? decidedIds : [];
    const remaining =
      step === "drafts" && ids !== undefined ? chosen : waiting.filter(({ id }) => !decidedIds.includes(id));
    return { drafts: remaining.map(shownDraft), ...output };
  },
  text({ drafts, accepted, dropped }, { step }, colour) {
    const p = paint(colour);
    if (step === "accept")
      return accepted.map((each) => memoryText(each, colour)).join("\n") || "Nothing new was remembered.";
    if (step === "drop") return dropped.map((id) => `Dropped: ${p.cyan(id)}`).join("\n") || "There are no drafts.";
    const line = (draft: (typeof drafts)[number]) =>
      `${p.cyan(draft.id)}  ${draft.created.slice(0, 10)}  ${draft.category}  ${saidBy(draft)}\n  ${plain(draft.content)}`;
    return drafts.map(line).join("\n") || "There are no drafts.";
  },
});

function chosenOf(waiting: readonly StoredRecord[], ids: readonly string[] | undefined): StoredRecord[] {
  if (ids === undefined) return [...waiting];
  const chosen = ids.map((typed) => {
    const id = typed.replace(/^\[(.*)\]$/, "$1").toLowerCase();
    const fitting = waiting.filter((draft) => draft.id.startsWith(id) || draft.id.startsWith(`dra-${id}`));
    if (fitting.length === 1) return fitting[0]!;
    const ambiguous = `${JSON.stringify(typed)} could be any of ${fitting
      .slice(0, 5)
      .map((draft) => draft.id)
      .join(", ")}.`;
    throw new DossierError(
      fitting.length > 1 ? "bad-input" : "not-found",
      fitting.length > 1 ? ambiguous : `There is no draft ${JSON.stringify(typed)}.`,
    );
  });
  // A draft that is named twice is decided once.
  return [...new Set(chosen)];
}

/** Deleted, not purged, so that the same statement is not drafted again. */
async function discard(workspace: Workspace, ids: string[]): Promise<void> {
  if (ids.length > 0) await (await workspace.records()).write(workspace.owner, [], { removed: ids, at: Date.now() });
}

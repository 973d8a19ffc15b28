import { randomUUID } from "node:crypto";
import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { readTags } from "../../learned/memory/tags.ts";
import { readScope } from "../../learned/memory/validity.ts";
import { categories, defaultCategory, defaultImportance, longestContent, type Memory } from "../../learned/memory.ts";
import { path } from "../../options.ts";
import { userScope } from "../../stores/layered-records.ts";
import { hashText } from "../../text/hash.ts";
import { localOwner } from "../../workspace/workspace.ts";
import { unreadPart } from "../core/closed-records.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { parseExpiry } from "../terminal/parse-time.ts";
import {
  adviceOnContradictions,
  adviceOnDuplicate,
  adviceOnReplaced,
  anchored,
  checkSecrets,
  compare,
  contradictionShape,
  contradictionText,
  duplicateShape,
  exitKnown,
  knownText,
} from "./memory-checks.ts";
import { memoryShape, memoryText, shownMemory } from "./memory-shape.ts";
import { findRecord } from "./record-find.ts";
import { putInPlace, superseded } from "./supersede.ts";

export const remember = operation({
  name: "remember",
  command: "memory add",
  shortForm: "remember",
  group: "Memories",
  summary: "Write down a fact, a preference or a decision, unless it is known already (then the exit status is 10)",
  access: "write",
  input: z.object({
    content: z.string().trim().min(1).max(longestContent).describe("What to remember"),
    path,
    category: z.enum(categories).default(defaultCategory).describe("What kind of memory it is"),
    importance: z.number().min(0).max(1).default(defaultImportance).describe("How much it matters, 0 to 1"),
    tags: z.array(z.string()).default([]).describe("Labels to find it by; kept in lower case"),
    supersedes: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe("Id of the memory that this one replaces; that one is kept, marked, for questions about the past"),
    pin: z.boolean().default(false).describe("In every brief, first; for what must always be known"),
    scope: z
      .string()
      .optional()
      .describe("Where it holds: ~ in all your workspaces, or a path glob such as api/**; default: this workspace"),
    until: z.string().optional().describe("When it ends: a date, or a time from now such as 30d"),
    force: z.boolean().default(false).describe("Store it even if it is known already or looks like a secret"),
  }),
  output: z.object({
    stored: z.boolean().describe("False when it is known already; nothing was written then"),
    memory: memoryShape.optional().describe("As it was stored"),
    superseded: memoryShape.optional().describe("The memory that it replaced"),
    duplicates: z.array(duplicateShape).describe("Memories that say the same"),
    contradicts: z.array(contradictionShape).describe("Older memories that say otherwise"),
    advice: z.array(z.string()).describe("What can be done about duplicates and contradictions"),
    warnings: z.array(z.string()),
  }),
  positional: ["content"],
  examples: [
    { command: 'dossier memory add "Deploys go through the staging branch" --category decision', what: "a decision" },
    {
      command: 'dossier remember "The user prefers tabs" --category preference --importance 0.9 --tags style',
      what: "with a tag",
    },
    {
      command: 'dossier memory add "The API listens on port 8081" --supersedes mem-1k3f',
      what: "in place of an older one",
    },
    { command: 'dossier remember "Answer in German" --pin --scope "~"', what: "always, in all workspaces" },
    { command: 'dossier remember "Handlers return Result" --scope "api/**"', what: "only there" },
    { command: 'dossier remember "The release branch is frozen" --until 2w', what: "for two weeks" },
  ],
  async run(input, environment) {
    const { content, category, importance, force } = input;
    const tags = readTags(input.tags);
    const warnings = checkSecrets([content, ...tags], force);
    const workspace = await environment.workspace();
    const replaced =
      input.supersedes === undefined
        ? undefined
        : await findRecord(workspace, input.supersedes, { types: ["memory"], state: "kept" });
    const now = Date.now();
    const nameOf = environment.nameOf ?? ((key: string) => key);
    const scope = readScope(input.scope);
    if (scope === userScope && workspace.owner !== localOwner) {
      throw new DossierError("bad-input", "Only the person at this machine has memories for all workspaces.");
    }
    const until = input.until === undefined ? undefined : parseExpiry(input.until, now, nameOf("until"));
    const id = `mem-${hashText(randomUUID())}`;
    const except = replaced ? [replaced.id] : [];
    const { duplicates, contradicts } = await compare(workspace, { id, content, at: now }, except);
    const [duplicate] = duplicates;
    const known = (same: typeof duplicates) => ({
      stored: false,
      duplicates: same,
      contradicts: [],
      advice: adviceOnDuplicate(same[0]!.memory.id, nameOf),
      warnings,
    });
    if (duplicate && replaced && duplicate.similarity === 1)
      return putInPlace(workspace, replaced, duplicate.memory.id, now, adviceOnReplaced(replaced.id, nameOf), warnings);
    if (duplicate && !force) return known(duplicates);
    const body: Memory = {
      content,
      category,
      importance,
      tags,
      ...(replaced && { supersedes: replaced.id }),
      ...(input.pin && { pinned: true }),
      ...(scope !== undefined && { scope }),
      ...(until !== undefined && { until }),
      ...(await anchored(workspace, content)),
    };
    const record = { id, type: "memory" as const, created: now, changed: now, body };
    const records = await workspace.records();
    warnings.push(...(await unreadPart(workspace)));
    const former = replaced && superseded(replaced, id, now);
    const others = former ? [former] : [];
    try {
      const slot = force ? undefined : wordsSlot(content);
      await records.write(workspace.owner, [{ ...record, slot }, ...others]);
    } catch (error) {
      if (!(error instanceof DossierError) || error.code !== "conflict") throw error;
      // Another process has stored the same text since it was looked up, or an edited memory had this text first and
      // still holds its slot.
      const { duplicates: same } = await compare(workspace, { id, content, at: now }, except);
      if (same.length > 0) return known(same);
      await records.write(workspace.owner, [record, ...others]);
    }
    return {
      stored: true,
      memory: shownMemory({ ...record, revision: 0 }),
      ...(former && { superseded: shownMemory(former) }),
      duplicates,
      contradicts,
      advice: [
        ...(former ? adviceOnReplaced(former.id, nameOf) : []),
        ...adviceOnContradictions(id, contradicts, nameOf),
      ],
      warnings,
    };
  },
  exit: ({ stored }) => (stored ? 0 : exitKnown),
  text({ stored, memory, superseded, duplicates, contradicts, advice }, _input, colour) {
    const p = paint(colour);
    const lines = stored
      ? [p.green("Remembered."), memoryText(memory!, colour)]
      : [p.yellow("Nothing was stored."), ...knownText(duplicates, colour)];
    if (superseded) lines.push(`It takes the place of ${superseded.id}.`);
    lines.push(...contradictionText(contradicts, colour), ...advice);
    return lines.join("\n");
  },
});

/** Of two processes that remember the same words at once, one gets the slot. */
function wordsSlot(content: string): string {
  return `words:${hashText(content)}`;
}

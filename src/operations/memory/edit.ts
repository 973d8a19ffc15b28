import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { changeTags, readTags } from "../../learned/memory/tags.ts";
import { readScope } from "../../learned/memory/validity.ts";
import { categories, longestContent, type Memory } from "../../learned/memory.ts";
import { path } from "../../options.ts";
import { userScope } from "../../stores/layered-records.ts";
import type { StoredRecord } from "../../stores/records.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { parseExpiry } from "../terminal/parse-time.ts";
import {
  adviceOnContradictions,
  anchored,
  checkSecrets,
  compare,
  contradictionShape,
  contradictionText,
  duplicateShape,
  exitKnown,
  knownText,
} from "./memory-checks.ts";
import { bodyOf, memoryShape, memoryText, shownMemory } from "./memory-shape.ts";
import { findRecord } from "./record-find.ts";
import { superseded } from "./supersede.ts";

const tagList = z.array(z.string());

const input = z.object({
  id: z.string().trim().min(1).describe("Id of a memory, its beginning, or a citation"),
  path,
  content: z.string().trim().min(1).max(longestContent).optional().describe("What it says from now on"),
  category: z.enum(categories).optional().describe("What kind of memory it is"),
  importance: z.number().min(0).max(1).optional().describe("How much it matters, 0 to 1"),
  tags: tagList.optional().describe("Its labels, in place of those it has"),
  addTags: tagList.optional().describe("Labels to add"),
  removeTags: tagList.optional().describe("Labels to take away"),
  supersedes: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe("Id of another memory that this one replaces; that one is kept, marked, for questions about the past"),
  pin: z.boolean().optional().describe("In every brief, first; false takes that back"),
  scope: z.string().optional().describe("Where it holds: a path glob such as api/**, or . for the whole workspace"),
  until: z.string().optional().describe("When it ends: a date, a time from now such as 30d, or never"),
  force: z.boolean().default(false).describe("Write it even if another memory says the same or it looks like a secret"),
});

type Input = z.output<typeof input>;

const changes = [
  "content",
  "category",
  "importance",
  "tags",
  "addTags",
  "removeTags",
  "supersedes",
  "pin",
  "scope",
  "until",
] as const;

export const edit = operation({
  name: "edit",
  command: "memory edit",
  group: "Memories",
  summary: "Change a memory: what it says, its kind, importance or labels",
  access: "write",
  input,
  output: z.object({
    changed: z.boolean().describe("False when nothing differs, or when another memory says the same (exit status 10)"),
    before: memoryShape,
    after: memoryShape,
    duplicates: z.array(duplicateShape).describe("Other memories that say the same"),
    contradicts: z.array(contradictionShape).describe("Older memories that say otherwise"),
    advice: z.array(z.string()).describe("What can be done about duplicates and contradictions"),
    warnings: z.array(z.string()),
  }),
  positional: ["id"],
  examples: [
    { command: 'dossier memory edit mem-1k3f --content "The API listens on port 8081"', what: "say it anew" },
    { command: "dossier memory edit mem-1k3f --importance 0.9 --add-tags api", what: "weigh and label it" },
    { command: "dossier memory edit mem-1k3f --pin", what: "always tell it" },
  ],
  async run(input, environment) {
    const nameOf = environment.nameOf ?? ((key: string) => key);
    if (changes.every((key) => input[key] === undefined)) {
      throw new DossierError("bad-input", `edit needs at least one of ${changes.map(nameOf).join(", ")}.`);
    }
    if (input.tags && (input.addTags || input.removeTags)) {
      throw new DossierError(
        "bad-input",
        `${nameOf("tags")} sets all labels; it cannot be combined with changing some.`,
      );
    }
    const { content, force } = input;
    const texts = [content ?? "", ...(input.tags ?? []), ...(input.addTags ?? [])];
    const warnings = checkSecrets(texts, force);
    const workspace = await environment.workspace();
    const { owner } = workspace;
    const findable = { types: ["memory"], state: "kept" } as const;
    const target = await findRecord(workspace, input.id, findable);
    const replaced =
      input.supersedes === undefined ? undefined : await findRecord(workspace, input.supersedes, findable);
    if (replaced?.id === target.id) throw new DossierError("bad-input", `${target.id} cannot replace itself.`);
    const now = Date.now();
    const before = shownMemory(target);
    const unchanged = { changed: false, before, after: before, duplicates: [], contradicts: [], advice: [], warnings };
    const validity = validityOf(bodyOf(target), input, now, nameOf);
    if (isSame(bodyOf(target), edited(bodyOf(target), input, replaced?.id, validity))) return unchanged;
    const reworded = content !== undefined && content !== bodyOf(target).content;
    const except = [target.id, ...(replaced ? [replaced.id] : [])];
    const { duplicates, contradicts } = reworded
      ? await compare(workspace, { id: target.id, content, at: now }, except)
      : { duplicates: [], contradicts: [] };
    if (duplicates.length > 0 && !force) {
      return {
        ...unchanged,
        duplicates,
        advice: [`To do without this one: dossier memory forget ${target.id}`, "To keep both: add --force"],
      };
    }
    const anchors = reworded ? await anchored(workspace, content) : undefined;
    const records = await workspace.records();
    const after = await records.change(owner, target.id, (record) => {
      const { anchors: old, ...body } = edited(bodyOf(record), input, replaced?.id, validity);
      return { ...record, changed: now, body: { ...body, ...(anchors ?? (old && { anchors: old })) } };
    });
    if (replaced)
      await records.change(owner, replaced.id, (record) => superseded(record as StoredRecord, target.id, now));
    const advice = adviceOnContradictions(target.id, contradicts, nameOf);
    return { changed: true, before, after: shownMemory(after), duplicates, contradicts, advice, warnings };
  },
  exit: ({ changed, duplicates }) => (!changed && duplicates.length > 0 ? exitKnown : 0),
  text({ changed, before, after, duplicates, contradicts, advice }, _input, colour) {
    const p = paint(colour);
    const lines = changed
      ? [p.dim("Before"), memoryText(before, colour), p.green("Now"), memoryText(after, colour)]
      : [p.yellow("Nothing was changed."), ...knownText(duplicates, colour)];
    return [...lines, ...contradictionText(contradicts, colour), ...advice].join("\n");
  },
});

/** The fields that `edit` may also remove: keys that are undefined are removed. */
type Validity = { pinned?: true; scope?: string; until?: number };

function validityOf(body: Memory, input: Input, now: number, nameOf: (key: string) => string): Validity {
  const scope = input.scope === undefined ? body.scope : readScope(input.scope);
  if ((scope === userScope) !== (body.scope === userScope)) {
    throw new DossierError(
      "bad-input",
      `A memory stays where it was written: forget it and remember it ${scope === userScope ? "with" : "without"} the scope ~.`,
    );
  }
  const until =
    input.until === undefined
      ? body.until
      : input.until === "never"
        ? undefined
        : parseExpiry(input.until, now, nameOf("until"));
  return {
    ...((input.pin ?? body.pinned) && { pinned: true as const }),
    ...(scope !== undefined && { scope }),
    ...(until !== undefined && { until }),
  };
}

function edited(memory: Memory, input: Input, supersedes: string | undefined, validity: Validity): Memory {
  const { pinned: _pinned, scope: _scope, until: _until, ...body } = memory;
  const { content, category, importance, tags, addTags, removeTags } = input;
  return {
    ...body,
    ...(content !== undefined && { content }),
    ...(category !== undefined && { category }),
    ...(importance !== undefined && { importance }),
    tags: tags ? readTags(tags) : changeTags(body.tags, { add: addTags, remove: removeTags }),
    ...(supersedes !== undefined && { supersedes }),
    ...validity,
  };
}

function isSame(a: Memory, b: Memory): boolean {
  const comparable = ({ anchors: _anchors, ...rest }: Memory) =>
    JSON.stringify(Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1)));
  return comparable(a) === comparable(b);
}

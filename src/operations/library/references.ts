import * as z from "zod";
import { folderPath } from "../../chat/paths.ts";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { type ContextReference, type LibraryStore, type NewReference, referenceSources } from "../../stores/library.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { findItem, itemsCalled } from "../ask/item-find.ts";
import { operation } from "../core/operation.ts";
import { checkStep, type Steps } from "../core/steps.ts";
import { paint } from "../terminal/colours.ts";
import { plain } from "../terminal/phrases.ts";
import { findDocument } from "./document-find.ts";
import { shownThread, threadShape } from "./library-shape.ts";
import { findThread } from "./thread-find.ts";

const kinds = ["document", "folder", "thread", "item"] as const;
const defaultPriority = 0.5;

const input = z.object({
  step: z.enum(["list", "add", "remove"]).default("list").describe("What to do"),
  thread: z.string().trim().min(1).describe("The thread: its id, the beginning of it, or its title"),
  target: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe("A document, a folder with a slash at its end, a thread or an item; to remove, also the reference's id"),
  path,
  kind: z.enum(kinds).optional().describe("What the target is, where it could be several things"),
  priority: z.number().min(0).max(1).optional().describe(`Which comes first, 0 to 1; default: ${defaultPriority}`),
  source: z.enum(["user-added", "agent-added"]).optional().describe("Who adds it; default: user-added"),
});

type Input = z.output<typeof input>;

const takes: Steps<Input["step"]> = {
  list: { needs: ["thread"], may: [] },
  add: { needs: ["thread", "target"], may: ["kind", "priority", "source"] },
  remove: { needs: ["thread", "target"], may: ["kind"] },
};

const reference = z.object({
  id: z.string(),
  kind: z.enum(kinds),
  target: z.string().describe("Id of a document, a thread or an item, or a folder's path"),
  label: z.string().describe("What it is called; empty when it is gone"),
  priority: z.number(),
  source: z.enum(referenceSources),
  added: z.string().describe("ISO 8601"),
});

type Shown = z.output<typeof reference>;

export const references = operation({
  name: "references",
  command: {
    list: { words: "thread references", summary: "List what belongs into every context of a thread" },
    add: {
      words: "thread attach",
      summary: "Make a document, folder, thread or item part of every context of a thread",
    },
    remove: { words: "thread detach", summary: "Take such a reference out again" },
  },
  group: "Library",
  summary: "What belongs into every context of a thread: list, add or remove documents, folders, threads and items",
  access: { list: "read", add: "write", remove: "write" },
  input,
  output: z.object({
    thread: threadShape,
    added: reference.optional(),
    removed: reference.optional(),
    references: z.array(reference).describe("All of the thread afterwards, the highest priority first"),
  }),
  positional: ["step", "thread", "target"],
  takes,
  examples: [
    { command: "dossier thread references thr-1k3f", what: "those of a thread, and of those it branched off" },
    { command: "dossier thread attach thr-1k3f notes/plan.md --priority 0.9", what: "a document" },
    { command: "dossier thread attach thr-1k3f notes/ --source agent-added", what: "a folder" },
    { command: "dossier thread detach thr-1k3f notes/plan.md", what: "no longer" },
  ],
  async run(input, environment) {
    checkStep("references", takes, input, environment);
    const workspace = await environment.workspace();
    const { owner } = workspace;
    const thread = await findThread(workspace, input.thread);
    const library = await workspace.library();
    let changed: ContextReference | undefined;
    if (input.step === "add") {
      const target = await findTarget(workspace, input.target!, input.kind);
      const { priority = defaultPriority, source = "user-added" } = input;
      changed = await library.addReference(owner, thread.id, { ...target, source, priority, at: Date.now() });
    }
    if (input.step === "remove") {
      changed = await ofThread(workspace, library, thread.id, input);
      await library.removeReference(owner, thread.id, changed.id);
    }
    const all = await library.references(owner, thread.id);
    const labels = await labelsOf(workspace, library, changed ? [...all, changed] : all);
    const show = (each: ContextReference) => shownReference(each, labels);
    return {
      thread: shownThread(thread),
      ...(changed && { [input.step === "add" ? "added" : "removed"]: show(changed) }),
      references: all.map(show),
    };
  },
  text({ added, removed, references }, _input, colour) {
    const p = paint(colour);
    const line = ({ id, kind, target, label, priority, source }: Shown) =>
      `${p.cyan(id)}  ${kind} ${plain(label) || `${plain(target)} (gone)`}  ${p.dim(`priority ${priority}, ${source}`)}`;
    if (added) return `${p.green("Added:")} ${line(added)}`;
    if (removed) return `Removed: ${line(removed)}`;
    return references.length === 0 ? "The thread has no references." : references.map(line).join("\n");
  },
});

type Target = Pick<NewReference, "kind" | "target">;

/**
 * Resolves a target: an id by its beginning, a folder by its slash, else a document, a folder or a thread of this
 * name.
 */
async function findTarget(workspace: Workspace, typed: string, kind: Input["kind"]): Promise<Target> {
  const bare = typed.replace(/^@/, "");
  if (kind === "document" || (!kind && bare.startsWith("doc-"))) {
    return { kind: "document", target: (await findDocument(workspace, bare, "kept")).id };
  }
  if (kind === "thread" || (!kind && bare.startsWith("thr-"))) {
    return { kind: "thread", target: (await findThread(workspace, bare)).id };
  }
  if (kind === "item") return { kind: "item", target: (await findItem(workspace, bare)).id };
  if (kind === "folder" || /[\\/]$/.test(bare)) return { kind: "folder", target: await findFolder(workspace, bare) };
  const ways = [
    () => findTarget(workspace, bare, "document"),
    () => findTarget(workspace, bare, "folder"),
    () => findTarget(workspace, bare, "thread"),
    ...(/^\[?[a-z]{3}-[0-9a-z_-]+\]?$/.test(bare) ? [() => findTarget(workspace, bare, "item")] : []),
  ];
  let first: unknown;
  for (const way of ways) {
    try {
      return await way();
    } catch (error) {
      if (!(error instanceof DossierError) || error.code !== "not-found") throw error;
      first ??= error;
    }
  }
  throw first;
}

async function findFolder(workspace: Workspace, typed: string): Promise<string> {
  const missing = () =>
    new DossierError("not-found", `There is no document in a folder ${JSON.stringify(typed.slice(0, 200))}.`);
  if (!workspace.hasRecords()) throw missing();
  const under = folderPath(typed);
  const { total } = await (await workspace.library()).documents(workspace.owner, { under, limit: 1 });
  if (total === 0) throw missing();
  return under;
}

/** The thread's own reference that is meant: by its id, or by its target as stored, which may be gone. */
async function ofThread(
  workspace: Workspace,
  library: LibraryStore,
  thread: string,
  { target: typed, kind }: Input,
): Promise<ContextReference> {
  const all = await library.references(workspace.owner, thread);
  const reference = typed!.trim();
  let match = all.find(
    (each) => each.id === reference || (each.target === reference && (kind ?? each.kind) === each.kind),
  );
  if (!match) {
    const target = await findTarget(workspace, reference, kind);
    match = all.find((each) => each.kind === target.kind && each.target === target.target);
  }
  if (!match)
    throw new DossierError("not-found", `${thread} has no reference to ${JSON.stringify(reference.slice(0, 200))}.`);
  if (match.source !== "inherited") return match;
  throw new DossierError("bad-input", `${match.id} belongs to the thread that this one branched off; remove it there.`);
}

async function labelsOf(
  workspace: Workspace,
  library: LibraryStore,
  references: ContextReference[],
): Promise<Map<string, string>> {
  const labels = new Map<string, string>();
  const { owner } = workspace;
  const targets = (kind: ContextReference["kind"]) =>
    references.filter((each) => each.kind === kind).map(({ target }) => target);
  for (const { id, path } of await library.documentInfos(owner, targets("document"))) labels.set(id, path);
  for (const id of targets("thread")) labels.set(id, (await library.thread(owner, id))?.title ?? "");
  for (const id of targets("item"))
    labels.set(id, (await itemsCalled(workspace, id)).find((each) => each.id === id)?.name ?? "");
  return labels;
}

function shownReference(
  { id, kind, target, priority, source, added }: ContextReference,
  labels: Map<string, string>,
): Shown {
  const folderLabel = kind === "folder" ? `${target}/` : "";
  const at = new Date(added).toISOString();
  return { id, kind, target, label: labels.get(target) ?? folderLabel, priority, source, added: at };
}

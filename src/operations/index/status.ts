import * as z from "zod";
import { path } from "../../options.ts";
import type { RecordType } from "../../stores/records.ts";
import { type SkipReason, skipReasons } from "../../tree/reasons.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { shownPlace } from "../core/hide-paths.ts";
import { type Environment, operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { bytes, duration, grouped, tally } from "../terminal/phrases.ts";

const count = z.number().int().min(0);

const output = z.object({
  root: z.string().describe("The folder; a dot for those who are not told where it lies"),
  index: z.string().describe("Where the index is kept"),
  bytes: count.describe("Size of the index"),
  textBytes: count.describe("Size of the indexed text"),
  files: count,
  items: count,
  links: count,
  vectors: count,
  learned: z
    .object({ memories: count, experiences: count, values: count, commits: count, notes: count })
    .describe("What is known besides files"),
  library: z.object({ documents: count, threads: count, messages: count }).describe("What applications keep here"),
  recordsBytes: count.describe("Size of what was written down: memories, experiences, documents, threads"),
  skipped: z.record(z.string(), count).describe("Paths that are not indexed, by reason"),
  problems: z
    .array(z.object({ path: z.string(), reason: z.string().describe("In words") }))
    .describe("Files that could not be read or parsed, the first of them"),
  kinds: z.record(z.string(), count).describe("Items by kind"),
  languages: z.record(z.string(), count).describe("Files by language"),
  updated: z.string().optional().describe("When the index was last compared with the disk, ISO 8601"),
  stale: z
    .object({ changed: count, added: count, removed: count })
    .describe("Files that differ from the index now; the next question brings them up to date"),
  indexing: z
    .object({ stage: z.string(), done: count, total: count.optional() })
    .optional()
    .describe("Of a server: what it is indexing for you now; absent when nothing is"),
  revision: count.describe("Grows with every write"),
  engine: z.string(),
  embedder: z
    .object({ provider: z.string(), model: z.string(), dimensions: count })
    .optional()
    .describe("What made the vectors"),
  model: z
    .object({ name: z.string(), made: count, items: count, answers: z.boolean(), secondsLeft: count.optional() })
    .optional()
    .describe("The language model that is configured, how many of its vectors are made, and whether it answers yet"),
});

type Output = z.output<typeof output>;

export const status = operation({
  name: "status",
  command: "status",
  group: "Index",
  summary: "Show what the index of a folder holds, where it is and how current it is",
  input: z.object({ path }),
  output,
  examples: [
    { command: "dossier status", what: "this folder" },
    { command: "dossier status -C ~/project --json", what: "another folder, for a program to read" },
  ],
  async run(_input, environment) {
    const workspace = await environment.workspace({ create: false });
    const { store, owner } = workspace;
    const [{ builtinEmbedder }, { readIndexState: readMemory }, { staleFiles }] = await Promise.all([
      import("../../embed/builtin.ts"),
      import("../../indexing/files/index-state.ts"),
      import("./staleness.ts"),
    ]);
    const [statistics, learned, memory, revision, embedder, { stale, skipped }] = await Promise.all([
      store.statistics(owner),
      learnedCounts(workspace),
      readMemory(store, owner),
      store.revision(owner),
      builtinEmbedder(store, owner),
      staleFiles(workspace, environment.signal),
    ]);
    return {
      root: shownPlace(workspace.root, workspace.root, environment),
      index: indexPlace(workspace, environment),
      ...statistics,
      learned,
      library: workspace.hasRecords() ? libraryCounts(await (await workspace.library()).counts(owner)) : nothingKept,
      recordsBytes: await workspace.recordBytes(owner),
      ...skippedFiles(skipped),
      updated: memory?.checkedAt ? new Date(memory.checkedAt).toISOString() : undefined,
      stale,
      indexing: environment.indexing?.state,
      revision,
      embedder: embedder && { ...embedder.id },
      model: await modelOf(workspace),
    };
  },
  text(status, _input, colour) {
    const p = paint(colour);
    const { changed, added, removed } = status.stale;
    const outdated = changed + added + removed;
    const current = outdated === 0 ? "current" : `${changed} changed, ${added} added and ${removed} removed since`;
    const ratio = status.textBytes > 0 ? `, ${(status.bytes / status.textBytes).toFixed(1)} times the text` : "";
    const rows: [string, string][] = [
      ["folder", status.root],
      ["index", `${status.index} (${bytes(status.bytes)}${ratio})`],
      ["updated", `${status.updated ?? "never completed"} (${outdated === 0 ? p.green(current) : p.yellow(current)})`],
      ["files", `${grouped(status.files)}${listed(status.languages)}`],
      ...leftOutRow(status.skipped),
      ["items", `${grouped(status.items)}${listed(status.kinds)}`],
      ["learned", tally(status.learned) || "nothing yet"],
      ["links", grouped(status.links)],
      ["vectors", `${grouped(status.vectors)}${embedderText(status.embedder)}`],
      ...(status.model ? [["model", modelText(status.model)] as [string, string]] : []),
      ["engine", status.engine],
    ];
    return rows.map(([name, value]) => `${p.bold(name.padEnd(8))} ${value}`).join("\n");
  },
});

const nothingKept = { documents: 0, threads: 0, messages: 0 };

function libraryCounts({ documents, threads, messages }: typeof nothingKept): typeof nothingKept {
  return { documents, threads, messages };
}

function indexPlace({ server, databasePath, root }: Workspace, environment: Environment): string {
  if (server === undefined) return shownPlace(databasePath, root, environment);
  return environment.discreet ? "a database server" : server;
}

/** Of all reasons that a file is not indexed, those that are failures. */
const failures: readonly SkipReason[] = ["unreadable", "failed"];
const mostProblems = 20;

function skippedFiles(reasons: ReadonlyMap<string, SkipReason>): Pick<Output, "skipped" | "problems"> {
  const skipped: Record<string, number> = {};
  const problems: Output["problems"] = [];
  for (const [path, reason] of reasons) {
    skipped[reason] = (skipped[reason] ?? 0) + 1;
    if (failures.includes(reason) && problems.length < mostProblems)
      problems.push({ path, reason: skipReasons[reason] });
  }
  return { skipped, problems };
}

async function learnedCounts(
  workspace: Workspace,
): Promise<Record<"memories" | "experiences" | "values" | "commits" | "notes", number>> {
  const { owner, store } = workspace;
  const records = workspace.hasRecords() ? await workspace.records() : undefined;
  const countOf = async (type: RecordType) => (await records?.list(owner, { type, limit: 0 }))?.total ?? 0;
  const [memories, experiences, values, commits, notes] = await Promise.all([
    countOf("memory"),
    countOf("experience"),
    countOf("value"),
    store.commits.shas(owner),
    store.shelf("note").termStatistics(owner, "unit", []),
  ]);
  return { memories, experiences, values, commits: commits.length, notes: notes.count };
}

async function modelOf(workspace: Workspace): Promise<Output["model"]> {
  const { readableModel, vectorProgress } = await import("../../indexing/vectors/configured-model.ts");
  const configured = await readableModel(workspace);
  if (!configured?.config) return undefined;
  const { config, state } = configured;
  const { configKey, knownVectors, modelName } = await import("../../embed/model-state.ts");
  const { items, vectors } = await vectorProgress(workspace);
  const vectorSet = knownVectors(state, config);
  const vectorCount = Math.min(items, vectorSet ? (vectors.get(vectorSet.key) ?? 0) : 0);
  const timeLeft =
    vectorSet?.rate && vectorCount < items ? { secondsLeft: Math.ceil((items - vectorCount) / vectorSet.rate) } : {};
  const answers = vectorSet?.complete === true && configKey(vectorSet.config) === configKey(config);
  return { name: modelName(config), made: vectorCount, items, answers, ...timeLeft };
}

function modelText({ name, made, items, answers, secondsLeft }: NonNullable<Output["model"]>): string {
  const timeLeft = secondsLeft === undefined ? "" : `, about ${duration(secondsLeft * 1000)} to go`;
  return `${name} (${grouped(made)} of ${grouped(items)} vectors${timeLeft}; ${answers ? "it answers" : "the built-in vectors answer"})`;
}

/** `3 (2 larger than the size limit; 1 not text)`, the most first. */
function leftOutRow(skipped: Output["skipped"]): [string, string][] {
  const entries = Object.entries(skipped).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (entries.length === 0) return [];
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  const reasons = entries.map(([reason, count]) => `${grouped(count)} ${skipReasons[reason as SkipReason]}`);
  return [["left out", `${grouped(total)} (${reasons.join("; ")})`]];
}

function listed(counts: Record<string, number>): string {
  const text = tally(counts);
  return text === "" ? "" : ` (${text})`;
}

function embedderText(embedder: { provider: string; model: string; dimensions: number } | undefined): string {
  return embedder ? ` (${embedder.provider} ${embedder.model}, ${embedder.dimensions} dimensions)` : "";
}

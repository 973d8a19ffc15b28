import * as z from "zod";
import type { IndexReport } from "../../indexing/files/update.ts";
import type { HistoryReport } from "../../indexing/history/history.ts";
import { path } from "../../options.ts";
import { recordTypes } from "../../stores/records.ts";
import { type SkipReason, skipReasons } from "../../tree/reasons.ts";
import { defaultMaxFileBytes } from "../../tree/skip.ts";
import { operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { paint } from "../terminal/colours.ts";
import { counted, duration, grouped } from "../terminal/phrases.ts";

const count = z.number().int().min(0);
const reasons = Object.keys(skipReasons) as [SkipReason, ...SkipReason[]];

const output = z.object({
  root: z.string(),
  files: z.object({
    indexed: count.describe("Described and written in this run"),
    unchanged: count,
    touched: count.describe("Touched on disk, with the same content"),
    removed: count,
    skipped: z.partialRecord(z.enum(reasons), z.object({ count, examples: z.array(z.string()) })),
    generatedDocs: z
      .array(z.object({ folder: z.string(), pages: count, tool: z.string() }))
      .describe("Folders of pages that a documentation tool wrote; a line !folder/ in .dossierignore includes one"),
  }),
  items: count.describe("Items written in this run"),
  total: z.object({ files: count, items: count }).describe("What the index holds now"),
  history: z.object({ added: count, removed: count, total: count }).describe("Commits of git's history"),
  notes: z.object({ changed: count, removed: count, total: count }).describe("Notes of all origins"),
  vectors: z
    .object({ made: count, seconds: z.number(), complete: z.boolean() })
    .optional()
    .describe("Of the language model, where one is configured"),
  bytes: count.describe("Bytes of the files that were written"),
  milliseconds: z.number(),
  warnings: z.array(z.string()),
});

type Output = z.output<typeof output>;

/** Milliseconds to wait for another process: a caller who asks for an index prefers waiting to an error. */
const patience = 60_000;

export const index = operation({
  name: "index",
  command: "index",
  group: "Index",
  summary: "Bring the index of a folder up to date, and say what was left out and why",
  access: "admin",
  input: z.object({
    path,
    force: z.boolean().default(false).describe("Accept the home folder or a system folder, and read every file again"),
    rebuild: z.boolean().default(false).describe("Throw the index away and begin anew, whatever state it is in"),
    maxFileBytes: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe(`Skip larger files; as in the last run, or ${grouped(defaultMaxFileBytes)} at first`),
    historyYears: z
      .number()
      .min(0)
      .max(1000)
      .optional()
      .describe(
        "Years of git history to index; as in the last run, or 5 at first and at least 2,000 commits; 0 for all of it",
      ),
    watch: z.boolean().default(false).describe("Keep the index current until interrupted"),
  }),
  output,
  positional: ["path"],
  examples: [
    { command: "dossier index", what: "this folder" },
    { command: "dossier index ~/project --watch", what: "keep another folder's index current" },
    { command: "dossier index --rebuild", what: "begin anew after an error" },
  ],
  async run({ force, rebuild, maxFileBytes, historyYears, watch }, environment) {
    const { signal, progress } = environment;
    // A damaged index cannot be opened, so a rebuild deletes it before opening; if the caller has opened it,
    // afterwards.
    const workspace = await environment.workspace({ force, rebuild });
    const { updateIndex } = await import("../../indexing/files/update.ts");
    const { isHistoryBegun, refreshHistory } = await import("../../indexing/history/history.ts");
    const ofHistory = { years: historyYears, patience, signal };
    // After a branch switch git reads the commits while the files are described. At first there would be too much of
    // both in memory.
    const isBeside = !rebuild && workspace.indexLock === undefined && (await isHistoryBegun(workspace));
    let beside: Promise<HistoryReport> | undefined;
    const onListing = () => {
      if (isBeside) beside = refreshHistory(workspace, ofHistory);
      beside?.catch(() => undefined); // awaited below
    };
    let report: IndexReport;
    try {
      report = await updateIndex(workspace, { force, rebuild, maxFileBytes, signal, progress, onListing });
    } catch (error) {
      await beside?.catch(() => undefined); // the store is closed after this
      throw error;
    }
    await refreshSources(workspace, environment, [...recordTypes, "document", "message"]);
    const { warnings, ...history } = await (beside ?? refreshHistory(workspace, { ...ofHistory, progress }));
    const { refreshNotes } = await import("../../indexing/notes/notes.ts");
    const { warnings: noteWarnings, ...notes } = await refreshNotes(workspace, {
      now: Date.now(),
      force,
      patience,
      signal,
      progress,
    });
    const { leaseWait, makeVectors } = await import("../../indexing/vectors/model-vectors.ts");
    const {
      state,
      made,
      seconds,
      warnings: modelWarnings,
    } = await makeVectors(workspace, {
      signal,
      progress,
      wait: leaseWait,
    });
    if (state === "busy") modelWarnings.push("Another process makes the vectors of the language model.");
    if (watch) {
      const { watchIndex } = await import("./watch.ts");
      await watchIndex(workspace, environment);
    }
    return {
      root: workspace.root,
      ...report,
      history,
      notes,
      ...(state === "none" ? {} : { vectors: { made, seconds, complete: state === "complete" } }),
      warnings: [...report.warnings, ...warnings, ...noteWarnings, ...modelWarnings],
    };
  },
  text(report, _input, colour) {
    const p = paint(colour);
    const { files, items, total, milliseconds } = report;
    const changes = [
      `${counted(files.indexed, "file")} indexed (${counted(items, "item")})`,
      `${grouped(files.unchanged + files.touched)} unchanged`,
      `${grouped(files.removed)} removed`,
    ];
    return [
      `${p.bold(report.root)}: ${changes.join(", ")} in ${duration(milliseconds)}.`,
      `The index holds ${counted(total.files, "file")} and ${counted(total.items, "item")}${commits(report.history)}${notes(report.notes)}.`,
      ...vectorLine(report.vectors),
      ...skippedLines(files.skipped, p.dim),
      ...files.generatedDocs.map(generatedLine),
    ].join("\n");
  },
});

function commits({ added, total }: Output["history"]): string {
  if (total === 0) return "";
  return `, and ${counted(total, "commit")}${added > 0 ? ` (${grouped(added)} new)` : ""}`;
}

function notes({ changed, total }: Output["notes"]): string {
  if (total === 0) return "";
  return `, and ${counted(total, "note")}${changed > 0 ? ` (${grouped(changed)} new or changed)` : ""}`;
}

function vectorLine(vectors: Output["vectors"]): string[] {
  if (!vectors || vectors.made === 0) return [];
  const rate = vectors.seconds > 0 ? `, ${grouped(Math.round(vectors.made / vectors.seconds))} a second` : "";
  return [`The language model made ${counted(vectors.made, "vector")} in ${duration(vectors.seconds * 1000)}${rate}.`];
}

function generatedLine({ folder, pages, tool }: Output["files"]["generatedDocs"][number]): string {
  return `Skipped ${folder}: ${counted(pages, "generated page")} (${tool}). A line !${folder} in .dossierignore includes them.`;
}

function skippedLines(skipped: Output["files"]["skipped"], dim: (text: string) => string): string[] {
  const entries = Object.entries(skipped).sort(([a, x], [b, y]) => y.count - x.count || (a < b ? -1 : 1));
  if (entries.length === 0) return [];
  const total = entries.reduce((sum, [, each]) => sum + each.count, 0);
  const lines = entries.map(([reason, each]) => {
    const examples = each.examples.slice(0, 3).join(", ");
    const more = each.count > 3 ? ", ..." : "";
    return `  ${grouped(each.count).padStart(6)}  ${skipReasons[reason as SkipReason]} ${dim(`(${examples}${more})`)}`;
  });
  return [`${counted(total, "path")} left out:`, ...lines];
}

import * as z from "zod";
import { path, searchOptions } from "../../options.ts";
import { pathMatcher } from "../../stores/globs.ts";
import { after, cursorOf, next, pageOf } from "../core/cursor.ts";
import { operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { paint } from "../terminal/colours.ts";
import { parseTime } from "../terminal/parse-time.ts";
import { counted, plain } from "../terminal/phrases.ts";
import { dayOf } from "./commit-shape.ts";

const count = z.number().int().min(0);
const year = 365 * 24 * 60 * 60 * 1000;

export const churn = operation({
  name: "churn",
  command: "churn",
  group: "History",
  summary: "Show the files that were changed most often, by how many people and when last",
  input: z.object({
    path,
    limit: z.number().int().min(1).max(1000).default(20).describe("Most files to show"),
    after,
    since: z
      .string()
      .optional()
      .describe("Only commits since a date or within an age; the year before the latest commit by default"),
    paths: searchOptions.paths,
    refresh: searchOptions.refresh,
  }),
  output: z.object({
    since: z.string().optional().describe("Commits from this time on were counted, ISO 8601"),
    commits: count,
    total: count.describe("Files that were touched in all"),
    files: z.array(
      z.object({
        path: z.string(),
        commits: count,
        authors: count,
        insertions: count.describe("Of the commits that touched it, all their files together, where counted"),
        deletions: count,
        counted: count.describe("Commits whose lines were counted"),
        last: z.string().describe("ISO 8601"),
        deleted: z.boolean(),
      }),
    ),
    next,
    warnings: z.array(z.string()),
  }),
  examples: [
    { command: "dossier churn", what: "where most happens" },
    { command: 'dossier churn --paths "src/**" --since 90d --limit 10', what: "in a folder, lately" },
  ],
  async run(input, environment) {
    const { since, paths, refresh } = input;
    const cursor = cursorOf("churn", input, environment);
    const workspace = await environment.workspace();
    const { store, owner } = workspace;
    const warnings = refresh ? await refreshSources(workspace, environment, ["commit"]) : [];
    const matches = paths ? pathMatcher(paths) : () => true;
    let from = since === undefined ? undefined : parseTime(since, Date.now(), environment.nameOf?.("since"));
    const files = new Map<string, Tally>();
    let commits = 0;
    for await (const batch of store.commits.all(owner, from)) {
      environment.signal?.throwIfAborted();
      // Newest first, so the first commit is the one that the default year is counted back from.
      from ??= batch[0] && batch[0].time - year;
      const recent = batch.filter(({ time }) => from === undefined || time >= from);
      for (const { files: touched, email, time, insertions, deletions } of recent) {
        commits++;
        for (const file of touched) {
          if (!matches(file.path)) continue;
          const tally = files.get(file.path) ?? newTally(time);
          tally.commits++;
          tally.authors.add(email.toLowerCase());
          if (insertions !== undefined && deletions !== undefined) {
            tally.insertions += insertions;
            tally.deletions += deletions;
            tally.counted++;
          }
          files.set(file.path, tally);
        }
      }
      if (recent.length < batch.length) break;
    }
    const ordered = [...files].sort(([a, x], [b, y]) => y.commits - x.commits || y.last - x.last || (a < b ? -1 : 1));
    const { page, ...more } = pageOf(ordered, cursor, input, ([file, { commits, last }]) => [commits, last, file], 2);
    const touches = await store.commits.lastTouch(
      owner,
      page.map(([file]) => file),
    );
    // A file that was moved is gone from its old path, too.
    const isGone = (file: string) => ["deleted", "renamed"].includes(touches.get(file)?.change ?? "");
    return {
      ...(from === undefined ? {} : { since: new Date(from).toISOString() }),
      commits,
      total: ordered.length,
      files: page.map(([file, { authors, last, ...tally }]) => ({
        path: file,
        ...tally,
        deleted: isGone(file),
        authors: authors.size,
        last: new Date(last).toISOString(),
      })),
      ...more,
      warnings,
    };
  },
  text({ files, commits, since, total, next }, _input, colour) {
    if (files.length === 0) return "No commits are known.";
    const p = paint(colour);
    const lines = files.map(({ path, commits, authors, last, deleted }) => {
      const who = counted(authors, "author");
      return `${String(commits).padStart(6)}  ${plain(path)}${deleted ? p.dim(" (deleted)") : ""}  ${p.dim(`${who}, last ${dayOf(last)}`)}`;
    });
    const summary = `${counted(total, "file")} in ${counted(commits, "commit")}${since ? ` since ${dayOf(since)}` : ""}.`;
    const rest = next === undefined ? "" : ` After these: ${next}`;
    return [...lines, p.dim(`${summary}${rest}`)].join("\n");
  },
});

type Tally = {
  commits: number;
  authors: Set<string>;
  insertions: number;
  deletions: number;
  counted: number;
  last: number;
};

function newTally(last: number): Tally {
  return { commits: 0, authors: new Set(), insertions: 0, deletions: 0, counted: 0, last };
}

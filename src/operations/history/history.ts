import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { path, searchOptions } from "../../options.ts";
import type { CommitFile } from "../../stores/commits.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { after, type Cursor, cursorOf, next, type Page, pageBefore } from "../core/cursor.ts";
import { operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { paint } from "../terminal/colours.ts";
import { parseTime } from "../terminal/parse-time.ts";
import { counted, plain } from "../terminal/phrases.ts";
import { commitFileShape, commitShape, countsText, dayOf, shownCommit } from "./commit-shape.ts";
import { fileHistory, insidePath, neverTouched } from "./file-history.ts";

const unitShape = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  path: z.string(),
  startLine: z.number().int(),
});

const output = z.object({
  of: z.enum(["file", "folder", "commit"]),
  target: z.string(),
  names: z.array(z.string()).describe("What the file was called, newest first"),
  total: z.number().int().min(0).describe("Commits that touched it, in the indexed history"),
  commits: z.array(
    commitShape.extend({
      change: commitFileShape.optional().describe("What happened to the file"),
      files: z.array(commitFileShape).optional().describe("All that a commit touched, when one is asked for"),
    }),
  ),
  next,
  units: z.array(unitShape).describe("Of a commit: the code that it touched, where it is now"),
  warnings: z.array(z.string()),
});

type Output = z.output<typeof output>;

const everything = 1_000_000;

export const history = operation({
  name: "history",
  command: "history",
  group: "History",
  summary: "Show the commits that touched a file or folder, or one commit with its files and the code it touched",
  input: z.object({
    target: z.string().trim().min(1).describe("A file or folder of the workspace, or the beginning of a commit's sha"),
    path,
    limit: z.number().int().min(1).max(1000).default(20).describe("Most commits to show"),
    after,
    since: z.string().optional().describe("Only commits since a date or within an age: 2026-01-31, 30d, 2w"),
    refresh: searchOptions.refresh,
  }),
  output,
  positional: ["target"],
  examples: [
    { command: "dossier history src/app.ts", what: "newest first, through renames" },
    { command: "dossier history src/ --since 30d", what: "what happened in a folder" },
    { command: "dossier history 1a2b3c4", what: "one commit and the code it touched" },
  ],
  async run(input, environment) {
    const { target, limit, since, refresh } = input;
    const cursor = cursorOf("history", input, environment);
    const workspace = await environment.workspace();
    const sources = /^[0-9a-f]{4,64}$/i.test(target) ? ["commit", "files"] : ["commit"];
    const warnings = refresh ? await refreshSources(workspace, environment, sources) : [];
    const earliest = since === undefined ? undefined : parseTime(since, Date.now(), environment.nameOf?.("since"));
    const inside = insidePath(target);
    const paths = await workspace.store.commits.paths(workspace.owner);
    const slice = { cursor, limit, after: environment.nameOf?.("after") ?? "after" };
    if (paths.includes(inside)) return { ...(await ofFile(inside, workspace, slice, earliest)), target, warnings };
    const under = inside === "" ? paths : paths.filter((each) => each.startsWith(`${inside}/`));
    if (under.length > 0) {
      return { ...(await ofFolder(under, workspace, slice, earliest)), target, warnings };
    }
    if (/^[0-9a-f]{4,64}$/i.test(target))
      return { ...(await ofCommit(target.toLowerCase(), workspace, environment.signal)), target, warnings };
    throw await neverTouched(inside, paths, workspace.root);
  },
  text(output, { after, since }, colour) {
    const p = paint(colour);
    const lines = output.commits.map((commit) => {
      const then =
        commit.change && commit.change.path !== output.names[0] ? ` ${p.dim(plain(commit.change.path))}` : "";
      const change = commit.change && commit.change.change !== "modified" ? ` ${commit.change.change}` : "";
      const facts = [dayOf(commit.time), plain(commit.author), countsText(commit)]
        .filter((each) => each !== "")
        .join("  ");
      return `${p.yellow(commit.sha.slice(0, 7))}  ${facts}${change}${then}\n  ${plain(commit.subject)}`;
    });
    if (output.of === "commit") return commitText(output, lines, p);
    if (output.total === 0) return `No commit touched ${plain(output.target)} since ${plain(since ?? "then")}.`;
    const renamed = output.names.length > 1 ? [`Formerly ${output.names.slice(1).map(plain).join(", ")}.`] : [];
    const rest = output.next === undefined ? [] : [p.dim(`There are older ones, after these: ${output.next}`)];
    const more = after === undefined ? output.total - output.commits.length : 0;
    return [...lines, ...renamed, ...(more > 0 ? [`${counted(more, "older commit")} not shown.`] : []), ...rest].join(
      "\n",
    );
  },
});

function commitText({ commits, units }: Output, lines: string[], p: ReturnType<typeof paint>): string {
  const [commit] = commits;
  const body = commit!.message
    .split("\n")
    .slice(1)
    .map((line) => `  ${plain(line)}`.trimEnd());
  while (body[0] === "") body.shift();
  const files = (commit!.files ?? []).map(
    ({ path, change, from }) => `  ${change.padEnd(8)} ${from ? `${plain(from)} -> ` : ""}${plain(path)}`,
  );
  const code = units.map(
    ({ kind, name, path, startLine }) => `  ${kind} ${plain(name)} ${p.dim(`${plain(path)}:${startLine}`)}`,
  );
  return [
    ...lines,
    ...body,
    ...(files.length > 0 ? [p.bold("Files"), ...files] : []),
    ...(code.length > 0 ? [p.bold("Code it touched, where it is now"), ...code] : []),
  ].join("\n");
}

async function ofFile(
  file: string,
  workspace: Workspace,
  slice: Slice,
  since: number | undefined,
): Promise<Omit<Output, "target" | "warnings">> {
  const { names, events } = await fileHistory(file, workspace);
  const recent = events.filter(({ commit }) => since === undefined || commit.time >= since);
  const changes = new Map(recent.map(({ commit, change }) => [commit.sha, change]));
  const { page, ...more } = commitsAfter([...changes.keys()], slice);
  const commits = await shownCommits(page, workspace, changes);
  return { of: "file", names, total: changes.size, commits, ...more, units: [] };
}

async function ofFolder(
  paths: string[],
  workspace: Workspace,
  slice: Slice,
  since: number | undefined,
): Promise<Omit<Output, "target" | "warnings">> {
  const { store, owner } = workspace;
  const shas = await store.commits.touching(owner, paths, {
    limit: everything,
    ...(since === undefined ? {} : { since }),
  });
  const { page, ...more } = commitsAfter(shas, slice);
  return {
    of: "folder",
    names: [],
    total: shas.length,
    commits: await shownCommits(page, workspace),
    ...more,
    units: [],
  };
}

/** `after`: what the input is called. */
type Slice = { cursor: Cursor; limit: number; after: string };

/** Commits are not ordered by time alone, so a page begins after a commit, which a rewritten history may have lost. */
function commitsAfter(shas: readonly string[], { cursor, limit, after }: Slice): Page<string> {
  const last = cursor.place === undefined ? -1 : shas.indexOf(String(cursor.place[0]));
  if (cursor.place && last < 0) {
    throw new DossierError("bad-cursor", `The commit that ${after} stands for is no longer in this history.`);
  }
  return pageBefore(shas.slice(last + 1), cursor, limit, (sha) => [sha]);
}

async function shownCommits(
  shas: string[],
  workspace: Workspace,
  changes?: Map<string, CommitFile>,
): Promise<Output["commits"]> {
  const { fillCounts } = await import("../../indexing/history/line-counts.ts");
  const commits = await fillCounts(workspace, shas);
  return commits.map((commit) => {
    const change = changes?.get(commit.sha);
    return { ...shownCommit(commit), ...(change ? { change } : {}) };
  });
}

async function ofCommit(
  prefix: string,
  workspace: Workspace,
  signal: AbortSignal | undefined,
): Promise<Omit<Output, "target" | "warnings">> {
  const { store, owner } = workspace;
  const matches = await store.commits.byPrefix(owner, prefix, 5);
  if (matches.length === 0)
    throw new DossierError("not-found", `No commit of the indexed history begins with ${prefix}.`);
  if (matches.length > 1) {
    const choices = matches.map(({ sha, message }) => `${sha.slice(0, 12)} ${message.split("\n", 1)[0]}`).join(", ");
    throw new DossierError("bad-input", `${prefix} is not unique; say which one: ${choices}.`);
  }
  const { fillCounts } = await import("../../indexing/history/line-counts.ts");
  const [commit] = await fillCounts(workspace, [matches[0]!.sha]);
  const { unitsOf } = await import("./commit-units.ts");
  const touched = await unitsOf(commit!, workspace, signal);
  const units = touched.map(({ id, kind, name, path, startLine }) => ({ id, kind, name, path, startLine }));
  return { of: "commit", names: [], total: 1, commits: [{ ...shownCommit(commit!), files: commit!.files }], units };
}

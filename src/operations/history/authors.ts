import * as z from "zod";
import { path, searchOptions } from "../../options.ts";
import type { Commit } from "../../stores/commits.ts";
import { after, cursorOf, next, pageOf } from "../core/cursor.ts";
import { operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { pageText } from "../library/library-shape.ts";
import { paint } from "../terminal/colours.ts";
import { parseTime } from "../terminal/parse-time.ts";
import { plain } from "../terminal/phrases.ts";
import { dayOf } from "./commit-shape.ts";
import { fileHistory, insidePath, neverTouched } from "./file-history.ts";

const count = z.number().int().min(0);

export const authors = operation({
  name: "authors",
  command: "authors",
  group: "History",
  summary: "Show who changed a file, a folder or the whole workspace most, by commits",
  input: z.object({
    target: z.string().trim().optional().describe("A file or folder of the workspace; all of it by default"),
    path,
    limit: z.number().int().min(1).max(1000).default(20).describe("Most authors to show"),
    after,
    since: z.string().optional().describe("Only commits since a date or within an age: 2026-01-31, 30d, 2w"),
    refresh: searchOptions.refresh,
  }),
  output: z.object({
    target: z.string(),
    commits: count.describe("Commits that were counted"),
    total: count.describe("Authors in all"),
    authors: z.array(
      z.object({
        name: z.string().describe("As in the latest commit"),
        email: z.string(),
        commits: count,
        share: z.number().describe("Of the counted commits, 0 to 1"),
        first: z.string().describe("ISO 8601"),
        last: z.string(),
      }),
    ),
    next,
    warnings: z.array(z.string()),
  }),
  positional: ["target"],
  examples: [
    { command: "dossier authors", what: "of the whole workspace" },
    { command: "dossier authors src/app.ts --since 365d", what: "who to ask about a file" },
  ],
  async run(input, environment) {
    const { target = "", since, refresh } = input;
    const cursor = cursorOf("authors", input, environment);
    const workspace = await environment.workspace();
    const { store, owner } = workspace;
    const warnings = refresh ? await refreshSources(workspace, environment, ["commit"]) : [];
    const inside = insidePath(target);
    const after = since === undefined ? undefined : parseTime(since, Date.now(), environment.nameOf?.("since"));
    const touches = inside === "" ? () => true : await touching(inside);
    const people = new Map<string, { name: string; email: string; commits: number; first: number; last: number }>();
    let commits = 0;
    for await (const batch of store.commits.all(owner, after)) {
      environment.signal?.throwIfAborted();
      for (const commit of batch) {
        if (!touches(commit)) continue;
        commits++;
        // Newest first: the first name that is met is the latest.
        const key = commit.email.toLowerCase() || commit.author.toLowerCase();
        const person = people.get(key) ?? {
          name: commit.author,
          email: commit.email,
          commits: 0,
          first: 0,
          last: commit.time,
        };
        people.set(key, {
          ...person,
          commits: person.commits + 1,
          first: commit.time,
          last: Math.max(person.last, commit.time),
        });
      }
    }
    const ordered = [...people.values()].sort(
      (a, b) => b.commits - a.commits || b.last - a.last || (a.email < b.email ? -1 : 1),
    );
    const { page, ...more } = pageOf(ordered, cursor, input, ({ commits, last, email }) => [commits, last, email], 2);
    return {
      target: inside,
      commits,
      total: ordered.length,
      authors: page.map(({ name, email, commits: commitCount, first, last }) => ({
        name,
        email,
        commits: commitCount,
        share: commitCount / commits,
        first: new Date(first).toISOString(),
        last: new Date(last).toISOString(),
      })),
      ...more,
      warnings,
    };

    async function touching(path: string): Promise<(commit: Commit) => boolean> {
      const paths = await store.commits.paths(owner);
      if (paths.includes(path)) {
        const { events } = await fileHistory(path, workspace);
        const shas = new Set(events.map(({ commit }) => commit.sha));
        return ({ sha }) => shas.has(sha);
      }
      if (!paths.some((each) => each.startsWith(`${path}/`))) throw await neverTouched(path, paths, workspace.root);
      return ({ files }) => files.some((file) => file.path.startsWith(`${path}/`));
    }
  },
  text({ authors, total, next }, { after }, colour) {
    if (authors.length === 0) return "No commits are known.";
    const p = paint(colour);
    const lines = authors.map(({ name, email, commits, share, first, last }) => {
      const percent = `${Math.round(share * 100)} %`;
      return `${String(commits).padStart(6)}  ${percent.padStart(5)}  ${plain(name)} ${p.dim(`<${plain(email)}>`)}  ${dayOf(first)} to ${dayOf(last)}`;
    });
    const rest = pageText({ shown: authors.length, total, after, next }, "author");
    return [...lines, ...(rest === "" ? [] : [p.dim(rest)])].join("\n");
  },
});

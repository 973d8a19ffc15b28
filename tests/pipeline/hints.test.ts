import { describe, expect, it } from "vitest";
import { context, search, why } from "../../src/index.ts";
import { folder } from "../workspace.ts";

const router = {
  "src/mux.ts": `/** Answers a request by the handler of its path. */
export function routeHTTP(tree: Tree, request: Request): Response {
  const handler = tree.find(request.path);
  if (!handler) return notFoundHandler(request);
  return handler(request);
}

export function notFoundHandler(request: Request): Response {
  return new Response("404 page not found", { status: 404 });
}
`,
  "src/headers.ts": `/** True when the header of a route matches. */
export function isMatch(header: string, route: Route): boolean {
  if (!route.pattern) return false;
  return route.pattern.matches(header);
}
`,
  "src/upload.ts": `/** Takes the parts of an upload apart. */
export function readParts(body: Uint8Array, boundary: string): Part[] {
  if (body.length === 0) return [];
  return split(body, boundary);
}
`,
};

const question = "who looks after lost lambs";
const names = async (input: { query: string; hints?: string; path: string }) =>
  (await search(input)).results.map(({ name }) => name);

describe("hints", () => {
  it("find what shares no word with the question", async () => {
    const path = folder(router);
    expect((await names({ query: question, path }))[0]).not.toBe("notFoundHandler");
    const [first] = await names({ query: question, hints: "notFound 404 fallback", path });
    expect(first).toBe("notFoundHandler");
    const { text } = await context({ query: question, hints: "notFound 404 fallback", path });
    expect(text).toContain('new Response("404 page not found"');
  });

  it("lead where the question has everyday words alone, which other code happens to have", async () => {
    const path = folder({
      ...router,
      "src/printer.ts": `/** Starts printing the lines that are waiting. */
export function printLine(lines: Line[]): void {
  for (const line of lines) if (line.waiting) start(line);
}
`,
      "src/store.ts": `export function restoreState(saved: State): State {
  if (saved.jobs.length === 0) return emptyState();
  for (const job of saved.jobs) if (job.status === "running") job.status = "queued";
  return saved;
}
`,
    });
    const query = "do the things that were waiting in line start by themselves once the power is back";
    expect((await names({ query, path }))[0]).toBe("printLine");
    expect((await names({ query, path, hints: "restoreState queued saved running" }))[0]).toBe("restoreState");
  });

  it("leave what the question says in the lead where they are wrong", async () => {
    const path = folder(router);
    const query = "when does the header of a route match";
    expect((await names({ query, hints: "kubernetes operator reconcile", path }))[0]).toBe("isMatch");
    const [plain, hinted] = await Promise.all([
      context({ query, path }),
      context({ query, hints: "kubernetes operator reconcile", path }),
    ]);
    expect(hinted.text).toBe(plain.text);
    expect(hinted.confidence).toBe(plain.confidence);
  });

  it("are not listed as words that are missing", async () => {
    const { text } = await context({ query: "zebras graze", hints: "giraffe savanna", path: folder(router) });
    expect(text).toContain("zebras");
    expect(text).not.toContain("giraffe");
  });

  it("count in what why explains", async () => {
    const path = folder(router);
    const { rank } = await why({ query: question, item: "notFoundHandler", hints: "notFound 404 fallback", path });
    expect(rank).toBe(1);
  });
});

describe("one or two hints", () => {
  const store = {
    "src/queue.ts": `/** Starts the jobs that wait in line again. */
export function startLine(jobs: Job[]): void {
  for (const job of jobs) if (job.waiting) job.start();
}
`,
    "src/state.ts": `export function restore_state(saved: State): State {
  if (saved.rows.length === 0) return saved;
  for (const row of saved.rows) if (row.status === "running") row.status = "queued";
  return saved;
}

export interface MergePolicy {
  candidates(segments: Segment[]): Segment[][];
}
`,
  };
  const query = "do the jobs that wait in line start again";

  it.each([
    ["restore_state", "restore_state"],
    ["merge policy", "MergePolicy"],
    ["MergePolicy", "MergePolicy"],
  ])("%s: what it is the name of leads", async (hints, name) => {
    const path = folder(store);
    expect((await names({ query, path }))[0]).toBe("startLine");
    expect((await names({ query, hints, path }))[0]).toBe(name);
  });

  it("come after what the question names itself", async () => {
    const path = folder(store);
    const [first, second] = await names({ query: "what does `startLine` do with jobs", hints: "merge policy", path });
    expect([first, second]).toEqual(["startLine", "MergePolicy"]);
  });

  it("are only words where there are more, or one that is no name", async () => {
    const path = folder(store);
    expect((await names({ query, hints: "restore_state, MergePolicy, backlog", path }))[0]).toBe("startLine");
    expect((await names({ query, hints: "policy", path }))[0]).toBe("startLine");
  });
});

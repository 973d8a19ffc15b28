import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { begin } from "../../learned/experience/steps.ts";
import type { Experience, OutcomeStatus, Tier } from "../../learned/experience.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { call } from "../core/call.ts";
import { experiences } from "./experiences.ts";

const day = 24 * 3_600_000;
const now = Date.now();

const plainBody = begin({
  session: "default",
  domain: "debugging",
  strategy: "read-the-error",
  goal: "a goal",
  hypothesis: "a hypothesis",
  action: "an action",
  prediction: "a prediction",
});

function ended(status: OutcomeStatus, tier: Tier, result?: string): Partial<Experience> {
  return { outcome: { status, result, capturedAt: now, autoCaptured: tier === "gold" }, tier };
}

/** By id and age in days. */
const planted: [id: string, age: number, body: Partial<Experience>][] = [
  [
    "exp-cookie",
    1,
    {
      goal: "users stay logged in",
      hypothesis: "the session cookie is cut by the proxy",
      ...ended("falsified", "gold", "the login cookie arrived whole"),
      surprise: "the server clock ran two hours ahead",
      rootCause: { category: "environment-issue", description: "time synchronisation was switched off" },
    },
  ],
  [
    "exp-port",
    10,
    {
      domain: "testing",
      strategy: "systematic-elimination",
      goal: "the suite passes in parallel",
      hypothesis: "two suites listen on the same port",
      ...ended("confirmed", "silver", "port 0 made it green"),
      lesson: { whatWorked: "asking the system for a free port" },
    },
  ],
  [
    "exp-cache",
    40,
    {
      domain: "performance",
      goal: "pages load in a second",
      hypothesis: "the database is slow",
      ...ended("falsified", "bronze"),
      surprise: "the images were never cached",
      rootCause: { category: "wrong-assumption", description: "nobody had measured the network" },
    },
  ],
  [
    "exp-wait",
    3,
    { session: "night", goal: "shorter waits", outcome: { status: "falsified", capturedAt: now, autoCaptured: true } },
  ],
  ["exp-open", 2, { goal: "an open question about cookies" }],
  ["exp-left", 100, { strategy: "ask-user", goal: "a second language", ...ended("abandoned", "abandoned") }],
];

let workspace: Workspace;
const root = mkdtempSync(join(tmpdir(), "dossier-test-"));

beforeAll(async () => {
  workspace = await openWorkspace(root);
  const records = await workspace.records();
  const write = (owner: string, id: string, age: number, body: Partial<Experience>) => {
    const created = now - age * day;
    return records.write(owner, [
      { id, type: "experience", created, changed: created, body: { ...plainBody, ...body } },
    ]);
  };
  for (const [id, age, body] of planted) await write("local", id, age, body);
  await write("someone", "exp-other", 0, { goal: "the cookie of someone else" });
});
afterAll(async () => {
  await workspace.close();
  rmSync(root, { recursive: true, force: true });
});

const list = async (input: z.input<typeof experiences.input> = {}) =>
  (await call(experiences, input, { workspace })).output;
const ids = async (input: z.input<typeof experiences.input> = {}) =>
  (await list(input)).experiences.map(({ id }) => id.slice(4));

describe("the list", () => {
  it("is of all, the newest first, and of nobody else", async () => {
    expect(await ids()).toEqual(["cookie", "open", "wait", "port", "cache", "left"]);
    expect((await list()).total).toBe(6);
  });

  it.each([
    [{ domain: "testing" }, ["port"]],
    [{ strategy: "ask-user" }, ["left"]],
    [{ outcome: "falsified" }, ["cookie", "cache"]],
    [{ outcome: "confirmed" }, ["port"]],
    [{ outcome: "abandoned" }, ["left"]],
    [{ outcome: "active" }, ["open", "wait"]],
    [{ outcome: "active", session: "night" }, ["wait"]],
    [{ outcome: "active", domain: "testing" }, []],
    [{ outcome: "active", tier: "gold" }, []],
    [{ tier: "gold" }, ["cookie"]],
    [{ tier: "bronze", outcome: "falsified" }, ["cache"]],
    [{ session: "night" }, ["wait"]],
    [{ since: "7d" }, ["cookie", "open", "wait"]],
    [{ until: "2w" }, ["cache", "left"]],
    [{ since: "60d", until: new Date(now - 5 * day).toISOString() }, ["port", "cache"]],
    [{ axis: "surprise" }, ["cookie", "cache"]],
    [{ axis: "root_cause", domain: "performance" }, ["cache"]],
    [{ axis: "strategy", limit: 2 }, ["cookie", "open"]],
    [{ query: "  ", limit: 1 }, ["cookie"]],
  ] as const)("of %j", async (input, expected) => {
    expect(await ids(input)).toEqual(expected);
  });

  it("comes in pages that fit together", async () => {
    const pages = [];
    for (let offset = 0; offset < 8; offset += 2) {
      const { total, experiences } = await list({ limit: 2, offset });
      expect(total).toBe(6);
      pages.push(...experiences.map(({ id }) => id.slice(4)));
    }
    expect(pages).toEqual(await ids());
    expect(await list({ outcome: "active", limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      experiences: [{ id: "exp-wait" }],
    });
  });

  it("warns when the axis and the outcome exclude each other", async () => {
    expect(await list({ axis: "surprise", outcome: "confirmed" })).toEqual({
      total: 0,
      experiences: [],
      warnings: ["Only falsified experiences have the axis surprise."],
    });
  });

  it("is empty where nothing was ever written down, and makes no records", async () => {
    const empty = mkdtempSync(join(tmpdir(), "dossier-test-"));
    const bare = await openWorkspace(empty);
    const { output } = await call(experiences, { query: "anything" }, { workspace: bare });
    expect(output).toEqual({ total: 0, experiences: [], warnings: [] });
    expect(bare.hasRecords()).toBe(false);
    await bare.close();
    rmSync(empty, { recursive: true });
  });
});

describe("a question", () => {
  it("ranks on the axis that is asked for", async () => {
    expect((await ids({ query: "login cookie" }))[0]).toBe("cookie");
    expect((await ids({ query: "free port", axis: "strategy" }))[0]).toBe("port");
    expect((await ids({ query: "server clock", axis: "surprise" }))[0]).toBe("cookie");
    expect((await ids({ query: "nobody measured the network", axis: "root_cause" }))[0]).toBe("cache");
  });

  it("brings only falsified ones on the axes of failure", async () => {
    for (const axis of ["surprise", "root_cause"] as const) {
      const page = await list({ query: "port cookie cache goal hypothesis clock network", axis });
      expect(page.experiences.length).toBeGreaterThan(0);
      for (const { outcome, active } of page.experiences)
        expect([outcome?.status, active]).toEqual(["falsified", false]);
    }
  });

  it("says how good each answer is and why, best first", async () => {
    const { experiences: ranked, total } = await list({ query: "session cookie of the proxy" });
    expect(total).toBe(ranked.length);
    const scores = ranked.map(({ score }) => score!);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(Object.keys(ranked[0]!.because!).length).toBeGreaterThan(0);
  });

  it("respects every filter, and pages", async () => {
    expect(await ids({ query: "cookie", outcome: "active" })).toEqual(["open"]);
    expect(await ids({ query: "cookie", domain: "testing" })).toEqual([]);
    expect(await ids({ query: "cookie", domain: "security" })).toEqual([]);
    expect(await ids({ query: "cookie goal", since: "36h" })).toEqual(["cookie"]);
    const all = await ids({ query: "cookie goal" });
    expect(all.length).toBeGreaterThan(1);
    expect(await ids({ query: "cookie goal", limit: 1, offset: 1 })).toEqual(all.slice(1, 2));
    expect(await ids({ query: "cookie goal", offset: 400 })).toEqual([]);
  });

  it("sees what was written a moment ago, and not what is another's", async () => {
    const records = await workspace.records();
    const body = { ...plainBody, goal: "a zebra crossing" };
    await records.write("local", [{ id: "exp-zebra", type: "experience", created: 0, changed: 0, body }]);
    expect((await ids({ query: "zebra" }))[0]).toBe("zebra");
    await records.purge("local", "exp-zebra");
    expect(await ids({ query: "zebra" })).not.toContain("zebra");
    expect(await ids({ query: "cookie of someone else" })).not.toContain("other");
  });
});

describe("bad input", () => {
  it.each([
    [{ outcome: "lost" }, 'outcome takes one of confirmed, falsified, abandoned, active, not "lost".'],
    [{ axis: "cause" }, 'axis takes one of full, strategy, surprise, root_cause, not "cause".'],
    [{ tier: "golden" }, 'tier takes one of gold, silver, bronze, abandoned, not "golden". Did you mean gold?'],
    [{ since: "soon" }, /^since takes a date such as .*, not "soon"\.$/],
    [{ until: "2026-02-30" }, /^until takes a date such as/],
    [{ limit: 0 }, "limit takes a whole number from 1 to 500, not 0."],
    [{ offset: -1 }, "offset takes a whole number of 0 or more, not -1."],
  ])("%j is refused by name", async (input, sentence) => {
    const refused = expect.objectContaining({ code: "bad-input", message: expect.stringMatching(sentence) });
    await expect(list(input as z.input<typeof experiences.input>)).rejects.toEqual(refused);
  });
});

describe("forgotten experiences", () => {
  it("are listed apart, found by their words, and back once they are restored", async () => {
    const records = await workspace.records();
    await records.remove(workspace.owner, "exp-port", now);
    const listed = async (input: z.input<typeof experiences.input>) =>
      (await list(input)).experiences.map(({ id }) => id);
    expect(await listed({ deleted: true })).toEqual(["exp-port"]);
    expect((await list({ deleted: true })).experiences[0]!.forgotten).toBe(new Date(now).toISOString());
    expect(await listed({ deleted: true, query: "same port" })).toEqual(["exp-port"]);
    expect(await listed({ deleted: true, query: "cookie" })).toEqual([]);
    expect(await listed({})).not.toContain("exp-port");
    await records.restore(workspace.owner, "exp-port");
    expect(await listed({})).toContain("exp-port");
    expect(await listed({ deleted: true })).toEqual([]);
  });
});

describe("on a terminal", () => {
  const shown = async (query: z.input<typeof experiences.input>) => {
    const { input, output } = await call(experiences, query, { workspace });
    return experiences.text!(output, input, false)
      .replaceAll(/\d{4}-\d\d-\d\d/g, "DATE")
      .split("\n");
  };

  it("is a line each, with what the axis is about", async () => {
    expect(await shown({ limit: 3 })).toEqual([
      "exp-cookie  DATE  debugging | read-the-error  falsified (gold)  users stay logged in",
      "exp-open  DATE  debugging | read-the-error  active  an open question about cookies",
      "exp-wait  DATE  debugging | read-the-error  falsified, to be explained  shorter waits",
      expect.stringMatching(/^1 to 3 of 6 experiences\. After these: \S+$/),
    ]);
    expect(await shown({ axis: "surprise", domain: "performance" })).toEqual([
      "exp-cache  DATE  performance | read-the-error  falsified (bronze)  the images were never cached",
    ]);
    expect(await shown({ axis: "root_cause", limit: 1, offset: 1 })).toEqual([
      "exp-cache  DATE  performance | read-the-error  falsified (bronze)  wrong-assumption - nobody had measured the network",
      "2 to 2 of 2 experiences.",
    ]);
    expect(await shown({ domain: "security" })).toEqual(["There are no such experiences."]);
    expect((await shown({ query: "login cookie", limit: 1 }))[0]).toMatch(/^[01]\.\d\d {2}exp-cookie /);
  });
});

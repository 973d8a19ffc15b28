import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openWorkspace } from "../../workspace/workspace.ts";
import { assembleContext } from "../briefings/assemble-context.ts";
import { call } from "../core/call.ts";
import { contents, desk } from "./memory-drafts.samples.ts";

const homes = mkdtempSync(join(tmpdir(), "dossier-homes-"));
let count = 0;
beforeEach(() => {
  vi.stubEnv("DOSSIER_HOME", join(homes, String(count++)));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});
afterAll(() => rmSync(homes, { recursive: true, force: true }));

const brief = async (path: string, query: string, more: object = {}, owner?: string) =>
  (await call(assembleContext, { path, query, contextTypes: ["memories"], ...more }, { owner })).output;

describe("the user's own folder", () => {
  it("is private, and a sentence says where it cannot be made", async () => {
    const { remember } = desk();
    expect((await remember("Answer in German", { scope: "~" })).stored).toBe(true);
    expect(statSync(join(process.env.DOSSIER_HOME!, "user")).mode & 0o077).toBe(0);
    const file = join(homes, "a-file");
    writeFileSync(file, "");
    vi.stubEnv("DOSSIER_HOME", file);
    const other = desk();
    const failure = { code: "not-readable", message: expect.stringContaining("in all workspaces cannot be written") };
    await expect(other.remember("Answer in German", { scope: "~" })).rejects.toMatchObject(failure);
    expect((await other.remember("Answer in Danish")).stored).toBe(true);
  });
});

describe("a pinned memory", () => {
  it("is in every brief, first and once, whatever is asked", async () => {
    const { addMemory, path, edit } = desk();
    await addMemory("The harbour list is due half an hour before departure");
    const pinned = await addMemory("Answer in German", { pin: true });
    const { markdown, items } = await brief(path, "when is the harbour list due?");
    expect(markdown).toMatch(/^# Context\n\n## Pinned\n\n\*\*Memory\*\*: Answer in German\n/);
    expect(items.map(({ content }) => content.trim())).toHaveLength(2);
    expect((await brief(path, "answer in german, please")).markdown.split("Answer in German")).toHaveLength(2);
    expect((await edit(pinned, { pin: false })).after.pinned).toBeUndefined();
    expect((await brief(path, "when is the harbour list due?")).markdown).not.toContain("German");
  });

  it("has a small part of the budget, however many there are, the most important first", async () => {
    const { addMemory, path } = desk();
    for (let i = 0; i < 30; i++) {
      const words = Array.from({ length: 20 }, (_, word) => `pin${i}word${word}`).join(" ");
      await addMemory(words, { pin: true, importance: i / 30 });
    }
    await addMemory("The harbour list is due half an hour before departure");
    const { items } = await brief(path, "when is the harbour list due?", { maxTokens: 1000 });
    const pinned = items.filter(({ metadata }) => metadata.pinned);
    expect(pinned[0]!.content).toContain("pin29word0");
    expect(pinned.length).toBeGreaterThan(0);
    expect(pinned.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(150);
    expect(items.some(({ content }) => content.includes("harbour"))).toBe(true);
  });
});

describe("a scope", () => {
  it("of all workspaces is told in each of them, and only to the person at this machine", async () => {
    const [one, two] = [desk(), desk()];
    const id = await one.addMemory("Wir schreiben Tests zuerst", { scope: "~", pin: true });
    await two.addMemory("Something of the second workspace");
    expect(contents(await two.memories())).toEqual(["Something of the second workspace", "Wir schreiben Tests zuerst"]);
    expect(contents(await two.memories({ scope: "~" }))).toEqual(["Wir schreiben Tests zuerst"]);
    expect(contents(await two.memories({ query: "Tests schreiben" }))[0]).toBe("Wir schreiben Tests zuerst");
    const { markdown } = await brief(two.path, "second workspace");
    expect(markdown).toContain("Wir schreiben Tests zuerst");
    expect(markdown).toContain("in all workspaces of its user");
    const ann = desk(two.path, "ann");
    expect((await ann.memories()).total).toBe(0);
    expect((await brief(two.path, "Tests schreiben", {}, "ann")).markdown).not.toContain("zuerst");
    await expect(ann.remember("mine", { scope: "~" })).rejects.toMatchObject({ code: "bad-input" });
    await two.edit(id, { content: "Wir schreiben immer Tests zuerst" });
    expect(contents(await one.memories())).toEqual(["Wir schreiben immer Tests zuerst"]);
    await two.forget([id]);
    expect((await one.memories()).total).toBe(0);
    await one.restore([id]);
    expect((await two.memories()).total).toBe(2);
  });

  it("of a path is said, and is no answer to a question about other paths", async () => {
    const { addMemory, path } = desk();
    await addMemory("Handlers return a Result", { scope: "api/**" });
    const { markdown } = await brief(path, "what do handlers return?", { format: "plain" });
    expect(markdown).toContain("only in api/");
    expect((await brief(path, "what do handlers return in api/users.ts?")).markdown).toContain("Result");
    const { items } = await brief(path, "what do handlers return in web/page.ts?");
    expect(items.filter(({ level }) => level !== "pointer")).toEqual([]);
  });

  it("outside of the workspace is refused", async () => {
    const { remember, addMemory, edit } = desk();
    for (const scope of ["/etc/**", "../other/**", "~/notes", "C:\\x", "a\u001b[2J"]) {
      await expect(remember("x", { scope }), scope).rejects.toThrow(/scope/);
    }
    expect((await remember("everywhere here", { scope: "." })).memory?.scope).toBeUndefined();
    const id = await addMemory("in one folder", { scope: "./api/" });
    expect((await edit(id, { scope: "web" })).after.scope).toBe("web");
    await expect(edit(id, { scope: "~" })).rejects.toThrow(/stays where it was written/);
  });
});

describe("time", () => {
  it("keeps what was superseded, marked, for questions about the time before, and never prints it as current", async () => {
    const { addMemory, remember, memories, restore, path } = desk();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 10) });
    const old = await addMemory("The API listens on port 8080");
    vi.setSystemTime(Date.UTC(2026, 1, 10));
    await remember("The API listens on port 9090", { supersedes: old });
    vi.setSystemTime(Date.UTC(2026, 2, 10));
    expect(contents(await memories())).toEqual(["The API listens on port 9090"]);
    expect(contents(await memories({ query: "which port does the API listen on" }))).toEqual([
      "The API listens on port 9090",
    ]);
    expect((await brief(path, "which port does the API listen on")).markdown).not.toContain("8080");
    expect((await brief(path, "zebra", { contextTypes: ["memories"] })).markdown).not.toContain("8080");
    const then = { asOf: "2026-01-20" };
    expect(contents(await memories(then))).toEqual(["The API listens on port 8080"]);
    expect(contents(await memories({ query: "which port", ...then }))).toEqual(["The API listens on port 8080"]);
    const past = await brief(path, "which port does the API listen on", then);
    expect(past.markdown).toContain("8080");
    expect(past.markdown).toMatch(/superseded on 2026-02-10 by mem-/);
    expect(past.markdown).not.toContain("9090");
    expect((await memories({ asOf: "2025-12-31" })).total).toBe(0);
    const all = await memories({ all: true });
    expect(all.memories.find(({ id }) => id === old)).toMatchObject({
      supersededBy: all.memories[0]!.id,
      supersededAt: "2026-02-10T00:00:00.000Z",
    });
    await restore([old]);
    expect((await memories()).total).toBe(2);
    await expect(restore([old])).rejects.toMatchObject({ code: "not-found" });
  });

  it("ends what has an end, and nothing that is past is taken for one", async () => {
    const { addMemory, memories, remember, edit, path } = desk();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 10) });
    const id = await addMemory("The release branch is frozen", { until: "2w" });
    expect((await brief(path, "is the release branch frozen?")).markdown).toContain("until 2026-01-24");
    vi.setSystemTime(Date.UTC(2026, 1, 10));
    expect((await memories()).total).toBe(0);
    expect((await memories({ query: "release branch" })).total).toBe(0);
    // Where nothing matches, neither is it named as what comes near.
    expect((await brief(path, "zebra", { contextTypes: ["memories"] })).markdown).not.toContain("frozen");
    expect(contents(await memories({ asOf: "2026-01-12" }))).toEqual(["The release branch is frozen"]);
    await expect(remember("x", { until: "2020-01-01" })).rejects.toMatchObject({ code: "bad-input" });
    await edit(id, { until: "never" });
    expect((await memories()).total).toBe(1);
  });

  it("of a clock that was wrong does not win a contradiction", async () => {
    const { path, addMemory } = desk();
    await addMemory("The worker polls every 30 seconds");
    const workspace = await openWorkspace(path);
    const future = Date.now() + 400 * 24 * 60 * 60 * 1000;
    await (await workspace.records()).write("local", [
      {
        id: "mem-future",
        type: "memory",
        created: future,
        changed: future,
        body: { content: "The worker polls every 90 seconds", category: "fact", importance: 0.5, tags: [] },
      },
    ]);
    await workspace.close();
    const { items } = await brief(path, "how often does the worker poll?");
    expect(items.map(({ content }) => /\d\d/.exec(content)![0])).toEqual(["30", "90"]);
    expect(items[1]!.id).toBe("mem-future");
  });
});

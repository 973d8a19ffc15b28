import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { type WordServer, wordServer } from "../../../tests/word-server.ts";
import { folder } from "../../../tests/workspace.ts";
import { readModelState } from "../../embed/model-state.ts";
import { closeModels } from "../../embed/opened-models.ts";
import { search } from "../../operations/ask/search.ts";
import { call } from "../../operations/core/call.ts";
import { index } from "../../operations/index/index-workspace.ts";
import { remember } from "../../operations/memory/remember.ts";
import { model } from "../../operations/model/model.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { vectorProgress } from "./configured-model.ts";
import { makeVectors } from "./model-vectors.ts";

const files: Record<string, string> = {
  "shop/orders.py": [
    "def batch(parcels):",
    "    return [parcels[i : i + 9] for i in range(0, len(parcels), 9)]",
    "",
    "def price(order):",
    "    total = 0",
    "    for line in order.lines:",
    "        total += line.price * line.amount",
    "    return total",
    "",
  ].join("\n"),
  "shop/users.py": [
    "def login(name, password):",
    "    user = find(name)",
    "    return user if user and user.check(password) else None",
    "",
    "def logout(session):",
    "    session.clear()",
    "    return True",
    "",
  ].join("\n"),
};

async function shop(server: WordServer, more: Record<string, string> = {}): Promise<Workspace> {
  const root = folder({ ...files, ...more, "dossier.json": JSON.stringify({ model: settingsOf(server) }) });
  const workspace = await openWorkspace(root);
  onTestFinished(async () => {
    await workspace.close();
    await closeModels();
  });
  return workspace;
}

function settingsOf({ url }: WordServer, name = "words") {
  return { provider: "http", url, model: name, batchSize: 2 };
}

const indexed = async (workspace: Workspace) => (await call(index, { path: workspace.root }, { workspace })).output;
const ask = async (query: string, workspace: Workspace) => {
  const { output } = await call(
    search,
    { query, types: ["function"], minScore: 0, path: workspace.root },
    { workspace },
  );
  return { items: output.results, warnings: output.warnings };
};

async function counts(workspace: Workspace): Promise<{ items: number; made: number }> {
  const { items, vectors } = await vectorProgress(workspace);
  return { items, made: Math.max(0, ...vectors.values()) };
}

describe("vectors of a language model", () => {
  it("are made by indexing, of all that is there, and find what no word finds", async () => {
    const server = await wordServer({
      groups: [
        ["batch", "combined"],
        ["memory", "remembrance"],
      ],
    });
    const workspace = await shop(server);
    await call(
      remember,
      { content: "The courier DHL answers 429 above ten requests a second", path: workspace.root },
      { workspace },
    );
    const { vectors, warnings } = await indexed(workspace);
    expect(warnings).toEqual([]);
    expect(vectors).toMatchObject({ complete: true });
    const { items, made } = await counts(workspace);
    expect(made).toBe(items);
    expect(server.texts.some((text) => text.startsWith("shop/orders.py batch\ndef batch"))).toBe(true);
    expect(server.texts.some((text) => text.includes("courier DHL"))).toBe(true);
    const answer = await ask("where are orders combined?", workspace);
    expect(answer.warnings).toEqual([]);
    const batch = answer.items.find(({ name }) => name === "batch");
    expect(batch?.because.meaning).toBeGreaterThan(0);
  });

  it("are made only for what changed", async () => {
    const server = await wordServer();
    const workspace = await shop(server);
    await indexed(workspace);
    const before = server.texts.length;
    writeFileSync(
      join(workspace.root, "shop/users.py"),
      files["shop/users.py"]!.replace("session.clear()", "session.end()"),
    );
    await indexed(workspace);
    expect(server.texts.slice(before).map((text) => text.split("\n")[0])).toEqual(["shop/users.py logout"]);
    await indexed(workspace);
    expect(server.texts.length).toBe(before + 1);
  });

  it("are not waited for by a question, which says how far they are", async () => {
    const server = await wordServer();
    const workspace = await shop(server);
    const answer = await ask("how does login check the password?", workspace);
    expect(server.texts).toEqual([]);
    expect(answer.items[0]?.name).toBe("login");
    expect(answer.warnings).toEqual([
      expect.stringMatching(/^0 of \d+ vectors of the model words are made; .* dossier index makes them\.$/),
    ]);
  });

  it("go on where they ended when the server fails in the middle, and what was made stays", async () => {
    const server = await wordServer();
    const workspace = await shop(server, Object.fromEntries(many(40)));
    server.fault = { after: 30, fault: { status: 401 } };
    const failed = await indexed(workspace);
    expect(failed.vectors).toMatchObject({ complete: false });
    expect(failed.warnings.join()).toMatch(/^Vectors of words are not complete: .*\d+ were made and stay\.$/);
    const { made } = await counts(workspace);
    expect(made).toBeGreaterThan(0);
    const embedded = server.texts.length;
    server.fault = undefined;
    expect((await indexed(workspace)).vectors).toMatchObject({ complete: true });
    const { items } = await counts(workspace);
    expect(server.texts.length).toBeLessThanOrEqual(items + (embedded - made) + 1);
  });

  it.each([["wrong-size"], ["nan"]] as const)(
    "that come in another size or as no numbers (%s) are refused with a sentence",
    async (fault) => {
      const server = await wordServer();
      const workspace = await shop(server, Object.fromEntries(many(20)));
      server.fault = { after: 3, fault };
      const { vectors, warnings } = await indexed(workspace);
      expect(vectors).toMatchObject({ complete: false });
      expect(warnings.join()).toMatch(/^Vectors of words are not complete: /);
      const answer = await ask("how does login check the password?", workspace);
      expect(answer.items[0]?.name).toBe("login");
    },
  );

  it("answer no question while their model is gone: the built-in ones do, with a warning, once and without waiting again", async () => {
    const server = await wordServer();
    const workspace = await shop(server);
    await indexed(workspace);
    await closeModels();
    await server.close();
    const first = await ask("how does login check the password?", workspace);
    expect(first.items[0]?.name).toBe("login");
    expect(first.warnings.join()).toMatch(/^The built-in vectors answered without the model words: /);
    expect((await ask("logout", workspace)).items[0]?.name).toBe("logout");
  });

  it("answer no question while their model does not answer in time", async () => {
    const server = await wordServer();
    const workspace = await shop(server);
    await indexed(workspace);
    server.fault = "hang";
    const { items, warnings } = await ask("how does login check the password?", workspace);
    expect(items[0]?.name).toBe("login");
    expect(warnings.join()).toContain("did not answer within 2 seconds");
  });

  it("of the model before answer until those of the next are complete, and are gone then", async () => {
    const server = await wordServer({ groups: [["batch", "combined"]] });
    const next = await wordServer({ dimensions: 48 });
    const workspace = await shop(server);
    const { root } = workspace;
    await indexed(workspace);
    const add = (yes: boolean) =>
      call(model, { step: "add", name: next.url, model: "next", yes, path: root }, { workspace });
    await expect(add(false)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/vectors of words; with next \d+ are made anew/),
    });
    expect((await add(true)).output).toMatchObject({ answering: "words", complete: false, made: 0 });
    const between = await ask("where are orders combined?", workspace);
    expect(between.items.find(({ name }) => name === "batch")?.because.meaning).toBeGreaterThan(0);
    await indexed(workspace);
    const { output } = await call(model, { path: root }, { workspace });
    expect(output).toMatchObject({ answering: "next", complete: true });
    const { models } = await readModelState(workspace.store, workspace.owner);
    expect(models.map(({ id }) => id.model)).toEqual(["next"]);
    expect((await vectorProgress(workspace)).vectors.size).toBe(1);
  });

  it("of a model that dossier.json names anew wait for its user, and the old ones answer", async () => {
    const server = await wordServer();
    const other = await wordServer();
    const workspace = await shop(server);
    await indexed(workspace);
    writeFileSync(join(workspace.root, "dossier.json"), JSON.stringify({ model: settingsOf(other, "other") }));
    const { vectors, warnings } = await indexed(workspace);
    expect(vectors).toMatchObject({ complete: false, made: 0 });
    expect(warnings.join()).toContain("dossier model use other --yes makes them anew");
    expect(other.texts).toEqual([]);
  });

  it("are not made by a server on another machine that only dossier.json names", async () => {
    const root = folder({
      ...files,
      "dossier.json": JSON.stringify({
        model: { provider: "http", url: "https://models.example.org/v1", model: "x", keyVariable: "HOME" },
      }),
    });
    const workspace = await openWorkspace(root);
    onTestFinished(() => workspace.close());
    const run = await makeVectors(workspace);
    expect(run).toMatchObject({ state: "unasked", made: 0 });
    expect(run.warnings.join()).toContain("lets texts be sent there");
  });

  it("stop being made when another model is chosen meanwhile, and the next run makes that one's", async () => {
    const server = await wordServer({ delay: 5 });
    const next = await wordServer();
    const workspace = await shop(server, Object.fromEntries(many(400)));
    await call(index, { path: workspace.root }, { workspace, signal: AbortSignal.timeout(1) }).catch(() => undefined);
    await ask("login", workspace);
    const running = makeVectors(workspace);
    while (server.texts.length < 4) await sleep(5);
    writeFileSync(join(workspace.root, "dossier.json"), JSON.stringify({ model: settingsOf(next, "next") }));
    expect(await running).toMatchObject({ state: "stopped", warnings: [] });
    expect(await makeVectors(workspace)).toMatchObject({ state: "complete" });
    expect(next.texts.length).toBeGreaterThan(400);
  });

  it("are made by one process at a time", async () => {
    const server = await wordServer({ delay: 5 });
    const workspace = await shop(server, Object.fromEntries(many(100)));
    await ask("login", workspace);
    const second = await openWorkspace(workspace.root);
    onTestFinished(() => second.close());
    const running = makeVectors(workspace);
    while (server.texts.length < 4) await sleep(5);
    expect(await makeVectors(second)).toMatchObject({ state: "busy", made: 0 });
    expect(await running).toMatchObject({ state: "complete" });
    expect(await makeVectors(second)).toMatchObject({ state: "complete", made: 0 });
  });

  it("survive a process that is killed in the middle: the next one goes on", async () => {
    const server = await wordServer({ delay: 20 });
    const workspace = await shop(server, Object.fromEntries(many(300)));
    const cli = join(import.meta.dirname, "../../../dist/cli.js");
    const child = spawn(process.execPath, [cli, "index", "-C", workspace.root], { stdio: "ignore" });
    while (server.texts.length < 20) await sleep(10);
    child.kill("SIGKILL");
    await once(child, "exit");
    const { made } = await counts(workspace);
    expect(made).toBeGreaterThan(0);
    // The dead process holds the lease until it ends.
    const later = () => Date.now() + 60_000;
    expect(await makeVectors(workspace, { now: later })).toMatchObject({ state: "complete" });
    const { items, made: all } = await counts(workspace);
    expect(all).toBe(items);
  }, 60_000);

  it("keep no key", async () => {
    process.env.WORDS_KEY = "sk-secret-1234";
    onTestFinished(() => void delete process.env.WORDS_KEY);
    const server = await wordServer();
    const workspace = await shop(server);
    const { root } = workspace;
    rmSync(join(root, "dossier.json"));
    const configured = { step: "add" as const, name: server.url, model: "words", keyVariable: "WORDS_KEY", path: root };
    const { output } = await call(model, configured, { workspace });
    expect(server.headers[0]?.authorization).toBe("Bearer sk-secret-1234");
    expect(JSON.stringify(output)).not.toContain("sk-secret");
    expect(JSON.stringify(await readModelState(workspace.store, workspace.owner))).not.toContain("sk-secret");
  });
});

/** Files that say something each. */
function many(count: number): [string, string][] {
  return Array.from({ length: count }, (_, i) => [
    `parts/part${i}.py`,
    `def part_${i}(value):\n    result = value + ${i}\n    return result\n`,
  ]);
}

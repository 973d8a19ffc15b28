import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { tanaContext } from "../../src/index.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { folder } from "../workspace.ts";
import { startTanaApi, type TanaApi, type TanaNode } from "./tana-api.ts";

const workspaceId = "wsMainAAAAAA";
const long = 24 * 60 * 60 * 1000;
const imported = Date.now() - 3 * long;

/** What was exported three days ago. */
const exported = {
  formatVersion: 1,
  docs: [
    {
      id: "apolloAAAAAA",
      props: { name: "Apollo", created: imported },
      children: ["taskAAAAAAAA"],
      modifiedTs: [imported],
    },
    {
      id: "taskAAAAAAAA",
      props: { name: "Order parts", _ownerId: "apolloAAAAAA", created: imported },
      modifiedTs: [imported],
    },
  ],
};

/** What Tana has now: another task, and a new description. */
const now: TanaNode[] = [
  {
    id: "apolloAAAAAA",
    name: "Apollo",
    description: "Delayed by weather",
    children: ["taskAAAAAAAA", "taskBBBBBBBB"],
    workspace: workspaceId,
  },
  { id: "taskAAAAAAAA", name: "Order parts", workspace: workspaceId },
  { id: "taskBBBBBBBB", name: "Call the harbour", edited: Date.now(), workspace: workspaceId },
];

async function liveWorkspace(url: string) {
  const root = folder({
    "export.json": JSON.stringify(exported),
    "dossier.json": JSON.stringify({
      notes: [{ name: "main", from: "export.json", live: { url, tokenVariable: "TEST_TANA_TOKEN" } }],
    }),
  });
  const workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
  const ask = (input: Partial<Parameters<typeof tanaContext>[0]> = {}) =>
    tanaContext({ query: "Apollo", path: root, ...input }, { workspace });
  return { root, ask };
}

async function api(): Promise<TanaApi> {
  const started = await startTanaApi(now.map((node) => ({ ...node })));
  onTestFinished(() => started.close());
  vi.stubEnv("TEST_TANA_TOKEN", started.token);
  return started;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a live origin", () => {
  it("answers with what the application has now, and names the backend", async () => {
    const { url, requests } = await api();
    const { ask } = await liveWorkspace(url);
    const { nodes, meta, warnings } = await ask();
    expect(meta.backend).toBe("local-api");
    expect(warnings).toEqual([]);
    expect(nodes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["Apollo", "Order parts", "Call the harbour"]),
    );
    expect(nodes[0]?.content).toContain("Delayed by weather");
    expect(requests.length).toBeLessThan(20);
  });

  it("is not asked offline; what it told before stays", async () => {
    const started = await api();
    const { ask } = await liveWorkspace(started.url);
    const before = await ask({ offline: true });
    expect(before.meta.backend).toBe("sqlite");
    expect(before.nodes.map(({ name }) => name)).not.toContain("Call the harbour");
    expect(started.requests).toEqual([]);
    await ask();
    const after = await ask({ offline: true });
    expect(after.nodes.map(({ name }) => name)).toContain("Call the harbour");
  });

  it("loses what was deleted there", async () => {
    const started = await api();
    const { ask } = await liveWorkspace(started.url);
    await ask();
    started.nodes.get("taskBBBBBBBB")!.inTrash = true;
    started.nodes.get("taskBBBBBBBB")!.edited = Date.now() + 5000;
    started.nodes.get("apolloAAAAAA")!.children = ["taskAAAAAAAA"];
    const { nodes } = await ask();
    expect(nodes.map(({ name }) => name)).not.toContain("Call the harbour");
  });

  it("falls back with a warning and the age of the data when it does not answer", async () => {
    const started = await api();
    const { ask } = await liveWorkspace(started.url);
    await started.close();
    const { nodes, meta, warnings } = await ask();
    expect(meta.backend).toBe("sqlite");
    expect(nodes.map(({ name }) => name)).toContain("Order parts");
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/Local data is used\. It is \d+ minutes? old\.$/);
  });

  it("tells the age of the export, not of its import", async () => {
    const started = await api();
    const { ask, root } = await liveWorkspace(started.url);
    await started.close();
    const written = (Date.now() - 3 * long) / 1000;
    utimesSync(join(root, "export.json"), written, written);
    expect((await ask()).warnings[0]).toMatch(/It is 3 days old\.$/);
    // Imported since, and gone: what is used is as old as it was.
    rmSync(join(root, "export.json"));
    expect((await ask()).warnings.at(-1)).toMatch(/It is 3 days old\.$/);
  });

  it("takes the day of an export from the name of its file, however late the copy was made", async () => {
    const started = await api();
    const { ask, root } = await liveWorkspace(started.url);
    await started.close();
    const name = `main@${new Date(Date.now() - 40 * long).toISOString().slice(0, 10)}.json`;
    renameSync(join(root, "export.json"), join(root, name));
    const live = { url: started.url, tokenVariable: "TEST_TANA_TOKEN" };
    writeFileSync(join(root, "dossier.json"), JSON.stringify({ notes: [{ name: "main", from: name, live }] }));
    expect((await ask()).warnings[0]).toMatch(/It is (?:38|39|40) days old\.$/);
  });

  it("names no note that is in the trash, where another one mentions it", async () => {
    const started = await api();
    started.nodes.set("secretAAAAAA", { id: "secretAAAAAA", name: "Apollo secret codename", inTrash: true });
    started.nodes.get("apolloAAAAAA")!.description = 'See <span data-inlineref-node="secretAAAAAA"></span> for more';
    const { ask } = await liveWorkspace(started.url);
    const { text } = await ask();
    expect(text).toContain("for more");
    expect(text).not.toContain("codename");
  });

  it("tells who owns what was found, where the application says what is above it", async () => {
    const started = await api();
    started.nodes.set("homeAAAAAAAA", {
      id: "homeAAAAAAAA",
      name: "Voyages",
      children: ["shipAAAAAAAA"],
      workspace: workspaceId,
    });
    started.nodes.set("shipAAAAAAAA", {
      ...{ id: "shipAAAAAAAA", name: "Endurance", workspace: workspaceId, tags: ["ship"] },
      children: ["logAAAAAAAAA"],
    });
    started.nodes.set("logAAAAAAAAA", { id: "logAAAAAAAAA", name: "Pemmican inventory", workspace: workspaceId });
    // Another one of this name, elsewhere.
    started.nodes.set("otherAAAAAAA", { id: "otherAAAAAAA", name: "Endurance", workspace: workspaceId });
    const { ask } = await liveWorkspace(started.url);
    const { nodes } = await ask({ query: "pemmican inventory" });
    expect(nodes[0]).toMatchObject({ id: "logAAAAAAAAA" });
    expect(nodes.find(({ id }) => id === "shipAAAAAAAA")).toMatchObject({
      distance: 1,
      path: [{ id: "logAAAAAAAAA", type: "parent" }],
    });
    expect(nodes.map(({ id }) => id)).not.toContain("otherAAAAAAA");
  });

  it("tells what tags inherit from and what fields are, in a circle or not", async () => {
    const started = await api();
    started.schemas.set("milestone", { extends: ["task"], fields: { Due: "Date", Rank: "#Number" } });
    started.schemas.set("task", { extends: ["thing"] });
    started.schemas.set("thing", { extends: ["milestone"] });
    started.nodes.set("betaAAAAAAAA", {
      ...{ id: "betaAAAAAAAA", name: "Beta of the rocket", tags: ["milestone"], workspace: workspaceId },
      fields: { Due: ["Mar 15, 2020"], Rank: ["7"] },
    });
    const { ask } = await liveWorkspace(started.url);
    await ask({ query: "beta of the rocket" });
    const { nodes, meta } = await ask({ tag: ["thing"], field: ["Due<2020-04-01", "Rank>6"], query: "" });
    expect(meta.matches?.count).toBe(1);
    expect(nodes[0]).toMatchObject({ id: "betaAAAAAAAA", fields: { Due: "2020-03-15" } });
    // Asked once in a while, not with every question.
    const schemas = () => started.requests.filter((path) => path.startsWith("/tags/")).length;
    const before = schemas();
    expect(before).toBe(3);
    await ask({ query: "beta of the rocket" });
    expect(schemas()).toBe(before);
  });

  it("falls back when the token is missing or refused", async () => {
    const started = await api();
    const { ask } = await liveWorkspace(started.url);
    vi.stubEnv("TEST_TANA_TOKEN", "");
    expect((await ask()).warnings[0]).toContain("TEST_TANA_TOKEN");
    vi.stubEnv("TEST_TANA_TOKEN", "another");
    const { meta, warnings, nodes } = await ask();
    expect(meta.backend).toBe("sqlite");
    expect(warnings.join(" ")).toContain("refused");
    expect(nodes.length).toBeGreaterThan(1);
  });

  it("answers although the application is broken", async () => {
    const started = await api();
    const { ask, root } = await liveWorkspace(started.url);
    started.behaviour.body = "<html>not JSON";
    const { nodes, warnings } = await ask();
    expect(nodes.map(({ name }) => name)).toContain("Order parts");
    expect(warnings.length).toBeGreaterThan(0);
    writeFileSync(join(root, "dossier.json"), JSON.stringify({ notes: [{ name: "main", from: "export.json" }] }));
    expect((await ask()).warnings).toEqual([]);
  });
});

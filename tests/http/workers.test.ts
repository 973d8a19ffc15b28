import { afterEach, describe, expect, it } from "vitest";
import { allOperations } from "../../src/operations/core/registry.ts";
import { openServer } from "../../src/surfaces/http/server.ts";
import { ask, bearer, post, type RunningServer, type ServerStart, start } from "./http-server.ts";

let running: RunningServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function started(options: ServerStart = {}): Promise<RunningServer> {
  running = await start({ ...options, settings: { workers: 1, ...options.settings } });
  return running;
}

/** Sections of prose in which every word is met again. */
function prose(characters: number): string {
  const words = ["tariff", "harbour", "ledger", "meadow", "signal", "copper", "window", "garden", "letter", "station"];
  const parts: string[] = [];
  for (let length = 0, n = 0; length < characters; n++) {
    const line = Array.from({ length: 12 }, (_, i) => `${words[(n * 7 + i * 3) % 10]}${(n * i) % 97}`).join(" ");
    parts.push(n % 40 === 0 ? `\n## Section ${n}\n\n${line}.` : `${line}.`);
    length += line.length + 2;
  }
  return parts.join("\n");
}

const events = { Accept: "text/event-stream" };

type Found = { results: unknown[] };
type Built = { data: { warnings: string[] } };

async function isIndexed(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  const { json } = await post(`${url}/v1/status`, {}, headers);
  return !("indexing" in json);
}

describe("indexing", () => {
  it("lets the server answer while a document of 5 MB is indexed", async () => {
    const { url } = await started({ patience: { index: 0 } });
    const put = await post(`${url}/v1/put_document`, { document: "large.md", content: prose(4_900_000) });
    expect([put.status, put.json]).toEqual([200, expect.objectContaining({ outcome: "created", indexing: true })]);
    let indexed = false;
    // Whose progress is followed waits for the index.
    const built = post(`${url}/context/build`, { message: "harbour tariff" }, events).then((answer) => {
      indexed = true;
      return answer;
    });
    for (let i = 0; i < 20; i++) expect((await ask(`${url}/healthz`)).status).toBe(200);
    expect(indexed).toBe(false);
    const { text } = await built;
    expect(text).toMatch(/event: progress\ndata: \{"stage":"documents"/);
    expect(text).toContain("large.md");
  });

  it("begins at the write, and is seen in status until it is done", async () => {
    const { url } = await started();
    const put = await post(`${url}/v1/put_document`, { document: "plan.md", content: "The zeppelin leaves at noon." });
    expect(put.json).toMatchObject({ indexing: true });
    const status = await post(`${url}/v1/status`, {});
    expect(status.json).toMatchObject({ indexing: { stage: expect.any(String), done: expect.any(Number) } });
    await expect.poll(() => isIndexed(url), { timeout: 30_000 }).toBe(true);
    // Nobody asked until now, and this question refreshes nothing.
    const { json } = await post(`${url}/v1/search`, { query: "zeppelin", sources: ["document"], refresh: false });
    expect((json as unknown as Found).results).toHaveLength(1);
  });

  it("is waited for by a write whose progress is followed", async () => {
    const { url } = await started();
    const { text } = await post(`${url}/v1/put_document`, { document: "a.md", content: "A zeppelin." }, events);
    expect(text).toMatch(/event: progress\ndata: \{"stage":"documents","done":1\}/);
    expect(text).toMatch(/event: result\ndata: .*"indexing":false/);
    const { json } = await post(`${url}/v1/search`, { query: "zeppelin", sources: ["document"], refresh: false });
    expect((json as unknown as Found).results).toHaveLength(1);
  });

  it("does not keep a build waiting, which says that it is made from what is there", async () => {
    const { url } = await started({ patience: { index: 0 } });
    await post(
      `${url}/v1/put_document`,
      { document: "old.md", content: "The zeppelin of old leaves at noon." },
      events,
    );
    await post(`${url}/v1/put_document`, { document: "new.md", content: `The zeppelin. ${prose(400_000)}` });
    const early = (await post(`${url}/context/build`, { message: "zeppelin" })).json as unknown as Built;
    expect(early.data.warnings).toContainEqual(expect.stringMatching(/still being indexed/));
    expect(JSON.stringify(early.data)).toContain("old.md");
    expect(JSON.stringify(early.data)).not.toContain("new.md");
    await expect.poll(() => isIndexed(url), { timeout: 30_000 }).toBe(true);
    const later = await post(`${url}/context/build`, { message: "zeppelin", refresh: false });
    expect(later.text).toContain("new.md");
    expect(later.text).not.toContain("still being indexed");
  });

  it("of files does not hold the server either, and reports as it goes", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`f${i}.md`, `# Title ${i}\n\n${prose(20_000)}`]),
    );
    const { url } = await started({ files });
    let indexed = false;
    const index = post(`${url}/v1/index`, {}, events).then((answer) => {
      indexed = true;
      return answer;
    });
    for (let i = 0; i < 20; i++) expect((await ask(`${url}/healthz`)).status).toBe(200);
    expect(indexed).toBe(false);
    const { text } = await index;
    expect(text).toMatch(/event: progress\ndata: \{"stage":"indexing"/);
    expect(text).toMatch(/event: result\ndata: \{.*"indexed":40/);
    const { json } = await post(`${url}/v1/search`, { query: "harbour", refresh: false });
    expect((json as unknown as Found).results.length).toBeGreaterThan(0);
  });
});

describe("owners", () => {
  it("are answered in turn: a short search does not wait for the builds of another", async () => {
    const { url, key } = await started({ settings: { rate: 0 } });
    const [ada, bob] = [bearer(await key("ada", "write")), bearer(await key("bob", "write"))];
    for (const owner of [ada, bob]) {
      await post(`${url}/v1/put_document`, { document: "a.md", content: prose(100_000) }, { ...owner, ...events });
      await post(`${url}/v1/search`, { query: "harbour", sources: ["document"] }, owner);
      await post(`${url}/context/build`, { message: "harbour" }, owner);
    }
    const order: string[] = [];
    const builds = Array.from({ length: 10 }, (_, i) =>
      post(`${url}/context/build`, { message: `what of the tariff and the ledger of ${i}?`, refresh: false }, ada).then(
        ({ status }) => order.push(`build ${status}`),
      ),
    );
    // All ten have arrived before the search is sent.
    while (!/^dossier_operations_running 10$/m.test((await ask(`${url}/metrics`, { headers: ada })).text)) {
      if (order.length > 0) break;
    }
    const query = { query: "ledger", sources: ["document"], refresh: false };
    await post(`${url}/v1/search`, query, bob).then(({ status }) => order.push(`search ${status}`));
    await Promise.all(builds);
    expect(order).toHaveLength(11);
    expect(new Set(order)).toEqual(new Set(["build 200", "search 200"]));
    expect(order.indexOf("search 200")).toBeLessThan(10);
  });

  it("see at once what they have written, and nothing of each other", async () => {
    const { url, key } = await started({ settings: { workers: 2, rate: 0 } });
    const [ada, bob] = [bearer(await key("ada", "write")), bearer(await key("bob", "write"))];
    for (let version = 1; version <= 5; version++) {
      await post(`${url}/v1/put_document`, { document: "a.md", content: `Zeppelin ${version}.` }, ada);
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => post(`${url}/v1/get_document`, { document: "a.md" }, ada)),
      );
      for (const { json } of answers) expect(json).toMatchObject({ content: `Zeppelin ${version}.` });
      expect((await post(`${url}/v1/get_document`, { document: "a.md" }, bob)).status).toBe(404);
      const hits = await post(`${url}/v1/search`, { query: "zeppelin", sources: ["document"] }, bob);
      expect((hits.json as unknown as Found).results).toEqual([]);
    }
  });
});

describe("a deadline", () => {
  it("ends the work of a request, and the next one is answered", async () => {
    const { url } = await started();
    await post(`${url}/v1/put_document`, { document: "a.md", content: prose(1_000_000) }, events);
    const { url: hasty, close } = await openServer(
      {
        workspace: running!.workspace,
        keys: running!.keys,
        operations: await allOperations(),
        settings: { workers: 1, timeout: 0.2 },
      },
      {},
    );
    try {
      const { status, json } = await post(`${hasty}/context/build`, { message: prose(200_000), refresh: false });
      expect([status, json.error.code]).toEqual([504, "timed-out"]);
      await expect.poll(async () => (await post(`${hasty}/v1/lenses`, {})).status, { timeout: 30_000 }).toBe(200);
    } finally {
      await close();
    }
  });
});

describe("answers", () => {
  it("are the same bytes from workers and from the server itself", async () => {
    const files = {
      "src/a.ts": "export function zeppelin(): number {\n  return 1;\n}\n",
      "b.md": "# Harbour\n\nTariffs.\n",
    };
    const { url, workspace, keys } = await started({ files, settings: { workers: 2 } });
    await post(`${url}/v1/put_document`, { document: "plan.md", content: prose(5000) }, events);
    const thread = await post(`${url}/v1/thread`, { step: "create", title: "Flights" });
    const { id } = (thread.json as unknown as { thread: { id: string } }).thread;
    await post(`${url}/v1/say`, { thread: id, text: "When does the zeppelin leave?" }, events);
    const alone = await openServer({ workspace, keys, operations: await allOperations(), settings: { workers: 0 } });
    try {
      for (const [path, body] of [
        ["/v1/context", { query: "zeppelin" }],
        ["/v1/context", { query: "zeppelin", format: "xml" }],
        ["/v1/search", { query: "harbour tariff" }],
        ["/v1/search", { query: "" }],
        ["/v1/item", { id: "chk-none" }],
        ["/context/build", { message: "When does the zeppelin leave?", threadId: id }],
        ["/v1/documents", {}],
        ["/v1/thread", { thread: id }],
        ["/v1/mentions", { text: "pla" }],
        ["/v1/status", {}],
        ["/v1/lenses", {}],
        ["/v1/why", { query: "zeppelin", target: "src/a.ts" }],
      ] as const) {
        const asked = await Promise.all(
          [url, alone.url].map((each) => post(`${each}${path}`, body, { "X-Request-Id": "same" })),
        );
        const [inWorker, itself] = asked.map(({ status, text }) => [status, timeless(text)]);
        expect(inWorker, path).toEqual(itself);
      }
    } finally {
      await alone.close();
    }
  });
});

/** Without what differs from one run to the next. */
function timeless(text: string): string {
  return text
    .replace(/"(?:milliseconds|stages)":\{[^}]*\}/g, "")
    .replace(/"(?:milliseconds|assemblyTimeMs|updated|accessed)":(?:"[^"]*"|[\d.]+)/g, "")
    .replace(/"cached":(?:true|false)/g, "");
}

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plant } from "../../src/learned/cluster/planted.samples.ts";
import { bearer, post, type RunningServer, start } from "./http-server.ts";

/** Every listing, asked for page by page while others write. */
let running: RunningServer;
let headers: Record<string, string>;
beforeAll(async () => {
  const files = Object.fromEntries(
    Array.from({ length: 6 }, (_, n) => [`src/part${n}.md`, `# Part ${n}\n\nThe heron number ${n} wades.\n`]),
  );
  running = await start({ files });
  headers = bearer(await running.key("local", "write"));
  for (let n = 0; n < 7; n++) await commit(n);
  for (let n = 0; n < 7; n++) await putDocument(`birds/${n}.md`, n);
  const made = await call("thread", { step: "create", title: "Herons" });
  const messages = Array.from({ length: 12 }, (_, n) => ({ role: "user", content: `Message ${n}` }));
  await call("say", { thread: (made.thread as { id: string }).id, messages });
  for (let n = 0; n < 7; n++) await call("thread", { step: "create", title: `Talk ${n}` });
  for (let n = 0; n < 7; n++) await remember(n);
  const experiences = plant({ topics: 3, perTopic: 10, unrelated: 4 });
  const records = await running.workspace.records();
  await records.write(
    "local",
    experiences.map(({ id, created, experience }) => ({
      id,
      type: "experience" as const,
      created,
      changed: created,
      body: experience,
    })),
  );
}, 120_000);
afterAll(() => running.close());

async function call(operation: string, input: object): Promise<Record<string, unknown>> {
  const { status, text, json } = await post(`${running.url}/v1/${operation}`, input, headers);
  expect([operation, status, status === 200 ? "" : text]).toEqual([operation, 200, ""]);
  return json as unknown as Record<string, unknown>;
}

const putDocument = (document: string, n: number) =>
  call("put_document", { document, content: `The heron of document ${n} stands in the reeds.` });
const remember = (n: number) => call("remember", { content: `Heron fact ${n}: they ${"abcdefghijk"[n]} at dawn.` });

async function commit(n: number): Promise<void> {
  const git = (...args: string[]) => {
    const author = ["-c", `user.name=Author ${n}`, "-c", `user.email=author${n}@example.org`];
    execFileSync("git", [...author, ...args], { cwd: running.root });
  };
  if (n === 0) git("init", "-q");
  writeFileSync(join(running.root, "src", `part${n % 6}.md`), `# Part ${n}\n\nThe heron number ${n} wades, again.\n`);
  git("add", "src");
  git("commit", "-q", "-m", `Commit ${n}`);
}

type Entry = Record<string, string & number>;
type Listing = {
  operation: string;
  input: object;
  entries: string;
  key: (entry: Entry) => string;
  /** What happens between two pages: it adds an entry at the front of the list. */
  meanwhile?: (n: number) => Promise<unknown>;
};

const byId = ({ id }: Entry) => String(id);
let fresh = 0;
const newMemory = async () => {
  const [memory] = plantedMemories(fresh++);
  await (await running.workspace.records()).write("local", [memory!]);
};

function plantedMemories(n: number) {
  const body = { content: `Heron news ${n}`, category: "fact", importance: 0.5, tags: [] };
  const at = Date.now() + n;
  return [{ id: `mem-new${String(n).padStart(10, "0")}`, type: "memory" as const, created: at, changed: at, body }];
}

const listings: Listing[] = [
  { operation: "documents", input: {}, entries: "documents", key: byId, meanwhile: (n) => putDocument(`a/${n}.md`, n) },
  {
    operation: "documents",
    input: { order: "changed" },
    entries: "documents",
    key: byId,
    meanwhile: (n) => putDocument(`new/${n}.md`, n),
  },
  { operation: "documents", input: { order: "accessed" }, entries: "documents", key: byId },
  {
    operation: "threads",
    input: {},
    entries: "threads",
    key: byId,
    meanwhile: (n) => call("thread", { step: "create", title: `New ${n}` }),
  },
  {
    operation: "thread",
    input: { step: "show", thread: "Herons" },
    entries: "messages",
    key: ({ number }) => String(number),
    meanwhile: (n) => call("say", { thread: "Herons", text: `And ${n}` }),
  },
  {
    operation: "thread",
    input: { step: "show", thread: "Herons", from: 2 },
    entries: "messages",
    key: ({ number }) => String(number),
  },
  { operation: "memories", input: {}, entries: "memories", key: byId, meanwhile: newMemory },
  { operation: "memories", input: { query: "heron" }, entries: "memories", key: byId, meanwhile: newMemory },
  { operation: "memories", input: { asOf: "2100-01-01" }, entries: "memories", key: byId },
  { operation: "experiences", input: {}, entries: "experiences", key: byId },
  { operation: "experiences", input: { query: "timeout" }, entries: "experiences", key: byId },
  { operation: "clusters", input: { limit: 1 }, entries: "clusters", key: byId },
  { operation: "history", input: { target: "src" }, entries: "commits", key: ({ sha }) => String(sha) },
  { operation: "authors", input: {}, entries: "authors", key: ({ email }) => String(email) },
  { operation: "churn", input: {}, entries: "files", key: ({ path }) => String(path) },
  {
    operation: "search",
    input: { query: "heron" },
    entries: "results",
    key: byId,
    meanwhile: (n) => putDocument(`heron/${n}.md`, n + 100),
  },
];

describe.each(listings)("$operation $input", ({ operation, input, entries, key, meanwhile }) => {
  const keysOf = (answer: Record<string, unknown>) => (answer[entries] as Entry[]).map(key);

  it("gives every entry once, page by page, whatever is added meanwhile", async () => {
    const all = keysOf(await call(operation, { ...input, limit: 100 }));
    expect(all.length).toBeGreaterThan(2);
    const seen: string[] = [];
    let after: string | undefined;
    for (let n = 0; n < 100; n++) {
      const answer = await call(operation, { limit: 3, ...input, ...(after !== undefined && { after }) });
      seen.push(...keysOf(answer));
      after = answer.next as string | undefined;
      if (after === undefined) break;
      if (n < 3) await meanwhile?.(n);
    }
    expect(after).toBeUndefined();
    expect(new Set(seen).size).toBe(seen.length);
    expect(all.filter((each) => !seen.includes(each))).toEqual([]);
  });

  it("refuses what is no cursor of it, by name", async () => {
    const { next } = await call(operation, { limit: 1, ...input });
    const cursor = String(next);
    const other = Buffer.from(Buffer.from(cursor, "base64url").toString().replace("[", "[0,")).toString("base64url");
    for (const after of ["x", "%%%", other, `${cursor}AAAA`, Buffer.from('[{"a":1}]').toString("base64url")]) {
      const { status, json } = await post(`${running.url}/v1/${operation}`, { limit: 1, ...input, after }, headers);
      expect([after, status, json.error?.code]).toEqual([after, 400, "bad-cursor"]);
    }
  });
});

describe("a cursor", () => {
  it("belongs to one list and one way of asking it", async () => {
    const { next: after } = await call("documents", { limit: 1 });
    for (const [operation, input] of [
      ["threads", { after }],
      ["documents", { after, order: "changed" }],
      ["documents", { after, under: "birds" }],
    ] as const) {
      const { json } = await post(`${running.url}/v1/${operation}`, input, headers);
      expect(json.error.code).toBe("bad-cursor");
    }
    const both = await post(`${running.url}/v1/documents`, { after, offset: 2 }, headers);
    expect(both.json.error).toMatchObject({ code: "bad-input", message: "after goes without offset." });
    expect((await call("documents", { after, limit: 50 })).documents).not.toEqual([]);
  });
});

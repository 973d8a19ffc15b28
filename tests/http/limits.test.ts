import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { operation } from "../../src/operations/core/operation.ts";
import { ask, bearer, post, started } from "./http-server.ts";

/** Operations that do what a test tells them. */
function slow() {
  const seen = { started: 0, aborted: 0, ended: 0 };
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const wait = operation({
    name: "wait",
    summary: "Wait until the test lets it go or it is told to stop",
    input: z.object({
      steps: z.number().int().default(0).describe("Progress to report"),
      deaf: z.boolean().default(false).describe("Hears no signal"),
    }),
    output: z.object({ ended: z.number() }),
    async run({ steps, deaf }, { signal, progress }) {
      seen.started++;
      for (let done = 1; done <= steps; done++) progress?.({ stage: `step ${done}`, done, total: steps });
      const aborted = new Promise<never>((_, reject) => {
        signal!.addEventListener("abort", () => {
          seen.aborted++;
          if (!deaf) reject(signal!.reason as Error);
        });
      });
      await Promise.race([opened, aborted]);
      seen.ended++;
      return { ended: seen.ended };
    },
  });
  const fail = operation({
    name: "fail",
    summary: "Fail as only a bug does",
    input: z.object({ path: z.string().default(".").describe("The folder of the workspace") }),
    output: z.object({}),
    run: async ({ path }) => {
      throw new TypeError(`cannot read ${path}/secret.ts of undefined`);
    },
  });
  return { seen, open, more: [wait, fail] };
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await sleep(5);
}

describe("too much", () => {
  it("refuses a body that says it is too large, before reading it", async () => {
    const { url } = await started({ settings: { maxBody: 1000 } });
    const sent = request(`${url}/v1/search`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Content-Length": 1e9 },
    });
    sent.on("error", () => undefined);
    sent.write("{");
    const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
    expect(response.statusCode).toBe(413);
    sent.destroy();
  });

  it("refuses a body that turns out too large while it comes", async () => {
    const { url } = await started({ settings: { maxBody: 1000 } });
    const sent = request(`${url}/v1/search`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Transfer-Encoding": "chunked" },
    });
    sent.on("error", () => undefined);
    sent.write(`{"query":"${"x".repeat(700)}`);
    await sleep(20);
    sent.write("y".repeat(700));
    const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
    expect(response.statusCode).toBe(413);
    sent.destroy();
  });

  it("takes a body of exactly the largest size", async () => {
    const { url } = await started({ settings: { maxBody: 100 } });
    const body = JSON.stringify({ query: "x" });
    expect((await post(`${url}/v1/search`, body + " ".repeat(100 - body.length))).status).toBe(200);
    const over = await post(`${url}/v1/search`, body + " ".repeat(101 - body.length));
    expect([over.status, over.json.error.code]).toEqual([413, "too-large"]);
  });

  it("limits each key by itself, and says how long to wait", async () => {
    const { url, key } = await started({ settings: { rate: 1 } });
    const [ada, bob] = [await key("ada", "read"), await key("bob", "read")];
    const asked = await Promise.all(Array.from({ length: 12 }, () => post(`${url}/v1/lenses`, {}, bearer(ada))));
    const refused = asked.filter(({ status }) => status === 429);
    expect(asked.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, json } of refused) {
      expect(Number(headers["retry-after"])).toBeGreaterThanOrEqual(1);
      expect(json.error.code).toBe("too-many-requests");
    }
    expect((await post(`${url}/v1/lenses`, {}, bearer(bob))).status).toBe(200);
    expect((await ask(`${url}/healthz`)).status).toBe(200);
  });

  it("limits guesses at keys", async () => {
    const { url } = await started({ settings: { rate: 1 } });
    const asked = await Promise.all(
      Array.from({ length: 12 }, () => post(`${url}/v1/lenses`, {}, bearer("dsr_guess"))),
    );
    const statuses = new Set(asked.map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 429]));
  });

  it("refuses more work at once than it may do, and takes it again when there is room", async () => {
    const { seen, open, more } = slow();
    const { url } = await started({ settings: { concurrency: 2 }, more });
    const held = [post(`${url}/v1/wait`, {}), post(`${url}/v1/wait`, {})];
    await until(() => seen.started === 2);
    const refused = await post(`${url}/v1/wait`, {});
    expect([refused.status, refused.json.error.code, refused.headers["retry-after"]]).toEqual([
      503,
      "server-busy",
      "1",
    ]);
    open();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await post(`${url}/v1/wait`, {})).status).toBe(200);
  });
});

describe("too slow", () => {
  it("stops work that takes too long", async () => {
    const { seen, more } = slow();
    const { url } = await started({ settings: { timeout: 0.1 }, more });
    const { status, json } = await post(`${url}/v1/wait`, {});
    expect([status, json.error.code]).toEqual([504, "timed-out"]);
    expect(seen).toEqual({ started: 1, aborted: 1, ended: 0 });
  });

  it("answers in time even where the work hears no signal, and keeps its place taken until it ends", async () => {
    const { seen, open, more } = slow();
    const { url } = await started({ settings: { timeout: 0.1, concurrency: 1 }, more });
    expect((await post(`${url}/v1/wait`, { deaf: true })).status).toBe(504);
    expect((await post(`${url}/v1/wait`, {})).status).toBe(503);
    open();
    await until(() => seen.ended === 1);
    await expect.poll(async () => (await post(`${url}/v1/wait`, {})).status, { timeout: 20_000 }).toBe(200);
  });

  it("stops work that nobody waits for any more", async () => {
    const { seen, more } = slow();
    const { url } = await started({ more });
    const controller = new AbortController();
    const asked = fetch(`${url}/v1/wait`, { method: "POST", signal: controller.signal });
    const refused = expect(asked).rejects.toThrow(/abort/);
    await until(() => seen.started === 1);
    controller.abort();
    await refused;
    await until(() => seen.aborted === 1);
    expect(seen.ended).toBe(0);
  });

  it("does not wait for a head or a body that does not come, and serves others meanwhile", async () => {
    const { url } = await started({ patience: { head: 200, request: 400, check: 50 } });
    const { hostname, port } = new URL(url);
    const dribble = async (text: string) => {
      const socket = connect(Number(port), hostname);
      let received = "";
      socket.on("data", (chunk) => (received += chunk));
      socket.on("error", () => undefined);
      socket.write(text);
      const drip = setInterval(() => socket.writable && socket.write("x"), 40);
      await once(socket, "close");
      clearInterval(drip);
      return received;
    };
    const head = dribble("POST /v1/status HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    const body = dribble(
      "POST /v1/status HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{",
    );
    expect((await ask(`${url}/healthz`)).status).toBe(200);
    for (const response of [await head, await body]) {
      expect(response).toMatch(/^HTTP\/1\.1 408 /);
      expect(JSON.parse(response.slice(response.indexOf("\r\n\r\n")))).toMatchObject({ error: { code: "bad-input" } });
    }
  });

  it("takes a client that leaves in the middle of its body for no failure of its own", async () => {
    const { url, log } = await started();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(
      "POST /v1/status HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
    );
    await once(socket, "connect");
    await ask(`${url}/healthz`);
    socket.destroy();
    await until(() => log.some(({ route }) => route === "/v1/status"));
    expect(log.find(({ route }) => route === "/v1/status")).toMatchObject({ status: 499, code: "interrupted" });
    expect(log.filter(({ level }) => level === 50)).toEqual([]);
  });

  it("answers what is no HTTP in the same shape", async () => {
    const { url } = await started();
    const { hostname, port } = new URL(url);
    for (const [text, status] of [
      ["HELLO\r\n\r\n", 400],
      [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"y".repeat(40_000)}\r\n\r\n`, 431],
      ["GET / HTTP/1.1\r\nHost: a b c\r\n\r\n", 400],
    ] as const) {
      const socket = connect(Number(port), hostname);
      socket.write(text);
      let received = "";
      socket.on("data", (chunk) => (received += chunk));
      socket.on("error", () => undefined);
      await Promise.race([once(socket, "close"), once(socket, "data").then(() => sleep(20))]);
      socket.destroy();
      expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(received).toContain('"error"');
    }
  });
});

describe("failures of the server", () => {
  it("tell nothing but that they happened, and are in the log", async () => {
    const { more } = slow();
    const { url, log, root } = await started({ more });
    const { status, json, text } = await post(`${url}/v1/fail`, {}, { "X-Request-Id": "broken" });
    expect(status).toBe(500);
    expect(json.error).toMatchObject({
      code: "internal",
      message: "The server failed to answer.",
      requestId: "broken",
    });
    expect(text).not.toContain(root);
    expect(text).not.toContain("undefined");
    const logged = log.find(({ level }) => level === 50);
    expect(logged).toMatchObject({
      requestId: "broken",
      err: { type: "TypeError", stack: expect.stringContaining(" at ") },
    });
  });

  it("of the client are explained in the log only when it is asked to", async () => {
    const { url, log } = await started({ settings: { log: "debug" } });
    await post(`${url}/v1/search`, { query: "x", tests: "zanzibarium" });
    const { level } = log.find((line) => JSON.stringify(line).includes("zanzibarium"))!;
    expect(level).toBe(20);
  });

  it("as events say the same", async () => {
    const { more } = slow();
    const { url } = await started({ more });
    const { status, text } = await post(`${url}/v1/fail`, {}, { Accept: "text/event-stream" });
    expect(status).toBe(200);
    expect(text).toMatch(/event: error\ndata: \{"error":\{"code":"internal","message":"The server failed to answer\."/);
  });
});

describe("long work as events", () => {
  it("reports progress and ends with the result", async () => {
    const { open, more } = slow();
    const { url } = await started({ more });
    open();
    const { headers, text } = await post(`${url}/v1/wait`, { steps: 3 }, { Accept: "text/event-stream" });
    expect(headers["content-type"]).toBe("text/event-stream");
    const events = text.split("\n\n").filter((block) => block.startsWith("event: "));
    expect(events).toEqual([
      'event: progress\ndata: {"stage":"step 1","done":1,"total":3}',
      'event: progress\ndata: {"stage":"step 2","done":2,"total":3}',
      'event: progress\ndata: {"stage":"step 3","done":3,"total":3}',
      'event: result\ndata: {"ended":1}',
    ]);
  });

  it("shows indexing as it goes", async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`a${i}.md`, `# Title ${i}\n\nWords.\n`]));
    const { url } = await started({ files });
    const { text } = await post(`${url}/v1/index`, {}, { Accept: "text/event-stream" });
    expect(text).toMatch(/event: progress\ndata: \{"stage":"/);
    expect(text).toMatch(/event: result\ndata: \{.*"indexed":30/);
  });

  it("refuses a wrong input with a status, before there are events", async () => {
    const { url } = await started();
    const { status, headers } = await post(`${url}/v1/search`, { query: 5 }, { Accept: "text/event-stream" });
    expect([status, headers["content-type"]?.startsWith("application/json")]).toEqual([400, true]);
  });

  it("is not cut off by the time limit, and stops when its reader leaves", async () => {
    const { seen, more } = slow();
    const { url } = await started({ settings: { timeout: 0.1 }, more });
    const controller = new AbortController();
    const response = await fetch(`${url}/v1/wait`, {
      method: "POST",
      headers: { Accept: "text/event-stream" },
      signal: controller.signal,
    });
    expect(response.status).toBe(200);
    await sleep(300);
    expect(seen.aborted).toBe(0);
    controller.abort();
    await until(() => seen.aborted === 1);
  });

  it("ends all the same where its reader stays for ever", async () => {
    const { seen, more } = slow();
    const { url } = await started({ settings: { timeout: 0.1 }, more });
    const response = await fetch(`${url}/v1/wait`, { method: "POST", headers: { Accept: "text/event-stream" } });
    expect(await response.text()).toContain('"code":"timed-out"');
    expect(seen.aborted).toBe(1);
  });
});

describe("the end", () => {
  it("finishes what runs, and takes no more", async () => {
    const { seen, open, more } = slow();
    const { url, server } = await started({ more });
    const held = post(`${url}/v1/wait`, {});
    await until(() => seen.started === 1);
    const closed = server.close();
    await sleep(50);
    await expect(ask(`${url}/healthz`)).rejects.toThrow(/ECONNREFUSED/);
    open();
    const { status, headers } = await held;
    expect([status, headers.connection]).toEqual([200, "close"]);
    await closed;
  });

  it("tells what takes too long to stop", async () => {
    const { seen, more } = slow();
    const { url, server } = await started({ more, patience: { finish: 100, notice: 1000 } });
    const held = post(`${url}/v1/wait`, {});
    await until(() => seen.started === 1);
    await server.close();
    const { status, json } = await held;
    expect([status, json.error.message]).toEqual([503, "The server is shutting down."]);
    expect(seen).toMatchObject({ aborted: 1, ended: 0 });
  });

  it("comes even if the work hears no signal", async () => {
    const { seen, open, more } = slow();
    const { url, server } = await started({ more, patience: { finish: 50, notice: 50 } });
    const held = post(`${url}/v1/wait`, { deaf: true });
    await until(() => seen.started === 1);
    await server.close();
    expect((await held).status).toBe(503);
    expect(seen.ended).toBe(0);
    open();
  });

  it("does not wait for connections that ask nothing", async () => {
    const { url, server } = await started({ patience: { next: 60_000, finish: 60_000 } });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(socket, "data");
    await Promise.all([server.close(), once(socket, "close")]);
  });
});

describe("32 connections", () => {
  it("are answered, each with its own answer", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 32 }, (_, i) => [`word${i}.md`, `# Title\n\nThe uniqueword${i} is here.\n`]),
    );
    const { url } = await started({ files });
    expect((await post(`${url}/v1/index`, {})).status).toBe(200);
    const connection = async (first: number) => {
      for (let i = first; i < 96; i += 32) {
        const { status, text } = await post(`${url}/v1/search`, { query: `uniqueword${i % 32}`, limit: 1 });
        expect(status).toBe(200);
        expect(text).toContain(`word${i % 32}.md`);
      }
    };
    await Promise.all(Array.from({ length: 32 }, (_, first) => connection(first)));
  });
});

import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mount } from "../../src/operations/core/serving.ts";
import { ask, bearer, post, type RunningServer, start } from "./http-server.ts";

/** Runs what it is told to, as another surface would. */
const mount: Mount = ({ operations, stopping }) => [
  {
    path: "/beside",
    methods: ["GET", "POST", "DELETE"],
    summary: "Answer beside the operations",
    scope: "read",
    headers: ["X-Session"],
    async handle(request, { caller, requestId, json, perform }) {
      if (request.method === "GET") {
        const encoder = new TextEncoder();
        const body = new ReadableStream({
          start(controller) {
            controller.enqueue(encoder.encode(": open\n\n"));
            stopping.addEventListener("abort", () => controller.close(), { once: true });
          },
        });
        return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
      }
      if (request.method === "DELETE") return new Response(null, { status: 204 });
      const [name, input] = (await json()) as [string, Record<string, unknown>];
      const operation = operations.find((each) => each.name === name)!;
      const output = await perform(operation, input, { signal: request.signal, nameOf: (key) => `<${key}>` });
      return Response.json({ owner: caller.owner, requestId, output }, { headers: { "X-Session": "7" } });
    },
  },
];

describe("another surface on the same server", () => {
  let running: RunningServer;
  let keys: Record<"read" | "write", string>;
  const say = (key: string, body: unknown, headers = {}) =>
    post(`${running.url}/beside`, body, { ...bearer(key), ...headers });

  beforeAll(async () => {
    running = await start({
      mounts: [mount],
      settings: { maxBody: 1000, allowOrigin: ["https://app.example.org"] },
      patience: { finish: 30_000 },
    });
    keys = { read: await running.key("ada", "read"), write: await running.key("ada", "write") };
  });
  afterAll(() => running.close());

  it("is asked only with a key, by an allowed name and page", async () => {
    expect((await post(`${running.url}/beside`, [])).status).toBe(401);
    expect((await say("dsr_wrong", [])).status).toBe(401);
    expect((await say(keys.read, [], { Host: "evil.example" })).status).toBe(421);
    expect((await say(keys.read, [], { Origin: "https://evil.example" })).status).toBe(403);
  });

  it("runs operations for the key's owner, as far as its scope goes", async () => {
    const shown = await say(keys.read, ["references", { thread: "thr-none" }], { "X-Request-Id": "mine" });
    expect([shown.status, shown.json.error.requestId]).toEqual([404, "mine"]);
    const wrong = await say(keys.read, ["remember", { content: "Mine." }]);
    expect([wrong.status, wrong.json.error.code]).toEqual([403, "not-allowed"]);
    const right = await say(keys.write, ["remember", { content: "Mine." }]);
    expect(right.json).toMatchObject({ owner: "ada", output: { stored: true } });
    const status = await say(keys.read, ["status", {}]);
    expect(status.json).toMatchObject({ output: { root: "." } });
    const named = await say(keys.read, ["search", { query: "x", limit: 0 }]);
    expect(named.json.error.message).toBe("<limit> takes a whole number from 1 to 500, not 0.");
    expect((await say(keys.read, ["search", { query: "x", path: "/etc" }])).status).toBe(400);
  });

  it("has its bodies and methods checked, is counted and described", async () => {
    expect((await say(keys.read, "[")).status).toBe(400);
    expect((await say(keys.read, ["search", { query: "x".repeat(2000) }])).status).toBe(413);
    const put = await ask(`${running.url}/beside`, { method: "PUT", headers: bearer(keys.read) });
    expect([put.status, put.headers.allow]).toEqual([405, "GET, HEAD, POST, DELETE"]);
    expect((await ask(`${running.url}/beside`, { method: "DELETE", headers: bearer(keys.read) })).status).toBe(204);
    const { text } = await ask(`${running.url}/metrics`);
    expect(text).toMatch(/dossier_http_requests_total\{method="DELETE",route="\/beside",status="204"\} 1/);
    const { json } = await ask(`${running.url}/openapi.json`);
    const { paths } = json as unknown as { paths: Record<string, object> };
    expect(Object.keys(paths["/beside"]!)).toEqual(["get", "post", "delete"]);
    expect((await ask(`${running.url}/docs`)).text).toContain("<code>/beside</code>");
  });

  it("lets pages send and read the headers it names", async () => {
    const origin = { Origin: "https://app.example.org" };
    const before = await ask(`${running.url}/beside`, {
      method: "OPTIONS",
      headers: { ...origin, "Access-Control-Request-Method": "POST" },
    });
    expect(before.headers["access-control-allow-headers"]).toBe("Authorization, Content-Type, X-Request-Id, X-Session");
    expect(before.headers["access-control-allow-methods"]).toBe("GET, POST, DELETE");
    const asked = await say(keys.read, ["lenses", {}], origin);
    expect(asked.headers["access-control-expose-headers"]).toBe("X-Request-Id, Retry-After, X-Session");
  });

  it("is told when the server stops, so that its streams do not hold it up", async () => {
    const response = await fetch(`${running.url}/beside`, { headers: bearer(keys.read) });
    const reader = response.body!.getReader();
    await reader.read();
    const ended = (async () => {
      while (!(await reader.read()).done);
    })();
    // It would wait 30 seconds for the stream otherwise.
    const late = new AbortController();
    const limit = once(AbortSignal.any([AbortSignal.timeout(20_000), late.signal]), "abort").then(() => "late");
    expect(await Promise.race([running.server.close().then(() => "closed"), limit])).toBe("closed");
    late.abort();
    await ended;
  });
});

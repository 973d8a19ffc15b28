import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../../src/operations/core/call.ts";
import { allOperations } from "../../src/operations/core/registry.ts";
import { ask, bearer, post, type RunningServer, start } from "./http-server.ts";

const files = {
  "README.md": "# Shop\n\nCards are charged by processPayment.\n",
  "pay.ts": "/** Charges a card. */\nexport function processPayment(card: string) {\n  return charge(card);\n}\n",
};

/** As JSON, without what differs from one run to the next. */
function timeless(output: unknown): unknown {
  const changing = /^(?:milliseconds|assembledAt|generatedAt|updated|bytes|.*Ms)$/;
  return JSON.parse(JSON.stringify(output, (key, value: unknown) => (changing.test(key) ? undefined : value)));
}

describe("without any key", () => {
  let running: RunningServer;
  beforeAll(async () => {
    running = await start({ files });
  });
  afterAll(() => running.close());

  it("answers every operation of the registry that is not the command line's alone", async () => {
    const operations = await allOperations();
    const { json } = await ask(`${running.url}/openapi.json`);
    const described = Object.keys((json as unknown as { paths: object }).paths).filter((path) =>
      path.startsWith("/v1/"),
    );
    const first = ["/v1/context/build", "/v1/context/feedback", "/v1/context/stats"];
    const offered = operations.filter(({ onlyOn }) => !onlyOn).map(({ name }) => `/v1/${name}`);
    expect(described).toEqual([...offered, ...first]);
    for (const { name } of operations.filter(({ onlyOn }) => onlyOn)) {
      expect((await post(`${running.url}/v1/${name}`, {})).status).toBe(404);
    }
  });

  const questions: [string, Record<string, unknown>][] = [
    ["search", { query: "processPayment" }],
    ["context", { query: "processPayment", maxTokens: 500, format: "xml" }],
    ["context_query", { query: "processPayment" }],
    ["assemble_context", { query: "processPayment" }],
    ...[
      "status",
      "notes",
      "lenses",
      "memories",
      "documents",
      "threads",
      "mentions",
      "experiences",
      "values",
      "export",
    ].map((name): [string, Record<string, unknown>] => [name, {}]),
  ];

  it.each(questions)("gives the same answer as the operation %s itself", async (name, input) => {
    const { status, json, headers } = await post(`${running.url}/v1/${name}`, input);
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(/^application\/json/);
    const operation = (await allOperations()).find((each) => each.name === name)!;
    const { output } = await call(operation, { ...input, path: running.root }, { workspace: running.workspace });
    expect(timeless(json)).toEqual(timeless(output));
  });

  it("takes no body for an empty one", async () => {
    const { status, json } = await ask(`${running.url}/v1/status`, { method: "POST" });
    expect(status).toBe(200);
    expect(json).toMatchObject({ files: 2 });
  });

  it.each(["path", "workspace"])("takes no %s from outside", async (key) => {
    const { status, json } = await post(`${running.url}/v1/search`, { query: "x", [key]: "/etc" });
    expect(status).toBe(400);
    expect(json.error.message).toContain(`takes no ${key}`);
  });

  it("does not watch for a caller", async () => {
    const { status, json } = await post(`${running.url}/v1/index`, { watch: true });
    expect(status).toBe(400);
    expect(json.error.message).toBe("index takes no watch from afar: the command line alone does that.");
  });

  it.each<[string, string, Record<string, string>, number, RegExp]>([
    ["malformed JSON", '{"query": "x"', {}, 400, /not valid JSON/],
    ["bytes that are no text", "\u0000", {}, 400, /not valid JSON/],
    ["a list", "[]", {}, 400, /must be a JSON object/],
    ["null", "null", {}, 400, /must be a JSON object/],
    ["a wrong type", '{"query": 5}', {}, 400, /query takes a text, not 5/],
    ["a wrong choice", '{"query":"x","tests":"maybe"}', {}, 400, /tests takes one of auto, include, exclude, only/],
    ["an unknown input", '{"query":"x","limmit":3}', {}, 400, /takes no limmit\. Did you mean limit\?/],
    ["an input that objects are born with", '{"query":"x","__proto__":{"limit":3}}', {}, 400, /takes no __proto__/],
    ["an empty question", '{"query":" "}', {}, 400, /query is empty/],
    ["another type of content", "query=x", { "Content-Type": "application/x-www-form-urlencoded" }, 415, /urlencoded/],
    ["no type of content", '{"query":"x"}', { "Content-Type": "" }, 415, /of no type/],
    ["a packed body", '{"query":"x"}', { "Content-Encoding": "gzip" }, 415, /gzip/],
    ["a body nested without end", `{"query":${"[".repeat(200_000)}`, {}, 400, /nested deeper/],
  ])("%s is refused in one sentence", async (_what, body, headers, status, message) => {
    const answer = await post(`${running.url}/v1/search`, body, headers);
    expect(answer.status).toBe(status);
    expect(answer.json.error.message).toMatch(message);
    expect(answer.json.error.fix).not.toBe("");
    expect(answer.json.error.requestId).toBe(answer.headers["x-request-id"]);
    expect(answer.text).not.toMatch(/\n\s+at |node_modules|\/src\//);
  });

  it("knows no other route, and says which method a route takes", async () => {
    const unknown = await ask(`${running.url}/v2/search`);
    expect([unknown.status, unknown.json.error.code]).toEqual([404, "unknown-route"]);
    const wrong = await ask(`${running.url}/v1/search`);
    expect([wrong.status, wrong.headers.allow]).toEqual([405, "POST"]);
    const read = await ask(`${running.url}/healthz`, { method: "DELETE" });
    expect([read.status, read.headers.allow]).toEqual([405, "GET, HEAD"]);
    expect((await ask(`${running.url}/healthz`, { method: "HEAD" })).status).toBe(200);
  });

  it("is alive and ready", async () => {
    expect((await ask(`${running.url}/healthz`)).json).toEqual({ status: "ok" });
    expect((await ask(`${running.url}/readyz`)).json).toEqual({ status: "ready" });
  });

  it("echoes a sane request id and replaces any other", async () => {
    const named = await ask(`${running.url}/healthz`, { headers: { "X-Request-Id": "order-66:a.b" } });
    expect(named.headers["x-request-id"]).toBe("order-66:a.b");
    for (const id of ["a b", "x".repeat(101), '"><script>']) {
      const { headers } = await ask(`${running.url}/healthz`, { headers: { "X-Request-Id": id } });
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it.each([
    "evil.example",
    "evil.example:80",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "user@localhost",
    "[::2]",
    "127.0.0.1@evil.example",
  ])("refuses the host name %s", async (host) => {
    const { status } = await ask(`${running.url}/v1/status`, { method: "POST", headers: { Host: host } });
    expect([400, 421]).toContain(status);
  });

  it.each(["localhost", "LOCALHOST:99", "127.0.0.1:1", "[::1]:8137", "localhost."])(
    "takes the host name %s",
    async (host) => {
      expect((await ask(`${running.url}/healthz`, { headers: { Host: host } })).status).toBe(200);
    },
  );

  it.each(["https://evil.example", "null", "http://localhost.evil.example", "file://"])(
    "refuses pages of %s",
    async (origin) => {
      const { status, json, headers } = await post(`${running.url}/v1/status`, {}, { Origin: origin });
      expect([status, json.error.code]).toEqual([403, "wrong-origin"]);
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    },
  );

  it("lets its own page ask", async () => {
    expect((await post(`${running.url}/v1/status`, {}, { Origin: running.url })).status).toBe(200);
  });

  it("serves nobody through a proxy", async () => {
    for (const header of ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"]) {
      const { status, json } = await post(`${running.url}/v1/status`, {}, { [header]: "203.0.113.9" });
      expect([status, json.error.code]).toEqual([401, "no-key"]);
    }
  });

  it("logs requests without what was asked", async () => {
    const before = running.log.length;
    await post(`${running.url}/v1/search`, { query: "zanzibarium processPayment" }, { "X-Request-Id": "seen" });
    await post(`${running.url}/v1/search`, { query: "zanzibarium", tests: "zanzibarium" });
    const lines = running.log.slice(before);
    expect(lines[0]).toMatchObject({ requestId: "seen", method: "POST", route: "/v1/search", status: 200 });
    expect(lines[0]!.ms).toBeTypeOf("number");
    expect(lines[0]!.owner).toMatch(/^[0-9a-f]{12}$/);
    expect(lines[1]).toMatchObject({ status: 400, code: "bad-input" });
    expect(JSON.stringify(lines)).not.toContain("zanzibarium");
  });

  it("sends headers that keep pages from misusing an answer", async () => {
    const { headers } = await ask(`${running.url}/healthz`);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    });
  });
});

describe("with keys", () => {
  let running: RunningServer;
  let keys: Record<"read" | "write" | "admin", string>;
  beforeAll(async () => {
    running = await start({
      files,
      settings: { allowOrigin: ["https://app.example.org"], allowHost: ["dossier.example.org"] },
    });
    // The server was started without any: the first one closes it to those who have none.
    expect((await post(`${running.url}/v1/status`, {})).status).toBe(200);
    keys = {
      read: await running.key("ada", "read"),
      write: await running.key("ada", "write"),
      admin: await running.key("ada", "admin"),
    };
  });
  afterAll(() => running.close());

  it("answers nothing without a key but that it is alive", async () => {
    for (const { name, onlyOn } of await allOperations()) {
      const { status, headers, json } = await post(`${running.url}/v1/${name}`, {});
      expect({ name, status }).toEqual({ name, status: 401 });
      expect(headers["www-authenticate"]).toMatch(/^Bearer/);
      if (!onlyOn) expect(json.error.code).toBe("no-key");
    }
    expect((await ask(`${running.url}/nowhere`)).status).toBe(401);
    expect((await ask(`${running.url}/healthz`)).status).toBe(200);
  });

  it("shows its description, figures and state to its own machine and to keys", async () => {
    for (const path of ["/metrics", "/docs", "/openapi.json", "/readyz"]) {
      expect((await ask(running.url + path)).status).toBe(200);
      const far = { "X-Forwarded-For": "203.0.113.9" };
      expect((await ask(running.url + path, { headers: far })).status).toBe(401);
      expect((await ask(running.url + path, { headers: { ...far, ...bearer(keys.admin) } })).status).toBe(200);
      expect((await ask(running.url + path, { headers: { ...far, ...bearer(keys.read) } })).status).toBe(
        path === "/metrics" ? 403 : 200,
      );
    }
  });

  it.each(["dsr_unknown", `dsr_${"A".repeat(43)}`, "x".repeat(5000), "' OR 1=1 --"])(
    "refuses the key %.20s",
    async (secret) => {
      const { status, json } = await post(`${running.url}/v1/status`, {}, bearer(secret));
      expect([status, json.error.code]).toEqual([401, "no-key"]);
    },
  );

  it.each(["Basic YTpi", "Bearer", "Bearer a b", ""])("refuses the header Authorization: %s", async (header) => {
    expect((await post(`${running.url}/v1/status`, {}, { Authorization: header })).status).toBe(401);
  });

  it("refuses a revoked key from the next request on, and an expired one", async () => {
    const secret = await running.key("ada", "read");
    expect((await post(`${running.url}/v1/status`, {}, bearer(secret))).status).toBe(200);
    const { id } = (await running.keys.find(secret))!;
    await running.keys.revoke(id, Date.now());
    const revoked = await post(`${running.url}/v1/status`, {}, bearer(secret));
    expect([revoked.status, revoked.json.error.message]).toEqual([401, "This key was revoked."]);
    const old = await post(`${running.url}/v1/status`, {}, bearer(await running.key("ada", "admin", Date.now() - 1)));
    expect([old.status, old.json.error.message]).toEqual([401, "This key has expired."]);
  });

  it("lets each scope do what it says and no more", async () => {
    const tries = { read: "status", write: "remember", admin: "index" } as const;
    const order = ["read", "write", "admin"] as const;
    for (const [held, scope] of order.entries()) {
      for (const [needed, other] of order.entries()) {
        const body = other === "write" ? { content: `The ${scope} key wrote this sentence.` } : {};
        const { status, json } = await post(`${running.url}/v1/${tries[other]}`, body, bearer(keys[scope]));
        expect({ scope, other, status }).toEqual({ scope, other, status: held >= needed ? 200 : 403 });
        if (held < needed) expect(json.error.code).toBe("not-allowed");
      }
    }
  });

  it("remembers when a key was used", async () => {
    const secret = await running.key("eve", "read");
    expect((await running.keys.find(secret))!.used).toBeUndefined();
    await post(`${running.url}/v1/status`, {}, bearer(secret));
    expect((await running.keys.find(secret))!.used).toBeTypeOf("number");
  });

  it("answers an allowed page with CORS headers, and its preflight without a key", async () => {
    const origin = "https://app.example.org";
    const before = await ask(`${running.url}/v1/search`, {
      method: "OPTIONS",
      headers: { Origin: origin, "Access-Control-Request-Method": "POST" },
    });
    expect(before.status).toBe(204);
    expect(before.headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "POST",
      vary: "Origin",
    });
    const { status, headers } = await post(`${running.url}/v1/status`, {}, { Origin: origin, ...bearer(keys.read) });
    expect([status, headers["access-control-allow-origin"]]).toEqual([200, origin]);
    const evil = { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" };
    expect((await ask(`${running.url}/v1/search`, { method: "OPTIONS", headers: evil })).status).toBe(403);
    // A page must be able to read why it was refused.
    expect(
      (await post(`${running.url}/v1/status`, {}, { Origin: origin })).headers["access-control-allow-origin"],
    ).toBe(origin);
  });

  it("is called by the names it was given", async () => {
    const named = { Host: "dossier.example.org", ...bearer(keys.read) };
    expect((await post(`${running.url}/v1/status`, {}, named)).status).toBe(200);
  });
});

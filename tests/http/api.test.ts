import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fieldsOf } from "../../src/operations/core/fields.ts";
import { allOperations } from "../../src/operations/core/registry.ts";
import { ask, bearer, post, type RunningServer, start } from "./http-server.ts";

type Json = Record<string, unknown>;

let running: RunningServer;
beforeAll(async () => {
  running = await start({
    files: { "pay.ts": "/** Charges a card. */\nexport function processPayment(card: string) {\n  return card;\n}\n" },
  });
});
afterAll(() => running.close());

describe("the description of the API", () => {
  let api: Json & { paths: Record<string, Record<string, Json>>; components: Record<string, Json> };
  beforeAll(async () => {
    api = (await ask(`${running.url}/openapi.json`)).json as unknown as typeof api;
  });

  const operations = () => Object.values(api.paths).flatMap((path) => Object.values(path));

  it("is OpenAPI 3.1 with a key as its security", () => {
    expect(api.openapi).toBe("3.1.0");
    expect(api.info).toMatchObject({ title: "Dossier", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(api.components.securitySchemes).toMatchObject({ key: { type: "http", scheme: "bearer" } });
    expect(api.security).toEqual([{ key: [] }]);
  });

  it("has no reference that leads nowhere", () => {
    const found: string[] = [];
    JSON.stringify(api, (key, value: unknown) => {
      if (key === "$ref") found.push(String(value));
      return value;
    });
    expect(found.length).toBeGreaterThan(50);
    const broken = [...new Set(found)].filter((reference) => {
      const parts = reference
        .slice(2)
        .split("/")
        .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
      let at: unknown = api;
      for (const part of parts) at = (at as Json | undefined)?.[part];
      return !reference.startsWith("#/") || at === undefined;
    });
    expect(broken).toEqual([]);
  });

  it("says of every route what it takes, answers and how it fails", () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const operation of operations()) {
      expect(operation.summary).toBeTypeOf("string");
      expect(operation.tags).toHaveLength(1);
      const responses = operation.responses as Record<string, Json>;
      expect(responses["200"]).toHaveProperty("description");
      for (const status of ["401", "403", "429", "500"]) expect(responses).toHaveProperty(status);
    }
    for (const [path, methods] of Object.entries(api.paths)) {
      expect(path).toMatch(/^\/[\w/.]+$/);
      // The one that is asked with a query, as the first design has it.
      if (!path.startsWith("/v1/") || path === "/v1/context/stats") continue;
      const { requestBody } = methods.post as { requestBody: { content: Record<string, { schema: Json }> } };
      expect(requestBody.content["application/json"]!.schema.$ref).toMatch(/Input$/);
    }
  });

  it("says of inputs what the operations themselves say, without those that are not taken", async () => {
    const schemas = api.components.schemas as Record<string, { properties: Record<string, Json>; required?: string[] }>;
    expect(schemas.SearchInput!.required).toEqual(["query"]);
    expect(schemas.SearchInput!.properties.limit).toMatchObject({
      type: "integer",
      minimum: 1,
      maximum: 500,
      default: 50,
    });
    for (const [name, { properties }] of Object.entries(schemas)) {
      if (!name.endsWith("Input")) continue;
      for (const key of ["path", "workspace", "watch"]) expect(properties).not.toHaveProperty(key);
    }
  });

  it("names every failure there is", () => {
    const { Failure } = api.components.schemas as {
      Failure: { properties: { error: { properties: { code: { enum: string[] } } } } };
    };
    expect(Failure.properties.error.properties.code.enum).toContain("too-many-requests");
  });

  it("has what real answers hold", async () => {
    const schemas = api.components.schemas as Record<string, { required?: string[]; properties: Record<string, Json> }>;
    const { json } = await post(`${running.url}/v1/status`, {});
    for (const key of schemas.StatusOutput!.required!) expect(json).toHaveProperty(key);
    for (const key of Object.keys(json)) expect(schemas.StatusOutput!.properties).toHaveProperty(key);
  });
});

describe("the page of the API", () => {
  let text: string;
  let headers: Awaited<ReturnType<typeof ask>>["headers"];
  beforeAll(async () => {
    ({ text, headers } = await ask(`${running.url}/docs`));
  });
  const matches = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found!);

  it("shows every route, with what it takes", async () => {
    expect(headers["content-type"]).toMatch(/^text\/html/);
    for (const operation of await allOperations()) {
      const { name, onlyOn } = operation;
      const part = text.split("<section ").find((each) => each.includes(`<code>/v1/${name}</code></a></h3>`));
      expect(part !== undefined).toBe(!onlyOn);
      for (const { key } of onlyOn ? [] : fieldsOf(operation)) {
        expect({ key, shown: part!.includes(`<th scope="row"><code>${key}</code>`) }).toMatchObject({
          key,
          shown: !["path", "workspace", "watch"].includes(key),
        });
      }
    }
    for (const path of ["/context/build", "/metrics", "/healthz"]) expect(text).toContain(`<code>${path}</code>`);
    expect(text).toContain("integer from 1 to 500; default 50");
  });

  it("links to every route from its contents, and to nothing that is not there", () => {
    const ids = matches(/ id="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const contents = /<nav[^>]*>([\s\S]*)<\/nav>/.exec(text)![1]!;
    const linked = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
    expect(linked.filter((id) => !ids.includes(id))).toEqual([]);
    const sections = matches(/<section id="([^"]+)"/g);
    expect(sections.length).toBeGreaterThan(50);
    expect(sections.filter((id) => !linked.includes(id))).toEqual([]);
  });

  it("is well-formed, and loads nothing from anywhere", () => {
    expect(text).not.toMatch(/<link|<img|<iframe|<object| src=|@import|url\(| on\w+=/);
    expect(text).not.toMatch(/href="(?!\/openapi\.json|#)/);
    const markup = text.replace(/<(style|script)>[\s\S]*?<\/\1>/g, "");
    const open: string[] = [];
    for (const [, slash, name] of markup.matchAll(/<(\/?)(\w+)(?:\s[^>]*)?>/g)) {
      if (["meta", "input", "br"].includes(name!)) continue;
      if (slash) expect(open.pop()).toBe(name);
      else open.push(name!);
    }
    expect(open).toEqual([]);
  });

  it("has the style and the script that its policy allows, and no others", async () => {
    const { createHash } = await import("node:crypto");
    const { compileFunction } = await import("node:vm");
    const policy = headers["content-security-policy"] as string;
    expect(policy).toMatch(/^default-src 'none'; style-src '[^']+'; script-src '[^']+'; connect-src 'self'; /);
    for (const [kind, tag] of [
      ["style-src", "style"],
      ["script-src", "script"],
    ]) {
      const parts = matches(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, "g"));
      expect(parts).toHaveLength(1);
      const hash = createHash("sha256").update(parts[0]!).digest("base64");
      expect(policy).toContain(`${kind} 'sha256-${hash}';`);
      if (tag === "script") expect(() => compileFunction(parts[0]!)).not.toThrow();
    }
  });
});

/** Samples by name and labels; throws on a line that Prometheus could not read. */
function samples(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (line === "" || /^# (HELP|TYPE) [a-z_:][\w:]* /i.test(line)) continue;
    const parts = /^([a-z_:][\w:]*(?:\{(?:[a-z_]\w*="(?:[^"\\]|\\.)*",?)*\})?) (-?[\d.e+-]+|NaN|[+-]Inf)$/i.exec(line);
    if (!parts) throw new Error(`Not a sample: ${line}`);
    found.set(parts[1]!, Number(parts[2]));
  }
  return found;
}

describe("the figures", () => {
  it("count requests by route and status, and never by what was asked", async () => {
    const before = samples((await ask(`${running.url}/metrics`)).text);
    await post(`${running.url}/v1/search`, { query: "zanzibarium" });
    await post(`${running.url}/v1/search`, { query: 5 });
    await ask(`${running.url}/zanzibarium/${"x".repeat(50)}`);
    const { text, headers } = await ask(`${running.url}/metrics`);
    expect(headers["content-type"]).toMatch(/^text\/plain; version=/);
    const after = samples(text);
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('dossier_http_requests_total{method="POST",route="/v1/search",status="200"}')).toBe(1);
    expect(grown('dossier_http_requests_total{method="POST",route="/v1/search",status="400"}')).toBe(1);
    expect(grown('dossier_http_requests_total{method="GET",route="other",status="404"}')).toBe(1);
    expect(grown('dossier_errors_total{code="bad-input"}')).toBe(1);
    expect(grown('dossier_http_request_duration_seconds_count{method="POST",route="/v1/search",status="200"}')).toBe(1);
    expect(text).not.toContain("zanzibarium");
  });

  it("measure the stages, tokens and items of a context", async () => {
    const { json } = await post(`${running.url}/v1/context`, { query: "processPayment" });
    const { items, tokens } = json as unknown as { items: unknown[]; tokens: { used: number } };
    expect(items.length).toBeGreaterThan(0);
    const { text } = await ask(`${running.url}/metrics`);
    const after = samples(text);
    for (const name of ["assembly", "search", "scoring", "optimising"]) {
      expect(after.get(`dossier_${name}_seconds_count{operation="context"}`)).toBe(1);
    }
    expect(after.get('dossier_context_tokens_sum{operation="context"}')).toBe(tokens.used);
    expect(after.get('dossier_context_items_sum{operation="context"}')).toBe(items.length);
    expect(after.get("context_assembly_time_count")).toBe(1);
    expect(after.get("context_token_usage")).toBe(tokens.used);
    expect(after.get("dossier_operations_running")).toBe(0);
  });
});

describe("the routes of the first design", () => {
  it("build a context, take feedback and tell their figures", async () => {
    // An owner that no other test file has: figures are kept for the process, by owner.
    const key = await running.key("keeper of the ledger", "write");
    const misses = async () =>
      samples((await ask(`${running.url}/metrics`)).text).get('dossier_cache_requests_total{result="miss"}') ?? 0;
    const before = await misses();
    const say = (path: string, body: unknown) => post(`${running.url}${path}`, body, bearer(key));
    await say("/v1/put_document", {
      document: "notes/plan.md",
      content: "# Plan\n\nThe ledger is closed on Fridays.\n",
    });
    const thread = (
      (await say("/v1/thread", { step: "create", title: "Ledger" })).json as unknown as { thread: { id: string } }
    ).thread;
    const built = await say("/context/build", { threadId: thread.id, message: "when is the ledger closed?" });
    expect(built.status).toBe(200);
    const { data, meta } = built.json as unknown as {
      data: { totalTokens: number; items: { id: string; content: string }[]; citations: unknown[] };
      meta: object;
    };
    expect(data.items.map(({ content }) => content).join()).toContain("closed on Fridays");
    expect(meta).toEqual({
      tokenUsage: data.totalTokens,
      sourceCount: data.items.length,
      citationCount: data.citations.length,
    });
    const rated = await say("/context/feedback", { contextItemId: data.items[0]!.id, useful: true });
    expect([rated.status, rated.json]).toMatchObject([200, { success: true, event: expect.stringMatching(/^use-/) }]);
    const stats = await ask(`${running.url}/context/stats`, { headers: bearer(key) });
    expect(stats.json).toMatchObject({ builds: 1, library: { documents: 1, threads: 1 } });
    expect((await misses()) - before).toBe(1);
    const unknown = await say("/context/build", { threadId: "thr-nobodys", message: "anything" });
    expect(unknown.status).toBe(404);
  });
});

describe("the description of what routes take", () => {
  type Described = {
    paths: Record<string, Record<string, { operationId: string; parameters?: { name: string }[]; requestBody?: Body }>>;
    components: { schemas: Record<string, { properties: Record<string, Json>; required?: string[] }> };
  };
  type Body = { content: { "application/json": { schema: { $ref: string } } } };
  let described: Described;
  beforeAll(async () => {
    described = (await ask(`${running.url}/openapi.json`)).json as unknown as Described;
  });
  const takes = (path: string) => {
    const { $ref } = described.paths[path]!.post!.requestBody!.content["application/json"].schema;
    return described.components.schemas[$ref.split("/").at(-1)!]!;
  };

  it("names the inputs of the first design as it does, with and without a version in the path", () => {
    for (const prefix of ["", "/v1"]) {
      expect(Object.keys(takes(`${prefix}/context/build`).properties)).toContain("threadId");
      expect(Object.keys(takes(`${prefix}/context/build`).properties)).not.toContain("thread");
      expect(takes(`${prefix}/context/feedback`).properties).toHaveProperty("contextItemId");
      expect(described.paths[`${prefix}/context/stats`]).toHaveProperty("get");
    }
    expect(Object.keys(takes("/v1/prime_context").properties)).toContain("thread");
    const ids = Object.values(described.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("takes blocks and messages as JSON, not as JSON in a string", async () => {
    expect(takes("/v1/say").properties).toMatchObject({ blocks: { type: "array" }, messages: { type: "array" } });
    const key = bearer(await running.key("bea", "write"));
    const made = await post(`${running.url}/v1/thread`, { step: "create", title: "Tides" }, key);
    const { id } = (made.json as unknown as { thread: { id: string } }).thread;
    const blocks = [{ type: "text", text: "High water is at nine." }];
    const messages = [
      { role: "user", content: "And low water?" },
      { role: "assistant", content: "At three." },
    ];
    for (const spoken of [{ blocks }, { messages }, { messages: JSON.stringify(messages) }]) {
      const { status, json } = await post(`${running.url}/v1/say`, { thread: id, ...spoken }, key);
      expect([status, json.error]).toEqual([200, undefined]);
    }
  });

  it("answers under the versioned paths of the first design as under the others", async () => {
    const key = bearer(await running.key("cai", "write"));
    const built = await post(`${running.url}/v1/context/build`, { message: "when is high water?" }, key);
    expect([built.status, Object.keys(built.json)]).toEqual([200, ["data", "meta"]]);
    expect((await ask(`${running.url}/v1/context/stats`, { headers: key })).status).toBe(200);
  });
});

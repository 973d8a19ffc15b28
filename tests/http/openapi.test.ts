import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import createClient from "openapi-fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorCodes } from "../../src/errors.ts";
import { fieldsOf } from "../../src/operations/core/fields.ts";
import { allOperations } from "../../src/operations/core/registry.ts";
import { mountMcp } from "../../src/surfaces/mcp/transport/http.ts";
import { calls, type Earlier } from "../parity/calls.ts";
import { type Fixture, makeFixture } from "../parity/fixture.ts";
import { compiled } from "./api-types.ts";
import { ask, type RunningServer, start } from "./http-server.ts";

type Json = Record<string, unknown>;
type Api = { paths: Record<string, Record<string, { responses: Json }>> };
type Method = "GET" | "POST" | "DELETE";
type Made = { method: Method; path: string; body?: Json; status: number; data: unknown };
/** What a generated client is at run time: the types are looked at by the compiler, below. */
type Asks = Record<Method, (path: string, init: object) => Promise<{ data?: unknown; response: Response }>>;

let fixture: Fixture;
let running: RunningServer;
let api: Api;
let text: string;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dossier-api-"));
  fixture = await makeFixture();
  running = await start({ at: fixture.place("openapi").root, mounts: [mountMcp] });
  ({ text } = await ask(`${running.url}/openapi.json`));
  api = JSON.parse(text) as Api;
});
afterAll(async () => {
  await running.close();
  fixture.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe("the description of the API", () => {
  it("follows the recommended rules of its trade", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });
});

describe("the failures in the description", () => {
  it("are all that operations can have", () => {
    const { responses } = api.paths["/v1/put_document"]!.post!;
    const statuses = new Set(Object.values(errorCodes).map(({ http }) => String(http)));
    // Of another method than the route has: there is no such route to describe.
    statuses.delete("405");
    expect([...statuses].filter((status) => !Object.hasOwn(responses, status))).toEqual([]);
  });
});

/** Inputs of the routes that the calls of the parity test do not reach. */
const others: Pick<Made, "method" | "path" | "body">[] = [
  { method: "POST", path: "/v1/say", body: { thread: "Closing", blocks: [{ type: "text", text: "On Mondays?" }] } },
  { method: "POST", path: "/v1/say", body: { thread: "Closing", messages: [{ role: "user", content: "When?" }] } },
  ...["", "/v1"].flatMap((prefix): Pick<Made, "method" | "path" | "body">[] => [
    { method: "POST", path: `${prefix}/context/build`, body: { threadId: "Closing", message: "When do we close?" } },
    { method: "POST", path: `${prefix}/context/feedback`, body: { contextItemId: "mem-cents", useful: true } },
    { method: "GET", path: `${prefix}/context/stats` },
  ]),
  ...["/healthz", "/readyz", "/metrics", "/openapi.json", "/docs"].map((path) => ({ method: "GET" as const, path })),
];

describe("a client that is generated from the description", () => {
  const made: Made[] = [];
  beforeAll(async () => {
    const client = createClient({ baseUrl: running.url }) as unknown as Asks;
    const request = async (method: Method, path: string, body?: Json) => {
      const isText = !JSON.stringify(api.paths[path]?.[method.toLowerCase()]?.responses["200"]).includes("json");
      const { data, response } = await client[method](path, { body, parseAs: isText ? "text" : "json" });
      made.push({ method, path, body, status: response.status, data });
      return data;
    };
    const operations = new Map((await allOperations()).map((each) => [each.name, each]));
    const parameters: Record<string, never> = {};
    const earlier: Earlier = { own: parameters, library: parameters };
    for (const { operation, as, input } of calls) {
      const body = { ...(typeof input === "function" ? input(earlier) : input) };
      for (const { key, json } of fieldsOf(operations.get(operation)!)) {
        if (json && key in body) body[key] = JSON.parse(String(body[key]));
      }
      const data = await request("POST", `/v1/${operation}`, body);
      if (as !== undefined) parameters[as] = data as never;
    }
    for (const { method, path, body } of others) await request(method, path, body);
  }, 300_000);

  it("calls every route, and all of them answer", () => {
    expect(made.filter(({ status }) => status !== 200)).toEqual([]);
    const described = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const called = new Set(made.map(({ method, path }) => `${method} ${path}`));
    // An agent's messages have a protocol and a description of their own.
    expect(described.filter((route) => !called.has(route) && !route.endsWith(" /mcp"))).toEqual([]);
  });

  it("is answered with what the description says", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema(api, "api");
    const checks = new Map<string, ValidateFunction>();
    for (const { method, path, data } of made) {
      const type = typeof data === "string" ? undefined : "application~1json";
      if (!type) continue;
      const place = `api#/paths/${path.replaceAll("/", "~1")}/${method.toLowerCase()}/responses/200/content/${type}/schema`;
      const check = checks.get(place) ?? ajv.compile({ $ref: place });
      checks.set(place, check);
      check(data);
      expect([path, check.errors ?? []]).toEqual([path, []]);
    }
    expect(checks.size).toBeGreaterThan(50);
  });

  it("has types that take what the server takes, and nothing else", async () => {
    const lines = made.flatMap(({ method, path, body }) => {
      const init = body === undefined ? "" : `, { body: ${JSON.stringify(body)} }`;
      return [`await client.${method}(${JSON.stringify(path)}${init});`];
    });
    const source = `
      import createClient from "openapi-fetch";
      import type { paths } from "./paths.ts";
      const client = createClient<paths, "application/json">({ baseUrl: "http://127.0.0.1" });
      ${lines.join("\n")}
      const { data, error } = await client.POST("/v1/context/build", { body: { threadId: "t", message: "m" } });
      export const tokens: number | undefined = data?.meta.tokenUsage;
      export const texts: string[] | undefined = data?.data.items.map(({ content }) => content);
      export const why: string | undefined = error?.error.message;
      // @ts-expect-error: a question is needed.
      await client.POST("/v1/search", { body: {} });
      // @ts-expect-error: a limit is a number.
      await client.POST("/v1/search", { body: { query: "q", limit: "5" } });
      // @ts-expect-error: messages are no text.
      await client.POST("/v1/say", { body: { thread: "t", messages: "[]" } });
    `;
    expect(await compiled(api, source, join(folder, "client"))).toBe("");
  }, 120_000);
});

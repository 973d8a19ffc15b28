import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, type HttpAnswer, post, type RunningServer, start } from "./http-server.ts";

/**
 * Inputs made from the description of the API: some as it says, some nearly so, some not at all. The same in every run
 * (`tests/seed.ts`).
 */
type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  $ref?: string;
};
type Described = { requestBody?: { content: Record<string, { schema: Schema }> }; parameters?: { name: string }[] };
type Api = { paths: Record<string, Record<string, Described>>; components: { schemas: Record<string, Schema> } };

const runs = 15;

/** `model` could ask hosts that were made up. */
const leftOut = ["/v1/model"];

const odd = fc.constantFrom(
  ..."|\0|\ud800|../../etc/passwd|%00|{|[[|@|\"|'; drop table documents;--|9999-99-99|-1d|1e999|99999999999w".split(
    "|",
  ),
  ..."thr-|doc-|mem-zzz|[cod-1]|use-1|bun-0|exp-1|val-1|~|!**|**/*?*?*?*?Z|{1..9999}|a.md|.npmrc|x/".split("|"),
  "é".repeat(3000),
  "(a+)+$".repeat(200),
);
const text = fc.oneof(
  { weight: 2, arbitrary: odd },
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.lorem({ maxCount: 8 }),
);

function anyOf(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: fitting(schema) }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) });
}

function fitting({ type, enum: choices, const: only, minimum = -5, maximum, items, properties, required }: Schema) {
  if (only !== undefined) return fc.constant(only);
  if (choices) return fc.constantFrom(...choices);
  if (type === "boolean") return fc.boolean();
  if (type === "integer") return fc.oneof(fc.integer({ min: minimum, max: Math.max(minimum, maximum ?? 100) }), edges);
  if (type === "number") return fc.oneof(fc.double({ min: minimum, max: maximum ?? 10, noNaN: true }), edges);
  if (type === "array") return fc.array(items ? anyOf(items) : fc.jsonValue(), { maxLength: 3 });
  if (type === "object") return objectOf({ properties, required });
  return text;
}

const edges = fc.constantFrom(0, -1, 1, 0.5, 2 ** 31, Number.MAX_SAFE_INTEGER, -1e308);

/** What is required is nearly always there, and now and then something that nobody asked for. */
function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const parts = Object.entries(properties).map(([key, schema]) => {
    const absent = required.includes(key) ? { freq: 12 } : { freq: 1 };
    return [key, fc.option(anyOf(schema), { nil: undefined, ...absent })] as const;
  });
  const more = fc.option(fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue(), { maxKeys: 1 }), { freq: 1 });
  return fc.tuple(fc.record(Object.fromEntries(parts)), fc.boolean(), more).map(([given, strays, rest]) => ({
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(strays && rest),
  }));
}

let running: RunningServer;
let api: Api;
beforeAll(async () => {
  running = await start({
    files: {
      "pay.ts": "/** Charges a card. */\nexport function pay(card: string) {\n  return card;\n}\n",
      "README.md": "# Ledger\n\nBooks amounts in cents.\n",
    },
    settings: { rate: 0, timeout: 30 },
  });
  api = (await ask(`${running.url}/openapi.json`)).json as unknown as Api;
  await post(`${running.url}/v1/put_document`, { document: "a.md", content: "# A\n\nThe ledger closes on Fridays." });
  await post(`${running.url}/v1/thread`, { step: "create", title: "Ledger" });
  await post(`${running.url}/v1/say`, { thread: "Ledger", text: "When does it close?" });
  await post(`${running.url}/v1/remember`, { content: "Amounts are kept in cents." });
});
afterAll(() => running.close());

/** Nothing is the server's fault, and whatever is refused is refused in words. */
function judge(sent: string, { status, json }: HttpAnswer): void {
  if (status === 200) return;
  const { code, message, fix, requestId } = json.error ?? {};
  expect([sent, status < 500, typeof code, typeof message, typeof fix, typeof requestId]).toEqual([
    sent,
    true,
    "string",
    "string",
    "string",
    "string",
  ]);
  expect(message).toMatch(/^\S[\s\S]*[.?!]\W?$/);
}

describe("whatever is asked", () => {
  it("is answered, or refused with a code and a sentence", async () => {
    const routes = Object.entries(api.paths).filter(([path, { post }]) => post?.requestBody && !leftOut.includes(path));
    expect(routes.length).toBeGreaterThan(45);
    for (const [path, methods] of routes) {
      const { $ref = "" } = methods.post!.requestBody!.content["application/json"]!.schema;
      const schema = api.components.schemas[$ref.split("/").at(-1)!]!;
      await fc.assert(
        fc.asyncProperty(objectOf(schema), async (input) => {
          const body = JSON.stringify(input);
          judge(`${path} ${body}`.slice(0, 3000), await post(`${running.url}${path}`, body));
        }),
        { numRuns: runs, endOnFailure: true },
      );
    }
  }, 600_000);

  it("is refused where it is no JSON object, or of another kind", async () => {
    const bodies = ["", "[]", "null", "5", '"x"', "{", '{"query":', '{"__proto__":{"a":1}}', "\ufeff{}", '{"a":1}{}'];
    for (const path of Object.keys(api.paths)) {
      for (const body of api.paths[path]!.post ? bodies : []) judge(path, await post(`${running.url}${path}`, body));
      for (const method of ["GET", "PUT", "PATCH", "DELETE", "TRACE"]) {
        const answer = await ask(`${running.url}${path}?limit=x&limit=%00&${encodeURIComponent("[]")}=1`, { method });
        if (answer.status !== 200) judge(`${method} ${path}`, answer);
      }
    }
  }, 300_000);

  it("leaves the server as it was", async () => {
    expect((await ask(`${running.url}/readyz`)).json).toEqual({ status: "ready" });
    const { json } = await post(`${running.url}/v1/search`, { query: "pay" });
    expect((json as unknown as { results: { name: string }[] }).results.map(({ name }) => name)).toContain("pay");
    expect(running.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});

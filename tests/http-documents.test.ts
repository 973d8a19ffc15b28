import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, bearer, post, type Running, start } from "./http-server.ts";

let running: Running;
let key: Record<string, string>;
beforeAll(async () => {
  running = await start();
  key = bearer(await running.key("ada", "write"));
});
afterAll(() => running.close());

const put = (document: string, content: string, headers: Record<string, string> = {}, more: object = {}) =>
  post(`${running.url}/v1/put_document`, { document, content, ...more }, { ...key, ...headers });
const get = (document: string) => post(`${running.url}/v1/get_document`, { document }, key);

describe("two applications that change one document", () => {
  it("overwrite nothing that they have not read", async () => {
    const first = await put("plan.md", "Monday.");
    const { etag } = (await get("plan.md")).headers;
    expect(etag).toMatch(/^"\S+"$/);
    expect(first.headers.etag).toBe(etag);
    const changed = await put("plan.md", "Tuesday.", { "If-Match": etag! });
    expect([changed.status, changed.headers.etag === etag]).toEqual([200, false]);
    const late = await put("plan.md", "Friday.", { "If-Match": etag! });
    expect([late.status, late.json.error.code]).toEqual([412, "changed-meanwhile"]);
    expect((await get("plan.md")).json).toMatchObject({ content: "Tuesday." });
    const other = await put("plan.md", "Friday.", {}, { ifHash: "0000" });
    expect(other.status).toBe(412);
  });

  it("make a document only where there is none, or change it only where there is one", async () => {
    expect((await put("new.md", "One.", { "If-Match": "*" })).status).toBe(412);
    expect((await put("new.md", "One.", { "If-None-Match": "*" })).status).toBe(200);
    expect((await put("new.md", "Two.", { "If-None-Match": "*" })).status).toBe(412);
    expect((await put("new.md", "Two.", { "If-Match": "*" })).status).toBe(200);
    for (const wrong of ["x", '"a", "b"', 'W/"a"']) {
      expect((await put("new.md", "Three.", { "If-Match": wrong })).status).toBe(400);
    }
  });

  it("can read about it in the description of the API", async () => {
    const { json } = await ask(`${running.url}/openapi.json`, { headers: key });
    const { paths } = json as unknown as {
      paths: Record<string, { post: { parameters: object[]; responses: object } }>;
    };
    const { parameters, responses } = paths["/v1/put_document"]!.post;
    expect(parameters).toContainEqual(expect.objectContaining({ name: "If-Match", in: "header" }));
    expect(responses).toHaveProperty("412");
    expect(responses).toHaveProperty("200.headers.ETag");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, bearer, post, type RunningServer, start } from "./http-server.ts";

let running: RunningServer;
let key: Record<string, string>;
beforeAll(async () => {
  running = await start();
  key = bearer(await running.key("ada", "write"));
});
afterAll(() => running.close());

const put = (document: string, content: string, headers: Record<string, string> = {}, more: object = {}) =>
  post(`${running.url}/v1/put_document`, { document, content, ...more }, { ...key, ...headers });
const get = (document: string) => post(`${running.url}/v1/get_document`, { document }, key);

describe("many documents at once", () => {
  const putAll = (documents: unknown) => post(`${running.url}/v1/put_documents`, { documents }, key);

  it("are stored in one request", async () => {
    const documents = Array.from({ length: 100 }, (_, i) => ({ document: `guides/${i}.md`, content: `Guide ${i}.` }));
    const { status, json } = await putAll(documents);
    expect(status).toBe(200);
    const stored = (json as unknown as { documents: { path: string }[] }).documents;
    expect(stored.map(({ path }) => path)).toEqual(documents.map(({ document }) => document));
    expect((await get("guides/99.md")).json).toMatchObject({ content: "Guide 99." });
  });

  it("are not stored at all where one of them is wrong", async () => {
    const right = { document: "half/a.md", content: "A." };
    for (const wrong of [
      { document: "../../b.md", content: "B." },
      { document: "half/b.md" },
      "b",
      { ...right, more: 1 },
    ]) {
      const { status } = await putAll([right, wrong]);
      expect([wrong, status]).toEqual([wrong, 400]);
    }
    for (const wrong of ["{", {}, [], Array.from({ length: 1001 }, () => right)]) {
      expect((await putAll(wrong)).status).toBe(400);
    }
    expect((await get("half/a.md")).status).toBe(404);
  });
});

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

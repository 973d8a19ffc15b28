import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { neededScope, scopeRange, scopeSentence } from "../../src/operations/core/access.ts";
import { fieldsOf } from "../../src/operations/core/fields.ts";
import { allOperations } from "../../src/operations/core/registry.ts";
import { ask, bearer, post, type RunningServer, start } from "./http-server.ts";

const operations = await allOperations();
const bySteps = operations.filter(({ access, onlyOn }) => typeof access === "object" && !onlyOn);

/** What an operation takes so that its schema is content: nothing of it exists. */
function smallest(operation: (typeof operations)[number], step: string): Record<string, unknown> {
  const needed = fieldsOf(operation).filter(({ required, key }) => required && key !== "step");
  return { step, ...Object.fromEntries(needed.map(({ key }) => [key, "thr-nothing"])) };
}

describe("what an operation asks of a key", () => {
  it("is stated for every step, where it is stated by steps", () => {
    expect(bySteps.map(({ name }) => name)).toEqual(["memory", "thread", "references", "experience", "value", "model"]);
    for (const operation of bySteps) {
      const steps = fieldsOf(operation).find(({ key }) => key === "step")?.choices;
      expect(Object.keys(operation.access!).sort()).toEqual([...steps!].sort());
    }
  });

  it("is the most for a step that nothing is said about", () => {
    expect(neededScope({ access: { show: "read" } }, { step: "burn" })).toBe("admin");
    expect(neededScope({}, {})).toBe("read");
    expect(scopeRange({ access: { show: "read", add: "write" } })).toEqual({ least: "read", most: "write" });
    expect(scopeRange({ access: "write" })).toEqual({ least: "write", most: "write" });
  });

  it("can be said in words", () => {
    expect(scopeSentence({ access: "admin" })).toBe("admin");
    expect(scopeSentence({ access: { add: "write", list: "read", show: "read", remove: "write" } })).toBe(
      "read to list or show; write to add or remove",
    );
  });
});

describe("over HTTP", () => {
  let running: RunningServer;
  let keys: Record<"read" | "write", string>;
  let thread: string;
  const say = (scope: "read" | "write", path: string, body: unknown, headers = {}) =>
    post(`${running.url}${path}`, body, { ...bearer(keys[scope]), ...headers });

  beforeAll(async () => {
    running = await start({ files: { "a.md": "# A\n" } });
    keys = { read: await running.key("ada", "read"), write: await running.key("ada", "write") };
    const made = await say("write", "/v1/thread", { step: "create", title: "Ledger" });
    thread = (made.json as unknown as { thread: { id: string } }).thread.id;
    await say("write", "/v1/say", { thread, text: "Closed on Fridays." });
  });
  afterAll(() => running.close());

  it("a key learns whose it is and what it may", async () => {
    const caller = async (scope: "read" | "write") => (await say(scope, "/v1/whoami", {})).json;
    expect(await caller("read")).toEqual({ owner: "ada", keyScope: "read" });
    expect(await caller("write")).toEqual({ owner: "ada", keyScope: "write" });
  });

  it("a key that may only read shows what its owner has", async () => {
    const shown = await say("read", "/v1/thread", { step: "show", thread });
    expect([shown.status, shown.text.includes("Closed on Fridays.")]).toEqual([200, true]);
    // Without a step it is the default one that counts.
    for (const body of [{ thread }, { step: "list", thread }]) {
      expect((await say("read", "/v1/references", body)).status).toBe(200);
    }
    expect((await say("read", "/v1/experience", {})).status).toBe(200);
  });

  it("and changes nothing", async () => {
    const renamed = await say("read", "/v1/thread", { step: "rename", thread, title: "Mine" });
    expect([renamed.status, renamed.json.error.code]).toEqual([403, "not-allowed"]);
    expect(renamed.json.error.message).toBe("thread needs a key of the scope write; this one may only read.");
    // A stream is refused before it begins.
    const events = await say("read", "/v1/thread", { step: "delete", thread }, { Accept: "text/event-stream" });
    expect([events.status, events.json.error.code]).toEqual([403, "not-allowed"]);
    expect((await say("read", "/v1/thread", { step: "show", thread })).text).toContain('"Ledger"');
  });

  it.each(
    bySteps.flatMap((operation) =>
      Object.entries(operation.access!).map(([step, needed]) => [operation.name, step, needed] as const),
    ),
  )("%s %s takes a key that may %s", async (name, step, needed) => {
    const body = smallest(operations.find((each) => each.name === name)!, step);
    const reading = await say("read", `/v1/${name}`, body);
    expect(reading.json.error?.code === "not-allowed").toBe(needed !== "read");
    expect(reading.status === 403).toBe(needed !== "read");
    expect((await say("write", `/v1/${name}`, body)).status === 403).toBe(needed === "admin");
  });

  it("a wrong step is a wrong input, whoever asks", async () => {
    for (const step of ["burn", "constructor", 5, null]) {
      for (const scope of ["read", "write"] as const) {
        expect((await say(scope, "/v1/thread", { step, thread })).status).toBe(400);
      }
    }
  });

  it("the description says which step needs what", async () => {
    const { json } = await ask(`${running.url}/openapi.json`);
    const { paths } = json as unknown as { paths: Record<string, { post: { description: string } }> };
    expect(paths["/v1/references"]!.post.description).toBe(
      "Needs a key of the scope read to list; write to add or remove.",
    );
    expect(paths["/v1/remember"]!.post.description).toBe("Needs a key of the scope write.");
    expect((await ask(`${running.url}/docs`)).text).toContain("read to list; write to add or remove");
  });
});

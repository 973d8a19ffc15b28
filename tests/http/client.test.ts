import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { createClient, describeService, isServing, type RequestFailure } from "../../src/client/client.ts";
import type { ClientOperation, CommandLineOnly } from "../../src/client/types.ts";
import type { Progress } from "../../src/operations/core/operation.ts";
import { allOperations, type OperationName as EveryName } from "../../src/operations/core/registry.ts";
import { type RunningServer, start } from "./http-server.ts";

const files = {
  "pay.ts": "/** Charges a card. */\nexport function processPayment(card: string) {\n  return card;\n}\n",
};

/** Every name of the type, kept whole by the compiler. */
const commandLineOnly: Record<CommandLineOnly, true> = {
  run: true,
  connect: true,
  disconnect: true,
  name_workspace: true,
  unname_workspace: true,
  serve: true,
  inspect: true,
  engine: true,
  store: true,
  mcp: true,
  hook: true,
  keys: true,
};

let running: RunningServer;
beforeAll(async () => {
  running = await start({ files });
});
afterAll(() => running.close());

async function failure(work: Promise<unknown>): Promise<RequestFailure> {
  return work.then(
    () => expect.fail("It did not fail."),
    (error: RequestFailure) => error,
  );
}

describe("the client", () => {
  it("has the operations that a server offers, and no others", async () => {
    const only = (await allOperations()).filter(({ onlyOn }) => onlyOn !== undefined).map(({ name }) => name);
    expect(Object.keys(commandLineOnly).sort()).toEqual(only.sort());
    expectTypeOf<ClientOperation | CommandLineOnly>().toEqualTypeOf<EveryName>();
  });

  it("asks nothing when it is printed, compared or awaited", async () => {
    let asked = 0;
    const client = createClient({
      url: running.url,
      key: "dsr_secret",
      fetch: async () => {
        asked++;
        return Response.json({});
      },
    });
    expect(JSON.stringify({ client })).toBe('{"client":{}}');
    expect(`${String(client)} ${client}`).toBe("[object Object] [object Object]");
    expect(Object.hasOwn(client, "search")).toBe(false);
    expect(Object.hasOwn(client, "search")).toBe(false);
    expect(await client).toBe(client);
    expect(asked).toBe(0);
  });

  it("knows the types of what it sends and gets", async () => {
    const client = createClient({ url: running.url });
    const context = await client.context({ query: "processPayment", maxTokens: 500 });
    expectTypeOf(context.tokens.used).toEqualTypeOf<number>();
    expectTypeOf(client.status).parameter(0).toEqualTypeOf<Record<never, never> | undefined>();
    // @ts-expect-error: a question is needed.
    const missing = client.search({});
    // @ts-expect-error: the server serves one workspace.
    const elsewhere = client.search({ query: "x", path: "/etc" });
    expect(context.text).toContain("processPayment");
    expect((await failure(missing)).code).toBe("empty-query");
    expect((await failure(elsewhere)).code).toBe("bad-input");
  });

  it("calls operations by the names that the library has for them", async () => {
    const client = createClient({ url: `${running.url}/` });
    const { memory } = await client.remember({ content: "Cards are charged at night." });
    const { markdown } = await client.assembleContext({ query: "when are cards charged?", minScore: 0 });
    expect(markdown).toContain("charged at night");
    expect((await client.memories()).memories.map(({ id }) => id)).toContain(memory!.id);
  });

  it("turns a failure into one with its code, advice and request", async () => {
    const client = createClient({ url: running.url });
    const wrong = await failure(client.search({ query: "x", limit: 0 }, { requestId: "mine" }));
    expect(wrong).toMatchObject({ name: "RequestFailure", code: "bad-input", status: 400, requestId: "mine" });
    expect(wrong.message).toMatch(/limit takes a whole number from 1 to 500, not 0/);
    expect(wrong.fix).not.toBe("");
  });

  it("follows progress to the result, and to a failure", async () => {
    const client = createClient({ url: running.url });
    const seen: Progress[] = [];
    const { root } = await client.index({ force: true }, { progress: (progress) => seen.push(progress) });
    expect(root).toBe(running.root);
    expect(seen.length).toBeGreaterThan(0);
    const gone = client.why({ query: "card", item: "cod-nothing" }, { progress: () => undefined });
    expect(await failure(gone)).toMatchObject({ code: "not-found", requestId: expect.any(String) });
  });

  it("can be aborted", async () => {
    const client = createClient({ url: running.url });
    const error = await failure(client.status({}, { signal: AbortSignal.abort() }));
    expect(error.name).toBe("AbortError");
  });

  it("says so when nobody is there, or somebody else", async () => {
    const other = createServer((_, response) => response.end("<html>hello</html>")).listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect((await failure(createClient({ url }).status())).code).toBe("bad-answer");
    await new Promise((resolve) => other.close(resolve));
    expect((await failure(createClient({ url }).status())).code).toBe("unreachable");
  });

  it("uses the fetch and the key it is given", async () => {
    const asked: { url: string; key: string | null }[] = [];
    const own: typeof fetch = async (url, init) => {
      asked.push({ url: String(url), key: new Headers(init?.headers).get("authorization") });
      return Response.json({ workspaces: [] });
    };
    const client = createClient({ url: "https://dossier.example.org", key: "dsr_x", fetch: own });
    await client.workspaces();
    expect(asked).toEqual([{ url: "https://dossier.example.org/v1/workspaces", key: "Bearer dsr_x" }]);
    expect(await Promise.resolve(client)).toBe(client);
  });

  it("waits as long as the server says", async () => {
    const own: typeof fetch = async () =>
      Response.json(
        { error: { code: "too-many-requests", message: "m", fix: "f", requestId: "r" } },
        { status: 429, headers: { "Retry-After": "7" } },
      );
    const error = await failure(createClient({ url: "http://x", fetch: own }).status());
    expect(error).toMatchObject({ code: "too-many-requests", retryAfter: 7, status: 429 });
  });

  it("has nothing of the server in it", async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: ["src/client/client.ts"],
      bundle: true,
      format: "esm",
      platform: "neutral",
      write: false,
      metafile: true,
    });
    expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith("src/client/"))).toEqual([]);
    expect(outputFiles[0]!.contents.length).toBeLessThan(10_000);
  });
});

describe("what the service says of itself", () => {
  it("is every operation's inputs with their defaults and limits", async () => {
    const { version, inputs } = await describeService({ url: running.url });
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    expect(inputs.context?.properties.maxTokens).toMatchObject({ type: "integer", minimum: 64, default: 4000 });
    expect(inputs.context?.properties.sources?.items?.enum).toContain("code");
    expect(inputs.open?.required).toEqual(["targets"]);
    const one = await describeService({ url: running.url, operation: "open" });
    expect(one.inputs).toEqual({ open: inputs.open });
  });

  it("is asked for without a key only to know that it is there", async () => {
    expect(await isServing({ url: running.url })).toBe(true);
    expect(await isServing({ url: "http://127.0.0.1:9" })).toBe(false);
  });
});

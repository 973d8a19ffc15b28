import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Note } from "../../src/note.ts";
import { chooseBackend } from "../../src/notes/live/choose-backend.ts";
import { type LiveClient, openClient } from "../../src/notes/live/client.ts";
import { type LiveRequest, liveNotes } from "../../src/notes/live/live-notes.ts";
import { startTanaApi, type TanaApi, type TanaNode } from "./tana-api.ts";

const tokenVariable = "TANA_API_TOKEN";
const hour = 3_600_000;
const monday = Date.UTC(2026, 1, 2);

const graph: TanaNode[] = [
  {
    id: "projAtlas001",
    name: "Atlas",
    description: "Maps for everyone",
    tags: ["Big Project"],
    fields: {
      Status: [{ link: "optActive001" }],
      Owner: [{ link: "persAda00001" }],
      Budget: [{ text: "900", id: "valBudget001" }],
      Topics: [{ link: "topicMaps001" }, { link: "topicPrint01" }],
      Approved: ["[x]"],
    },
    children: ["taskDraw0001", "noteInks0001"],
    listed: ["topicMaps001"],
    created: monday,
    done: false,
  },
  { id: "taskDraw0001", name: "Draw the Atlas legend", tags: ["task"], created: monday + hour, done: true },
  {
    id: "noteInks0001",
    name: 'Inks by <span data-inlineref-node="persAda00001"></span> &amp; co',
    children: ["noteBlue0001"],
    created: monday,
  },
  { id: "noteBlue0001", name: "Blue", created: monday },
  { id: "persAda00001", name: "Ada", tags: ["person"], created: monday },
  { id: "topicMaps001", name: "Maps", tags: ["topic"], created: monday },
  { id: "topicPrint01", name: "Printing", tags: ["topic"], created: monday },
  { id: "optActive001", name: "active", created: monday },
  { id: "tagAtlas0001", name: "Atlas sheet", docType: "tagDef", created: monday },
  { id: "binned000001", name: "Atlas, first try", created: monday, inTrash: true },
];

let api: TanaApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function start(nodes: TanaNode[] = graph): Promise<TanaApi> {
  api = await startTanaApi(nodes);
  return api;
}

function clientOf(
  { url, token }: TanaApi,
  options: { timeout?: number; workspace?: string; token?: string } = {},
): LiveClient {
  return openClient({ url, token, tokenVariable, timeout: 5000, ...options });
}

function ask(client: LiveClient, request: Partial<LiveRequest>, stored: Note[] = []) {
  return liveNotes(client, {
    query: "Atlas",
    lookUp: async (keys) => new Map(stored.filter(({ key }) => keys.includes(key)).map((note) => [note.key, note])),
    ...request,
  });
}

const plain = (key: string, name: string, more: Partial<Note> = {}): Note => ({
  key,
  name,
  tags: [],
  fields: [],
  references: [],
  ...more,
});

describe("the client", () => {
  it("searches by name with a deep object, and reads what it finds", async () => {
    const client = clientOf(await start());
    const hits = await client.search({ and: [{ textContains: "draw" }, { textContains: "legend" }] });
    expect(hits.map(({ id, tags, inTrash }) => ({ id, tags, inTrash }))).toEqual([
      { id: "taskDraw0001", tags: ["task"], inTrash: false },
    ]);
    expect(api!.requests.at(-1)).toContain("query[and][0][textContains]=draw&query[and][1][textContains]=legend");
    const node = await client.node("projAtlas001");
    expect(node).toMatchObject({ name: "Atlas", description: "Maps for everyone" });
    expect(node!.markdown).toContain("- [ ] Atlas #Big_Project <!-- node-id: projAtlas001 -->");
  });

  it("says undefined for a node that does not exist", async () => {
    const client = clientOf(await start());
    expect(await client.node("nothingHere1")).toBeUndefined();
    expect(await client.children("nothingHere1")).toBeUndefined();
    expect(await client.node("../../workspaces")).toBeUndefined();
    expect(api!.requests.filter((path) => path.startsWith("/workspaces"))).toEqual([]);
  });

  it("reads children page after page, and stops at the most it was asked for", async () => {
    const many = Array.from({ length: 450 }, (_, at) => ({
      id: `child${String(at).padStart(7, "0")}`,
      name: `Child ${at}`,
    }));
    const client = clientOf(
      await start([{ id: "parent000001", name: "P", children: many.map(({ id }) => id) }, ...many]),
    );
    const all = await client.children("parent000001");
    expect(all!.complete).toBe(true);
    expect(all!.children.map(({ id }) => id)).toEqual(many.map(({ id }) => id));
    expect(api!.requests).toHaveLength(3);
    const some = await client.children("parent000001", { most: 250 });
    expect(some!.complete).toBe(false);
    expect(some!.children).toHaveLength(250);
  });

  it("does not page for ever when the API always says that there is more", async () => {
    const { behaviour, requests } = await start();
    behaviour.json = { children: [{ id: "same00000001", name: "Same" }], total: 9, hasMore: true };
    expect((await clientOf(api!).children("projAtlas001"))!.children).toHaveLength(1);
    expect(requests.length).toBeLessThanOrEqual(2);
  });

  it.each([502, 503, 504])("tries again after status %i", async (status) => {
    const { behaviour, requests } = await start();
    behaviour.fail = { status, times: 1 };
    expect(await clientOf(api!).search({ textContains: "atlas" })).not.toHaveLength(0);
    expect(requests).toHaveLength(2);
  });

  it("tries three times in all", async () => {
    const { behaviour, requests } = await start();
    behaviour.fail = { status: 503, times: 9 };
    const client = clientOf(api!);
    await expect(client.search({ textContains: "atlas" })).rejects.toMatchObject({
      code: "live-unavailable",
      message: expect.stringContaining("status 503"),
    });
    expect(requests).toHaveLength(3);
    expect(client.asked()).toBe(3);
  });

  it("does not repeat what will not pass by itself", async () => {
    const { behaviour, requests } = await start();
    behaviour.fail = { status: 500, times: 9 };
    await expect(clientOf(api!).node("projAtlas001")).rejects.toMatchObject({ code: "live-unavailable" });
    expect(requests).toHaveLength(1);
  });

  it("tries again when the connection is broken", async () => {
    const { behaviour, requests } = await start();
    behaviour.reset = 1;
    expect(await clientOf(api!).node("projAtlas001")).toMatchObject({ name: "Atlas" });
    expect(requests).toHaveLength(2);
  });

  it("tells a refused token apart, and never shows it", async () => {
    await start();
    const failure = await clientOf(api!, { token: "another-token" })
      .workspaces()
      .catch((error: Error) => error);
    expect(failure).toMatchObject({ code: "live-refused" });
    expect((failure as Error).message).toContain(`the token in ${tokenVariable} was refused`);
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain("another-token");
  });

  it("refuses a token that cannot be one, without showing it", () => {
    expect(() => openClient({ url: "http://127.0.0.1:1", token: "secret\nline", tokenVariable })).toThrowError(
      expect.objectContaining({ code: "bad-input", message: expect.not.stringContaining("secret") }),
    );
  });

  it.each([
    ["what is not JSON", { body: "<html>" }, "not JSON"],
    ["JSON that breaks off", { body: '[{"id":' }, "not JSON"],
    ["another shape", { json: { nodes: [] } }, "something else than a list of nodes"],
    ["a body without end", { bytes: 9 * 1024 * 1024 }, "more than 8 MB"],
  ])("fails in a sentence on %s", async (_, behaviour, sentence) => {
    await start();
    Object.assign(api!.behaviour, behaviour);
    await expect(clientOf(api!).search({ textContains: "x" })).rejects.toMatchObject({
      code: "live-unavailable",
      message: expect.stringContaining(sentence),
    });
  });

  it("passes over entries of a list that are no nodes", async () => {
    const { behaviour } = await start();
    behaviour.json = [
      null,
      7,
      {},
      { id: 9 },
      { id: "../../etc" },
      { id: "goodNode0001", name: null, tags: "x", created: "never" },
    ];
    expect(await clientOf(api!).search({ textContains: "x" })).toEqual([
      { id: "goodNode0001", name: "", tags: [], tagged: [], breadcrumb: [], docType: "", inTrash: false },
    ]);
  });

  it("does not follow redirects: the token would follow too", async () => {
    let visited = false;
    const elsewhere = createServer((_, response) => {
      visited = true;
      response.end("[]");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    try {
      const { behaviour } = await start();
      behaviour.redirect = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
      await expect(clientOf(api!).workspaces()).rejects.toMatchObject({ message: expect.stringContaining("redirect") });
      expect(visited).toBe(false);
    } finally {
      elsewhere.close();
    }
  });

  it("gives up on an answer that does not come", async () => {
    const { behaviour } = await start();
    behaviour.hang = true;
    await expect(clientOf(api!, { timeout: 50 }).workspaces()).rejects.toMatchObject({
      code: "live-unavailable",
      message: expect.stringContaining("50 ms"),
    });
  });

  it("stops when its caller does, also while it waits for its turn", async () => {
    const { behaviour, requests } = await start();
    behaviour.hang = true;
    const client = clientOf(api!);
    const stop = new AbortController();
    const asked = Array.from({ length: 9 }, () => client.node("projAtlas001", { signal: stop.signal }));
    const settled = Promise.allSettled(asked);
    await until(() => requests.length === 6);
    stop.abort();
    for (const result of await settled) expect(result).toMatchObject({ reason: { code: "interrupted" } });
    expect(requests).toHaveLength(6);
    behaviour.hang = false;
    expect(await client.node("projAtlas001")).toBeDefined();
  });

  it("asks for six things at once and no more", async () => {
    const { behaviour } = await start();
    behaviour.delay = 20;
    const client = clientOf(api!);
    const warned: string[] = [];
    const note = (warning: Error) => warned.push(warning.message);
    process.on("warning", note);
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 20 }, () => client.node("projAtlas001", { signal })));
    process.off("warning", note);
    expect(api!.mostAtOnce()).toBe(6);
    expect(warned).toEqual([]);
  });

  it("searches the one workspace that it was told, by id or by name", async () => {
    await start([...graph, { id: "sideAtlas001", name: "Atlas aside", workspace: "wsSideBBBBBB" }]);
    for (const workspace of ["wsSideBBBBBB", "side PROJECT"]) {
      const client = clientOf(api!, { workspace });
      expect((await client.search({ textContains: "atlas" })).map(({ id }) => id)).toEqual(["sideAtlas001"]);
    }
    await expect(clientOf(api!, { workspace: "Third" }).search({ textContains: "a" })).rejects.toMatchObject({
      message: expect.stringContaining("no workspace called Third"),
    });
  });
});

describe("the choice of a backend", () => {
  const settings = (url: string) => ({ url, tokenVariable });

  it("is live when it is configured, has its token and is healthy", async () => {
    const { url, token } = await start();
    const choice = await chooseBackend(settings(url), { environment: { [tokenVariable]: ` ${token}\n` } });
    expect(choice.backend).toBe("local-api");
    if (choice.backend === "local-api") expect(await choice.client.node("projAtlas001")).toBeDefined();
  });

  it("is local without a word when nobody asked for more", async () => {
    const { url, token, requests } = await start();
    expect(await chooseBackend(undefined, { environment: {} })).toEqual({ backend: "sqlite" });
    const environment = { [tokenVariable]: token };
    expect(await chooseBackend(settings(url), { offline: true, environment })).toEqual({ backend: "sqlite" });
    expect(requests).toEqual([]);
  });

  it("is local with a warning that names the variable when the token is missing", async () => {
    const { url } = await start();
    for (const environment of [{}, { [tokenVariable]: "" }, { [tokenVariable]: "  " }]) {
      expect(await chooseBackend(settings(url), { environment })).toEqual({
        backend: "sqlite",
        warning: expect.stringContaining(tokenVariable),
      });
    }
    const odd = { url, tokenVariable: "__proto__" };
    expect(await chooseBackend(odd, { environment: {} })).toMatchObject({ backend: "sqlite" });
  });

  it.each([
    ["is loading its graph", { json: { status: "ok", nodeSpaceReady: false } }, "not ready"],
    ["is degraded", { json: { status: "degraded", nodeSpaceReady: true } }, "not ready"],
    ["answers with an error", { fail: { status: 503, times: 9 } }, "status 503"],
    ["is another program", { body: "hello" }, "not JSON"],
    ["is another program with JSON", { json: [] }, "something else than its health"],
    ["is slow", { hang: true }, "did not answer within 300 ms"],
    ["breaks the connection", { reset: 9 }, "broke the connection"],
  ])("is local with a warning when the API %s", async (_, behaviour, words) => {
    const { url, token, requests } = await start();
    Object.assign(api!.behaviour, { on: /health/, ...behaviour });
    const choice = await chooseBackend(settings(url), {
      environment: { [tokenVariable]: token },
      // Only what never answers may run into the limit, however busy the machine is.
      timeouts: { health: "hang" in behaviour ? 300 : 20_000 },
    });
    expect(choice).toEqual({ backend: "sqlite", warning: expect.stringContaining(words) });
    expect(requests).toEqual(["/health"]);
  });

  it("is local with a warning when nothing listens, or the address is not on this machine", async () => {
    const { url, token } = await start();
    await api!.close();
    const environment = { [tokenVariable]: token };
    expect(await chooseBackend(settings(url), { environment })).toMatchObject({
      warning: expect.stringContaining("nothing listens there"),
    });
    expect(await chooseBackend(settings("http://example.com:8262"), { environment })).toMatchObject({
      warning: expect.stringContaining("the token would leave it"),
    });
    expect(await chooseBackend(settings("nonsense"), { environment })).toMatchObject({ backend: "sqlite" });
  });

  it("does not send the token with the health check", async () => {
    let authorization: string | undefined = "none seen";
    const server = createServer((request, response) => {
      authorization = request.headers.authorization;
      response.end(JSON.stringify({ status: "ok", nodeSpaceReady: true }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await chooseBackend(settings(url), { environment: { [tokenVariable]: "a-token" } });
    server.close();
    expect(authorization).toBeUndefined();
  });
});

describe("live notes", () => {
  it("brings in what the API knows about a topic: names, tags, fields, children and mentions", async () => {
    const client = clientOf(await start());
    const { notes, gone, found, asked, warnings } = await ask(client, {}, [
      plain("persAda00001", "Ada"),
      plain("topicMaps001", "Maps"),
    ]);
    const atlas = notes.find(({ key }) => key === "projAtlas001");
    expect(atlas).toEqual({
      key: "projAtlas001",
      name: "Atlas",
      text: "Maps for everyone",
      tags: ["Big Project"],
      fields: [
        { name: "Status", values: [{ text: "active" }] },
        { name: "Owner", values: [{ text: "Ada", note: "persAda00001" }] },
        { name: "Budget", values: [{ text: "900" }] },
        { name: "Topics", values: [{ text: "Maps", note: "topicMaps001" }, { text: "Printing" }] },
        { name: "Approved", values: [{ text: "Yes" }] },
      ],
      references: ["topicMaps001"],
      done: false,
      created: monday,
    });
    expect(notes.find(({ key }) => key === "taskDraw0001")).toMatchObject({
      name: "Draw the Atlas legend",
      tags: ["task"],
      parent: "projAtlas001",
      order: 0,
      done: true,
    });
    expect(notes.find(({ key }) => key === "noteInks0001")).toMatchObject({
      name: "Inks by Ada & co",
      references: ["persAda00001"],
      parent: "projAtlas001",
      order: 1,
    });
    expect(notes.find(({ key }) => key === "noteBlue0001")).toMatchObject({ name: "Blue", parent: "noteInks0001" });
    expect(notes.map(({ key }) => key).sort()).toEqual(
      ["noteBlue0001", "noteInks0001", "projAtlas001", "taskDraw0001", "topicMaps001"].sort(),
    );
    expect(found).toEqual(["projAtlas001", "taskDraw0001"]);
    expect(gone).toEqual([]);
    expect(warnings).toEqual([]);
    expect(asked).toBe(api!.requests.length);
  });

  it("knows a node by its id, and takes no word for one", async () => {
    const client = clientOf(await start());
    const { notes, found } = await ask(client, { query: "projAtlas001" });
    expect(found).toEqual(["projAtlas001"]);
    expect(notes.find(({ key }) => key === "projAtlas001")).toMatchObject({ name: "Atlas", tags: ["Big Project"] });
    const { found: byWord } = await ask(client, { query: "printing" });
    expect(byWord).toEqual(["topicPrint01"]);
    expect((await ask(client, { query: "tagAtlas0001" })).notes).toEqual([]);
    const deleted = await ask(client, { query: "deleted00001" }, [plain("deleted00001", "Was here")]);
    expect(deleted).toMatchObject({ gone: ["deleted00001"], found: [] });
    const binned = await ask(client, { query: "binned000001" }, [plain("binned000001", "Atlas, first try")]);
    expect(binned).toMatchObject({ gone: ["binned000001"], found: [], notes: [] });
  });

  it("finds notes that say some of the words when none says all", async () => {
    const client = clientOf(await start());
    const { found } = await ask(client, { query: "who draws the legends of Printing?" });
    expect(found).toEqual(["taskDraw0001", "topicPrint01"]);
  });

  it("keeps what the API does not tell", async () => {
    const client = clientOf(await start());
    const storedNote = plain("projAtlas001", "Atlas", {
      text: "Maps for everyone",
      tags: ["Big Project"],
      inherited: ["thing"],
      fields: [
        { name: "Budget", type: "number", values: [{ text: "900", note: "valBudget001" }] },
        { name: "Owner", type: "reference", values: [{ text: "Bob", note: "persBob00001" }] },
        { name: "Hidden", type: "text", values: [{ text: "still here" }] },
      ],
      parent: "homeMainAAAA",
      order: 4,
      references: ["dayNode00001"],
      created: 5,
      changed: 6,
    });
    const { notes } = await ask(client, {}, [storedNote, plain("persAda00001", "Ada")]);
    const atlas = notes.find(({ key }) => key === "projAtlas001")!;
    expect(atlas).toMatchObject({ inherited: ["thing"], parent: "homeMainAAAA", order: 4, created: 5, changed: 6 });
    expect(atlas.fields.slice(0, 3)).toEqual([
      { name: "Budget", type: "number", values: [{ text: "900", note: "valBudget001" }] },
      { name: "Owner", type: "reference", values: [{ text: "Ada", note: "persAda00001" }] },
      { name: "Hidden", type: "text", values: [{ text: "still here" }] },
    ]);
    expect(atlas.references).toEqual(["dayNode00001", "topicMaps001"]);
  });

  it("takes a note to where the outline shows it, whoever had it before", async () => {
    const { nodes } = await start();
    nodes.get("topicPrint01")!.children = ["topicMaps001"];
    const storedNotes = [plain("taskDraw0001", "Draw", { parent: "elsewhere001", order: 7 })];
    const { notes } = await ask(clientOf(api!), {}, storedNotes);
    expect(notes.find(({ key }) => key === "taskDraw0001")).toMatchObject({ parent: "projAtlas001", order: 0 });
    expect(notes.find(({ key }) => key === "projAtlas001")!.references).toEqual(["topicMaps001"]);
  });

  it("knows the day that is written as a word", async () => {
    await start([{ id: "task00000001", name: "Pay rent", fields: { Due: ["Tomorrow"] } }]);
    const field = { name: "Due", type: "date" as const, values: [{ text: "2026-03-01" }] };
    const now = new Date(2026, 1, 28, 12).getTime();
    const request = { query: "rent", now };
    expect(
      (await ask(clientOf(api!), request, [plain("task00000001", "Pay rent", { fields: [field] })])).notes,
    ).toEqual([]);
    const later = { query: "rent", now: new Date(2026, 1, 27, 12).getTime() };
    const { notes } = await ask(clientOf(api!), later, [plain("task00000001", "Pay rent", { fields: [field] })]);
    expect(notes[0]!.fields).toEqual([{ ...field, values: [{ text: "2026-02-28" }] }]);
  });

  it("says nothing of notes that are as they were", async () => {
    const client = clientOf(await start());
    const first = await ask(client, {});
    const again = await ask(client, {}, first.notes);
    const third = await ask(client, {}, merged(first.notes, again.notes));
    expect(third.notes).toEqual([]);
    expect(third.found).toEqual(first.found);
  });

  it("brings in what was edited since, asking in seconds", async () => {
    await start([...graph, { id: "freshNote001", name: "Bought paper", edited: monday + 9 * hour, tags: ["task"] }]);
    const since = monday + 8 * hour + 500;
    const { notes, found } = await ask(clientOf(api!), { since, query: "zebra" });
    expect(api!.requests.filter((path) => path.includes("edited"))).toEqual([
      `/nodes/search?query[edited][since]=${Math.floor(since / 1000)}&limit=100`,
    ]);
    expect(notes).toEqual([plain("freshNote001", "Bought paper", { tags: ["task"], changed: since })]);
    expect(found).toEqual([]);
  });

  it("reads at most twenty nodes, says what was edited beyond that, and asks no node twice", async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({
      id: `busy${String(at).padStart(8, "0")}`,
      name: `Busy bee ${at}`,
      edited: monday + hour,
    }));
    const client = clientOf(await start(many));
    const { notes, warnings } = await ask(client, { query: "bee", since: monday });
    expect(notes).toHaveLength(60);
    const reads = api!.requests.filter((path) => /^\/nodes\/busy\d+\?/.test(path));
    expect(reads).toHaveLength(20);
    expect(new Set(reads).size).toBe(20);
    expect(warnings).toEqual([expect.stringContaining("Of 40 of the 60 notes that were edited")]);
  });

  it("says when it does not know all that was edited", async () => {
    const many = Array.from({ length: 120 }, (_, at) => ({
      id: `busy${at}`,
      name: `Bee ${at}`,
      edited: monday + hour,
    }));
    const { behaviour } = await start(many);
    const answer = await ask(clientOf(api!), { query: "zebra", since: monday });
    expect(answer.caughtUp).toBe(false);
    expect(answer.warnings).toEqual([expect.stringContaining("At least 100 notes were edited")]);
    expect((await ask(clientOf(api!), { query: "bee 7", since: monday + 2 * hour })).caughtUp).toBe(true);
    expect((await ask(clientOf(api!), { query: "bee 7" })).caughtUp).toBe(true);
    behaviour.body = "{";
    expect((await ask(clientOf(api!), { query: "bee 7", since: monday + 2 * hour })).caughtUp).toBe(false);
  });

  it("looks again at notes that local data thinks best, and says which are gone", async () => {
    const client = clientOf(await start());
    const storedNotes = [
      plain("topicPrint01", "Print"),
      plain("deleted00001", "Was here"),
      plain("binned000001", "Atlas, first try"),
    ];
    const { notes, gone } = await ask(client, { query: "atlas", also: ["topicPrint01", "deleted00001"] }, storedNotes);
    expect(gone.sort()).toEqual(["binned000001", "deleted00001"]);
    expect(notes.map(({ key }) => key)).not.toContain("binned000001");
    expect(notes.find(({ key }) => key === "topicPrint01")).toMatchObject({ name: "Printing", tags: ["topic"] });
  });

  it("leaves definitions and settings out", async () => {
    const { notes } = await ask(clientOf(await start()), { query: "atlas sheet" });
    expect(notes.map(({ key }) => key)).not.toContain("tagAtlas0001");
  });

  it.each([
    ["is broken", { body: "{" }, "not JSON"],
    ["answers in another shape", { json: "no" }, "something else"],
    ["fails", { fail: { status: 500, times: 99 } }, "status 500"],
    ["breaks every connection", { reset: 99 }, "broke the connection"],
  ])("answers from local data with one warning when the API %s", async (_, behaviour, words) => {
    const { requests } = await start();
    Object.assign(api!.behaviour, behaviour);
    const answer = await ask(clientOf(api!), { since: monday, also: ["projAtlas001"] });
    expect(answer).toMatchObject({ notes: [], gone: [], found: [] });
    expect(answer.warnings).toEqual([expect.stringMatching(new RegExp(`${words}.*Local data is used`))]);
    expect(requests.length).toBeLessThanOrEqual(6);
  });

  it("asks nothing more after its token was refused", async () => {
    await start();
    const answer = await ask(clientOf(api!, { token: "another" }), { since: monday, also: ["projAtlas001"] });
    expect(answer.warnings).toEqual([expect.stringContaining(`the token in ${tokenVariable} was refused`)]);
    expect(api!.requests).toHaveLength(2);
  });

  it("uses what is there when time is up", async () => {
    const { behaviour } = await start();
    Object.assign(behaviour, { on: /^\/nodes\/[^/]+\/children|^\/nodes\/projAtlas001$/, hang: true });
    const answer = await ask(clientOf(api!), { deadline: 1500 });
    expect(answer.warnings).toEqual([expect.stringContaining("did not answer everything within 1.5 s")]);
    expect(answer.notes.find(({ key }) => key === "projAtlas001")).toMatchObject({
      name: "Atlas",
      tags: ["Big Project"],
    });
  });

  it("answers when the API hangs altogether", async () => {
    const { behaviour } = await start();
    behaviour.hang = true;
    const answer = await ask(clientOf(api!), { deadline: 80, since: monday });
    expect(answer).toMatchObject({ notes: [], warnings: [expect.stringContaining("Local data is used")] });
  });

  it("stops at once when its caller does", async () => {
    const { behaviour, requests } = await start();
    behaviour.hang = true;
    const stop = new AbortController();
    const answer = ask(clientOf(api!), { signal: stop.signal });
    await until(() => requests.length > 0);
    stop.abort();
    await expect(answer).rejects.toMatchObject({ code: "interrupted" });
  });

  it("is not led round in circles by an API that lies", async () => {
    await start([
      { id: "circleA00001", name: "Circle", children: ["circleB00001", "circleA00001"] },
      { id: "circleB00001", name: "Circle too", children: ["circleA00001"] },
    ]);
    const { notes, warnings } = await ask(clientOf(api!), { query: "circle" });
    expect(notes.map(({ key }) => key).sort()).toEqual(["circleA00001", "circleB00001"]);
    expect(warnings).toEqual([]);
  });

  it("answers whatever JSON the API makes up", async () => {
    const { behaviour } = await start();
    const client = clientOf(api!);
    const node = fc.record(
      {
        id: fc.constantFrom("a", "b", "c", 7, null),
        name: fc.jsonValue(),
        tags: fc.jsonValue(),
        created: fc.jsonValue(),
        docType: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const made = fc.oneof(
      fc.jsonValue(),
      fc.array(node),
      fc.record({ children: fc.array(node), hasMore: fc.boolean() }),
      fc.record({ markdown: fc.string(), name: fc.jsonValue(), description: fc.jsonValue() }),
    );
    await fc.assert(
      fc.asyncProperty(made, async (json) => {
        behaviour.json = json;
        const { notes } = await ask(client, { query: "a", since: monday, also: ["b"] });
        for (const note of notes)
          expect(note).toMatchObject({ key: expect.any(String), name: expect.any(String), tags: expect.any(Array) });
      }),
      { numRuns: 60 },
    );
  });

  it("gives the same answer whatever order the API answers in", async () => {
    const answers: string[] = [];
    for (const slow of [/projAtlas001/, /taskDraw0001/]) {
      const { behaviour } = await start();
      Object.assign(behaviour, { on: slow, delay: 30 });
      const { asked: _, ...answer } = await ask(clientOf(api!), { since: monday });
      answers.push(JSON.stringify(answer));
      await api!.close();
    }
    expect(answers[0]).toBe(answers[1]);
  });
});

function merged(before: Note[], changed: Note[]): Note[] {
  return [...new Map([...before, ...changed].map((note) => [note.key, note])).values()];
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

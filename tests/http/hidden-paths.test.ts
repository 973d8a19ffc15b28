import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shownPlace, withoutPlaces } from "../../src/operations/core/hide-paths.ts";
import { allOperations } from "../../src/operations/core/registry.ts";
import { attempts } from "./attempts.ts";
import { ask, bearer, type HttpAnswer, post, type RunningServer, start } from "./http-server.ts";

const operations = (await allOperations()).filter(({ onlyOn }) => onlyOn === undefined);

describe("a place on this machine", () => {
  const root = "/srv/shop";
  const discreet = { discreet: true };

  it("is shown whole to whoever runs it, and from the root on to others", () => {
    expect(shownPlace("/srv/shop/dossier.json", root, {})).toBe("/srv/shop/dossier.json");
    expect(shownPlace("/srv/shop/dossier.json", root, discreet)).toBe("dossier.json");
    expect(shownPlace(root, root, discreet)).toBe(".");
    expect(shownPlace("/srv/shopping/x.json", root, discreet)).toBe("x.json");
    expect(shownPlace("~/Notes/x.json", root, discreet)).toBe("x.json");
    expect(shownPlace("C:\\Notes\\x.json", root, discreet)).toBe("x.json");
    expect(shownPlace("exports/x.json", root, discreet)).toBe("exports/x.json");
  });

  it.each([
    ["/srv/shop has no index yet.", "the workspace has no index yet."],
    ["The folder /srv/shop/notes cannot be read.", "The folder notes cannot be read."],
    ["There is no file /home/ada/tana.json.", "There is no file tana.json."],
    ['"/home/ada/tana.json" is empty', '"tana.json" is empty'],
    ["/srv/shopping/a.md is gone", "a.md is gone"],
    ["~/x.md is gone", "x.md is gone"],
    ["EACCES: permission denied, open '/var/lib/x/index.db'", "EACCES: permission denied, open 'index.db'"],
    ["http://127.0.0.1:8262/api/v1 does not answer", "http://127.0.0.1:8262/api/v1 does not answer"],
    ["notes/plan.md and/or a/b", "notes/plan.md and/or a/b"],
    ["at most 3/4 of 1,000", "at most 3/4 of 1,000"],
  ])("is kept out of the sentence %s", (sentence, told) => {
    expect(withoutPlaces(sentence, root)).toBe(told);
  });
});

describe("over HTTP, nobody but an admin is told where anything lies", () => {
  let running: RunningServer;
  let elsewhere: string;
  let keys: Record<"read" | "write" | "admin", string>;
  const places = () => [running.root, elsewhere, running.workspace.databasePath];

  const say = (key: string, path: string, body: unknown, headers = {}): Promise<HttpAnswer> =>
    post(`${running.url}${path}`, body, { ...bearer(key), ...headers });

  /** Every route with all that might be tried; the answers that name a place. */
  const leaks = async (key: string, values = ["plumbago"], headers = {}) => {
    const shownPaths: { path: string; input: unknown; text: string }[] = [];
    const look = (path: string, input: unknown, text: string) => {
      if (places().some((place) => text.includes(place))) shownPaths.push({ path, input, text: text.slice(0, 2000) });
    };
    for (const operation of operations) {
      for (const input of attempts(operation, values)) {
        look(operation.name, input, (await say(key, `/v1/${operation.name}`, input, headers)).text);
      }
    }
    for (const [path, body] of [
      ["/context/build", { message: "plumbago @a.md" }],
      ["/context/build", { threadId: "thr-none", message: "plumbago" }],
      ["/context/feedback", { contextItemId: "a.md", useful: true }],
    ] as const) {
      look(path, body, (await say(key, path, body, headers)).text);
    }
    for (const path of ["/context/stats", "/metrics", "/openapi.json", "/docs", "/readyz", "/healthz", "/nowhere"]) {
      look(path, undefined, (await ask(running.url + path, { headers: bearer(key) })).text);
    }
    return shownPaths;
  };

  beforeAll(async () => {
    elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "dossier-elsewhere-")));
    mkdirSync(join(elsewhere, "vault"));
    writeFileSync(join(elsewhere, "vault", "Plumbago.md"), "It grows. #plant\n");
    writeFileSync(join(elsewhere, "broken.json"), "{");
    const notes = [
      { name: "garden", from: join(elsewhere, "vault"), kind: "vault" },
      { name: "gone", from: join(elsewhere, "gone.json"), kind: "tana-export" },
      { name: "broken", from: join(elsewhere, "broken.json"), kind: "tana-export" },
    ];
    running = await start({
      files: {
        "a.md": "# A\n\nThe plumbago grows.\n",
        "pay.ts": "export function plumbago() {\n  return 1;\n}\n",
        "dossier.json": JSON.stringify({ notes }),
      },
      settings: { rate: 0 },
    });
    // An owner for each: what is wrong with an origin is told when its notes are first read.
    keys = {
      read: await running.key("ada", "read"),
      write: await running.key("bob", "write"),
      admin: await running.key("eve", "admin"),
    };
  });
  afterAll(async () => {
    await running.close();
    rmSync(elsewhere, { recursive: true, force: true });
  });

  it("though an admin is, by the same questions", async () => {
    const shownToAdmin = new Set((await leaks(keys.admin)).map(({ path }) => path));
    expect([...shownToAdmin].sort()).toEqual(
      expect.arrayContaining(["context", "doctor", "index", "lenses", "notes", "status", "tana_context"]),
    );
  });

  it.each(["read", "write"] as const)("with a key that may %s", async (scope) => {
    expect(await leaks(keys[scope], ["plumbago", "../../a.md"])).toEqual([]);
    const { json } = await say(keys[scope], "/v1/status", {});
    expect(json).toMatchObject({ root: ".", index: ".dossier/index.db", files: 3 });
  });

  it("nor while progress is told", async () => {
    writeFileSync(join(running.root, "b.md"), "# B\n\nThe plumbago blooms.\n");
    const { text } = await say(keys.write, "/v1/context", { query: "blooms" }, { Accept: "text/event-stream" });
    expect(text).toContain('event: progress\ndata: {"stage":"');
    expect(await leaks(keys.read, ["plumbago"], { Accept: "text/event-stream" })).toEqual([]);
  });

  it("nor by a config file that is wrong", async () => {
    writeFileSync(join(running.root, "dossier.json"), '{ "notes": 5 }');
    const lenses = await say(keys.read, "/v1/lenses", {});
    expect([lenses.status, lenses.json.error.message]).toEqual([422, "The server's config file is wrong."]);
    expect(await leaks(keys.read)).toEqual([]);
  });

  it("nor when the folder itself is gone", async () => {
    const away = `${running.root}-away`;
    renameSync(running.root, away);
    try {
      const { status } = await say(keys.read, "/v1/context", { query: "plumbago" });
      expect(status).toBeGreaterThanOrEqual(200);
      expect(await leaks(keys.read)).toEqual([]);
    } finally {
      renameSync(away, running.root);
    }
  });
});

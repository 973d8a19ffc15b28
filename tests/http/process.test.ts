import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { cli, dossier, folderWith } from "../cli/run-cli.ts";
import { ask, bearer, post } from "./http-server.ts";

/** `dossier serve` as a process of its own. */
type Child = { child: ChildProcess; url: string; said(): string; logged(): string; ended: Promise<number | null> };

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function place(files: Record<string, string> = {}): string {
  const { folder, remove } = folderWith(files);
  cleanups.push(remove);
  return folder;
}

async function serve(folder: string, ...args: string[]): Promise<Child> {
  const child = spawn(process.execPath, [cli, "serve", "-C", folder, "--port", "0", ...args], { stdio: "pipe" });
  cleanups.unshift(() => child.kill("SIGKILL"));
  let printed = "";
  let logged = "";
  const ended = once(child, "close").then(([status]) => status as number | null);
  child.stdout.on("data", (chunk) => (logged += chunk));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      printed += chunk;
      const address = / at (http:\S+);.*\n.*\n/.exec(printed)?.[1];
      if (address) resolve(address);
    });
    void ended.then((status) => reject(new Error(`It ended with ${status}: ${printed}`)));
  });
  return { child, url, said: () => printed, logged: () => logged, ended };
}

describe("dossier serve", () => {
  it("says where it serves and whom, logs one line for each request, and stops when told", async () => {
    const { child, url, said, logged, ended } = await serve(place({ "a.md": "# A\n" }));
    expect(said()).toMatch(/There is no key, so only programs on this machine are served.*dossier key create/);
    expect((await post(`${url}/v1/status`, {})).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(said()).toMatch(/Stopped after 1 request\.\n$/);
    const lines = logged()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ msg, route }) => msg ?? route)).toEqual(["serving", "/v1/status", "stopped"]);
  });

  it("serves nobody else without a key, and says how to make one", async () => {
    const { status, stderr } = await dossier(["serve", "-C", place(), "--host", "0.0.0.0", "--port", "0"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/Without a key only this machine is served, not 0\.0\.0\.0: dossier key create/);
  });

  it("says so when its port is taken", async () => {
    const folder = place();
    const { url } = await serve(folder);
    const { status, stderr } = await dossier(["serve", "-C", folder, "--port", new URL(url).port]);
    expect(status).toBe(11);
    expect(stderr).toMatch(/Port \d+ is taken\. Choose another --port/);
  });

  it("takes a key from the moment it is made until it is revoked", async () => {
    const folder = place();
    const { url } = await serve(folder);
    expect((await post(`${url}/v1/lenses`, {})).status).toBe(200);
    const made = await dossier([
      "keys",
      "create",
      "chat",
      "--owner",
      "ada",
      "--scope",
      "read",
      "--expires",
      "90d",
      "-C",
      folder,
    ]);
    const secret = /dsr_[\w-]{43}/.exec(made.stdout)![0];
    expect(made.stdout).toMatch(/cannot be shown again/);
    expect((await post(`${url}/v1/lenses`, {})).status).toBe(401);
    expect((await post(`${url}/v1/lenses`, {}, bearer(secret))).status).toBe(200);
    expect((await post(`${url}/v1/remember`, { content: "x" }, bearer(secret))).status).toBe(403);
    const listed = await dossier(["keys", "-C", folder]);
    expect(listed.stdout).toMatch(
      /^chat key-\w+ read as ada: valid \(dsr_.{4}…, used \d{4}-\d\d-\d\d, until \d{4}-\d\d-\d\d\)\n$/,
    );
    expect(listed.stdout).not.toContain(secret);
    expect((await dossier(["keys", "revoke", "chat", "-C", folder])).stdout).toMatch(/is refused from now on/);
    expect((await post(`${url}/v1/lenses`, {}, bearer(secret))).status).toBe(401);
    expect((await post(`${url}/v1/lenses`, {})).status).toBe(401);
  });

  it("answers what it has taken on before it stops", async () => {
    const { child, url, ended } = await serve(place({ "a.md": "# Ledger\n\nClosed on Fridays.\n" }));
    await post(`${url}/v1/search`, { query: "ledger" });
    const statuses: number[] = [];
    const refused: unknown[] = [];
    const asked = Array.from({ length: 20 }, () =>
      post(`${url}/v1/search`, { query: "ledger" }).then(
        ({ status }) => statuses.push(status),
        (error: NodeJS.ErrnoException) => refused.push(error.code),
      ),
    );
    await Promise.race(asked);
    child.kill("SIGINT");
    await Promise.all(asked);
    expect(await ended).toBe(0);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses).toContain(200);
    expect(refused.filter((code) => code !== "ECONNREFUSED" && code !== "ECONNRESET")).toEqual([]);
  });

  it("ends at once when told a second time", async () => {
    const { child, url, ended } = await serve(place());
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write("POST /v1/status HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
    await once(socket, "connect");
    await ask(`${url}/healthz`);
    child.kill("SIGTERM");
    const early = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 300, "still there"))]);
    expect(early).toBe("still there");
    child.kill("SIGTERM");
    expect(await ended).toBe(130);
  });

  it("loses nothing that it acknowledged when it is killed while it writes", async () => {
    const folder = place();
    const { child, url, ended } = await serve(folder, "--rate", "0");
    const client = createClient({ url });
    const { thread } = await client.thread({ step: "create", title: "Kept" });
    const kept = { documents: new Set<string>(), messages: new Set<string>(), memories: new Set<string>() };
    let goOn = true;
    const writer = async (number: number) => {
      for (let i = 0; goOn; i++) {
        const document = `notes/${number}-${i}.md`;
        await client.putDocument({ document, content: `Written by ${number} as number ${i}.` });
        kept.documents.add(document);
        const text = `Said by ${number} as number ${i}.`;
        await client.say({ thread: thread.id, text });
        kept.messages.add(text);
        const content = `Remember sentence ${i} about subject ${number}.`;
        const { memory } = await client.remember({ content, force: true });
        if (memory) kept.memories.add(memory.id);
        if (kept.documents.size >= 24) child.kill("SIGKILL");
      }
    };
    const writers = Array.from({ length: 8 }, (_, number) => writer(number).catch(() => (goOn = false)));
    await Promise.all([...writers, ended]);
    expect(kept.documents.size).toBeGreaterThanOrEqual(24);
    const workspace = await openWorkspace(folder);
    try {
      const [library, records] = [await workspace.library(), await workspace.records()];
      for (const path of kept.documents) {
        const [number, i] = /(\d+)-(\d+)/.exec(path)!.slice(1);
        expect((await library.document("local", path))?.content).toBe(`Written by ${number} as number ${i}.`);
      }
      const messages = await library.messages("local", thread.id, { last: 10_000 });
      const stored = messages.map(({ blocks }) => JSON.stringify(blocks)).join("\n");
      expect([...kept.messages].filter((text) => !stored.includes(text))).toEqual([]);
      expect(await records.get("local", [...kept.memories])).toHaveLength(kept.memories.size);
    } finally {
      await workspace.close();
    }
    // And it serves again.
    const again = await serve(folder);
    expect((await createClient({ url: again.url }).getDocument({ document: [...kept.documents][0]! })).content).toMatch(
      /^Written/,
    );
  });
});

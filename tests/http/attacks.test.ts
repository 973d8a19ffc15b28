import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { operation } from "../../src/operations/core/operation.ts";
import { allOperations } from "../../src/operations/core/registry.ts";
import { attempts } from "./attempts.ts";
import { ask, bearer, post, started } from "./http-server.ts";

function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // Whether it is closed, and how politely, is what tests look at.
  socket.on("error", () => undefined);
  return socket;
}

/** All that a server says to these bytes, until it closes or is quiet for a while. */
async function say(url: string, bytes: string | Buffer): Promise<string> {
  const socket = open(url);
  let received = "";
  socket.on("data", (chunk) => (received += chunk));
  socket.write(bytes);
  await Promise.race([once(socket, "close"), once(socket, "data").then(() => sleep(100))]);
  socket.destroy();
  return received;
}

async function figure(url: string, name: string): Promise<number> {
  const { text } = await ask(`${url}/metrics`);
  const line = new RegExp(`^${name} (\\S+)$`, "m").exec(text);
  if (!line) throw new Error(`There is no figure ${name} in ${text.slice(0, 500)}`);
  return Number(line[1]);
}

async function until(check: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await check())) await sleep(10);
}

const hidden = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
const head = (...lines: string[]) => ["POST /v1/lenses HTTP/1.1", ...lines, "", ""].join("\r\n");
const json = "Content-Type: application/json";

describe("requests that two servers could read in two ways", () => {
  it.each<[string, string]>([
    [
      "two ways to say how long the body is",
      `${head("Host: localhost", json, "Content-Length: 4", "Transfer-Encoding: chunked")}0\r\n\r\n${hidden}`,
    ],
    ["two lengths", `${head("Host: localhost", json, "Content-Length: 2", "Content-Length: 60")}{}${hidden}`],
    ["a length that is no number", `${head("Host: localhost", json, "Content-Length: 2abc")}{}${hidden}`],
    [
      "an encoding that only looks like chunks",
      `${head("Host: localhost", json, "Transfer-Encoding: xchunked")}0\r\n\r\n${hidden}`,
    ],
    [
      "chunks of a wrong size",
      `${head("Host: localhost", json, "Transfer-Encoding: chunked")}-1\r\n{}\r\n0\r\n\r\n${hidden}`,
    ],
    [
      "a header over two lines",
      `${head("Host: localhost", "X-A: b\r\n\tc: d", json, "Content-Length : 2")}{}${hidden}`,
    ],
    ["a header with a NUL", `${head("Host: localhost", "X-A: \0", json)}${hidden}`],
  ])("are refused: %s", async (_what, bytes) => {
    const { url, log } = await started();
    const response = await say(url, bytes);
    expect(response).toMatch(/^HTTP\/1\.1 4\d\d /);
    // Nothing behind it was taken for a request of its own.
    expect(response.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(response).not.toContain("dossier_http_requests_total");
    expect(log.filter(({ route }) => route === "/metrics")).toEqual([]);
  });

  it("are refused: two hosts, or none", async () => {
    const { url } = await started();
    for (const hosts of [[], ["Host: localhost", "Host: evil.example"], ["Host: evil.example", "Host: localhost"]]) {
      expect(await say(url, `${head(...hosts, json, "Content-Length: 2")}{}`)).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });

  it.each([
    "/v1/../metrics",
    "//metrics",
    "/metrics/",
    "/%6detrics",
    "/metrics%00",
    "/metrics;x",
    "/METRICS",
    "http://evil.example/metrics",
    "*",
  ])("lead nowhere else than they say: %s", async (target) => {
    const { url, key } = await started();
    const secret = await key("ada", "read");
    const response = await say(
      url,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nConnection: close\r\n\r\n`,
    );
    // With the smallest scope: what is reached by another name is refused by its own rules, too.
    expect(response).toMatch(/^HTTP\/1\.1 40[034] /);
    expect(response).not.toContain("dossier_http_requests_total");
  });

  it("are not upgraded", async () => {
    const { url } = await started();
    const response = await say(
      url,
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(response).not.toMatch(/^HTTP\/1\.1 101 /);
  });
});

describe("bodies", () => {
  it("that are no UTF-8 are refused, and those with a mark of it are not", async () => {
    const { url } = await started();
    const send = (bytes: Buffer, type = json) =>
      say(
        url,
        Buffer.concat([
          Buffer.from(head("Host: localhost", type, "Connection: close", `Content-Length: ${bytes.length}`)),
          bytes,
        ]),
      );
    expect(await send(Buffer.from([0x7b, 0xff, 0x7d]))).toMatch(/^HTTP\/1\.1 400 [\s\S]*not valid UTF-8/);
    expect(await send(Buffer.from("\ufeff{}"))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send(Buffer.from("{}"), "Content-Type: application/json; charset=utf-8")).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send(Buffer.from("{}"), "Content-Type: application/json; charset=utf-16")).toMatch(/^HTTP\/1\.1 415 /);
    expect(await send(Buffer.from("{}"), "Content-Type: application/jsonp")).toMatch(/^HTTP\/1\.1 415 /);
  });

  it("are read by nobody without a key", async () => {
    const { url, key } = await started();
    await key("ada", "read");
    const socket = open(url);
    socket.write(head("Host: localhost", json, "Content-Length: 1000000"));
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });
});

describe("places outside the workspace", () => {
  const secret = "zanzibarium";
  let outside: string;
  afterEach(() => rmSync(outside, { recursive: true, force: true }));

  it("are reached by no path, in no operation", async () => {
    outside = realpathSync(mkdtempSync(join(tmpdir(), "dossier-outside-")));
    writeFileSync(join(outside, "secret.md"), `# Plumbago\n\nThe plumbago ${secret} is outside.\n`);
    const { url, root, key } = await started({
      files: { "a.md": "# A\n\nThe plumbago grows.\n" },
      settings: { rate: 0 },
    });
    symlinkSync(join(outside, "secret.md"), join(root, "link.md"));
    symlinkSync(outside, join(root, "linked"));
    const admin = await key("ada", "admin");
    const over = `../../${outside.slice(dirname(root).length + 1)}/secret.md`;
    const paths = [
      "plumbago",
      over,
      join(outside, "secret.md"),
      "link.md",
      "linked/secret.md",
      `file://${outside}/secret.md`,
    ];
    for (const operation of (await allOperations()).filter(({ onlyOn }) => !onlyOn)) {
      for (const input of attempts(operation, paths)) {
        const { status, text } = await post(`${url}/v1/${operation.name}`, input, bearer(admin));
        expect({ name: operation.name, input, text }).toMatchObject({ text: expect.not.stringContaining(secret) });
        expect({ name: operation.name, input, status, text }).toMatchObject({
          status: expect.toSatisfy((each: number) => each < 500),
        });
      }
    }
    const query = await ask(`${url}/context/stats?path=${encodeURIComponent(outside)}`, { headers: bearer(admin) });
    expect(query.status).toBe(400);
  });

  it.each([
    "../../escaped.md",
    "/etc/escaped.md",
    "notes/../../escaped.md",
    "..\\escaped.md",
    "C:\\escaped.md",
    "a\0b.md",
    "notes//../..//x.md",
  ])("are no paths of documents: %j", async (document) => {
    outside = "";
    const { url, root } = await started();
    const stored = await post(`${url}/v1/put_document`, { document, content: "x" });
    const listed = (await post(`${url}/v1/documents`, {})).json as unknown as { documents: { path: string }[] };
    // Refused, or kept under a plain path of its own; and never as a file.
    expect([200, 400]).toContain(stored.status);
    for (const { path } of listed.documents) expect(path).toMatch(/^(?!\/|~|[a-z]:|\.\.)(?!.*\/\.\.)[^\\\0]+$/i);
    expect(existsSync(join(dirname(root), "escaped.md"))).toBe(false);
    expect(existsSync(join(root, "escaped.md"))).toBe(false);
  });
});

describe("clients that only take", () => {
  it("who read nothing of their answer are let go", async () => {
    const much = operation({
      name: "much",
      summary: "Answer with more than a connection holds",
      input: z.object({}),
      output: z.object({ text: z.string() }),
      run: async () => ({ text: "x".repeat(15_000_000) }),
    });
    const { url } = await started({
      more: [much],
      settings: { timeout: 0.2 },
      patience: { head: 1000, request: 1000, check: 50 },
    });
    const socket = open(url);
    socket.pause();
    socket.write("POST /v1/much HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    await until(async () => (await figure(url, "dossier_operations_running")) === 0);
    // The one that asks is open, too.
    await until(async () => (await figure(url, "dossier_http_connections")) === 1);
    socket.destroy();
  });

  it("who say nothing at all are let go, whether they listen or not", async () => {
    const { url } = await started({ patience: { connections: 20, head: 300, request: 300, check: 50, next: 300 } });
    const silent = Array.from({ length: 15 }, () => open(url));
    await Promise.all(silent.map((socket) => once(socket, "connect")));
    // They never read, and never end their side.
    await until(async () => (await figure(url, "dossier_http_connections")) === 1);
    for (const socket of silent) socket.destroy();
  });

  it("who say nothing at all keep nobody out, not even 1,100 of them", async () => {
    const { url } = await started({ settings: { rate: 0 } });
    const silent: Socket[] = [];
    for (let batch = 0; batch < 11; batch++) {
      const more = Array.from({ length: 100 }, () => open(url));
      silent.push(...more);
      await Promise.all(more.map((socket) => once(socket, "connect")));
      expect((await post(`${url}/v1/lenses`, {})).status).toBe(200);
    }
    expect(await figure(url, "dossier_http_connections")).toBeLessThanOrEqual(500);
    for (let asked = 0; asked < 10; asked++) expect((await post(`${url}/v1/lenses`, {})).status).toBe(200);
    for (const socket of silent) socket.destroy();
  });

  it.runIf(process.platform === "linux")("from one address leave room for those from others", async () => {
    const { url } = await started({ patience: { connections: 20, perAddress: 10 } });
    const head =
      "POST /v1/lenses HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    const working = Array.from({ length: 10 }, () => open(url));
    for (const socket of working) socket.write(head);
    await until(async () => {
      const { hostname, port } = new URL(url);
      const socket = connect({ port: Number(port), host: hostname, localAddress: "127.0.0.2" });
      socket.on("error", () => undefined);
      let received = "";
      socket.on("data", (chunk) => (received += chunk));
      socket.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      await once(socket, "close");
      return /^dossier_http_connections 11$/m.test(received);
    });
    await expect(ask(`${url}/healthz`)).rejects.toThrow(/ECONNRESET|socket hang up/);
    for (const socket of working) socket.destroy();
    await expect
      .poll(() =>
        ask(`${url}/healthz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });

  it("who ask from 300 connections at once are all answered", async () => {
    const { url } = await started({ files: { "a.md": "# A\n" }, settings: { rate: 0 } });
    const asked = await Promise.all(Array.from({ length: 300 }, () => post(`${url}/v1/lenses`, {})));
    const statuses = asked.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(64);
    for (const { status, headers } of asked) if (status === 503) expect(headers["retry-after"]).toBe("1");
    expect(await figure(url, "dossier_operations_running")).toBe(0);
  });
});

describe("a client that goes away", () => {
  it("stops real work: files that were not read yet are not", async () => {
    const count = 1500;
    const text = "Some words about a subject, again and again.\n".repeat(40);
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`f${i}.md`, `# Title ${i}\n\nThe uniqueword${i}.\n${text}`]),
    );
    const { url } = await started({ files });
    const controller = new AbortController();
    const response = await fetch(`${url}/v1/index`, {
      method: "POST",
      headers: { Accept: "text/event-stream" },
      signal: controller.signal,
    });
    const reader = response.body!.getReader();
    let received = "";
    while (!/"stage":"indexing"/.test(received)) received += new TextDecoder().decode((await reader.read()).value);
    controller.abort();
    await until(async () => (await figure(url, "dossier_operations_running")) === 0);
    const { json } = await post(`${url}/v1/status`, {});
    const { files: indexed } = json as unknown as { files: number };
    expect(indexed).toBeLessThan(count);
    // What was left out is done when it is asked for.
    const hits = await post(`${url}/v1/search`, { query: `uniqueword${count - 1}`, limit: 1 });
    expect(hits.text).toContain(`f${count - 1}.md`);
  });
});

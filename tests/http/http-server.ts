import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Operation } from "../../src/operations/core/operation.ts";
import { allOperations } from "../../src/operations/core/registry.ts";
import type { Mount } from "../../src/operations/core/serving.ts";
import { openKeys } from "../../src/operations/serve/key-store.ts";
import type { KeyScope, KeyStore } from "../../src/stores/keys.ts";
import type { Work } from "../../src/surfaces/http/running-work.ts";
import { type HttpServer, openServer, type ServerLimits } from "../../src/surfaces/http/server.ts";
import type { HttpSettings } from "../../src/surfaces/http/settings.ts";
import { openWorkspace, type Workspace } from "../../src/workspace/workspace.ts";

/** A server on a free port over a real workspace, with what it takes to ask it. */
export type RunningServer = {
  url: string;
  root: string;
  workspace: Workspace;
  keys: KeyStore;
  server: HttpServer;
  /** The lines of its log. */
  log: Record<string, unknown>[];
  /** A new key's secret. */
  key(owner: string, scope: KeyScope, expires?: number): Promise<string>;
  close(): Promise<void>;
};

export type ServerStart = {
  files?: Record<string, string>;
  /** An existing folder instead of a new one; whoever made it removes it. */
  at?: string;
  settings?: Partial<HttpSettings>;
  patience?: Partial<ServerLimits>;
  /** Besides those of the registry. */
  more?: Operation[];
  mounts?: Mount[];
  work?: Work;
};

/** None: each takes a second to start. DOSSIER_TEST_WORKERS=2 runs the same tests with workers. */
const usualWorkers = Number(process.env.DOSSIER_TEST_WORKERS ?? 0);

export async function start(options: ServerStart = {}): Promise<RunningServer> {
  const { files = {}, at, settings, patience, more = [], mounts, work } = options;
  const root = at ?? realpathSync(mkdtempSync(join(tmpdir(), "dossier-http-")));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const workspace = await openWorkspace(root);
  const keys = await openKeys(workspace);
  const { createLog } = await import("../../src/surfaces/http/log.ts");
  const log: RunningServer["log"] = [];
  const stream = { write: (line: string) => log.push(JSON.parse(line) as Record<string, unknown>) };
  const operations = [...(await allOperations()), ...more];
  const server = await openServer(
    {
      workspace,
      keys,
      operations,
      mounts,
      work,
      settings: { workers: usualWorkers, ...settings },
      log: createLog(settings?.log ?? "info", stream),
    },
    // On a busy machine indexing takes time.
    { index: 30_000, ...patience },
  );
  let made = 0;
  return {
    url: server.url,
    root,
    workspace,
    keys,
    server,
    log,
    async key(owner, scope, expires) {
      return (await keys.create({ name: `${owner}-${++made}`, owner, scope, at: Date.now(), expires })).secret;
    },
    async close() {
      await server.close();
      await keys.close();
      await workspace.close();
      if (at === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}

export type HttpAnswer = { status: number; headers: IncomingHttpHeaders; text: string; json: Json };
type Json = { error: { code: string; message: string; fix: string; requestId: string } } & Record<string, never>;

/** Asks as plain HTTP does: every header can be set, also those that browsers and fetch keep to themselves. */
export function ask(
  url: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions = { method, headers, agent: false };
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const isJson = response.headers["content-type"]?.includes("json");
        const json = (isJson && text !== "" ? JSON.parse(text) : {}) as Json;
        resolve({ status: response.statusCode!, headers: response.headers, text, json });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return ask(url, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: text });
}

export const bearer = (secret: string): Record<string, string> => ({ Authorization: `Bearer ${secret}` });

/** A server for one test, closed when that ends. */
export async function started(options: ServerStart = {}): Promise<RunningServer> {
  const running = await start(options);
  onTestFinished(() => running.close());
  return running;
}

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type * as library from "../../src/index.ts";
import { neededScope, scopeRange } from "../../src/operations/core/access.ts";
import { fieldsOf } from "../../src/operations/core/fields.ts";
import type { Operation } from "../../src/operations/core/operation.ts";
import type { KeyScope } from "../../src/stores/keys.ts";
import { isDocument, namesBundle, roomForBundle } from "../../src/surfaces/mcp/tools/document.ts";
import { cli, dossier, dossierInside } from "../cli/run-cli.ts";
import { bearer, post } from "../http/http-server.ts";
import type { SurfacePlace } from "./fixture.ts";

/** What one surface answers: data (and what a person or a model reads), or what went wrong. */
export type SurfaceAnswer = { data?: unknown; text?: string; failure?: { code: string; message: string } };
export type CallInput = Record<string, unknown>;
export type Surface = { call(operation: Operation, input: CallInput): Promise<SurfaceAnswer>; close(): Promise<void> };

type Failure = { code: string; message: string; fix: string };

/** The built package, as programs import it. */
export async function openLibrary({ root, home }: SurfacePlace): Promise<Surface> {
  const built = (await import(pathToFileURL(join(cli, "../index.js")).href)) as typeof library;
  const functions = built as unknown as Record<string, (input: CallInput, options: object) => Promise<unknown>>;
  const before = process.env.DOSSIER_HOME;
  process.env.DOSSIER_HOME = home;
  const workspace = await built.openWorkspace(root);
  return {
    async call(operation, input) {
      try {
        const data = await functions[functionName(operation.name)]!({ path: root, ...input }, { workspace });
        const text = operation.text?.(data, operation.input.parse(input), false) ?? JSON.stringify(data);
        // As JSON has it: what is undefined is not there.
        return { data: JSON.parse(JSON.stringify(data)), text };
      } catch (error) {
        if (!(error instanceof built.DossierError)) throw error;
        return { failure: { code: error.code, message: error.message } };
      }
    },
    async close() {
      await workspace.close();
      if (before === undefined) delete process.env.DOSSIER_HOME;
      else process.env.DOSSIER_HOME = before;
    },
  };
}

/** Words of the language cannot be names of functions. */
const reserved: Record<string, string> = { export: "exportRecords", import: "importRecords", eval: "evaluate" };

function functionName(name: string): string {
  return reserved[name] ?? name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Inside this process, but for what counts what its process has done. What only the command line has runs in a process
 * in tests/cli.
 */
export function openCommandLine({ root, home }: SurfacePlace): Surface {
  const files = mkdtempSync(join(tmpdir(), "dossier-parity-files-"));
  const env = { DOSSIER_HOME: home };
  let made = 0;
  const asFile = (text: unknown): string => {
    const path = join(files, `${++made}.txt`);
    writeFileSync(path, String(text));
    return path;
  };
  return {
    async call(operation, input) {
      const args = argumentsOf(operation, input, asFile);
      const run = operation.name === "context_stats" ? dossier : dossierInside;
      const { stdout, stderr } = await run([...commandOf(operation, input), "--json", ...args], { cwd: root, env });
      if (stdout === "") throw new Error(`${operation.name} printed nothing: ${stderr}`);
      const data = JSON.parse(stdout) as { error?: Failure };
      if (data.error) return { failure: { code: data.error.code, message: data.error.message } };
      return { data };
    },
    close: async () => rmSync(files, { recursive: true, force: true }),
  };
}

/**
 * `memory add`; of an operation whose steps are commands the one of the step, and by its own name where there is no
 * such step.
 */
function commandOf(operation: Operation, { step }: CallInput): string[] {
  const { name, command } = operation;
  const usual = fieldsOf(operation).find(({ key }) => key === "step")?.default;
  const words = typeof command === "string" ? command : command?.[String(step ?? usual)]?.words;
  return (words ?? name).split(" ");
}

/** `--max-tokens=5 --no-refresh -- words in their places`. */
function argumentsOf(operation: Operation, given: CallInput, asFile: (text: unknown) => string): string[] {
  const { step, ...others } = given;
  const isStep = commandOf(operation, given).length > 1 && operation.takes !== undefined;
  const input = isStep ? others : given;
  const flags: string[] = [];
  const words: string[] = [];
  const fields = new Map(fieldsOf(operation).map((field) => [field.key, field]));
  const givenFor = (key: string) => (fields.get(key)?.fromFile ? asFile(input[key]) : input[key]);
  for (const key of operation.positional ?? []) {
    if (key in input) words.push(...[givenFor(key)].flat().map(String));
  }
  for (const [key, given] of Object.entries(input)) {
    if (operation.positional?.includes(key)) continue;
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (typeof given === "boolean") flags.push(given ? `--${name}` : `--no-${name}`);
    else for (const value of [givenFor(key)].flat()) flags.push(`--${name}=${String(value)}`);
  }
  return [...flags, "--", ...words];
}

function documentRoom(operation: Operation, input: CallInput): CallInput {
  if (!namesBundle(operation)) return {};
  const usual = fieldsOf(operation).find(({ key }) => key === "maxTokens")!.default;
  const budget = input.maxTokens ?? usual;
  return typeof budget === "number" && budget >= 64 ? { max_tokens: budget + roomForBundle } : {};
}

/** The official client with a server of its own. */
export async function openAgent({ root, home }: SurfacePlace): Promise<Surface> {
  const client = new Client({ name: "parity", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, "mcp", "--quiet", "--tools", "all"],
      cwd: root,
      env: { ...(process.env as Record<string, string>), DOSSIER_HOME: home },
      stderr: "inherit",
    }),
  );
  return {
    async call(operation, input) {
      const { name } = operation;
      const snake = Object.entries(input).map(([key, value]) => [
        key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        value,
      ]);
      const ask = async (more: CallInput): Promise<SurfaceAnswer> => {
        const answer = await client.callTool({ name, arguments: { ...Object.fromEntries(snake), ...more } });
        const failure = answer._meta?.["dossier/error"] as Failure | undefined;
        if (failure) return { failure: { code: failure.code, message: failure.message } };
        return { text: (answer.content as { text: string }[])[0]!.text };
      };
      // A document has the room that the line with its bundle leaves.
      if (isDocument(operation)) return ask(documentRoom(operation, input));
      const { text, failure } = await ask({ format: "json" });
      if (failure) return { failure };
      // What writes is asked once.
      return { data: JSON.parse(text!), ...(scopeRange(operation).most === "read" ? await ask({}) : {}) };
    },
    close: () => client.close(),
  };
}

/**
 * A server with keys: one that may do what most need, and is told no places of the machine; one for what it may not.
 */
export async function openService({ root, home }: SurfacePlace): Promise<Surface> {
  const env = { DOSSIER_HOME: home };
  const keys: Partial<Record<KeyScope, string>> = {};
  for (const scope of ["write", "admin"] as const) {
    const args = ["keys", "create", `parity-${scope}`, "--owner", "local", "--scope", scope, "--json"];
    const { stdout } = await dossierInside(args, { cwd: root, env });
    keys[scope] = (JSON.parse(stdout) as { secret: string }).secret;
  }
  const { child, url } = await serve(root, env);
  return {
    async call(operation, input) {
      const scope = neededScope(operation, input) === "admin" ? "admin" : "write";
      const { json, status } = await post(`${url}/v1/${operation.name}`, input, bearer(keys[scope]!));
      if (status !== 200) return { failure: { code: json.error.code, message: json.error.message } };
      return { data: json };
    },
    async close() {
      child.kill("SIGTERM");
      await new Promise((resolve) => child.once("close", resolve));
    },
  };
}

function serve(root: string, env: Record<string, string>): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [cli, "serve", "--port", "0", "--rate", "100000", "--log", "silent"], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let printed = "";
  return new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      printed += chunk;
      const url = / at (http:\S+);/.exec(printed)?.[1];
      if (url) resolve({ child, url });
    });
    child.on("close", () => reject(new Error(`It ended: ${printed}`)));
  });
}

import { type ChildProcess, spawn } from "node:child_process";
import { Client, type ClientOptions, InMemoryTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import type { ToolSet } from "../../src/operations/core/serving.ts";
import { openedWorkspaces } from "../../src/operations/core/workspace-pool.ts";
import { localTarget } from "../../src/surfaces/mcp/local-agent.ts";
import { connect } from "../../src/surfaces/mcp/transport/connection.ts";
import { cli } from "../cli/run-cli.ts";

/** Agents that speak with the built command line over real pipes, or with the same server inside this process. */

export type AgentOptions = {
  /** Working folder of the server. */
  cwd?: string;
  args?: string[];
  /** Another command line than the built one. */
  script?: string;
  env?: Record<string, string>;
  client?: ClientOptions;
  /** What the client says it has opened. */
  roots?: () => string[];
};

/** The official client, of the newest revision unless its options say otherwise. */
export async function agent({ cwd, args = [], script = cli, env, ...options }: AgentOptions = {}): Promise<Client> {
  const client = clientWith(options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, "mcp", ...args],
    cwd,
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

type InsideOptions = Pick<AgentOptions, "client" | "roots"> & { cwd: string; tools?: ToolSet; session?: string };

/**
 * The same with the server inside this process, for tests about what it answers: a process for every agent takes ten
 * times as long. Not for what only a process has: pipes, signals, the handshake before anything is loaded.
 */
export async function agentInside({ cwd, tools = "default", session, ...options }: InsideOptions): Promise<Client> {
  const client = clientWith(options);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const workspaces = openedWorkspaces();
  const target = localTarget(workspaces, session);
  const connection = connect(theirs, { path: cwd, tools, target, calling: () => undefined });
  await client.connect(ours);
  onTestFinished(async () => {
    await client.close();
    await connection.close();
    await workspaces.close();
  });
  return client;
}

function clientWith({ client: options, roots }: Pick<AgentOptions, "client" | "roots">): Client {
  const client = new Client(
    { name: "test", version: "1" },
    {
      versionNegotiation: { mode: "auto" },
      ...options,
      ...(roots && { capabilities: { roots: { listChanged: true } } }),
    },
  );
  if (roots) {
    client.setRequestHandler("roots/list", () => ({ roots: roots().map((folder) => ({ uri: `file://${folder}` })) }));
  }
  return client;
}

export type Frame = Record<string, unknown> & {
  id?: unknown;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
};

/** A client that is nothing but frames. */
export type Raw = {
  child: ChildProcess;
  /** Every line that came on standard output, as it came. */
  lines: string[];
  stderr: () => string;
  write(...messages: (string | object)[]): void;
  /** The answer to this id. */
  answer(id: unknown): Promise<Frame>;
  heard(): Frame[];
  greet(protocolVersion?: string, capabilities?: object): Promise<Frame>;
  call(id: number, name: string, given: object, meta?: object): Promise<Frame>;
  exit: Promise<number | null>;
};

export function raw({ cwd, args = [], env }: AgentOptions = {}): Raw {
  const child = spawn(process.execPath, [cli, "mcp", ...args], { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
  const lines: string[] = [];
  const frames: Frame[] = [];
  let waiting: (() => void)[] = [];
  const changed = () => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  let rest = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop()!;
    lines.push(...parts);
    for (const part of parts) frames.push(...[JSON.parse(part) as Frame | Frame[]].flat());
    changed();
  });
  child.stderr.on("data", (chunk) => (stderr += chunk));
  // It may end before all was written: the tests look at what it answered.
  child.stdin.on("error", changed);
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  void exit.then(changed);
  onTestFinished(() => void child.kill("SIGKILL"));
  const write = (...messages: (string | object)[]) => {
    for (const message of messages)
      child.stdin.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
  };
  const answer = async (id: unknown): Promise<Frame> => {
    for (;;) {
      const response = frames.find((frame) => frame.id === id && frame.method === undefined);
      if (response) return response;
      if (child.exitCode !== null) throw new Error(`It ended without an answer to ${id}: ${stderr}`);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return {
    child,
    lines,
    stderr: () => stderr,
    write,
    answer,
    heard: () => frames,
    exit,
    async greet(protocolVersion = "2025-06-18", capabilities = {}) {
      const params = { protocolVersion, capabilities, clientInfo: { name: "raw", version: "1" } };
      write({ jsonrpc: "2.0", id: "greet", method: "initialize", params });
      const greeting = await answer("greet");
      write({ jsonrpc: "2.0", method: "notifications/initialized" });
      return greeting;
    },
    call(id, name, given, meta) {
      const params = { name, arguments: given, ...(meta && { _meta: meta }) };
      write({ jsonrpc: "2.0", id, method: "tools/call", params });
      return answer(id);
    },
  };
}

/** A small repository with something to ask about. */
export const ledger = {
  "README.md": "# Ledger\n\nBooks amounts in cents, and closes on Fridays.\n",
  "src/ledger.ts":
    '/** Books an amount in cents. */\nexport function bookAmount(amount: number): number {\n  return Math.round(amount * 100);\n}\n\nexport function closeLedger(day: string): boolean {\n  return day === "friday";\n}\n',
};

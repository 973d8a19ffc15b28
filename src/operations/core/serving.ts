import type { KeyScope, KeyStore } from "../../stores/keys.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Caller } from "./access.ts";
import type { CallOptions } from "./call.ts";
import type { Operation, Progress } from "./operation.ts";
import type { OpenedWorkspaces } from "./workspace-pool.ts";

/**
 * The parts for serving a workspace over HTTP. The workspace and the keys stay open: the caller that opened them closes
 * them.
 */
export type ServiceParts = {
  workspace: Workspace;
  keys: KeyStore;
  settings: ServiceSettings;
  /** Aborting it ends serving, after the running requests are finished. */
  signal: AbortSignal;
  /** Reports when and where the server listens, for people. */
  progress?: (progress: Progress) => void;
  /** The same for a program: called once requests are accepted. */
  listening?: (url: string) => void | Promise<void>;
};

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export type ServiceSettings = {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Further host names under which the server may be called. */
  allowHost: string[];
  /** Origins of web pages that may send requests. */
  allowOrigin: string[];
  /** Requests a second of one key; 0 for no limit. */
  rate: number;
  /** Bytes of a request's body, at most. */
  maxBody: number;
  /** Seconds for one request, unless its progress is followed. */
  timeout: number;
  /** Operations that run at the same time, at most; others are refused. */
  concurrency: number;
  /** Processes that answer; 0 for none but the server's own. */
  workers: number;
  log: (typeof logLevels)[number];
};

export type Served = { url: string; requests: number };

/**
 * Starts a server and serves until the signal. Operations know no surface, so the surface passes this function to them.
 */
export type Serve = (service: ServiceParts) => Promise<Served>;

/** A surface that is mounted on the same server. Host, origin, rate, key and scope are checked before it is called. */
export type Mount = (parts: MountParts) => MountedPath[];

export type MountParts = {
  /** Operations that are offered to remote callers. */
  operations: Operation[];
  settings: ServiceSettings;
  /** Aborted when the server begins to stop: streams that would stay open end then. */
  stopping: AbortSignal;
};

type MountedPath = {
  /** Without variable parts: `/mcp`. */
  path: string;
  methods: readonly ("GET" | "POST" | "DELETE")[];
  summary: string;
  /** The scope that a key needs to enter; `perform` checks each operation's own scope. */
  scope: KeyScope;
  /** Headers that pages of allowed origins may send and read, besides those of every route. */
  headers?: readonly string[];
  /**
   * A thrown failure is answered and logged like any other. A stream must send something every minute, or its
   * connection is closed.
   */
  handle(request: Request, asked: MountedRequest): Response | Promise<Response>;
};

export type MountedRequest = {
  caller: Caller;
  requestId: string;
  /** The body as JSON of any kind, no larger and no deeper than the server takes; undefined for none. */
  json(): Promise<unknown>;
  perform: Perform;
};

/**
 * Runs an operation for the caller: with its owner's view of the workspace, where its scope allows it, counted,
 * limited in time unless its progress is followed, and stopped with the signal. The input may not hold what a server
 * does not take (`path`, `workspace`, `watch`).
 */
type Perform = (operation: Operation, input: Record<string, unknown>, how: PerformOptions) => Promise<unknown>;

export type PerformOptions = Pick<CallOptions, "progress" | "session" | "nameOf"> & { signal: AbortSignal };

export const toolSets = ["default", "all"] as const;
export type ToolSet = (typeof toolSets)[number];

type AgentSettings = {
  /** Where to answer from when the agent's client names no folder. */
  path: string;
  tools: ToolSet;
  /**
   * The session that the agent's work belongs to; without it the workspace's own session, which shells and later
   * connections share.
   */
  session?: string;
  signal: AbortSignal;
};

/** Answers one agent on standard input and output until it goes away or the signal comes. */
export type ServeAgent = (settings: AgentSettings) => Promise<{ calls: number }>;

type EngineSettings = {
  /** The folder whose workspace it is for. */
  path: string;
  signal: AbortSignal;
};

/** Answers the other processes of this user until nobody asks any more; says why it ended, or that it did not begin. */
export type ServeEngine = (settings: EngineSettings) => Promise<{ ended: string }>;

/**
 * The same inside another long-lived process; undefined where another process does it already, or where there is no
 * index. `opened`: workspaces that the process keeps open anyway.
 */
export type AnswerOthers = (path: string, opened?: OpenedWorkspaces) => Promise<{ close(): Promise<void> } | undefined>;

/** Names and addresses of this machine itself, which nobody else can reach. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name);
}

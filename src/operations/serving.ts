import type { KeyStore } from "../stores/keys.ts";
import type { Workspace } from "../workspace.ts";
import type { Progress } from "./operation.ts";

/** What it takes to serve a workspace over HTTP. The workspace and the keys stay open; whoever opened them closes them. */
export type Service = {
  workspace: Workspace;
  keys: KeyStore;
  settings: ServiceSettings;
  /** Serving ends when it is aborted: what runs is finished first. */
  signal: AbortSignal;
  /** Told when and where it serves. */
  progress?: (progress: Progress) => void;
};

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export type ServiceSettings = {
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** Names, besides those of this machine itself, that the server may be called by. */
  allowHost: string[];
  /** Origins of web pages that may ask. */
  allowOrigin: string[];
  /** Requests a second of one key; 0 for no limit. */
  rate: number;
  /** Bytes of a request's body. */
  maxBody: number;
  /** Seconds for one request, unless its progress is followed. */
  timeout: number;
  /** Operations that run at the same time; more are refused. */
  concurrency: number;
  log: (typeof logLevels)[number];
};

export type Served = { url: string; requests: number };

/** Starts a server and serves until the signal. Operations know no surface, so the command line passes it to them. */
export type Serve = (service: Service) => Promise<Served>;

/** Names and addresses of this machine itself, which nobody else can reach. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  return name === "localhost" || name === "::1" || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name);
}

import type { Serve } from "../../operations/serving.ts";

/** What a server is started with, as the operation `serve` declares it. */
export type Service = Parameters<Serve>[0];
export type Settings = Service["settings"];

/** The defaults of `dossier serve`, for an application that mounts the service itself. */
export const defaultSettings: Settings = {
  host: "127.0.0.1",
  port: 0,
  allowHost: [],
  allowOrigin: [],
  rate: 200,
  maxBody: 10_000_000,
  timeout: 60,
  concurrency: 64,
  log: "silent",
};

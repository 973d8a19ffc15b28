import { settingsOf } from "../../operations/serve.ts";
import type { Serve } from "../../operations/serving.ts";

/** What a server is started with, as the operation `serve` declares it. */
export type Service = Parameters<Serve>[0];
export type Settings = Service["settings"];

/** The defaults of `dossier serve`, for an application that mounts the service itself: on any port, without a log. */
export const defaultSettings: Settings = settingsOf({ port: 0, log: "silent" });

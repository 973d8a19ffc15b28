import type { Serve } from "../../operations/core/serving.ts";
import { settingsOf } from "../../operations/serve/serve.ts";

/** The settings of a server, as the operation `serve` declares them. */
export type Service = Parameters<Serve>[0];
export type HttpSettings = Service["settings"];

/** The defaults of `dossier serve`, for an application that mounts the service itself: on any port, without a log. */
export const defaultSettings: HttpSettings = settingsOf({ port: 0, log: "silent" });

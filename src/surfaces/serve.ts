import type { Serve } from "../operations/serving.ts";

/** Where surfaces meet: the command line starts the HTTP service without knowing it. Loaded only when something is served. */
export const serve: Serve = async (service) => {
  const { serveHttp } = await import("./http/serve.ts");
  return serveHttp(service);
};

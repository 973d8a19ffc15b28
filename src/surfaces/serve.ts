import type { Serve, ServeAgent } from "../operations/core/serving.ts";

/** Where surfaces meet: the command line starts the others without knowing them. Loaded only when something is served. */
export const serve: Serve = async (service) => {
  const [{ serveHttp }, { mountMcp }] = await Promise.all([
    import("./http/serve.ts"),
    import("./mcp/transport/http.ts"),
  ]);
  return serveHttp(service, [mountMcp]);
};

export const serveAgent: ServeAgent = async (settings) => {
  const { serveStdio } = await import("./mcp/transport/stdio.ts");
  return serveStdio(settings);
};

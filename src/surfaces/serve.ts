import type { AnswerOthers, Serve, ServeAgent, ServeEngine } from "../operations/core/serving.ts";

/**
 * Where surfaces meet: the command line starts the others without knowing them. Loaded only when something is served.
 */
export const serve: Serve = async (service) => {
  const [{ serveHttp }, { mountMcp }] = await Promise.all([
    import("./http/serve.ts"),
    import("./mcp/transport/http.ts"),
  ]);
  return serveHttp(service, [mountMcp]);
};

/** Starts an engine: the command line for other processes. */
export const serveEngine: ServeEngine = async (settings) => {
  const engine = await import("./engine.ts");
  return engine.serveEngine(settings);
};

export const answerOthers: AnswerOthers = async (path, workspaces) => {
  const { answerBeside } = await import("./engine.ts");
  return answerBeside(path, workspaces);
};

export const serveAgent: ServeAgent = async (settings) => {
  const { serveStdio } = await import("./mcp/transport/stdio.ts");
  return serveStdio(settings, answerOthers);
};

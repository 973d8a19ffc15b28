import { availableParallelism } from "node:os";
import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { type Environment, operation } from "../core/operation.ts";
import { isLoopback, logLevels, type Served, type ServiceParts, type ServiceSettings } from "../core/serving.ts";
import { counted } from "../terminal/phrases.ts";
import { openKeys } from "./key-store.ts";

const megabyte = 1_000_000;

export const serveInput = z.object({
  path,
  port: z.number().int().min(0).max(65_535).default(8137).describe("Port to listen on; 0 for any that is free"),
  host: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("Address to listen on; another than this machine's own needs a key to exist"),
  allowHost: z
    .array(z.string().min(1))
    .optional()
    .describe("Further names the server is called by, for example dossier.example.org; others are refused"),
  allowOrigin: z
    .array(z.string().min(1))
    .optional()
    .describe("Origins of web pages that may ask, for example https://app.example.org; none by default"),
  rate: z
    .number()
    .min(0)
    .max(1_000_000)
    .default(200)
    .describe("Requests a second of one key on average, in bursts up to five times as many; 0 for no limit"),
  maxBody: z
    .number()
    .min(0.001)
    .max(1000)
    .default(10)
    .describe("Largest body of a request, in megabytes; a larger one is refused"),
  timeout: z
    .number()
    .min(0.1)
    .max(3600)
    .default(60)
    .describe("Seconds for one request; one whose progress is followed may take twenty times as long"),
  concurrency: z.number().int().min(1).max(10_000).default(64).describe("Requests that are worked on at once"),
  workers: z
    .number()
    .int()
    .min(0)
    .max(64)
    .optional()
    .describe(
      "Processes that answer beside the server's own, which takes requests; as many as cores by default, 0 for none",
    ),
  log: z.enum(logLevels).default("info").describe("What is written to standard output, one line of JSON each"),
});

/** The settings that an input means; without any, the defaults. */
export function settingsOf(input: z.input<typeof serveInput> = {}): ServiceSettings {
  const { path: _, maxBody, allowHost = [], allowOrigin = [], workers, ...settings } = serveInput.parse(input);
  const limits = { maxBody: Math.round(maxBody * megabyte), workers: workers ?? availableParallelism() };
  return { ...settings, allowHost, allowOrigin, ...limits };
}

export const serve = operation({
  name: "serve",
  command: "serve",
  group: "Serve",
  summary: "Serve a workspace over HTTP to applications, until interrupted",
  input: serveInput,
  output: z.object({
    url: z.string().describe("Where it was served"),
    requests: z.number().int().min(0).describe("Requests that were answered"),
  }),
  onlyOn: "cli",
  answersOn: "stderr",
  examples: [
    { command: "dossier serve", what: "this folder, for programs on this machine" },
    { command: "dossier serve --host 0.0.0.0 --allow-host dossier.example.org", what: "for others, by key" },
    { command: "dossier serve -C ~/project --port 0 --allow-origin https://app.example.org", what: "for a web page" },
  ],
  run: (input, environment) => serveWorkspace(settingsOf(input), environment),
  text: ({ requests }) => `Stopped after ${counted(requests, "request")}.`,
});

/** Opens the workspace and its keys, and serves them until the environment's signal. */
export async function serveWorkspace(
  settings: ServiceSettings,
  environment: Environment,
  listening?: ServiceParts["listening"],
): Promise<Served> {
  // Without a signal the server runs until its process ends.
  const { serve, signal = new AbortController().signal, progress } = environment;
  if (!serve) throw new DossierError("bad-input", "Only the command line can start a server.");
  const workspace = await environment.workspace();
  const keys = await openKeys(workspace);
  let engine: { close(): Promise<void> } | undefined;
  try {
    const keyless = (await keys.list()).length === 0;
    if (keyless && !isLoopback(settings.host)) {
      throw new DossierError(
        "bad-input",
        `Without a key only this machine is served, not ${settings.host}: dossier key create <name> makes one.`,
      );
    }
    engine = await environment.answerOthers?.(workspace.root);
    return await serve({ workspace, keys, settings, signal, progress, listening });
  } finally {
    await engine?.close();
    await keys.close();
  }
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { operation } from "../core/operation.ts";
import type { Served } from "../core/serving.ts";
import { counted } from "../terminal/phrases.ts";
import { serve, serveInput, serveWorkspace, settingsOf } from "./serve.ts";

/** The port is always the same if it is free, because a browser stores settings by address. */
const usualPort = 8137;

export const inspect = operation({
  name: "inspect",
  command: "inspect",
  group: "Serve",
  summary: "Show in the browser what a model would be given, why each piece is in it, and what was left out",
  input: serveInput.extend({
    port: serveInput.shape.port
      .unwrap()
      .optional()
      .describe(`Port to listen on; ${usualPort} where it is free, otherwise any`),
    log: serveInput.shape.log
      .unwrap()
      .default("silent")
      .describe("What is written to standard output, one line of JSON each"),
    open: z.boolean().default(true).describe("Open the page in the browser"),
  }),
  output: serve.output,
  onlyOn: "cli",
  answersOn: "stderr",
  examples: [
    { command: "dossier inspect", what: "this folder, in the browser" },
    { command: "dossier inspect -C ~/project --no-open", what: "only print the address" },
  ],
  async run({ open, port, ...serveOptions }, environment) {
    const listening = async (url: string) => {
      const say = (detail: string) => environment.progress?.({ stage: "serving", done: 0, detail });
      if (!open) return say(`The inspector is at ${url}/.`);
      const failure = await openBrowser(`${url}/`);
      say(
        failure === undefined ? `Opened ${url}/.` : `No browser could be opened (${failure}). Open ${url}/ yourself.`,
      );
    };
    return onFreePort(port, (chosen) =>
      serveWorkspace({ ...settingsOf(serveOptions), port: chosen }, environment, listening),
    );
  },
  text: ({ requests }) => `Stopped after ${counted(requests, "request")}.`,
});

async function onFreePort(requested: number | undefined, start: (port: number) => Promise<Served>): Promise<Served> {
  if (requested !== undefined) return start(requested);
  try {
    return await start(usualPort);
  } catch (error) {
    if (error instanceof DossierError && error.code === "port-taken") return start(0);
    throw error;
  }
}

/** Each system's command to open an address, which is passed as an argument, never through a shell. */
const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Why the page could not be opened; undefined if it was. */
async function openBrowser(url: string): Promise<string | undefined> {
  const [program = "xdg-open", ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  try {
    await once(child, "spawn");
  } catch (error) {
    return (error as Error).message;
  }
  child.unref();
  return undefined;
}

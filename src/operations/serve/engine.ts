import * as z from "zod";
import { build } from "../../engine/build.ts";
import { readToken, tellEngine } from "../../engine/client.ts";
import { enginePlace } from "../../engine/place.ts";
import type { EngineMessage } from "../../engine/protocol.ts";
import { startEngine } from "../../engine/start.ts";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { rootOf } from "../core/workspace-root.ts";
import { duration } from "../terminal/phrases.ts";
import { isEngineOff } from "./engine-settings.ts";

const steps = ["status", "start", "stop", "run"] as const;
const count = z.number().int().min(0);

const output = z.object({
  root: z.string(),
  state: z.enum(["running", "starting", "stopped", "none", "off", "ended"]),
  engine: z
    .object({
      pid: count,
      host: z.string().describe("What it lives in"),
      version: z.string(),
      seconds: count.describe("Since it began"),
      idleSeconds: count,
      answered: count.describe("Commands"),
      running: count,
      megabytes: count,
    })
    .optional(),
  ended: z.string().optional().describe("Why"),
  warnings: z.array(z.string()),
});

export const engine = operation({
  name: "engine",
  command: {
    status: { words: "engine status", summary: "Say whether an engine answers for this workspace" },
    start: { words: "engine start", summary: "Start one in the background; the first question does that, too" },
    stop: { words: "engine stop", summary: "End it; what it is doing is finished first" },
    run: { words: "engine run", summary: "Be the engine, until nobody has asked for ten minutes" },
  },
  group: "Serve",
  summary:
    "The process that keeps a workspace open and answers for the user's others; DOSSIER_ENGINE=off or engine: off in dossier.json does without",
  access: "admin",
  onlyOn: "cli",
  input: z.object({ step: z.enum(steps).default("status").describe("What to do"), path }),
  output,
  takes: Object.fromEntries(steps.map((step) => [step, { needs: [], may: [] }])),
  examples: [
    { command: "dossier engine status", what: "is there one, since when, how large" },
    { command: "dossier engine stop", what: "end it" },
    { command: "dossier engine start -C ~/project", what: "have it ready before the first question" },
  ],
  async run({ step, path }, environment) {
    const root = await rootOf({ path });
    const warnings: string[] = [];
    if (step === "run") {
      const { serveEngine, signal = new AbortController().signal } = environment;
      if (!serveEngine) throw new DossierError("bad-input", "Only the command line can be an engine.");
      return { root, state: "ended" as const, ...(await serveEngine({ path, signal })), warnings };
    }
    if (step === "stop") {
      const reply = await tell(root, "stop");
      // An engine of another version ends on any request.
      const isGone = reply?.type === "exit" || (reply?.type === "refused" && reply.why === "version");
      return { root, state: isGone ? ("stopped" as const) : ("none" as const), warnings };
    }
    const reply = await tell(root, "status");
    if (reply?.type === "status") {
      const { root: _root, ...status } = reply.status;
      return { root, state: "running" as const, engine: status, warnings };
    }
    if (await isEngineOff(root)) return { root, state: "off" as const, warnings };
    if (step === "status") return { root, state: "none" as const, warnings };
    const isStarted = startEngine(root, process.argv[1] ?? "");
    if (!isStarted)
      warnings.push("There is no folder that only this user can read: everything works without an engine.");
    return { root, state: isStarted ? ("starting" as const) : ("none" as const), warnings };
  },
  text({ root, state, engine: status, ended }) {
    switch (state) {
      case "running": {
        const { pid, host, seconds, idleSeconds, answered, megabytes } = status!;
        const since = `for ${duration(seconds * 1000)}, idle for ${duration(idleSeconds * 1000)}`;
        return `An engine answers for ${root} ${since}: ${host} (${pid}), ${answered} answered, ${megabytes} MB.`;
      }
      case "starting":
        return `An engine for ${root} starts.`;
      case "stopped":
        return `The engine of ${root} ends.`;
      case "off":
        return `The engine of ${root} is turned off in dossier.json.`;
      case "ended":
        return `The engine of ${root} ended: ${ended}.`;
      case "none":
        return `No engine answers for ${root}.`;
    }
  },
});

async function tell(root: string, type: "status" | "stop"): Promise<EngineMessage | undefined> {
  const place = enginePlace(root);
  const token = place && readToken(place);
  return token === undefined ? undefined : tellEngine(place!, { version: build, token, root }, { type });
}

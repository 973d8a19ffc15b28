import * as z from "zod";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { checks, states } from "./doctor-checks.ts";

/** Checks of this machine and this folder, each with what to do where it fails. */
export const doctor = operation({
  name: "doctor",
  command: "doctor",
  group: "Index",
  summary: "Check that everything Dossier needs works here, and say what to do where it does not",
  access: "admin",
  input: z.object({ path }),
  output: z.object({
    ok: z.boolean().describe("False when any check failed; warnings do not count"),
    checks: z.array(
      z.object({
        name: z.string(),
        state: z.enum(states),
        found: z.string().describe("What was seen"),
        fix: z.string().optional().describe("What to do about it"),
      }),
    ),
  }),
  examples: [
    { command: "dossier doctor", what: "check this machine and this folder" },
    { command: "dossier doctor -C ~/project --json", what: "another folder, for a program to read" },
  ],
  async run({ path }, environment) {
    const results = [];
    for (const check of checks) {
      environment.signal?.throwIfAborted();
      environment.progress?.({ stage: "checking", done: results.length, total: checks.length, detail: check.name });
      results.push({ name: check.name, ...(await check.run(path, environment)) });
    }
    return { ok: results.every(({ state }) => state !== "fail"), checks: results };
  },
  exit: ({ ok }) => (ok ? 0 : 1),
  text({ checks }, _input, colour) {
    const p = paint(colour);
    const painters = { ok: p.green, warn: p.yellow, fail: p.red };
    return checks
      .map(({ name, state, found, fix }) => {
        const advice = fix && state !== "ok" ? `\n       ${fix}` : "";
        return `${painters[state](state.padEnd(4))} ${p.bold(name)}: ${found}${advice}`;
      })
      .join("\n");
  },
});

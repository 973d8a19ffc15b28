import * as z from "zod";
import { asDossierError } from "../../errors.ts";
import { type Domain, domains, experienceStrategies, type Strategy } from "../../learned/experience.ts";
import { path } from "../../options.ts";
import type { StoredRecord } from "../../stores/records.ts";
import { readInput } from "../core/input.ts";
import { type Environment, operation } from "../core/operation.ts";
import { operationTable } from "../core/registry.ts";
import { paint } from "../terminal/colours.ts";
import { activeExperience, sessionOf } from "./experience-find.ts";
import { sessionInput } from "./experience-input.ts";
import { bodyOf, experienceShape, shownExperience } from "./experience-shape.ts";
import { captureRun, commandText, type FinishedRun, isFirstFailure, openExisting } from "./run-capture.ts";
import { runCommand, succeeded } from "./run-command.ts";

const longestCommand = 1000;

const input = z.object({
  command: z.array(z.string()).min(1).describe("The command and its arguments; put -- before it"),
  path,
  expect: z.enum(["pass", "fail"]).default("pass").describe("What was predicted of the command"),
  observe: z.boolean().default(false).describe("Only note how it ended; capture no outcome"),
  premortem: z
    .boolean()
    .default(false)
    .describe("On the first failure of a session, show what went wrong before in the domain"),
  everyFailure: z.boolean().default(false).describe("Show the premortem on every failure"),
  domain: z
    .enum(domains)
    .optional()
    .describe("Domain of the premortem; default: the active experience's, else testing"),
  strategy: z
    .enum(experienceStrategies)
    .optional()
    .describe("Strategy of the premortem; default: the active experience's"),
  session: sessionInput,
});

type Input = z.output<typeof input>;

/**
 * Runs a command as the witness of an experience. It has the terminal to itself, and its exit status is ours;
 * Dossier's own text comes after it, on standard error. Its output is not stored.
 */
export const run = operation({
  name: "run",
  command: "run",
  group: "Experiences",
  summary: "Run a command, pass its output and exit status through, and let it decide the active experience",
  input,
  output: z.object({
    command: z.string(),
    status: z.number().int().describe("Exit status; 128 and its number for a signal"),
    signal: z.string().optional(),
    experience: experienceShape.optional().describe("The session's experience after the command"),
    messages: z.array(z.string()).describe("What was written down, in sentences"),
    next: z.array(z.string()).describe("Commands to go on with"),
    premortem: z.string().optional(),
    warnings: z.array(z.string()),
  }),
  positional: ["command"],
  onlyOn: "cli",
  answersOn: "stderr",
  examples: [
    { command: "dossier run -- npm test", what: "confirms or falsifies the active experience" },
    { command: "dossier run --premortem -- cargo test", what: "and on the session's first failure shows earlier ones" },
    { command: "dossier run --expect fail -- ./reproduce.sh", what: "the prediction is that it fails" },
    { command: "dossier run --observe -- make lint", what: "only a note" },
  ],
  exit: ({ status }) => status,
  text({ messages, next, premortem }, _input, colour) {
    const label = paint(colour).dim("dossier:");
    const lines = [...messages.map((message) => `${label} ${message}`), ...next.map((command) => `  ${command}`)];
    return [...lines, ...(premortem ? ["", premortem] : [])].join("\n");
  },
  async run(input, environment) {
    const session = sessionOf(input, environment);
    const started = Date.now();
    const ending = await runCommand(input.command);
    const finished = { command: input.command, ending, started, ended: Date.now() };
    const report = await reportOnRun(finished, { ...input, session }, environment);
    return {
      command: commandText(input.command, longestCommand),
      status: ending.status,
      signal: ending.signal,
      experience: report.experience && shownExperience(report.experience),
      messages: report.messages,
      next: nextSteps(report.experience, input.path),
      premortem: report.premortem,
      warnings: report.warnings,
    };
  },
});

type RunReport = { experience?: StoredRecord; messages: string[]; premortem?: string; warnings: string[] };

/** The report on a command's end. Any failure here is a warning: the command has its result already. */
async function reportOnRun(
  finished: FinishedRun,
  input: Input & { session: string },
  environment: Environment,
): Promise<RunReport> {
  const report: RunReport = { messages: [], warnings: [] };
  const success = succeeded(finished.ending);
  if (success === undefined) return report;
  await orWarn(report, "The outcome was not written down", async () => {
    const workspace = await openExisting(input.path, environment);
    const active = workspace && (await activeExperience(workspace, input.session));
    if (workspace) {
      // The evidence is searched before the failure is recorded, so that the failure is not part of it.
      report.premortem = await orWarn(report, "The premortem could not be made", async () => {
        // A failure that was predicted is not unexpected, so no warning is needed.
        if (success || input.expect === "fail") return undefined;
        const first = await isFirstFailure(workspace, input.session, finished.ended);
        const wantsPremortem = input.everyFailure || (first && input.premortem);
        return wantsPremortem ? premortemFor(input, active, environment) : undefined;
      });
    }
    if (workspace && active) {
      const { experience, message } = await captureRun(workspace, active, finished, input);
      report.experience = experience;
      report.messages.push(message);
    } else {
      report.messages.push(`Session ${JSON.stringify(input.session)} has no active experience; nothing was captured.`);
    }
  });
  return report;
}

async function orWarn<Result>(
  report: RunReport,
  failure: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    const { message, fix } = asDossierError(error);
    report.warnings.push(`${failure}: ${message} ${fix}`);
    return undefined;
  }
}

/** Commands to type next; only the user's own words are missing. */
function nextSteps(experience: StoredRecord | undefined, path: string): string[] {
  if (!experience) return [];
  const { outcome, tier, lesson } = bodyOf(experience);
  const where = path === "." ? "" : ` -C ${commandText([path], longestCommand)}`;
  const command = (rest: string) => `dossier experience ${rest}${where}`;
  if (tier === "gold" && !lesson) return [command(`amend ${experience.id} --lesson "…"`)];
  if (tier !== undefined || !outcome) return [];
  return [
    command(`resolve ${experience.id} --surprise "…" --root-cause … --root-cause-description "…"`),
    command(`update ${experience.id} --hypothesis "…" --action "…" --prediction "…"`),
  ];
}

/** Warnings from earlier failures; undefined if there are none. */
async function premortemFor(
  input: Input,
  active: StoredRecord | undefined,
  environment: Environment,
): Promise<string | undefined> {
  const experience = active && bodyOf(active);
  const domain: Domain = input.domain ?? experience?.domain ?? "testing";
  const strategy: Strategy | undefined = input.strategy ?? (input.domain ? undefined : experience?.strategy);
  const premortem = await operationTable.get_premortem_context();
  const premortemInput = readInput(premortem, { domain, strategy, path: input.path });
  const { markdown, items } = await premortem.run(premortemInput, environment);
  // If nothing went wrong in this domain, near matches are no warning.
  return items.some(({ level }) => level !== "pointer") ? markdown.trimEnd() : undefined;
}

import * as z from "zod";
import { DossierError } from "../../errors.ts";
import {
  domains,
  experienceStrategies,
  longestRemark,
  longestStatement,
  outcomes,
  rootCauses,
} from "../../learned/experience.ts";
import { path } from "../../options.ts";
import { redact } from "../../text/secrets/secrets.ts";
import { allowed, type InputField } from "../core/fields.ts";
import type { Environment } from "../core/operation.ts";
import { checkStep, type Steps } from "../core/steps.ts";
import { longestSession } from "./experience-find.ts";

/** The steps of `dossier experience`, each with the inputs it needs and those it may have besides. */

const steps = [
  "start",
  "update",
  "note",
  "resolve",
  "abandon",
  "record",
  "amend",
  "show",
  "active",
  "list",
  "resume",
] as const;
export type ExperienceStep = (typeof steps)[number];

const statement = z.string().trim().min(1).max(longestStatement);
const remark = z.string().trim().min(1).max(longestRemark);

export const sessionInput = z
  .string()
  .trim()
  .min(1)
  .max(longestSession)
  .optional()
  .describe("Whose active experience is meant; default: DOSSIER_SESSION, else the workspace's own");

export const experienceInput = z.object({
  step: z.enum(steps).default("active").describe("What to do"),
  id: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe("Id of an experience, its beginning, or a citation; default: the active one"),
  path,
  session: sessionInput,
  domain: z.enum(domains).optional().describe("What kind of work it is"),
  strategy: z.enum(experienceStrategies).optional().describe("How it is gone about"),
  goal: statement.optional().describe("What is to be reached"),
  hypothesis: statement.optional().describe("What is believed to be so"),
  action: statement.optional().describe("What is done because of it"),
  prediction: statement.optional().describe("What must be seen if the hypothesis is right"),
  observed: remark.optional().describe("What was seen of the former attempt (update)"),
  status: z.enum(outcomes).optional().describe("How it ended; may be left out after a captured failure"),
  result: remark.optional().describe("What happened"),
  surprise: remark.optional().describe("What was not expected"),
  rootCause: z.enum(rootCauses).optional().describe("Why the hypothesis was wrong"),
  rootCauseDescription: remark.optional().describe("The root cause in words"),
  lesson: remark.optional().describe("What worked"),
  takeaway: remark.optional().describe("What to do next time; goes with a lesson"),
  afterTheFact: z.boolean().optional().describe("It ended some time ago and is told from memory (tier bronze)"),
  text: remark.optional().describe("The note"),
});

export type ExperienceInput = z.output<typeof experienceInput>;

const statements = ["domain", "strategy", "goal", "hypothesis", "action", "prediction"];
const reasons = ["surprise", "rootCause", "rootCauseDescription", "lesson", "takeaway"];

export const experienceTakes: Steps<ExperienceStep> = {
  start: { needs: statements, may: ["session"] },
  update: { needs: [], may: ["id", "session", "strategy", "hypothesis", "action", "prediction", "observed"] },
  note: { needs: ["text"], may: ["id", "session"] },
  resolve: { needs: [], may: ["id", "session", "status", "result", "afterTheFact", ...reasons] },
  abandon: { needs: [], may: ["id", "session", "result", ...reasons] },
  record: { needs: [...statements, "status"], may: ["session", "result", ...reasons] },
  amend: { needs: ["id"], may: reasons },
  show: { needs: [], may: ["id", "session"] },
  active: { needs: [], may: ["session"] },
  list: { needs: [], may: [] },
  resume: { needs: ["id"], may: ["session"] },
};

const attempt = ["hypothesis", "action", "prediction", "strategy"];

/** Refuses inputs that a step would ignore, and names all those it still needs. */
export function checkExperience(
  step: ExperienceStep,
  input: Record<string, unknown>,
  fields: InputField[],
  { nameOf = (key) => key, command = `experience ${step}` }: Pick<Environment, "nameOf" | "command">,
): void {
  const listMissing = (keys: string[]) => keys.map((key) => described(key, fields, nameOf)).join("; ");
  checkStep("experience", experienceTakes, { ...input, step }, { nameOf, command, listMissing });
  const isGiven = (key: string) => input[key] !== undefined;
  if (step === "update" && !attempt.some(isGiven)) refuseEmpty(command, attempt, nameOf);
  if (step === "amend" && !reasons.some(isGiven)) refuseEmpty(command, reasons, nameOf);
}

function refuseEmpty(command: string, keys: string[], nameOf: (key: string) => string): never {
  const names = keys.map(nameOf).join(", ");
  throw new DossierError("bad-input", `${command} needs at least one of ${names}; a mere remark is a note.`);
}

/** `--domain, one of debugging, testing`; what takes any text needs no more than its name. */
function described(key: string, fields: InputField[], nameOf: (key: string) => string): string {
  const field = fields.find((each) => each.key === key);
  return field?.choices ? `${nameOf(key)} (${allowed(field)})` : nameOf(key);
}

const prose = [...statements.slice(2), "observed", "result", ...reasons, "text"] as (keyof ExperienceInput)[];

/** Secrets are not written down: the reader of an experience never needs them. */
export function withoutSecrets(input: ExperienceInput): { input: ExperienceInput; warnings: string[] } {
  const clean: Record<string, unknown> = { ...input };
  let secrets = 0;
  for (const key of prose) {
    const value = input[key];
    if (typeof value !== "string") continue;
    const { text, found } = redact(value);
    clean[key] = text;
    secrets += found;
  }
  const warnings = secrets > 0 ? ["What looks like a secret was not written down; a placeholder stands for it."] : [];
  return { input: clean as ExperienceInput, warnings };
}

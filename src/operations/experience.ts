import * as z from "zod";
import { sessionOf } from "./experience-find.ts";
import { checkStep, experienceInput, withoutSecrets } from "./experience-input.ts";
import { experienceShape } from "./experience-shape.ts";
import { takeStep } from "./experience-take.ts";
import { experienceText } from "./experience-text.ts";
import { fieldsOf } from "./fields.ts";
import { operation } from "./operation.ts";

/** Goal, hypothesis, action, prediction: what is tried, and what comes of it. */
export const experience = operation({
  name: "experience",
  summary:
    "Write down what is tried and what comes of it: start, update, note, resolve, abandon, record, amend, show, list, resume",
  access: {
    start: "write",
    update: "write",
    note: "write",
    resolve: "write",
    abandon: "write",
    record: "write",
    amend: "write",
    show: "read",
    active: "read",
    list: "read",
    resume: "write",
  },
  input: experienceInput,
  output: z.object({
    message: z.string().describe("What was done, in one sentence"),
    experience: experienceShape.optional().describe("As it is now; none when none is active"),
    experiences: z.array(experienceShape).optional().describe("Of list: those that are open, in any session"),
    warnings: z.array(z.string()),
  }),
  positional: ["step", "id"],
  examples: [
    {
      command:
        'dossier experience start --domain debugging --strategy read-the-error --goal "login works again" --hypothesis "the cookie is cut" --action "log its length" --prediction "it is 4096"',
      what: "before the attempt",
    },
    { command: "dossier run -- npm test", what: "let a command decide" },
    {
      command:
        'dossier experience update --observed "it is 312" --hypothesis "the clock is off" --prediction "it expires"',
      what: "try something else",
    },
    {
      command:
        'dossier experience resolve --status falsified --result "still logged out" --surprise "the clock was right" --root-cause wrong-assumption --root-cause-description "two proxies set the cookie"',
      what: "say how it ended",
    },
    { command: 'dossier experience note --text "seen on staging only"', what: "add a remark" },
    { command: "dossier experience show exp-1k3f", what: "all of one" },
    { command: "dossier experience list", what: "what is open, in any session" },
    { command: "dossier experience resume exp-1k3f", what: "go on with it here" },
  ],
  text({ message, experience, experiences = [] }, { step }, colour) {
    if (experiences.length > 0) return experiences.map((each) => experienceText(each, colour)).join("\n\n");
    return experience && (step === "show" || step === "active") ? experienceText(experience, colour) : message;
  },
  async run(given, environment) {
    const nameOf = environment.nameOf ?? ((key: string) => key);
    checkStep(given.step, given, fieldsOf(experience), nameOf);
    const session = sessionOf(given, environment);
    const { input, warnings } = withoutSecrets(given);
    const workspace = await environment.workspace();
    return { ...(await takeStep(workspace, input, { session, now: Date.now(), nameOf })), warnings };
  },
});

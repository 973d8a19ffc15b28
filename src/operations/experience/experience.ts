import * as z from "zod";
import { fieldsOf } from "../core/fields.ts";
import { operation } from "../core/operation.ts";
import { sessionOf } from "./experience-find.ts";
import { checkExperience, experienceInput, experienceTakes, withoutSecrets } from "./experience-input.ts";
import { experienceShape } from "./experience-shape.ts";
import { takeStep } from "./experience-steps.ts";
import { experienceText } from "./experience-text.ts";

/** Goal, hypothesis, action, prediction: what is tried, and what comes of it. */
export const experience = operation({
  name: "experience",
  command: {
    start: {
      words: "experience start",
      summary: "Write down what is about to be tried, and what must be seen if it is right",
    },
    update: {
      words: "experience update",
      summary: "Try something else: a new hypothesis, action, prediction or strategy",
    },
    note: { words: "experience note", summary: "Add a remark" },
    resolve: { words: "experience resolve", summary: "Say how it ended" },
    abandon: { words: "experience abandon", summary: "Give it up, and say why" },
    record: { words: "experience record", summary: "Write down one that is over, from start to end" },
    amend: { words: "experience amend", summary: "Add what a resolved one lacks: surprise, root cause, lesson" },
    show: { words: "experience show", summary: "Show all of one" },
    active: { words: "experience active", summary: "Show the one that is under way in this session" },
    list: { words: "experience list", summary: "List those that are open, in any session" },
    resume: { words: "experience resume", summary: "Go on with an open one in this session" },
  },
  group: "Experiences",
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
  takes: experienceTakes,
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
    { command: 'dossier experience abandon --result "the feature is dropped"', what: "give it up" },
    {
      command:
        'dossier experience record --domain debugging --strategy read-the-error --goal "login works again" --hypothesis "the cookie is cut" --action "log its length" --prediction "it is 4096" --status confirmed',
      what: "one that is over already",
    },
    { command: 'dossier experience amend exp-1k3f --lesson "log lengths first"', what: "add what it lacks" },
    { command: "dossier experience active", what: "the one of this session" },
    { command: "dossier experience show exp-1k3f", what: "all of one" },
    { command: "dossier experience list", what: "what is open, in any session" },
    { command: "dossier experience resume exp-1k3f", what: "go on with it here" },
  ],
  text({ message, experience, experiences = [] }, { step }, colour) {
    if (experiences.length > 0) return experiences.map((each) => experienceText(each, colour)).join("\n\n");
    return experience && (step === "show" || step === "active") ? experienceText(experience, colour) : message;
  },
  async run(rawInput, environment) {
    const nameOf = environment.nameOf ?? ((key: string) => key);
    checkExperience(rawInput.step, rawInput, fieldsOf(experience), environment);
    const session = sessionOf(rawInput, environment);
    const { input, warnings } = withoutSecrets(rawInput);
    const workspace = await environment.workspace();
    return { ...(await takeStep(workspace, input, { session, now: Date.now(), nameOf })), warnings };
  },
});

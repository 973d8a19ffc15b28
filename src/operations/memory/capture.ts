import * as z from "zod";
import { readSessionLog } from "../../learned/draft/session-log.ts";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { longestSession } from "../experience/experience-find.ts";
import { paint } from "../terminal/colours.ts";
import { counted, plain } from "../terminal/phrases.ts";
import { draftShape, keepDrafts } from "./drafts.ts";

export const capture = operation({
  name: "capture",
  command: "memory capture",
  group: "Memories",
  summary: "Take what was tried and decided out of a session's log, as drafts that wait to be accepted",
  access: "write",
  input: z.object({
    log: z.string().describe("JSON lines of a session, as agents write them").meta({ fromFile: true }),
    path,
    session: z.string().trim().min(1).max(longestSession).optional().describe("What the session is called"),
  }),
  output: z.object({
    drafts: z.array(draftShape).describe("Those that are new"),
    messages: z.number().int().min(0).describe("Messages that were read"),
    warnings: z.array(z.string()),
  }),
  positional: ["log"],
  examples: [
    { command: "dossier memory capture session.jsonl", what: "at the end of a session, for agents without hooks" },
    { command: "dossier memory drafts", what: "what waits to be accepted" },
  ],
  async run({ log, session }, environment) {
    const { events, messages, broken } = readSessionLog(log);
    const workspace = await environment.workspace();
    const drafts = await keepDrafts(workspace, events, session ?? environment.session);
    const warnings = broken > 0 ? [`${counted(broken, "line")} of the log could not be read.`] : [];
    return { drafts, messages, warnings };
  },
  text({ drafts, messages }, _input, colour) {
    const p = paint(colour);
    if (drafts.length === 0) return `Nothing new to remember in ${counted(messages, "message")}.`;
    const lines = drafts.map(({ id, category, content }) => `${p.cyan(id)}  ${category}  ${plain(content)}`);
    return [...lines, p.dim(`To keep one: dossier memory accept ${drafts[0]!.id}`)].join("\n");
  },
});

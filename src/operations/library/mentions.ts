import * as z from "zod";
import { completions } from "../../chat/complete.ts";
import { mentionables } from "../../chat/mention-targets.ts";
import { mentionOf } from "../../chat/mentions.ts";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { plain } from "../terminal/phrases.ts";

export const mentions = operation({
  name: "mentions",
  command: "thread mentions",
  group: "Library",
  summary: "Complete a mention: documents, folders and threads whose name begins or sounds like what was typed",
  input: z.object({
    prefix: z.string().max(300).default("").describe("What was typed so far, with or without @; nothing: the newest"),
    path,
    kinds: z
      .array(z.enum(["document", "folder", "thread"]))
      .optional()
      .describe("Only these kinds"),
    limit: z.number().int().min(1).max(100).default(10).describe("Most completions to show"),
  }),
  output: z.object({
    mentions: z.array(
      z.object({
        mention: z.string().describe("What to write: @notes/plan.md"),
        kind: z.enum(["document", "folder", "thread"]),
        target: z.string().describe("Id of the document or thread, or the folder's path"),
        label: z.string().describe("Path or title"),
        score: z.number().describe("How well it fits, 0 to 1; below 0.5 it is a guess at a misspelt name"),
      }),
    ),
  }),
  positional: ["prefix"],
  examples: [
    { command: "dossier thread mentions @set", what: "whatever begins with set" },
    { command: "dossier thread mentions relase --kinds thread", what: "misspelt names, too" },
  ],
  async run({ prefix, kinds, limit }, environment) {
    const workspace = await environment.workspace();
    if (!workspace.hasRecords()) return { mentions: [] };
    const among = await mentionables(await workspace.library(), workspace.owner, prefix.replace(/^@?["'“]?/, ""));
    const ofKinds = kinds ? among.filter(({ kind }) => kinds.includes(kind)) : among;
    return {
      mentions: completions(prefix, ofKinds, limit).map(({ kind, target, label, score }) => ({
        mention: mentionOf(label),
        kind,
        target,
        label,
        score: Math.round(score * 1000) / 1000,
      })),
    };
  },
  text({ mentions }, { prefix }, colour) {
    if (mentions.length === 0) return `Nothing is called ${JSON.stringify(plain(prefix))}, or nearly so.`;
    const p = paint(colour);
    return mentions
      .map(({ mention, kind, target }) => `${plain(mention)}  ${p.dim(`${kind} ${plain(target)}`)}`)
      .join("\n");
  },
});

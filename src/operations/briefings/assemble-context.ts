import * as z from "zod";
import { InvalidContextTypeError } from "../../errors.ts";
import { assemblyOptions, contextInput, hints, path, query, requestOf, searchOptions } from "../../options.ts";
import { agent, type ContextType, contextTypes } from "../../recipes/agent.ts";
import { assembleSince } from "../ask/already-sent.ts";
import { operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { parseTime } from "../terminal/parse-time.ts";
import { formattedContext, formattedOf } from "./briefing-format.ts";

/** More items than any source is asked for. */
const everything = 500;

export const assembleContext = operation({
  name: "assemble_context",
  command: "brief",
  group: "Ask",
  summary:
    "What an agent should know before it works: memories, code, experiences, values and commits, within a token budget",
  input: z.object({
    query: query.describe("What context is needed for: a task, a question"),
    hints,
    path,
    contextTypes: z
      .array(z.string())
      .min(1)
      .default([...contextTypes])
      .describe(`Which kinds of context: ${contextTypes.join(", ")}`),
    limit: z.number().int().min(1).max(100).default(20).describe("Most items of each kind"),
    maxTokens: assemblyOptions.maxTokens.default(2000),
    fill: assemblyOptions.fill,
    budget: assemblyOptions.budget,
    encoding: assemblyOptions.encoding,
    format: assemblyOptions.format,
    lineNumbers: assemblyOptions.lineNumbers,
    since: assemblyOptions.since,
    asOf: z
      .string()
      .optional()
      .describe("What was known at a date or an age ago: memories that were true then, commits until then"),
    minScore: searchOptions.minScore,
    refresh: searchOptions.refresh,
  }),
  output: formattedContext,
  positional: ["query"],
  examples: [
    { command: 'dossier brief "add retries to the payment client"', what: "before beginning a task" },
    {
      command: 'dossier brief "login" --context-types memories,experiences --max-tokens 800',
      what: "only what was learned",
    },
  ],
  text: (output) => output.markdown,
  async run({ contextTypes: requestedTypes, limit, asOf, ...input }, environment) {
    const types = typesOf(requestedTypes);
    const before = asOf === undefined ? undefined : parseTime(asOf, Date.now(), environment.nameOf?.("asOf"));
    const recipe = agent(types, limit);
    const workspace = await environment.workspace();
    const names = recipe.asks.map(({ source }) => source);
    const [warnings] = await Promise.all([
      input.refresh ? refreshSources(workspace, environment, names, { ...input, wait: false }) : [],
      import("../../assemble.ts"),
    ]);
    const request = requestOf(
      contextInput.parse({
        ...input,
        limit: everything,
        recipe: "agent",
        includeSources: false,
        contextLines: 0,
      }),
    );
    const timedRequest = { ...request, ...(before !== undefined && { before }) };
    const context = await assembleSince(workspace, timedRequest, recipe, environment.receivedBundle);
    return formattedOf(context, warnings);
  },
});

function typesOf(requested: string[]): ContextType[] {
  const unknownType = requested.find((type) => !(contextTypes as readonly string[]).includes(type));
  if (unknownType !== undefined) {
    throw new InvalidContextTypeError(
      `${JSON.stringify(unknownType)} is no type of context; there are ${contextTypes.join(", ")}.`,
    );
  }
  return requested as ContextType[];
}

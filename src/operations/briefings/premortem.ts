import * as z from "zod";
import { domains, experienceStrategies } from "../../learned/experience.ts";
import { assemblyOptions, contextInput, path, requestOf, searchOptions } from "../../options.ts";
import { premortem as recipeFor } from "../../recipes/premortem.ts";
import { assembleSince } from "../ask/already-sent.ts";
import { operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { formattedContext, formattedOf } from "./briefing-format.ts";

const everything = 500;

export const premortem = operation({
  name: "get_premortem_context",
  command: "premortem",
  group: "Ask",
  summary: "What went wrong before in a domain: failures, surprises, root causes and principles, within a token budget",
  input: z.object({
    domain: z.enum(domains).describe("The kind of work"),
    strategy: z.enum(experienceStrategies).optional().describe("How it is gone about: adds how that went before"),
    path,
    limit: z.number().int().min(1).max(100).default(10).describe("Most items of each section"),
    maxTokens: assemblyOptions.maxTokens.default(1500),
    budget: assemblyOptions.budget,
    encoding: assemblyOptions.encoding,
    format: assemblyOptions.format,
    since: assemblyOptions.since,
    refresh: searchOptions.refresh,
  }),
  output: formattedContext,
  positional: ["domain", "strategy"],
  examples: [
    { command: "dossier premortem debugging", what: "before debugging, or when a test fails for the first time" },
    { command: "dossier premortem testing trial-and-error --max-tokens 800", what: "and how that strategy did" },
  ],
  text: (output) => output.markdown,
  async run({ domain, strategy, limit, ...input }, environment) {
    const workspace = await environment.workspace();
    const [warnings] = await Promise.all([
      input.refresh ? refreshSources(workspace, environment, ["experience", "value"]) : [],
      import("../../assemble.ts"),
    ]);
    const query = `premortem ${domain}${strategy ? ` ${strategy}` : ""}`;
    const request = requestOf(
      contextInput.parse({
        ...input,
        query,
        limit: everything,
        minScore: 0,
        includeSources: false,
        expand: false,
      }),
    );
    const context = await assembleSince(
      workspace,
      request,
      recipeFor(domain, strategy, limit),
      environment.receivedBundle,
    );
    return formattedOf(context, warnings);
  },
});

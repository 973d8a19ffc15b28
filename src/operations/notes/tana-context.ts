import * as z from "zod";
import type { Context } from "../../document.ts";
import type { Included } from "../../item.ts";
import {
  assemblyOptions,
  contextInput,
  lensNames,
  noteOptions,
  path,
  query,
  searchOptions,
  workspace,
} from "../../options.ts";
import { context } from "../ask/context.ts";
import { bundle } from "../core/item-shapes.ts";
import { type Environment, operation } from "../core/operation.ts";
import { placeIn } from "../core/workspace-root.ts";

const node = z.object({
  id: z.string().describe("The note's id at its origin"),
  name: z.string(),
  content: z.string().describe("Markdown"),
  tags: z.array(z.string()),
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  score: z.number().describe("0 to 1"),
  distance: z.number().int().describe("Steps from the nearest source note"),
  path: z
    .array(z.object({ id: z.string(), name: z.string(), type: z.string() }))
    .describe("The way from the source: each note, and by which relation the next one is reached from it"),
});

const output = z.object({
  meta: z.object({
    query: z.string(),
    workspace: z.string(),
    lens: z.string(),
    tokens: z.object({
      budget: z.number().int(),
      used: z.number().int(),
      utilization: z.number(),
      nodesIncluded: z.number().int(),
      nodesSummarized: z.number().int().describe("All that were found and had no room, named here or not"),
    }),
    assembledAt: z.string(),
    backend: z.string(),
    matches: z
      .object({ count: z.number().int(), where: z.string() })
      .optional()
      .describe("Of notes asked for by tags and fields: how many meet them, whatever the topic, and what was asked"),
    warnings: z.array(z.string()).optional().describe("What ended the walk, was not found or is too small"),
  }),
  nodes: z.array(node),
  overflow: z
    .array(z.object({ id: z.string(), name: z.string(), tags: z.array(z.string()), score: z.number() }))
    .describe("What had no room, best first: the first 200; the others by overflowFrom"),
  links: z.record(z.string(), z.string()).describe("Where each note opens in its application, by its id"),
  text: z.string().describe("The document, in the format that was asked for"),
  bundle,
  warnings: z.array(z.string()),
});

/** A notes graph as its users' tools know it: nodes with their way from the source, and those that only fit by name. */
export const tanaContext = operation({
  name: "tana_context",
  command: "notes ask",
  group: "Notes",
  summary: "Context from the notes graph (Tana, Obsidian, Logseq) for a topic or a note, within a token budget",
  input: z.object({
    query: query
      .default("")
      .describe("A topic, a note's name or id, or several joined by and; none where tag or field is given"),
    path,
    workspace,
    depth: z.number().int().min(1).max(5).default(2).describe("How many links to follow"),
    maxTokens: assemblyOptions.maxTokens,
    lens: noteOptions.lens
      .unwrap()
      .meta({ suggestions: [...lensNames] })
      .default("general")
      .describe("general, writing, coding, planning, meeting-prep or your own"),
    includeFields: noteOptions.includeFields,
    format: z.enum(["markdown", "json"]).default("markdown").describe("Format of the document"),
    tag: noteOptions.tag,
    field: noteOptions.field,
    sort: noteOptions.sort,
    excludeTag: noteOptions.excludeTag,
    newerThan: noteOptions.newerThan,
    offline: noteOptions.offline,
    overflowFrom: noteOptions.overflowFrom,
    encoding: assemblyOptions.encoding,
    since: assemblyOptions.since,
    refresh: searchOptions.refresh,
  }),
  output,
  positional: ["query"],
  examples: [
    { command: 'dossier notes ask "SOC Defender project"', what: "a topic, two links deep" },
    {
      command: 'dossier notes ask "quarterly planning" --lens planning --max-tokens 8000',
      what: "goals, tasks, dates",
    },
    { command: "dossier notes ask abc123def456 --depth 3 --format json", what: "a note by its id, as JSON" },
    { command: 'dossier notes ask "project Apollo and person Ada"', what: "what both have to do with" },
    {
      command: 'dossier notes ask --tag task --field Status=open --field "Due<2026-12-01" --sort due',
      what: "notes by their tags and fields",
    },
    { command: 'dossier notes ask "what is overdue?" --lens planning', what: "also due this week, open tasks" },
  ],
  text: (output) => output.text,
  async run(input, environment) {
    await openNotes(input, environment);
    const request = contextInput.parse({ ...input, recipe: "graph" });
    const answer = await context.run(request, environment);
    const { text, warnings } = answer;
    // With the format JSON, the text is the document itself.
    return input.format === "json"
      ? { ...JSON.parse(text), links: linksIn(answer), text, bundle: answer.bundle, warnings }
      : documentOf(answer);
  },
});

/** Used when the current folder has no notes. */
const mainWorkspace = "main";

/**
 * Opens the workspace that is asked: without one, and where the current folder has no notes, the user's main
 * workspace, if there is one.
 */
async function openNotes(place: { path: string; workspace?: string }, environment: Environment): Promise<void> {
  if (place.workspace !== undefined || place.path !== ".") return;
  const { resolveWorkspaceName } = await import("../../workspace/registry.ts");
  const at = resolveWorkspaceName(mainWorkspace);
  if (at === undefined) return;
  const [{ findRoot }, { originsOf, readConfig }] = await Promise.all([
    import("../../workspace/root.ts"),
    import("../../workspace/config/config.ts"),
  ]);
  const root = findRoot(placeIn(place.path, environment.folder));
  if ((await originsOf(root, await readConfig(root))).length === 0) await environment.workspace({ at });
}

type Output = z.output<typeof output>;

/** Names of nodes without room that a result lists at most. */
const mostNamed = 200;

function linksIn({ items }: Pick<Context, "items">): Record<string, string> {
  return Object.fromEntries(
    items.flatMap(({ facts, id, citation: { link } }) => (link === undefined ? [] : [[String(facts?.id ?? id), link]])),
  );
}

export function documentOf(answer: Context): Output {
  const { tokens, header, items, dropped, text, bundle, warnings } = answer;
  const printed = items.filter(({ level }) => level !== "pointer");
  const pointers = items.filter(({ level }) => level === "pointer");
  const unnamed = dropped.filter(({ note, reason }) => note && (reason === "over-budget" || reason === "diversity"));
  const overflow = [
    ...pointers.map(summaryOf),
    ...unnamed.map(({ note, score }) => ({ id: note!.key, name: note!.name, tags: note!.tags, score: rounded(score) })),
  ];
  const { assembledAt, backend, lens, query, workspace, matches, warnings: headerWarnings } = header!;
  return {
    meta: {
      query,
      workspace,
      lens,
      tokens: {
        budget: tokens.budget,
        used: tokens.used,
        utilization: Math.round(tokens.fill * 100) / 100,
        nodesIncluded: printed.length,
        nodesSummarized: overflow.length + dropped.filter(({ note, reason }) => note && reason === "given").length,
      },
      assembledAt,
      backend,
      ...(matches ? { matches } : {}),
      ...(headerWarnings ? { warnings: headerWarnings } : {}),
    },
    nodes: [...printed].sort(byScore).map(nodeOf),
    overflow: overflow.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, mostNamed),
    links: linksIn(answer),
    text,
    ...(bundle === undefined ? {} : { bundle }),
    warnings,
  };
}

function byScore(a: Included, b: Included): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}

function summaryOf(item: Included): Output["overflow"][number] {
  return { ...nameOf(item), score: rounded(item.score) };
}

function nameOf({ facts = {}, name, id }: Included): { id: string; name: string; tags: string[] } {
  return { id: String(facts.id ?? id), name, tags: (facts.tags as string[] | undefined) ?? [] };
}

function nodeOf(item: Included): Output["nodes"][number] {
  const { facts = {}, text, score, distance = 0, via = [] } = item;
  const [name = "", ...rest] = text.split("\n");
  const fields = Object.entries((facts.fields as Record<string, string[]> | undefined) ?? {});
  return {
    ...nameOf(item),
    content: rest.length > 0 ? `# ${name}\n\n${rest.join("\n")}` : `# ${name}`,
    ...(fields.length > 0
      ? { fields: Object.fromEntries(fields.map(([key, values]) => [key, values.length === 1 ? values[0]! : values])) }
      : {}),
    score: rounded(score),
    distance,
    path: via.map((step) => ({ id: step.key ?? step.id, name: step.name, type: step.kind })).reverse(),
  };
}

function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

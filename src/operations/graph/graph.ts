import * as z from "zod";
import { addressOf, isInFile, kinds, type LinkKind, linkKinds, sourceNames } from "../../item.ts";
import { longestQuery, path, searchOptions, workspace as workspaceOption } from "../../options.ts";
import { masked } from "../core/mask-secrets.ts";
import { operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { sourcesOf } from "../core/sources-needed.ts";
import { paint } from "../terminal/colours.ts";
import { counted, plain } from "../terminal/phrases.ts";
import { centresOf } from "./centres.ts";
import { walk } from "./walk.ts";

const count = z.number().int().min(0);

const node = z.object({
  id: z.string(),
  name: z.string(),
  source: z.enum(sourceNames),
  kind: z.enum(kinds),
  path: z.string().describe("Of the file, or source:id of what is in none"),
  startLine: count.optional(),
  endLine: count.optional(),
  distance: count.describe("Links from the nearest centre; 0 of a centre"),
  score: z.number().optional().describe("Of what a question found: how well it fits"),
  links: count.describe("Of those in this answer"),
});

const output = z.object({
  query: z.string(),
  found: z.boolean().describe("True where the centres were found by a question, false where they are what was named"),
  nodes: z.array(node).describe("By distance, centres first"),
  edges: z.array(z.object({ from: z.string(), to: z.string(), relation: z.enum(linkKinds) })),
  relations: z.record(z.string(), count).describe("Edges by relation"),
  leftOut: count.describe("Items that links lead to and that there was no room for"),
  hubs: z
    .array(z.object({ id: z.string(), relation: z.enum(linkKinds), total: count }))
    .describe("Items with more links of a kind than were followed, and how many they have"),
  warnings: z.array(z.string()),
});

/** A graph of connections: calls, imports, notes, commits and the files they touched. */
export const graph = operation({
  name: "graph",
  command: "graph",
  group: "Ask",
  summary:
    "Show what is linked with an item, or with what a question finds: calls, notes, commits and files, by distance",
  input: z.object({
    query: z
      .string()
      .trim()
      .min(1)
      .max(longestQuery)
      .describe("An id (cod-1k3f), a name, a path or a note; anything else is a question"),
    path,
    workspace: workspaceOption,
    depth: z.number().int().min(0).max(5).default(2).describe("How many links to follow"),
    limit: z.number().int().min(1).max(500).default(100).describe("Most items to show; those that are nearest"),
    relations: z
      .array(z.enum(linkKinds))
      .min(1)
      .optional()
      .describe("Only links of these kinds, for example calls,imports"),
    refresh: searchOptions.refresh,
  }),
  output,
  positional: ["query"],
  examples: [
    { command: "dossier graph Cart.total --depth 1", what: "who calls it, what it calls, where it stands" },
    { command: 'dossier graph "how are cards charged" --limit 40', what: "around what a question finds" },
    { command: "dossier graph src/cart.ts --relations imports,touches --json", what: "imports and commits, as data" },
  ],
  async run({ query, depth, limit, relations, refresh }, environment) {
    const workspace = await environment.workspace();
    const stale = refresh ? await refreshSources(workspace, environment, sourcesOf({})) : [];
    const centres = await centresOf(query, workspace);
    const followed = new Set<LinkKind>(relations ?? linkKinds);
    const { signal } = environment;
    const { nodes, edges, leftOut, hubs } = await walk(
      centres.items,
      { depth, limit, relations: followed, signal },
      workspace,
    );
    const links = new Map<string, number>();
    const byRelation: Record<string, number> = {};
    for (const { from, to, relation } of edges) {
      byRelation[relation] = (byRelation[relation] ?? 0) + 1;
      for (const id of [from, to]) links.set(id, (links.get(id) ?? 0) + 1);
    }
    return {
      query,
      found: centres.found,
      nodes: nodes.map(({ item, distance }) => {
        const score = centres.scores.get(item.id);
        return {
          id: item.id,
          name: masked(item.name),
          source: item.source,
          kind: item.kind,
          path: masked(addressOf(item)),
          ...(isInFile(item.source) && { startLine: item.startLine, endLine: item.endLine }),
          distance,
          ...(score !== undefined && { score }),
          links: links.get(item.id) ?? 0,
        };
      }),
      edges,
      relations: byRelation,
      leftOut,
      hubs,
      warnings: [...stale, ...centres.warnings],
    };
  },
  text({ nodes, edges, leftOut }, _input, colour) {
    const p = paint(colour);
    if (nodes.length === 0) return "Nothing here matches.";
    const byId = new Map(nodes.map((each) => [each.id, each]));
    const lines = nodes.map((each) => {
      // Every item but a centre was reached from one that is a step nearer.
      const edge = edges.find(
        ({ from, to }) =>
          (from === each.id && byId.get(to)!.distance < each.distance) ||
          (to === each.id && byId.get(from)!.distance < each.distance),
      );
      const nearer = edge && byId.get(edge.from === each.id ? edge.to : edge.from)!;
      const arrow = edge?.from === each.id ? "->" : "<-";
      const linkText = edge ? p.dim(`  ${edge.relation} ${arrow} ${plain(nearer!.name)}`) : "";
      const place = each.startLine === undefined ? each.path : `${each.path}:${each.startLine}`;
      return `${"  ".repeat(each.distance)}${p.bold(plain(each.name))}  ${each.kind}  ${plain(place)}${linkText}`;
    });
    const rest = leftOut > 0 ? [p.dim(`${counted(leftOut, "more item")} not shown; --limit shows more.`)] : [];
    return [...lines, ...rest].join("\n");
  },
});

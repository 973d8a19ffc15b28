import * as z from "zod";
import type { OriginState } from "../../notes/origin-state.ts";
import { assemblyOptions, noteOptions, path, query, workspace } from "../../options.ts";
import type { OriginCounts } from "../../stores/graph.ts";
import type { Origin } from "../../workspace/config/config.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { shownPlace, withoutPlaces } from "../core/hide-paths.ts";
import { operation } from "../core/operation.ts";
import { rootAndIndex } from "../core/workspace-root.ts";
import { notesText } from "./notes-text.ts";
import { tanaContext } from "./tana-context.ts";

const count = z.number().int().min(0);

const origin = z.object({
  name: z.string(),
  state: z
    .enum(["configured", "found", "leaving"])
    .describe("found: the workspace itself is a vault; leaving: disconnected, and gone with the next question"),
  kind: z.string().optional().describe("Unknown until it is read, unless the config file says it"),
  from: z.string().optional().describe("As the config file says it"),
  place: z.string().optional().describe("Where that is on this machine"),
  live: z
    .object({
      url: z.string(),
      workspace: z.string().optional(),
      tokenVariable: z.string(),
      hasToken: z.boolean().describe("Whether that variable is set here"),
    })
    .optional(),
  notes: count,
  tagged: count.describe("Tags on notes"),
  values: count.describe("Values of fields"),
  references: count.describe("Mentions of other notes"),
  dangling: count.describe("Links to notes that do not exist"),
  read: z.string().optional().describe("When it was last read, ISO 8601"),
  warnings: z.array(z.string()).describe("What was wrong with it then"),
});

const answer = tanaContext.output.optional().describe("Of a topic or a note: the answer of tana_context");

export const notesOutput = z.object({
  answer,
  config: z.string().describe("The file that names the origins"),
  origins: z.array(origin),
  tags: z.array(z.object({ name: z.string(), notes: count })).describe("The most used tags"),
});

export const notes = operation({
  name: "notes",
  command: "notes list",
  group: "Notes",
  summary:
    "Ask the notes of a workspace; without a topic, show where they come from, what the index has of them and how old that is",
  input: z.object({
    query: query.optional().describe("A topic, a note's name or id, or several joined by and"),
    path,
    workspace,
    maxTokens: assemblyOptions.maxTokens,
    lens: tanaContext.input.shape.lens,
    depth: tanaContext.input.shape.depth,
    tag: noteOptions.tag,
    field: noteOptions.field,
    sort: noteOptions.sort,
    tags: z.number().int().min(0).max(1000).default(10).describe("How many of the most used tags to show"),
  }),
  output: notesOutput,
  positional: ["query"],
  examples: [
    { command: "dossier notes list", what: "origins, counts and tags" },
    { command: 'dossier notes "launch plan"', what: "a topic: the same as dossier notes ask, with the usual options" },
    { command: 'dossier notes ask --tag task --field "Due<today" --sort due', what: "notes by their tags and fields" },
    { command: "dossier notes list --tags 50 --json", what: "more tags, for a program to read" },
  ],
  text: (output, _input, colour) => output.answer?.text ?? notesText(output, colour),
  async run(input, environment) {
    const { query: topic, ...options } = input;
    const isAsked = topic !== undefined || (input.tag ?? input.field ?? input.sort) !== undefined;
    const answer = isAsked
      ? await tanaContext.run(tanaContext.input.parse({ ...options, query: topic ?? "" }), environment)
      : undefined;
    const { root, index } = await rootAndIndex(input, environment);
    const { configPath, originsOf, readConfig, resolvePlace } = await import("../../workspace/config/config.ts");
    const config = await readConfig(root);
    const origins = await originsOf(root, config);
    const { counts, states, tags } = await indexed(index, input.tags);
    const placeText = (place: string) => shownPlace(place, root, environment);
    const listed = origins.map((each) => ({
      ...common(each, counts, states),
      state: config.notes.includes(each) ? ("configured" as const) : ("found" as const),
      from: each.from === undefined ? undefined : placeText(each.from),
      place: each.from === undefined ? undefined : placeText(resolvePlace(root, each)),
      live: each.live && { ...each.live, hasToken: Boolean(process.env[each.live.tokenVariable]?.trim()) },
    }));
    const leaving = counts.filter((each) => !origins.some(({ name }) => name === each.origin));
    const all = [
      ...listed,
      ...leaving.map((each) => ({ ...common({ name: each.origin }, counts, states), state: "leaving" as const })),
    ];
    const warningText = (warning: string) => (environment.discreet ? withoutPlaces(warning, root) : warning);
    return {
      ...(answer ? { answer: { ...answer, warnings: answer.warnings.map(warningText) } } : {}),
      config: placeText(configPath(root)),
      origins: all.map(({ warnings, ...each }) => ({ ...each, warnings: warnings.map(warningText) })),
      tags,
    };
  },
});

function common({ name, kind }: Origin, counts: readonly OriginCounts[], states: readonly OriginState[]) {
  const state = states.find((each) => each.name === name);
  const {
    notes = 0,
    tagged = 0,
    values = 0,
    references = 0,
    dangling = 0,
  } = counts.find(({ origin }) => origin === name) ?? {};
  return {
    name,
    kind: kind ?? (state?.kind || undefined),
    ...{ notes, tagged, values, references, dangling },
    read: state && state.read > 0 ? new Date(state.read).toISOString() : undefined,
    warnings: state?.warnings ?? [],
  };
}

type Indexed = { counts: OriginCounts[]; states: OriginState[]; tags: { name: string; notes: number }[] };

async function indexed(index: Workspace | undefined, mostTags: number): Promise<Indexed> {
  if (!index) return { counts: [], states: [], tags: [] };
  const { store, owner } = index;
  const { readOriginState } = await import("../../notes/origin-state.ts");
  const [counts, states, tags] = await Promise.all([
    store.graph.origins(owner),
    readOriginState(store, owner),
    store.graph.tags(owner, mostTags),
  ]);
  return { counts, states, tags };
}

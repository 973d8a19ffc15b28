import * as z from "zod";
import { citationsIn, formatCitationsForResponse } from "../../chat/citations.ts";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { sourceOf } from "../../sources/all.ts";
import { shelfOfId } from "../../stores/store.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type FoundItem, itemsCalled } from "../ask/item-find.ts";
import { type Environment, operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { counted, plain } from "../terminal/phrases.ts";
import { context, mostEvents, usageChange, usageOf, usageText } from "./feedback.ts";
import { excerptOf, placeOf } from "./prime-shape.ts";

const longestReply = 2_000_000;
/** Different citations of one reply that are looked up. */
const mostCited = 500;

const reasons = ["unknown", "ambiguous", "not-given"] as const;

export const cited = operation({
  name: "cited",
  command: "cited",
  group: "Library",
  summary:
    "Read a model's reply, list its sources, and count what it cites as used: the next contexts rank it by that; can be undone",
  access: "write",
  input: z.object({
    reply: z.string().max(longestReply).optional().describe("What the model answered").meta({ fromFile: true }),
    text: z.string().max(longestReply).optional().describe("The same, given as a text in place of a file"),
    path,
    given: z
      .array(z.string().trim().min(1))
      .max(2000)
      .optional()
      .describe("Ids of the items that it was given; what it cites besides is reported and not counted"),
    context: context.describe("The context it was given in: read twice, a reply counts once"),
  }),
  output: z.object({
    cited: z.array(
      usageChange.extend({
        citation: z.string().describe("As the reply has it, without brackets"),
        times: z.number().int().min(1).describe("How often; it counts once"),
        event: z.string().describe("What undoes it"),
        repeated: z.boolean().describe("True when it was counted for this context before"),
      }),
    ),
    citations: z
      .array(
        z.object({
          id: z.string().describe("With its brackets"),
          itemId: z.string(),
          source: z.string().describe("Where it is: a path, a thread"),
          excerpt: z.string().optional().describe("How it begins"),
          usedInResponse: z.literal(true),
        }),
      )
      .describe("What the reply cites; in its context these are used from now on"),
    sources: z.string().describe("The same as text, to be put below the reply; empty when it cites nothing"),
    unresolved: z.array(
      z.object({
        citation: z.string(),
        reason: z.enum(reasons),
        could: z.array(z.string()).optional().describe("Ids that it may mean"),
      }),
    ),
    warnings: z.array(z.string()),
  }),
  positional: ["reply"],
  examples: [
    { command: "dossier cited reply.txt --context reply-7", what: "from a file" },
    { command: 'dossier cited --text "On Monday [msg-9q2z]."', what: "as a text" },
    {
      command: 'echo "On Monday [msg-9q2z]." | dossier cited - --given msg-9q2z1k3f7x0ab',
      what: "from another command",
    },
  ],
  async run({ given, context, ...replyInput }, environment) {
    const times = new Map<string, number>();
    for (const { id } of citationsIn(replyOf(replyInput, environment))) times.set(id, (times.get(id) ?? 0) + 1);
    const warnings = times.size > mostCited ? [`Only the first ${mostCited} citations were read.`] : [];
    const workspace = await environment.workspace();
    const resolved: { citation: string; item: FoundItem; times: number }[] = [];
    const unresolved: { citation: string; reason: (typeof reasons)[number]; could?: string[] }[] = [];
    const offered = given && new Set(given.map((id) => id.replace(/^\[(.*)\]$/, "$1").toLowerCase()));
    for (const [citation, count] of [...times].slice(0, mostCited)) {
      environment.signal?.throwIfAborted();
      const resolution = await resolve(workspace, citation, offered);
      if ("item" in resolution) resolved.push({ citation, item: resolution.item, times: count });
      else unresolved.push({ citation, ...resolution });
    }
    const counted = await countUsage(workspace, mergeById(resolved), context);
    return { cited: counted, ...(await sourcesOf(counted, workspace)), unresolved, warnings };
  },
  text({ cited, sources, unresolved }, _input, colour) {
    const p = paint(colour);
    const lines = cited.map(
      (each) => `${each.repeated ? "Counted before:" : p.green("Cited:")} ${usageText(each, colour)}`,
    );
    for (const { citation, reason, could = [] } of unresolved) {
      const sentences = {
        unknown: "there is no such item",
        ambiguous: `it could be any of ${could.map(plain).join(", ")}`,
        "not-given": "it was not among what was given",
      };
      lines.push(`${p.yellow(`[${plain(citation)}]`)} was not counted: ${sentences[reason]}.`);
    }
    if (lines.length === 0) return "The reply cites nothing.";
    lines.push(...sources.trim().split("\n").filter(Boolean).map(plain));
    const events = cited.filter(({ repeated }) => !repeated).map(({ event }) => event);
    if (events.length === 0) return lines.join("\n");
    const undo = `To take ${events.length === 1 ? "it" : `these ${counted(events.length, "event")}`} back: dossier feedback --undo ${events.join(",")}`;
    return [...lines, p.dim(undo)].join("\n");
  },
});

function replyOf({ reply, text }: { reply?: string; text?: string }, { nameOf = String }: Environment): string {
  const [source, ...others] = [reply, text].filter((each) => each !== undefined);
  if (source !== undefined && others.length === 0) return source;
  const both = `${nameOf("reply")} or ${nameOf("text")}`;
  throw new DossierError("bad-input", `cited needs ${both}${source === undefined ? "" : ", not both"}.`);
}

type Resolution = { item: FoundItem } | { reason: (typeof reasons)[number]; could?: string[] };

/** The items given tell apart ids that begin alike; without them, only one item of all may begin so. */
async function resolve(workspace: Workspace, citation: string, offered: Set<string> | undefined): Promise<Resolution> {
  const among = offered && [...offered].filter((id) => id.startsWith(citation) || citation.startsWith(`${id}-`));
  if (among && among.length > 1 && !among.includes(citation)) return { reason: "ambiguous", could: among.slice(0, 5) };
  const id = among?.includes(citation) ? citation : (among?.[0] ?? citation);
  const items = await itemsCalled(workspace, id);
  if (items.length === 0) return { reason: "unknown" };
  if (items.length > 1) return { reason: "ambiguous", could: items.slice(0, 5).map(({ id }) => id) };
  return among && among.length === 0 ? { reason: "not-given" } : { item: items[0]! };
}

type CountedCitation = { citation: string; item: FoundItem; times: number };

/** A whole id and the beginning of the same id are one item. */
function mergeById(cited: CountedCitation[]): CountedCitation[] {
  const byId = new Map<string, CountedCitation>();
  for (const each of cited) {
    const existing = byId.get(each.item.id);
    byId.set(each.item.id, existing ? { ...existing, times: existing.times + each.times } : each);
  }
  return [...byId.values()];
}

async function countUsage(workspace: Workspace, cited: CountedCitation[], context: string | undefined) {
  if (cited.length === 0) return [];
  const { owner } = workspace;
  const library = await workspace.library();
  const now = Date.now();
  const ids = cited.map(({ item }) => item.id);
  const usage = await library.usage(owner, ids, mostEvents);
  const before = (id: string) => usage.get(id) ?? [];
  const earlier = (id: string) =>
    context === undefined ? undefined : before(id).find((each) => each.kind === "cited" && each.context === context);
  const fresh = ids
    .filter((id) => earlier(id) === undefined)
    .map((item) => ({ item, kind: "cited" as const, ...(context !== undefined && { context }), at: now }));
  const events = fresh.length === 0 ? [] : await library.recordUsage(owner, fresh);
  const eventOf = new Map(events.map((event) => [event.item, event]));
  return cited.map(({ citation, item, times }) => {
    const event = eventOf.get(item.id);
    return {
      citation,
      times,
      item: item.id,
      name: item.name,
      before: usageOf(before(item.id), now),
      after: usageOf([...before(item.id), ...(event ? [event] : [])], now),
      event: event?.id ?? earlier(item.id)!.id,
      repeated: event === undefined,
    };
  });
}

/** `citation`: as the reply has it, without brackets. */
type CitedItem = { citation: string; item: string; name: string };
type CitedSource = { id: string; itemId: string; source: string; excerpt?: string; usedInResponse: true };

/**
 * Where each cited item is and how it begins, in the order of the reply; and the list of sources that an application
 * shows below it.
 */
async function sourcesOf(
  cited: readonly CitedItem[],
  workspace: Workspace,
): Promise<{ citations: CitedSource[]; sources: string }> {
  const citations = await Promise.all(cited.map((each) => citationOf(each, workspace)));
  return { citations, sources: formatCitationsForResponse(citations) };
}

async function citationOf({ citation, item: itemId, name }: CitedItem, workspace: Workspace): Promise<CitedSource> {
  const cited = { id: `[${citation}]`, itemId, usedInResponse: true } as const;
  const [item] = await workspace.store.shelf(shelfOfId(itemId)).items(workspace.owner, [itemId]);
  if (!item) return { ...cited, source: name };
  const text = (await sourceOf(item.source)?.read?.([item], workspace))?.get(item.id);
  if (!text) return { ...cited, source: item.path === "" ? name : `${item.path}:${item.startLine}` };
  return { ...cited, source: placeOf(text.facts, name), excerpt: excerptOf(redact(text.lines.join("\n")).text) };
}

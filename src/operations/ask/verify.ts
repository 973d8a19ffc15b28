import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { sourceOf } from "../../sources/all.ts";
import { shelfOfId } from "../../stores/store.ts";
import { hashText } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Environment, operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { placeIn } from "../core/workspace-root.ts";
import { paint } from "../terminal/colours.ts";
import { counted } from "../terminal/phrases.ts";
import { type Cited, readBundle } from "./bundle.ts";
import { type CitationVerdict, recheck, verdicts } from "./recheck.ts";

const place = z.object({ path: z.string(), startLine: z.number().int(), endLine: z.number().int() });

const output = z.object({
  ok: z.boolean().describe("True when every citation is the same or has only moved"),
  counts: z.record(z.enum(verdicts), z.number().int()).describe("How many citations have each verdict"),
  citations: z.array(
    place.extend({
      id: z.string().describe("As the document cites it"),
      itemId: z.string(),
      name: z.string(),
      verdict: z.enum(verdicts),
      now: place.optional().describe("Where it is now, when that is known and differs"),
    }),
  ),
});

/** An old answer against today's disk. */
export const verify = operation({
  name: "verify",
  command: "verify",
  group: "Ask",
  summary: "Check every citation of an earlier JSON result against the files on disk",
  input: z.object({
    bundle: z.string().describe("The result to check, as dossier context --json printed it").meta({ fromFile: true }),
    path,
  }),
  output,
  positional: ["bundle"],
  examples: [
    { command: 'dossier "retry policy" --json > bundle.json', what: "keep a result" },
    { command: "dossier verify bundle.json", what: "later: is it still true?" },
    { command: "dossier verify - < bundle.json", what: "the same from a pipe" },
  ],
  async run({ bundle, path }, environment) {
    const cited = readBundle(bundle);
    const [{ fileReader }, { findRoot }] = await Promise.all([
      import("../../tree/read-file.ts"),
      import("../../workspace/root.ts"),
    ]);
    const files = fileReader(findRoot(placeIn(path, environment.folder)));
    const citations = [];
    let indexed: Workspace | undefined | null = null;
    for (const { hash, ...citation } of cited) {
      environment.signal?.throwIfAborted();
      if (shelfOfId(citation.itemId) !== "files") {
        const workspace = await environment.workspace();
        citations.push({ ...citation, verdict: await recheckRecord({ hash, ...citation }, workspace, environment) });
        continue;
      }
      let outcome = await recheck({ hash, ...citation }, files);
      if (outcome.verdict === "changed" || outcome.verdict === "gone") {
        if (indexed === null) indexed = await freshIndex(environment);
        if (indexed) outcome = await recheck({ hash, ...citation }, files, indexed);
      }
      citations.push({ ...citation, ...outcome });
    }
    const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<CitationVerdict, number>;
    for (const { verdict } of citations) counts[verdict]++;
    return { ok: counts.changed + counts.gone === 0, counts, citations };
  },
  exit: ({ ok }) => (ok ? 0 : 1),
  text({ citations, counts, ok }, _input, colour) {
    const p = paint(colour);
    const painters = { same: p.green, moved: p.yellow, changed: p.red, gone: p.red };
    const lines = citations.map(({ id, itemId, name, path, startLine, endLine, verdict, now }) => {
      const where = shelfOfId(itemId) === "files" ? `${path}:${startLine}-${endLine}` : path;
      const moved = now ? ` -> ${now.path}:${now.startLine}-${now.endLine}` : "";
      return `${painters[verdict](verdict.padEnd(7))} ${id} ${where}${moved} ${p.dim(name)}`;
    });
    const parts = verdicts.filter((verdict) => counts[verdict] > 0).map((verdict) => `${counts[verdict]} ${verdict}`);
    const summary = `${counted(citations.length, "citation")}${parts.length > 0 ? `: ${parts.join(", ")}` : ""}.`;
    lines.push(p.bold(ok ? summary : `${summary} Ask again to get what the files say now.`));
    return lines.join("\n");
  },
});

/** The refreshed index; undefined where none exists: checking needs no index, only searching for moved text does. */
async function freshIndex(environment: Environment): Promise<Workspace | undefined> {
  try {
    const workspace = await environment.workspace({ create: false });
    await refreshSources(workspace, environment);
    return workspace;
  } catch (error) {
    if (error instanceof DossierError && error.code === "not-indexed") return undefined;
    throw error;
  }
}

/** Checks a cited memory, experience, value or commit: these do not move, they are edited or forgotten. */
async function recheckRecord(cited: Cited, workspace: Workspace, environment: Environment): Promise<CitationVerdict> {
  const shelf = shelfOfId(cited.itemId);
  await refreshSources(workspace, environment, [shelf]);
  const [item] = await workspace.store.shelf(shelf).items(workspace.owner, [cited.itemId]);
  const texts = item && (await sourceOf(item.source)?.read?.([item], workspace));
  const text = texts?.get(cited.itemId);
  if (!text) return "gone";
  return hashText(text.lines.join("\n")) === cited.hash ? "same" : "changed";
}

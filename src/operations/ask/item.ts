import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { addressOf, type Item, isInFile, kinds, sourceNames } from "../../item.ts";
import { path } from "../../options.ts";
import { sourceOf } from "../../sources/all.ts";
import { shelfOfId } from "../../stores/store.ts";
import { hashText } from "../../text/hash.ts";
import { splitLines } from "../../text/lines.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { facts } from "../core/item-shapes.ts";
import { type Environment, operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { findDocument } from "../library/document-find.ts";
import { paint } from "../terminal/colours.ts";
import { findItem } from "./item-find.ts";
import { aroundNote, isId, noteCalled, noteLines } from "./item-note.ts";

const output = z.object({
  id: z.string(),
  source: z.enum(sourceNames),
  kind: z.enum(kinds),
  name: z.string(),
  location: z.string().describe("path:first-last of what is in a file; else source:id"),
  language: z.string().optional(),
  freshness: z.enum(["current", "moved", "stored"]).describe("stored: the file is gone, this is what the index kept"),
  text: z.string().describe("All of it, as it is now; secrets are replaced"),
  facts: facts.optional().describe("What is known of a record besides its text"),
  below: z.array(z.string()).optional().describe("Of a note: what stands below it, indented"),
  link: z.string().optional().describe("Of a note: opens it in its application"),
});

type Output = z.output<typeof output>;
export type OpenedItem = Output;

export const item = operation({
  name: "item",
  command: "item show",
  group: "Ask",
  summary: "Open an item in full by its id or citation: code, a note, a memory, a commit, a message, a document",
  input: z.object({
    item: z
      .string()
      .trim()
      .min(1)
      .describe("Id of an item, its beginning, or a citation; of a note also its id in its application, or its name"),
    path,
  }),
  output,
  positional: ["item"],
  examples: [
    { command: "dossier item show cod-1k3f", what: "the whole function behind a citation" },
    { command: "dossier item show '[mem-9q2z]' --json", what: "a memory with all that is known of it" },
  ],
  async run({ item: typed }, environment) {
    return openItem(typed, await environment.workspace({ create: false }), environment);
  },
  text({ name, location, text, freshness, source, facts: noteFacts, below, link }, _input, colour) {
    const mark = freshness === "stored" ? " (the file is gone; as it was indexed)" : "";
    const head = paint(colour).dim(`${location} ${name}${mark}`);
    return [head, ...(source === "note" ? noteLines(text, noteFacts ?? {}, below, link) : [text])].join("\n");
  },
});

/** Opens the item that an id, its beginning or a citation means, as it is now. */
export async function openItem(typed: string, workspace: Workspace, environment: Environment): Promise<Output> {
  const id = typed.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (id.startsWith("doc-")) return wholeDocument(workspace, id);
  await refreshSources(workspace, environment, [isId(id) ? shelfOfId(id) : "note"]);
  const match = (await noteCalled(workspace, typed)) ?? (await findItem(workspace, id));
  const { store, owner } = workspace;
  const [indexed] = await store.shelf(shelfOfId(match.id)).items(owner, [match.id]);
  const content =
    indexed && (await (isInFile(indexed.source) ? linesOfFile(indexed, workspace) : record(indexed, workspace)));
  if (!content) throw new DossierError("not-found", `${match.id} (${match.name}) is no longer there.`);
  return content;
}

/**
 * Lines as the disk has them now: where they were, else where they moved to; of a deleted file, as they were indexed.
 */
export async function linesOfFile(item: Item, workspace: Workspace): Promise<Output | undefined> {
  const read = await workspace.files.read(item.path);
  const stored = "reason" in read ? await workspace.store.file(workspace.owner, item.path) : undefined;
  const lines = "reason" in read ? splitLines(stored?.text ?? "") : read.lines;
  let place: Pick<Item, "startLine" | "endLine"> | undefined = item;
  let freshness: Output["freshness"] = "reason" in read ? "stored" : "current";
  if (hashText(lines.slice(item.startLine - 1, item.endLine).join("\n")) !== item.hash) {
    if ("reason" in read) return undefined;
    const { relocate } = await import("../../sources/relocate.ts");
    place = await relocate(item, read.text);
    freshness = "moved";
  }
  if (!place) return undefined;
  const { startLine, endLine } = place;
  return {
    ...identity(item),
    location: `${item.path}:${startLine}-${endLine}`,
    ...(item.language === undefined ? {} : { language: item.language }),
    freshness,
    text: redact(lines.slice(startLine - 1, endLine).join("\n")).text,
  };
}

async function record(item: Item, workspace: Workspace): Promise<Output | undefined> {
  const read = (await sourceOf(item.source)?.read?.([item], workspace))?.get(item.id);
  if (!read) return undefined;
  const text = redact(read.lines.join("\n")).text;
  const opened = {
    ...identity(item),
    location: addressOf(item),
    freshness: "current" as const,
    text,
    facts: read.facts,
  };
  return item.source === "note" ? { ...opened, ...(await aroundNote(item.id, read.facts, workspace)) } : opened;
}

/** A document of the library is found by its chunks, and opened whole. */
async function wholeDocument(workspace: Workspace, id: string): Promise<Output> {
  const info = await findDocument(workspace, id, "kept");
  const content = (await (await workspace.library()).document(workspace.owner, info.id))?.content ?? "";
  return {
    id: info.id,
    source: "document",
    kind: "document",
    name: info.path,
    location: `document:${info.path}`,
    freshness: "current",
    text: redact(content).text,
  };
}

function identity({ id, source, kind, name }: Item): Pick<Output, "id" | "source" | "kind" | "name"> {
  return { id, source, kind, name: redact(name).text };
}

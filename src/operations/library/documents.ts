import * as z from "zod";
import { folderPath } from "../../chat/paths.ts";
import { path } from "../../options.ts";
import { hasReadableRecords } from "../core/closed-records.ts";
import { after, cursorOf, next, pageBefore } from "../core/cursor.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { documentShape, documentText, pageText, shownDocument } from "./library-shape.ts";

export const documents = operation({
  name: "documents",
  command: "doc list",
  group: "Library",
  summary: "List the documents that are stored: all, those in a folder, the recently opened or changed, the deleted",
  input: z.object({
    under: z.string().min(1).optional().describe("Only those in this folder, and in folders inside it"),
    path,
    order: z
      .enum(["path", "changed", "accessed"])
      .optional()
      .describe("By path, or the last changed or opened first; default: path, with --opened accessed"),
    opened: z.boolean().default(false).describe("Only those that were ever opened"),
    deleted: z.boolean().default(false).describe("Only those that were deleted and can be restored"),
    limit: z.number().int().min(1).max(1000).default(100).describe("Most documents to show"),
    offset: z.number().int().min(0).default(0).describe("How many to pass over first"),
    after,
  }),
  output: z.object({
    total: z.number().int().min(0).describe("How many there are on all pages"),
    documents: z.array(documentShape),
    next,
  }),
  positional: ["under"],
  examples: [
    { command: "dossier doc list", what: "all" },
    { command: "dossier doc list notes --order changed", what: "of a folder, the newest first" },
    { command: "dossier doc list --opened --limit 5", what: "recently opened" },
    { command: "dossier doc list --deleted", what: "what can be restored" },
  ],
  async run(input, environment) {
    const { under, opened, deleted, limit, offset, order = opened ? "accessed" : "path" } = input;
    const cursor = cursorOf("documents", input, environment);
    // An empty path, `.` and `/` mean the whole library.
    const folder = under === undefined || /^\s*(?:\.?[\\/]?)\s*$/.test(under) ? undefined : folderPath(under);
    const workspace = await environment.workspace();
    if (!hasReadableRecords(workspace)) return { total: 0, documents: [] };
    const library = await workspace.library();
    const { total, documents } = await library.documents(workspace.owner, {
      ...(folder !== undefined && { under: folder }),
      order,
      ...(opened && { opened }),
      ...(deleted && { deleted }),
      ...(cursor.place && { after: { by: cursor.place[0] ?? null, id: String(cursor.place[1]) } }),
      limit: limit + 1,
      offset,
    });
    const { page, ...more } = pageBefore(documents, cursor, limit, (each) => [each[order] ?? null, each.id]);
    return { total, documents: page.map(shownDocument), ...more };
  },
  text({ total, documents, next }, { under, opened, deleted, offset, after }, colour) {
    if (total === 0) return under || opened || deleted ? "There are no such documents." : "No document was stored yet.";
    const lines = documents.map((document) => documentText(document, colour));
    const rest = pageText({ offset, shown: documents.length, total, after, next }, "document");
    return [...lines, ...(rest === "" ? [] : [paint(colour).dim(rest)])].join("\n");
  },
});

import * as z from "zod";
import { documentContent } from "../../chat/document-content.ts";
import { documentPath } from "../../chat/paths.ts";
import { path } from "../../options.ts";
import { beginIndexing, indexingFlag } from "../core/index-written.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { checkSecrets } from "./document-find.ts";
import { documentShape, documentText, shownDocument } from "./library-shape.ts";

const outcomes = { created: "Stored", changed: "Stored as a new version", unchanged: "Nothing was changed" } as const;
type Outcome = keyof typeof outcomes;

export const putDocument = operation({
  name: "put_document",
  command: "doc put",
  group: "Library",
  summary: "Store a text under a path, or a new version of what is there",
  access: "write",
  input: z.object({
    document: z.string().min(1).describe("Path to store it under, relative and with slashes: notes/plan.md"),
    content: z.string().describe("The text").meta({ fromFile: true }),
    path,
    type: z.string().trim().min(1).max(100).optional().describe("Media type or language: text/markdown"),
    ifHash: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe(
        "Only in place of what has this hash; any: only where something is stored; none: only where nothing is",
      ),
    force: z.boolean().default(false).describe("Store it even if its name says that it holds secrets"),
  }),
  output: z.object({
    outcome: z.enum(["created", "changed", "unchanged"]).describe("What became of it"),
    document: documentShape,
    indexing: indexingFlag,
    warnings: z.array(z.string()),
  }),
  positional: ["document", "content"],
  examples: [
    { command: "dossier doc put notes/plan.md plan.md", what: "a file" },
    { command: "git log -5 | dossier doc put notes/news.txt -", what: "what another command prints" },
  ],
  async run(input, environment) {
    const to = documentPath(input.document);
    const content = documentContent(input.content);
    const warnings = checkSecrets(to, content, input.force);
    const { owner, library: open } = await environment.workspace();
    const library = await open();
    const before = await library.document(owner, to);
    const document = await library.putDocument(owner, {
      path: to,
      content,
      ...(input.type !== undefined && { type: input.type }),
      at: Date.now(),
      ...(input.ifHash !== undefined && { ifHash: input.ifHash }),
    });
    const outcome: Outcome =
      before?.id !== document.id ? "created" : before.version === document.version ? "unchanged" : "changed";
    const indexing = outcome === "unchanged" ? {} : await beginIndexing(environment);
    return { outcome, document: shownDocument(document), ...indexing, warnings };
  },
  text({ outcome, document }, _input, colour) {
    const p = paint(colour);
    const label = `${outcomes[outcome]}:`;
    return `${outcome === "unchanged" ? label : p.green(label)} ${documentText(document, colour)}`;
  },
});

import * as z from "zod";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { findDocument, noDocument } from "./document-find.ts";
import { documentShape, shownDocument } from "./library-shape.ts";

export const getDocument = operation({
  name: "get_document",
  command: "doc get",
  group: "Library",
  summary: "Read a document; it counts as opened from then on",
  input: z.object({
    document: z.string().min(1).describe("Its id or its path"),
    path,
    touch: z.boolean().default(true).describe("Remember that it was opened"),
  }),
  output: z.object({ document: documentShape, content: z.string() }),
  positional: ["document"],
  examples: [
    { command: "dossier doc get notes/plan.md", what: "by its path" },
    { command: "dossier doc get doc-1k3f9q2z7x0ab --json", what: "by its id, with all that is known of it" },
  ],
  async run(input, environment) {
    const workspace = await environment.workspace();
    const { owner } = workspace;
    const info = await findDocument(workspace, input.document, "kept");
    const library = await workspace.library();
    const stored = await library.document(owner, info.id);
    // It was deleted between the two reads.
    if (!stored) throw await noDocument(library, owner, input.document);
    const { content, ...document } = stored;
    if (!input.touch) return { document: shownDocument(document), content };
    const at = Date.now();
    await library.touchDocuments(owner, [info.id], at);
    return { document: shownDocument({ ...document, accessed: at }), content };
  },
  // Unchanged, except for control characters that would steer a terminal.
  text: ({ content }) => content.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, ""),
});

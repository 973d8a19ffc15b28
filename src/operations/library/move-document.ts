import * as z from "zod";
import { documentPath } from "../../chat/paths.ts";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { plain } from "../terminal/phrases.ts";
import { checkSecrets, findDocument, givingPath } from "./document-find.ts";
import { documentShape, documentText, shownDocument } from "./library-shape.ts";

export const moveDocument = operation({
  name: "move_document",
  command: "doc mv",
  group: "Library",
  summary: "Give a document another path; its id and what refers to it stay",
  access: "write",
  input: z.object({
    document: z.string().min(1).describe("Its id or its path"),
    to: z.string().min(1).describe("Its path from now on"),
    path,
    force: z.boolean().default(false).describe("Move it even if the new name says that it holds secrets"),
  }),
  output: z.object({
    moved: z.boolean().describe("False when it was there already"),
    from: z.string().describe("Where it was"),
    document: documentShape,
    warnings: z.array(z.string()),
  }),
  positional: ["document", "to"],
  examples: [{ command: "dossier doc mv plan.md archive/plan.md", what: "into a folder" }],
  async run(input, environment) {
    const to = documentPath(input.to);
    const warnings = checkSecrets(to, undefined, input.force);
    const workspace = await environment.workspace();
    const before = await findDocument(workspace, input.document, "kept");
    const library = await workspace.library();
    const document = await givingPath(to, () => library.moveDocument(workspace.owner, before.id, to, Date.now()));
    return { moved: before.path !== document.path, from: before.path, document: shownDocument(document), warnings };
  },
  text({ moved, from, document }, _input, colour) {
    if (!moved) return `It is there already: ${documentText(document, colour)}`;
    const undo = `To take it back: dossier doc mv ${document.id} ${JSON.stringify(plain(from))}`;
    return `Moved from ${plain(from)}: ${documentText(document, colour)}\n${paint(colour).dim(undo)}`;
  },
});

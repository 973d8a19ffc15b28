import * as z from "zod";
import { path } from "../../options.ts";
import type { DocumentInfo } from "../../stores/library.ts";
import { operation } from "../core/operation.ts";
import { documentList } from "./delete-document.ts";
import { findDocument, givingPath } from "./document-find.ts";
import { documentShape, documentText, shownDocument } from "./library-shape.ts";

export const restoreDocument = operation({
  name: "restore_document",
  command: "doc restore",
  group: "Library",
  summary: "Bring back documents that were deleted",
  access: "write",
  input: z.object({ documents: documentList, path }),
  output: z.object({ restored: z.array(documentShape) }),
  positional: ["documents"],
  examples: [
    { command: "dossier doc list --deleted", what: "what there is" },
    { command: "dossier doc restore notes/plan.md", what: "bring one back" },
  ],
  async run({ documents }, environment) {
    const workspace = await environment.workspace();
    const documentsById = new Map<string, DocumentInfo>();
    for (const typed of documents) {
      const info = await findDocument(workspace, typed, "deleted");
      documentsById.set(info.id, info);
    }
    const library = await workspace.library();
    for (const { id, path } of documentsById.values()) {
      await givingPath(path, () => library.restoreDocument(workspace.owner, id));
    }
    return { restored: (await library.documentInfos(workspace.owner, [...documentsById.keys()])).map(shownDocument) };
  },
  text: ({ restored }, _input, colour) =>
    restored.map((document) => `Restored: ${documentText(document, colour)}`).join("\n"),
});

import * as z from "zod";
import { path } from "../../options.ts";
import type { DocumentInfo } from "../../stores/library.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { findDocument } from "./document-find.ts";
import { documentShape, documentText, shownDocument } from "./library-shape.ts";

export const documentList = z.array(z.string().trim().min(1)).min(1).max(1000).describe("Ids or paths of documents");

export const deleteDocument = operation({
  name: "delete_document",
  command: "doc rm",
  group: "Library",
  summary: "Delete documents; they can be restored unless they are purged",
  access: "write",
  input: z.object({
    documents: documentList,
    path,
    purge: z.boolean().default(false).describe("Delete for good, also what was deleted before"),
  }),
  output: z.object({
    deleted: z.array(documentShape),
    purged: z.boolean().describe("True when nothing can be restored"),
  }),
  positional: ["documents"],
  examples: [
    { command: "dossier doc rm notes/plan.md", what: "can be taken back" },
    { command: "dossier doc rm doc-1k3f9q2z7x0ab --purge", what: "for good" },
  ],
  async run({ documents, purge }, environment) {
    const workspace = await environment.workspace();
    const documentsById = new Map<string, DocumentInfo>();
    // All are resolved before the first is deleted: a mistake changes nothing.
    for (const typed of documents) {
      const info = await findDocument(workspace, typed, purge ? "either" : "kept");
      documentsById.set(info.id, info);
    }
    const library = await workspace.library();
    const at = Date.now();
    for (const id of documentsById.keys()) {
      if (purge) await library.purgeDocument(workspace.owner, id);
      else await library.removeDocument(workspace.owner, id, at);
    }
    if (purge) {
      const { forgetPurged } = await import("./purge-index.ts");
      await forgetPurged(workspace, "document");
    }
    const deleted = [...documentsById.values()].map((info) => shownDocument({ ...info, deleted: info.deleted ?? at }));
    return { deleted, purged: purge };
  },
  text({ deleted, purged }, _input, colour) {
    const lines = deleted.map(
      (document) =>
        `${purged ? "Deleted for good:" : "Deleted:"} ${documentText({ ...document, deleted: undefined }, colour)}`,
    );
    const undo = `To take it back: dossier doc restore ${deleted.map(({ id }) => id).join(" ")}`;
    return [...lines, ...(purged ? [] : [paint(colour).dim(undo)])].join("\n");
  },
});

import * as z from "zod";
import { documentContent } from "../../chat/document-content.ts";
import { documentPath } from "../../chat/paths.ts";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { elementSchema } from "../core/fields.ts";
import { beginIndexing, indexingFlag } from "../core/index-written.ts";
import { operation } from "../core/operation.ts";
import { checkSecrets } from "./document-find.ts";
import { documentShape, documentText, shownDocument } from "./library-shape.ts";

const most = 1000;

const one = z.strictObject({
  document: z.string().min(1).describe("Its path"),
  content: z.string(),
  type: z.string().trim().max(100).optional().describe("Media type or language"),
});
const documentList = z.array(one).min(1).max(most);

export const putDocuments = operation({
  name: "put_documents",
  command: "doc import",
  group: "Library",
  summary: "Store many texts at once, each under its path",
  access: "write",
  input: z.object({
    documents: z
      .string()
      .describe(`A JSON list of at most ${most} objects with document (its path), content and, if known, type`)
      .meta({ fromFile: true, json: elementSchema(one) }),
    path,
    force: z.boolean().default(false).describe("Store them even if a name says that it holds secrets"),
  }),
  output: z.object({
    documents: z.array(documentShape).describe("As they are stored, in the order they were given"),
    indexing: indexingFlag,
    warnings: z.array(z.string()),
  }),
  positional: ["documents"],
  examples: [{ command: "dossier doc import guides.json", what: "a file with a list" }],
  async run(input, environment) {
    const nameOf = environment.nameOf ?? ((key: string) => key);
    const warnings: string[] = [];
    // All are checked before the first is stored: a mistake changes nothing.
    const puts = listOf(input.documents, nameOf("documents")).map(({ document, type, ...put }) => {
      const to = documentPath(document);
      const content = documentContent(put.content);
      warnings.push(...checkSecrets(to, content, input.force));
      return { path: to, content, ...(type !== undefined && { type }) };
    });
    const { owner, library: open } = await environment.workspace();
    const library = await open();
    const at = Date.now();
    const documents = [];
    for (const put of puts) documents.push(shownDocument(await library.putDocument(owner, { ...put, at })));
    return { documents, ...(await beginIndexing(environment)), warnings };
  },
  text: ({ documents }, _input, colour) => documents.map((document) => documentText(document, colour)).join("\n"),
});

function listOf(text: string, name: string): z.output<typeof documentList> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DossierError("bad-input", `${name} takes a JSON list.`, { cause: error });
  }
  const parsed = documentList.safeParse(value);
  if (parsed.success) return parsed.data;
  const [at, key] = parsed.error.issues[0]!.path;
  if (typeof at !== "number") throw new DossierError("bad-input", `${name} takes a JSON list of 1 to ${most} objects.`);
  const where = key === undefined ? "" : `: ${String(key)}`;
  throw new DossierError("bad-input", `${name} has a wrong object at place ${at + 1}${where}.`);
}

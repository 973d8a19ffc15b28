import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { path, workspace as workspaceOption } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { bytes, counted, grouped, plain } from "../terminal/phrases.ts";
import { countedFiles } from "./file-tokens.ts";
import { byLanguage, fileTree } from "./file-tree.ts";

const count = z.number().int().min(0);

/** The indexed files, by the tokens they would take. */
export const files = operation({
  name: "files",
  command: "files",
  group: "Index",
  summary: "Show what is indexed of a folder, file by file and folder by folder, with its exact tokens",
  input: z.object({
    under: z
      .string()
      .max(4000)
      .default("")
      .describe("Only what lies in this folder of the workspace; all of it by default"),
    path,
    workspace: workspaceOption,
    limit: z
      .number()
      .int()
      .min(1)
      .max(2000)
      .default(200)
      .describe("Most entries: the largest folders are opened first, the others stay closed"),
  }),
  output: z.object({
    under: z.string(),
    files: count,
    tokens: count.describe("Of all of them, whole, in o200k_base"),
    bytes: count,
    languages: z
      .array(z.object({ language: z.string().describe("Empty where it is none"), files: count, tokens: count }))
      .describe("Most tokens first"),
    entries: z
      .array(
        z.object({
          path: z.string(),
          kind: z.enum(["file", "folder", "rest"]).describe("rest: what of a folder there was no room for"),
          files: count,
          tokens: count,
          bytes: count,
          language: z.string().optional().describe("Of a folder: the one that most of its tokens are in"),
        }),
      )
      .describe("Together they are all of it, nothing twice; most tokens first"),
  }),
  positional: ["under"],
  examples: [
    { command: "dossier files", what: "where the tokens of this workspace are" },
    { command: "dossier files src --limit 20", what: "of one folder" },
  ],
  async run({ under: typed, limit }, environment) {
    const workspace = await environment.workspace({ create: false });
    const under = typed
      .trim()
      .replaceAll("\\", "/")
      .replace(/^(?:\.?\/)+|^\.$|\/+$/g, "");
    const all = await countedFiles(workspace, environment);
    const inside = under === "" ? all : all.filter(({ path }) => path.startsWith(`${under}/`));
    if (under !== "" && inside.length === 0) {
      throw new DossierError("not-found", `No indexed file lies in ${JSON.stringify(under.slice(0, 200))}.`);
    }
    return {
      under,
      files: inside.length,
      tokens: inside.reduce((sum, { tokens }) => sum + tokens, 0),
      bytes: inside.reduce((sum, each) => sum + each.bytes, 0),
      languages: byLanguage(inside),
      entries: fileTree(inside, under, limit),
    };
  },
  text({ files, tokens, bytes: size, entries }, _input, colour) {
    const p = paint(colour);
    const lines = entries.map(({ path, kind, files: inside, tokens: each }) => {
      const name = kind === "rest" ? `${path === "" ? "" : `${path}/`}…` : kind === "folder" ? `${path}/` : path;
      const fileCount = kind === "file" ? "" : p.dim(`  ${counted(inside, "file")}`);
      return `${grouped(each).padStart(11)}  ${plain(name)}${fileCount}`;
    });
    return [...lines, p.dim(`${counted(files, "file")}, ${grouped(tokens)} tokens, ${bytes(size)}.`)].join("\n");
  },
});

import * as z from "zod";
import { asDossierError, DossierError } from "../../errors.ts";
import { assemblyOptions, path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { sectionsOf, shows } from "./open-sections.ts";
import { targetsCalled } from "./open-targets.ts";

const mostTargets = 50;

const output = z.object({
  text: z.string().describe("The document, in the format that was asked for"),
  opened: z.array(
    z.object({
      path: z.string().describe("Of the file, or source:id of what is in none"),
      startLine: z.number().int().optional(),
      endLine: z.number().int().optional(),
      id: z.string().optional(),
      kind: z.string().optional(),
      name: z.string().optional(),
      lines: z.number().int().describe("How many lines there are"),
      shown: z.number().int().describe("How many of them are in the text"),
    }),
  ),
  tokens: z.number().int().describe("Exact, of the whole document"),
  warnings: z.array(z.string()),
});

export const open = operation({
  name: "open",
  command: "open",
  group: "Ask",
  summary: "Open citations, lines, files, folders and names as they are now; or tell callers, references, an outline",
  input: z.object({
    targets: z
      .array(z.string().trim().min(1).max(1000))
      .min(1)
      .max(mostTargets)
      .describe("Ids (cod-1k3f), paths with or without lines (src/a.ts:10-40), names (Cart.total), folders (src/)"),
    show: z.enum(shows).default("text").describe("The text, who calls or refers to it, or the outline of its file"),
    path,
    maxTokens: assemblyOptions.maxTokens,
    lineNumbers: assemblyOptions.lineNumbers,
    format: z.enum(["markdown", "json"]).default("markdown").describe("Format of the document"),
    encoding: assemblyOptions.encoding,
  }),
  output,
  positional: ["targets"],
  examples: [
    { command: "dossier open cod-1k3f src/cart.ts:10-40", what: "a citation and some lines, in full" },
    { command: "dossier open Cart.total --show callers", what: "who calls it, with the line of each call" },
    { command: "dossier open src/ --show outline", what: "files, and what they define" },
  ],
  text: (output) => output.text,
  async run({ targets, show, maxTokens, lineNumbers, format, encoding }, environment) {
    const workspace = await environment.workspace();
    const warnings = await refreshSources(workspace, environment);
    const sections = [];
    let first: DossierError | undefined;
    for (const typed of new Set(targets)) {
      try {
        for (const target of await targetsCalled(typed, workspace)) {
          sections.push(...(await sectionsOf(target, show, workspace, environment)));
        }
      } catch (thrown) {
        const error = asDossierError(thrown);
        if (error.code !== "not-found" && error.code !== "bad-input") throw thrown;
        first ??= error;
        warnings.push(error.message);
      }
    }
    if (sections.length === 0) throw first ?? new DossierError("not-found", "There is nothing to open.");
    const { print } = await import("../../assemble.ts");
    const { text, tokens, shown } = print(sections, { format, lineNumbers, maxTokens, encoding });
    const places = sections.map(({ list: _list, notes: _notes, language: _language, lines, ...place }, at) => ({
      ...place,
      lines: lines.length,
      shown: shown[at]!,
    }));
    return { text, opened: places, tokens, warnings };
  },
});

import * as z from "zod";
import { relations } from "../../note.ts";
import { path, workspace } from "../../options.ts";
import { shownPlace } from "../core/hide-paths.ts";
import { operation } from "../core/operation.ts";
import { rootAndIndex } from "../core/workspace-root.ts";
import { paint } from "../terminal/colours.ts";
import { plain } from "../terminal/phrases.ts";

export const lenses = operation({
  name: "lenses",
  command: "lens list",
  group: "Notes",
  summary: "List the ways to look at a notes graph: the built-in lenses and those of the config file",
  input: z.object({ path, workspace }),
  output: z.object({
    config: z.string().describe("The file that more of them can be defined in"),
    lenses: z.array(
      z.object({
        name: z.string(),
        what: z.string().describe("What it does, in one sentence"),
        builtIn: z.boolean(),
        extends: z.string().optional().describe("The lens that a custom one changes"),
        priorityTypes: z.array(z.enum(relations)).describe("Relations that are followed"),
        boostTags: z.array(z.string()).describe("Notes with these tags rank higher"),
        includeFields: z.array(z.string()).describe("Fields that are always shown"),
        maxDepth: z.number().int().describe("How far links are followed at most"),
      }),
    ),
  }),
  examples: [
    { command: "dossier lens list", what: "what there is to pass to --lens" },
    { command: "dossier lens list --json", what: "with all settings, to copy one into dossier.json" },
  ],
  async run(input, environment) {
    const { root } = await rootAndIndex(input, environment);
    const [{ configPath, lensesOf, readConfig }, { lensSentence }] = await Promise.all([
      import("../../workspace/config/config.ts"),
      import("../../workspace/config/lens-config.ts"),
    ]);
    const config = await readConfig(root);
    const custom = new Map(config.lenses.map((lens) => [lens.name, lens.extends]));
    const lenses = lensesOf(config).map(({ name, priorityTypes, boostTags, includeFields, maxDepth }) => {
      const below = custom.get(name);
      const settings = { priorityTypes, boostTags, includeFields, maxDepth };
      const origin = below === undefined ? { builtIn: true } : { builtIn: false, extends: below };
      return { name, what: lensSentence(settings), ...origin, ...settings };
    });
    return { config: shownPlace(configPath(root), root, environment), lenses };
  },
  text({ lenses, config }, _input, colour) {
    const p = paint(colour);
    const width = Math.max(...lenses.map(({ name }) => name.length));
    const lines = lenses.map(({ name, what, extends: below }) => {
      const of = below === undefined ? "" : p.dim(` (yours; extends ${below})`);
      return `${p.bold(name.padEnd(width))}  ${plain(what)}${of}`;
    });
    if (lenses.every(({ builtIn }) => builtIn)) {
      const example = '{ "lenses": { "review": { "extends": "planning", "boostTags": ["decision"] } } }';
      lines.push(p.dim(`Define your own in ${config}: ${example}`));
    }
    return lines.join("\n");
  },
});

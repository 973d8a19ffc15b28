import * as z from "zod";
import { conflictRules, importLines } from "../../learned/exchange/import.ts";
import { path } from "../../options.ts";
import { recordTypes } from "../../stores/records.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { counted } from "../terminal/phrases.ts";

const count = z.number().int().min(0);
/** Bad lines that are named; the others are counted. */
const mostNamed = 20;

export const importRecords = operation({
  name: "import",
  command: "memory import",
  group: "Memories",
  summary: "Read memories, experiences and values from JSON lines; good lines are kept, bad ones are reported",
  access: "write",
  input: z.object({
    file: z
      .string()
      .describe('What dossier memory export printed, or lines such as {"content": "..."}')
      .meta({ fromFile: true }),
    path,
    onConflict: z
      .enum(conflictRules)
      .default("newer")
      .describe("For an id that says something else here: the one changed later, the one here, or the one of the file"),
    dryRun: z.boolean().default(false).describe("Say what would happen, and write nothing"),
  }),
  output: z.object({
    dryRun: z.boolean(),
    lines: count.describe("Lines that are not empty"),
    added: z.record(z.enum(recordTypes), count).describe("New ones of each type"),
    updated: count,
    unchanged: count.describe("Already here, word for word"),
    kept: z.array(z.string()).describe("Ids that say something else here and stayed as they are"),
    bad: count.describe("Lines that could not be read"),
    errors: z.array(z.object({ line: count, reason: z.string() })).describe(`The first ${mostNamed} of these`),
    warnings: z.array(z.string()),
  }),
  positional: ["file"],
  examples: [
    { command: "dossier memory import records.jsonl", what: "from a file" },
    { command: "dossier memory export -C ../other | dossier memory import -", what: "from another workspace" },
    { command: "dossier memory import records.jsonl --dry-run", what: "what would happen?" },
  ],
  async run({ file, onConflict, dryRun }, environment) {
    const workspace = await environment.workspace();
    const records = dryRun && !workspace.hasRecords() ? undefined : await workspace.records();
    const { signal, progress } = environment;
    const { bad, ...report } = await importLines(file, records, workspace.owner, {
      onConflict,
      dryRun,
      now: Date.now(),
      signal,
      progress: (done, total) => progress?.({ stage: "import", done, total }),
    });
    return { dryRun, ...report, bad: bad.length, errors: bad.slice(0, mostNamed) };
  },
  exit: ({ bad }) => (bad > 0 ? 1 : 0),
  text({ dryRun, lines, added, updated, unchanged, kept, bad, errors }, _input, colour) {
    const p = paint(colour);
    const texts = errors.map(({ line, reason }) => `${p.red(`line ${line}`)}: ${reason}`);
    if (bad > errors.length) texts.push(p.red(`and ${counted(bad - errors.length, "more bad line")}`));
    const fresh = recordTypes
      .filter((type) => added[type] > 0)
      .map((type) => `${counted(added[type], `new ${type}`, `new ${plurals[type]}`)}`);
    const parts = [...fresh, ...(updated > 0 ? [`${updated} updated`] : []), `${unchanged} unchanged`];
    if (kept.length > 0) parts.push(`${kept.length} kept as they are here`);
    if (bad > 0) parts.push(`${bad} bad`);
    const opening = dryRun ? "Would read" : "Read";
    texts.push(`${opening} ${counted(lines, "line")}: ${parts.join(", ")}.`);
    return texts.join("\n");
  },
});

const plurals = { memory: "memories", experience: "experiences", value: "values" };

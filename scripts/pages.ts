import { errorCodes } from "../src/errors.ts";
import { allOperations } from "../src/operations/all.ts";
import { allowed, type Field, fieldsOf } from "../src/operations/fields.ts";
import { flagName } from "../src/surfaces/cli/flags.ts";
import { commandHelp, overview, shownDefault } from "../src/surfaces/cli/help.ts";

/** The generated pages of docs/: `npm run docs` writes them, and a test fails when they differ from the schemas. */

export const generated = "<!-- Made from the schemas by `npm run docs`; edits here are lost. -->";

export async function optionPages(): Promise<string> {
  const operations = await allOperations();
  const users = new Map<string, { field: Field; names: string[] }>();
  for (const operation of operations) {
    for (const field of fieldsOf(operation)) {
      const key = `${field.key}\n${JSON.stringify(field)}`;
      const entry = users.get(key) ?? { field, names: [] };
      entry.names.push(operation.name);
      users.set(key, entry);
    }
  }
  const lines = [
    "# Options",
    "",
    generated,
    "",
    "Every option, as it is declared in `src/options.ts` and the operations. The library takes them by name",
    "(`maxTokens`), the command line as flags (`--max-tokens`); defaults and ranges are the same everywhere.",
    "",
    "| option | takes | default | what it does | used by |",
    "| --- | --- | --- | --- | --- |",
  ];
  for (const { field, names } of users.values()) {
    const cells = [
      `\`${field.key}\`<br>\`--${flagName(field.key)}\``,
      allowed(field),
      defaultOf(field),
      field.description,
      names.join(", "),
    ];
    lines.push(`| ${cells.map(cell).join(" | ")} |`);
  }
  return `${lines.join("\n")}\n`;
}

export async function commandPages(): Promise<string> {
  const operations = await allOperations();
  const blocks = [
    "# Command line",
    generated,
    block(await overview(true, false)),
    "Results go to standard output; progress and warnings go to standard error. Progress and colour appear only on a\nterminal (`NO_COLOR` and `FORCE_COLOR` are respected).",
  ];
  for (const { name } of operations) blocks.push(`## dossier ${name}`, block(await commandHelp(name as never, false)));
  blocks.push("## Exit status", statusTable(), "");
  return blocks.join("\n\n").trimEnd() + "\n";
}

function statusTable(): string {
  const lines = ["| status | when | what to do |", "| --- | --- | --- |"];
  lines.push("| 0 | the command did what was asked; finding nothing relevant is an answer too | |");
  lines.push("| 1 | `verify` found a citation that changed or is gone, or `doctor` found a fault | |");
  const sorted = Object.entries(errorCodes).sort(([, a], [, b]) => a.exit - b.exit);
  for (const [code, { exit, fix }] of sorted) lines.push(`| ${exit} | \`${code}\` | ${cell(fix)} |`);
  return lines.join("\n");
}

function defaultOf(field: Field): string {
  if (field.required) return "required";
  const value = field.type === "boolean" ? field.default : shownDefault(field);
  return value === undefined ? "none" : `\`${String(value)}\``;
}

function block(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

export function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

import { errorCodes } from "../src/errors.ts";
import { commands, commandsOf, nouns, verbs } from "../src/operations/core/commands.ts";
import { allowed, fieldsOf, type InputField } from "../src/operations/core/fields.ts";
import { allOperations, loadOperation } from "../src/operations/core/registry.ts";
import { paint } from "../src/operations/terminal/colours.ts";
import { flagName, globalFlags } from "../src/surfaces/cli/flags.ts";
import { commandHelp, everyCommand, flagRow, nounHelp, shownDefault } from "../src/surfaces/cli/help.ts";
import { rows } from "../src/surfaces/cli/help-layout.ts";
import { overview } from "../src/surfaces/cli/overview.ts";

/** The generated pages of docs/: `npm run docs` writes them, and a test fails when they differ from the schemas. */

export const generated = "<!-- Made from the schemas by `npm run docs`; edits here are lost. -->";

export async function optionPages(): Promise<string> {
  const operations = await allOperations();
  const users = new Map<string, { field: InputField; names: string[] }>();
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
  const page = async (words: string): Promise<string[]> => {
    const entry = commands.find((each) => each.words === words)!;
    return [block(commandHelp(await loadOperation(entry.operation), entry, false, []))];
  };
  const blocks = [
    "# Command line",
    generated,
    block(overview(false)),
    howCommandsAreRead,
    "Results go to standard output; progress and warnings go to standard error. Progress and colour appear only on a\nterminal (`NO_COLOR` and `FORCE_COLOR` are respected).",
    block(["Flags of every command", ...rows(globalFlags.map((flag) => flagRow(flag, paint(false))))].join("\n")),
    "## Every command",
    block(await everyCommand(false)),
  ];
  for (const { words } of verbs) blocks.push(`## dossier ${words}`, ...(await page(words)));
  for (const noun of Object.keys(nouns)) {
    blocks.push(`## dossier ${noun}`, block(await nounHelp(noun, false)));
    for (const { words } of commandsOf(noun)) blocks.push(`### dossier ${words}`, ...(await page(words)));
  }
  blocks.push("## The same elsewhere", elsewhere(), "## Exit status", statusTable(), "");
  return `${blocks.join("\n\n").trimEnd()}\n`;
}

const howCommandsAreRead = `A command is a verb (\`search\`), or a noun with one of its verbs (\`memory add\`). Everything else is a question:

- A noun counts as one when one of its verbs is the next word, or when it stands alone: \`dossier memory list\`, \`dossier memory\`. In
  \`dossier memory leaks in the parser\` and \`dossier thread pool size\` it is the first word of a question. Only \`notes\` and \`item\` take
  other words: a topic, an id.
- A question in quotes is one word, and never a command: \`dossier "memory list"\`.
- \`dossier context …\` and \`dossier -- …\` always ask.
- What is one typo away from a command and nothing else is refused, with the command that is closest: \`dossier memroy list\`.`;

/** Which command is which tool, route and function; the command line understands these names, too. */
function elsewhere(): string {
  const lines = ["| command | name in MCP, HTTP and the library |", "| --- | --- |"];
  for (const { words, operation, step } of commands)
    lines.push(`| \`${words}\` | \`${operation}\`${step === undefined ? "" : ` with \`step: ${step}\``} |`);
  return [
    "Tools, routes and functions have names of their own, the functions in camelCase (`putDocument`). The command line understands them, too,\nso that `dossier put_document` and `dossier thread create` go on working.",
    lines.join("\n"),
  ].join("\n\n");
}

function statusTable(): string {
  const lines = ["| status | when | what to do |", "| --- | --- | --- |"];
  lines.push("| 0 | the command did what was asked; finding nothing relevant is an answer too | |");
  lines.push("| 1 | `verify` found a citation that changed or is gone, or `doctor` found a fault | |");
  const sorted = Object.entries(errorCodes).sort(([, a], [, b]) => a.exit - b.exit);
  for (const [code, { exit, fix }] of sorted) lines.push(`| ${exit} | \`${code}\` | ${cell(fix)} |`);
  return lines.join("\n");
}

function defaultOf(field: InputField): string {
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

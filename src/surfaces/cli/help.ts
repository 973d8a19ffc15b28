import { allOperations, loadOperation, type OperationName, operationGroups, shortNames } from "../../operations/all.ts";
import { allowed, type Field, range } from "../../operations/fields.ts";
import type { Operation } from "../../operations/operation.ts";
import { type Paint, paint } from "../../operations/paint.ts";
import { flagsOf, placesOf } from "./command-flags.ts";
import { shells } from "./completion.ts";
import { type Flag, globalFlags } from "./flags.ts";
import type { ownCommands } from "./route.ts";

export const completionSummary = `Print a completion script for ${shells.join(", ")}`;

/** What `dossier` alone prints, and with `full` what --help prints. */
export async function overview(full: boolean, colour: boolean): Promise<string> {
  const p = paint(colour);
  const operations = await allOperations();
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const groups = operationGroups.flatMap(({ title, names }) => [
    "",
    p.bold(title),
    ...rows(names.map((name): Row => [p.cyan(usage(byName.get(name)!)), summary(byName.get(name)!)])),
  ]);
  const own: Row[] = [
    [p.cyan("help <command>"), "Show the flags and examples of a command"],
    [p.cyan(`completion <${shells.join("|")}>`), completionSummary],
  ];
  const lines = [
    `${p.bold("dossier")}: ask a question, get the best evidence as one cited document within a token budget`,
    "",
    p.bold("Usage"),
    '  dossier "question"          the same as dossier context "question"',
    "  dossier <command> [flags]   dossier help <command> shows the flags",
    ...groups,
    "",
    p.bold("Help"),
    ...rows(own),
  ];
  if (full) {
    lines.push("", p.bold("Flags of every command"), ...rows(globalFlags.map((flag) => flagRow(flag, p))));
    lines.push("", p.bold("Examples"));
    lines.push(...rows(operations.flatMap((operation) => exampleRows(operation, p).slice(0, 1))));
  } else {
    lines.push("", "dossier --help shows more.");
  }
  return `${lines.join("\n")}\n`;
}

/** With what may be typed instead of a long name. */
function summary({ name, summary }: Operation): string {
  const short = Object.keys(shortNames).find((each) => shortNames[each] === name);
  return short ? `${summary} (or: dossier ${short})` : summary;
}

export async function commandHelp(
  name: OperationName | (typeof ownCommands)[number],
  colour: boolean,
): Promise<string> {
  if (name === "help" || name === "completion") return ownHelp(name);
  const operation = await loadOperation(name);
  const p = paint(colour);
  const lines = [...wrap(operation.summary, width), "", p.bold("Usage"), `  dossier ${usage(operation, " [flags]")}`];
  const places = placesOf(operation);
  if (places.length > 0) {
    lines.push("", p.bold("Arguments"));
    lines.push(...rows(places.map((place) => [p.cyan(`<${place.key}>`), placeText(place)])));
  }
  lines.push("", p.bold("Flags"), ...rows(flagsOf(operation).map((flag) => flagRow(flag, p))));
  lines.push("", p.bold("Flags of every command"), ...rows(globalFlags.map((flag) => flagRow(flag, p))));
  if (operation.examples?.length) lines.push("", p.bold("Examples"), ...rows(exampleRows(operation, p)));
  return `${lines.join("\n")}\n`;
}

function ownHelp(name: (typeof ownCommands)[number]): string {
  return name === "help"
    ? "Show the flags and examples of a command\n\nUsage\n  dossier help <command>\n"
    : `${completionSummary}\n\nUsage\n  dossier completion <${shells.join("|")}>\n\nExamples\n` +
        "  source <(dossier completion bash)\n  dossier completion fish > ~/.config/fish/completions/dossier.fish\n";
}

/** `context <query>`, `index [path]`, `forget <ids>...`, `run -- <command>...`; with `flags`, where they go. */
export function usage(operation: Operation, flags = ""): string {
  // Asks the schema itself: the overview shows every command, and describing all their inputs would take longer.
  const isOptional = (key: string) => operation.input.shape[key]?.safeParse(undefined).success;
  const places = (operation.positional ?? []).map((key) => {
    // A command has flags of its own.
    if (key === "command") return `${flags} -- <${key}>...`;
    const more = operation.input.shape[key]?.def.type === "array" ? "..." : "";
    return (isOptional(key) ? ` [${key}]` : ` <${key}>`) + more;
  });
  const shown = operation.name + places.join("");
  return shown.includes(flags) ? shown : shown + flags;
}

/** `-t, --max-tokens <number>`, `--[no-]imports`. */
export function flagUsage(flag: Flag): string {
  const letter = flag.short ? `-${flag.short}, ` : "";
  if (flag.type === "boolean") return `${letter}--${flag.field?.default === true ? "[no-]" : ""}${flag.name}`;
  return `${letter}--${flag.name} <${valueName(flag)}>`;
}

function valueName(flag: Flag): string {
  if (flag.type === "list") return flag.choices ? "list" : "values";
  if (flag.choices) return "choice";
  return flag.type === "string" ? "text" : "number";
}

/** The sentence of a flag with what it takes and its default. */
export function flagText(flag: Flag): string {
  const { field } = flag;
  const facts: string[] = [];
  if (field?.choices) facts.push(allowed(field));
  else if (field && (field.type === "integer" || field.type === "number") && range(field))
    facts.push(range(field).trim());
  const standard = field && shownDefault(field);
  if (standard !== undefined) facts.push(`default: ${standard}`);
  return flag.description + (facts.length > 0 ? ` (${facts.join("; ")})` : "");
}

/** A field's default in words; a switch that is off by default needs none. */
export function shownDefault({ default: value, type, choices }: Field): string | undefined {
  if (value === undefined || type === "boolean") return undefined;
  if (!Array.isArray(value)) return String(value);
  return value.length === choices?.length ? "all" : value.join(",");
}

function placeText(place: Field): string {
  if (place.fromFile) return `${place.description}: a file, or - for standard input`;
  if (place.key === "query") return `${place.description}; - reads standard input`;
  return place.default === undefined ? place.description : `${place.description} (default: ${String(place.default)})`;
}

type Row = [left: string, right: string];

function flagRow(flag: Flag, p: Paint): Row {
  return [p.cyan(flagUsage(flag)), flagText(flag)];
}

function exampleRows(operation: Operation, p: Paint): Row[] {
  return (operation.examples ?? []).map(({ command, what }) => [command, p.dim(what)]);
}

const widestLeft = 34;
const width = 100;

/** Two columns; a long left side takes a line of its own, a long right side is wrapped under itself. */
function rows(pairs: Row[]): string[] {
  const left = Math.min(widestLeft, Math.max(0, ...pairs.map(([text]) => visibleLength(text))));
  return pairs.flatMap(([text, right]) => {
    const wrapped = wrap(right, Math.max(20, width - left - 4));
    const indent = " ".repeat(left + 4);
    const rest = wrapped.slice(1).map((line) => indent + line);
    if (visibleLength(text) > left) return [`  ${text}`, indent + wrapped[0], ...rest];
    return [`  ${text}${" ".repeat(left - visibleLength(text) + 2)}${wrapped[0]}`, ...rest];
  });
}

function visibleLength(text: string): number {
  return text.replace(/\u001b\[\d+m/g, "").length;
}

function wrap(text: string, columns: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1)!;
    if (last !== "" && visibleLength(last) + 1 + visibleLength(word) > columns) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

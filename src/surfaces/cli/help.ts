import { type CommandEntry, commandCalled, commands, commandsOf, nouns } from "../../operations/core/commands.ts";
import { allowed, type InputField, range } from "../../operations/core/fields.ts";
import { groups, type Operation } from "../../operations/core/operation.ts";
import { allOperations, loadOperation } from "../../operations/core/registry.ts";
import { type Paint, paint } from "../../operations/terminal/colours.ts";
import { flagsOf, placeKeys, placesOf } from "./command-flags.ts";
import { type Flag, globalFlags } from "./flags.ts";
import { type HelpRow, rows, wrap } from "./help-layout.ts";
import { ownRows } from "./overview.ts";

/** A command, and the operation that it runs. */
type Command = Pick<CommandEntry, "words" | "step">;

/**
 * The page of one command: its sentence, what it takes, examples. `common`: the flags that it shares with all, which
 * docs state once.
 */
export function commandHelp(operation: Operation, command: Command, colour: boolean, common = globalFlags): string {
  const { step } = command;
  const p = paint(colour);
  const lines = [...wrap(summaryOf(operation, step)), "", p.bold("Usage")];
  lines.push(`  dossier ${usage(operation, command, " [flags]")}`);
  if (operation.shortForm) lines.push(`  dossier ${usage(operation, { words: operation.shortForm }, " [flags]")}`);
  const places = placesOf(operation, step);
  if (places.length > 0) {
    lines.push("", p.bold("Arguments"));
    lines.push(...rows(places.map((place) => [p.cyan(`<${place.key}>`), placeText(place)])));
  }
  lines.push("", p.bold("Flags"), ...rows(flagsOf(operation, step).map((flag) => flagRow(flag, p))));
  if (common.length > 0)
    lines.push("", p.bold("Flags of every command"), ...rows(common.map((flag) => flagRow(flag, p))));
  const examples = step === undefined ? (operation.examples ?? []) : ownExamples(operation, command);
  if (examples.length > 0) lines.push("", p.bold("Examples"), ...rows(examples.map(exampleRow(p))));
  return `${lines.join("\n")}\n`;
}

/** The page of a noun: its verbs, and an example of each. */
export async function nounHelp(noun: string, colour: boolean): Promise<string> {
  const p = paint(colour);
  const { summary, alone } = nouns[noun]!;
  const entries = await Promise.all(
    commandsOf(noun).map(async (entry) => ({ entry, operation: await loadOperation(entry.operation) })),
  );
  const examples = entries.flatMap(({ entry, operation }) => ownExamples(operation, entry).slice(0, 1));
  const lines = [
    summary,
    "",
    p.bold("Usage"),
    `  dossier ${noun} <verb> [flags]`,
    "",
    p.bold("Verbs"),
    ...rows(entries.map(({ entry, operation }) => commandRow(operation, entry, p, noun))),
    "",
    ...wrap(
      `dossier ${noun} <verb> --help shows what a verb takes.${alone ? ` dossier ${noun} alone is dossier ${alone}.` : ""}`,
    ),
    ...wrap(questionRule(noun)),
    "",
    p.bold("Examples"),
    ...rows(examples.slice(0, mostExamples).map(exampleRow(p))),
  ];
  return `${lines.join("\n")}\n`;
}

/** How to ask a question that begins with this noun. */
function questionRule(noun: string): string {
  const taking = commandCalled([noun, "…"]);
  const rule = taking
    ? `Words that are no verb of it go to dossier ${taking.words}`
    : "Followed by a word that is no verb of it, it begins a question";
  return `${rule}; dossier context "${noun} …" always asks.`;
}

/** Every command with its sentence, by groups. */
export async function everyCommand(colour: boolean): Promise<string> {
  const p = paint(colour);
  const operations = new Map((await allOperations()).map((operation) => [operation.name, operation]));
  const lines = groups.flatMap((title) => [
    p.bold(title),
    ...rows(
      commands
        .filter(({ group }) => group === title)
        .map((entry) => commandRow(operations.get(entry.operation)!, entry, p)),
    ),
    "",
  ]);
  return `${[...lines, p.bold("Help"), ...rows(ownRows().map(([left, right]) => [p.cyan(left), right]))].join("\n")}\n`;
}

/** `below`: the noun of the page, which is not repeated in each row. */
function commandRow(operation: Operation, entry: CommandEntry, p: Paint, below?: string): HelpRow {
  const words = below === undefined ? entry.words : entry.words.slice(below.length + 1);
  const short = entry.shortForm ? ` (or: dossier ${entry.shortForm})` : "";
  return [p.cyan(usage(operation, { ...entry, words })), summaryOf(operation, entry.step) + short];
}

/** The sentence of a command: its step's own, or the operation's. */
export function summaryOf({ command, summary }: Operation, step: string | undefined): string {
  return (typeof command === "object" && step !== undefined && command[step]?.summary) || summary;
}

/** `context <query>`, `index [path]`, `memory forget <ids>...`, `run -- <command>...`; with `flags`, where they go. */
export function usage(operation: Operation, { words, step }: Command, flags = ""): string {
  // Reads the schema itself: lists show every command, and describing all their inputs would take longer.
  const needs = (step !== undefined && operation.takes?.[step]?.needs) || [];
  const isOptional = (key: string) =>
    !needs.includes(key) && operation.input.shape[key]?.safeParse(undefined).success === true;
  const places = placeKeys(operation, step).map((key) => {
    // The command to run is followed by flags of its own.
    if (key === "command") return `${flags} -- <${key}>...`;
    const more = isList(operation.input.shape[key]) ? "..." : "";
    return (isOptional(key) ? ` [${key}]` : ` <${key}>`) + more;
  });
  const line = words + places.join("");
  return line.includes(flags) ? line : line + flags;
}

function isList(schema: unknown): boolean {
  const { type, innerType } = (schema as { def: { type: string; innerType?: unknown } }).def;
  return type === "array" || (innerType !== undefined && isList(innerType));
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
export function shownDefault({ default: value, type, choices }: InputField): string | undefined {
  if (value === undefined || type === "boolean") return undefined;
  if (!Array.isArray(value)) return String(value);
  return value.length === choices?.length ? "all" : value.join(",");
}

function placeText(place: InputField): string {
  if (place.fromFile) return `${place.description}: a file, or - for standard input`;
  if (place.key === "query") return `${place.description}; - reads standard input`;
  return place.default === undefined ? place.description : `${place.description} (default: ${String(place.default)})`;
}

export function flagRow(flag: Flag, p: Paint): HelpRow {
  return [p.cyan(flagUsage(flag)), flagText(flag)];
}

type Example = NonNullable<Operation["examples"]>[number];

/** More examples would hide the verbs on a noun's page. */
const mostExamples = 6;

/** Examples of this command, and of no other one of the same operation. */
function ownExamples({ examples = [] }: Operation, { words }: Command): Example[] {
  return examples.filter(({ command }) => `${command} `.includes(`dossier ${words} `));
}

function exampleRow(p: Paint): (example: Example) => HelpRow {
  return ({ command, what }) => [command, p.dim(what)];
}

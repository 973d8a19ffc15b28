import { parseArgs } from "node:util";
import { DossierError } from "../../errors.ts";
import { closest } from "../../text/similarity/closest.ts";
import { type Flag, globalFlags } from "./flags.ts";

/** A parsed command line: values by flag name, and the words that belong to no flag. */
export type Parsed = { values: Map<string, unknown>; words: string[] };

/** Parses the arguments by the flags that exist; any other flag is refused by its name. */
export function parse(command: string, args: string[], flags: Flag[]): Parsed {
  const all = [...flags, ...globalFlags];
  const byName = new Map(all.map((flag) => [flag.name, flag]));
  const marked = args.map((arg, at) => (isSentence(arg, all) && !takesNext(args[at - 1], all) ? mark + arg : arg));
  const { tokens } = parseArgs({ args: marked, options: optionsOf(all), strict: false, tokens: true });
  const parsed: Parsed = { values: new Map(), words: [] };
  for (const token of tokens) {
    if (token.kind === "positional") parsed.words.push(token.value.replace(mark, ""));
    if (token.kind !== "option") continue;
    const negated = token.name.startsWith("no-") && !byName.has(token.name);
    const flag = byName.get(negated ? token.name.slice(3) : token.name);
    if (!flag) throw unknownFlag(command, token.rawName, all);
    if (negated && flag.type !== "boolean") throw unknownFlag(command, token.rawName, all);
    if (flag.type === "boolean") {
      if (negated && token.value !== undefined) throw new DossierError("bad-input", `${token.rawName} takes no value.`);
      parsed.values.set(flag.name, negated ? false : booleanOf(token.rawName, token.value));
    } else {
      assign(parsed.values, flag, token.rawName, token.value);
    }
  }
  return parsed;
}

/** No argument of a program has it. */
const mark = "\0";

/** A pasted message that begins with a flag: `--cache-root cannot be used with --cache false`. */
function isSentence(arg: string, flags: readonly Flag[]): boolean {
  return /^-[^\s=]+\s+\S/.test(arg) && !flags.some(({ short }) => short !== undefined && short === arg[1]);
}

/** Whether the next argument is a flag's value. */
function takesNext(arg: string | undefined, flags: readonly Flag[]): boolean {
  return flags.some(({ name, short, type }) => type !== "boolean" && (arg === `--${name}` || arg === `-${short}`));
}

function optionsOf(flags: Flag[]): Record<string, { type: "boolean" | "string"; short?: string }> {
  const options: Record<string, { type: "boolean" | "string"; short?: string }> = {};
  for (const flag of flags) {
    options[flag.name] = {
      type: flag.type === "boolean" ? "boolean" : "string",
      ...(flag.short && { short: flag.short }),
    };
    if (flag.type === "boolean") options[`no-${flag.name}`] = { type: "boolean" };
  }
  return options;
}

function booleanOf(name: string, value: string | undefined): boolean {
  if (value === undefined || value === "true") return true;
  if (value === "false") return false;
  throw new DossierError("bad-input", `${name} takes true or false, not "${value}".`);
}

function assign(values: Map<string, unknown>, flag: Flag, rawName: string, value: string | undefined): void {
  if (value === undefined) throw new DossierError("bad-input", `${rawName} needs a value after it.`);
  if (flag.type === "list") {
    const parts = (flag.field?.whole ? [value] : value.split(",")).map((part) => part.trim());
    const list = (values.get(flag.name) as string[] | undefined) ?? [];
    values.set(flag.name, [...list, ...parts.filter((part) => part !== "")]);
  } else if (flag.type === "string") {
    values.set(flag.name, value);
  } else {
    // Text that is no number stays as it was typed, and the schema's check reports it. Number("") would be 0.
    const number = value.trim() === "" ? Number.NaN : Number(value.replace(/(?<=\d)_(?=\d)/g, ""));
    values.set(flag.name, Number.isFinite(number) ? number : value);
  }
}

/** The names of flags in other tools, with ours. They are no typos: too many letters differ. */
const otherNames = new Map([
  ["tokens", "max-tokens"],
  ["token-budget", "max-tokens"],
  ["token-limit", "max-tokens"],
  ["top", "limit"],
  ["top-k", "limit"],
  ["max-results", "limit"],
]);

function unknownFlag(command: string, rawName: string, flags: Flag[]): DossierError {
  const typed = rawName.replace(/^--?(no-)?/, "");
  const names = flags.map(({ name }) => name);
  const known = names.find((name) => name === otherNames.get(typed));
  const guess = known ?? (typed.length > 1 ? closest(typed, names) : undefined);
  const where = command ? `dossier ${command}` : "dossier";
  const hint = guess
    ? ` Did you mean --${guess}?`
    : asksText.has(command)
      ? " What begins with a dash is asked after --."
      : "";
  return new DossierError("bad-input", `${where} has no flag ${rawName}.${hint}`);
}

/** Commands that are given a text, which may be the flag of another program. */
const asksText = new Set(["context", "search", "brief", "premortem", "why"]);

import { type Called, commandCalled, isNoun } from "../../operations/core/commands.ts";

/**
 * Which command a command line calls. `isNamed` is false if its first words name no command, so that it is taken as a
 * question.
 */
export type CommandRoute =
  | { to: "version" }
  | { to: "overview" }
  | { to: "noun"; noun: string }
  | { to: "help"; args: string[] }
  | { to: "completion"; args: string[] }
  | OperationRoute;

export type OperationRoute = { to: "operation"; called: Called; args: string[]; isNamed: boolean };

/** Words that are commands of the command line itself, not operations. */
export const ownCommands = ["help", "completion"] as const;

const skipped = new Set(["--json", "--quiet", "-q", "--debug", "--color", "--no-color", "--no-quiet", "--help", "-h"]);

const context: Called = { operation: "context", words: "context", used: 0 };

/**
 * Looks no further than the first two words, so that nothing has to be loaded to choose the command. Words after a lone
 * `--` name none: `dossier -- memory add` asks about these words.
 */
export function route(args: string[]): CommandRoute {
  const position = nextWord(args, 0);
  const word = args[position];
  if (word === "--version" || word === "-V") return { to: "version" };
  if (word === undefined) return { to: "overview" };
  if (word === "help" || word === "completion") return { to: word, args: args.slice(position + 1) };
  if (isNoun(word)) return nounRoute(args, position);
  const second = nextWord(args, position + 1);
  return operationRoute(args, commandCalled([word, ...wordAt(args, second)]), [position, second]);
}

/** A noun is a command when one of its verbs follows, or nothing; else it is the first word of a question. */
function nounRoute(args: string[], position: number): CommandRoute {
  const second = verbPosition(args, position);
  const called = commandCalled([args[position]!, ...wordAt(args, second)]);
  const isPage = called?.used !== 2 && (wantsHelp(args) || (!called && wordAt(args, second).length === 0));
  return isPage ? { to: "noun", noun: args[position]! } : operationRoute(args, called, [position, second]);
}

function operationRoute(args: string[], called: Called | undefined, positions: number[]): CommandRoute {
  if (!called) return { to: "operation", called: context, args, isNamed: false };
  const name = positions.slice(0, called.used);
  return { to: "operation", called, args: args.filter((_, at) => !name.includes(at)), isNamed: true };
}

function wordAt(args: string[], position: number): string[] {
  return args.slice(position, position + 1).filter((arg) => !arg.startsWith("-"));
}

/** Where the next word is, behind flags that every command has. */
function nextWord(args: string[], from: number): number {
  let position = from;
  while (position < args.length) {
    const arg = args[position]!;
    if (arg === "-C" || arg === "--path" || arg === "--store") position += 2;
    else if (skipped.has(arg) || /^(-C.|--path=|--store=)/.test(arg)) position += 1;
    else break;
  }
  return Math.min(position, args.length);
}

/**
 * Where a noun's verb is. Flags of the verb may stand before it; then the first word that is one of its verbs is taken.
 */
function verbPosition(args: string[], noun: number): number {
  const next = nextWord(args, noun + 1);
  if (!args[next]?.startsWith("-")) return next;
  const isVerb = (word: string) => commandCalled([args[noun]!, word])?.used === 2;
  const later = args.findIndex((arg, at) => at > next && isVerb(arg));
  return later < 0 ? next : later;
}

/** True when help is asked for anywhere before a lone `--`. */
export function wantsHelp(args: string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === "-h" || arg === "--help");
}

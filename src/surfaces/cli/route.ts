import { type OperationName, operationCalled } from "../../operations/all.ts";

/** Which command a command line calls. `given` is false when its first word names none and it is taken as a question. */
export type Route =
  | { to: "version" }
  | { to: "overview"; full: boolean }
  | { to: "help"; args: string[] }
  | { to: "completion"; args: string[] }
  | { to: OperationName; args: string[]; given: boolean };

/** Words that are commands of the command line itself, not operations. */
export const ownCommands = ["help", "completion"] as const;

const skipped = new Set(["--json", "--quiet", "-q", "--debug", "--color", "--no-color", "--no-quiet", "--help", "-h"]);

/** Looks no further than the first word, so that nothing has to be loaded to choose the command. */
export function route(args: string[]): Route {
  const position = firstWord(args);
  const word = args[position];
  if (word === "--version" || word === "-V") return { to: "version" };
  if (word === undefined) return { to: "overview", full: wantsHelp(args) };
  const rest = args.toSpliced(position, 1);
  if (word === "help" || word === "completion") return { to: word, args: args.slice(position + 1) };
  const name = operationCalled(word);
  if (name) return { to: name, args: rest, given: true };
  return { to: "context", args, given: false };
}

function firstWord(args: string[]): number {
  let position = 0;
  while (position < args.length) {
    const arg = args[position]!;
    if (arg === "-C" || arg === "--path") position += 2;
    else if (skipped.has(arg) || /^(-C.|--path=)/.test(arg)) position += 1;
    else break;
  }
  return Math.min(position, args.length);
}

/** True when help is asked for anywhere before a lone `--`. */
export function wantsHelp(args: string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === "-h" || arg === "--help");
}

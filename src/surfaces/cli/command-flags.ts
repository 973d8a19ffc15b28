import { type Field, fieldsOf } from "../../operations/fields.ts";
import type { Operation } from "../../operations/operation.ts";
import { type Flag, flagName } from "./flags.ts";

/** The letters that exist besides the whole words. */
const shortNames: Record<string, string> = { path: "C", maxTokens: "t", format: "f", limit: "n" };

/** The flags of one command, made from its input; the global ones are not among them. */
export function flagsOf(operation: Operation): Flag[] {
  return fieldsOf(operation)
    .filter((field) => field.key === "path" || !operation.positional?.includes(field.key))
    .map((field) => ({
      name: flagName(field.key),
      short: shortNames[field.key],
      field,
      type: field.type,
      description: field.description,
      choices: field.choices,
    }));
}

/** The inputs that have a place of their own on the command line, in order. */
export function placesOf(operation: Operation): Field[] {
  const fields = fieldsOf(operation);
  return (operation.positional ?? []).map((key) => fields.find((field) => field.key === key)!);
}

/** How a command's input is called in sentences: `--max-tokens`, or `<query>` where it has a place of its own. */
export function inputName(operation: Operation, key: string): string {
  return key !== "path" && operation.positional?.includes(key) ? `<${key}>` : `--${flagName(key)}`;
}

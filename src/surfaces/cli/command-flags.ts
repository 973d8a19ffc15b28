import { fieldsOf, type InputField } from "../../operations/core/fields.ts";
import type { Operation } from "../../operations/core/operation.ts";
import { type Flag, flagName } from "./flags.ts";

/** The letters that exist besides the whole words. */
const shortNames: Record<string, string> = { path: "C", maxTokens: "t", format: "f", limit: "n" };

/** Inputs that every step of an operation takes. */
const common = ["path", "workspace"];

/** The flags of one command, made from its input; the global ones are not among them. */
export function flagsOf(operation: Operation, step?: string): Flag[] {
  const isTaken = takenBy(operation, step);
  return commandFields(operation, step)
    .filter(({ key }) => isTaken(key) && (key === "path" || !operation.positional?.includes(key)))
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
export function placesOf(operation: Operation, step?: string): InputField[] {
  const fields = commandFields(operation, step);
  return placeKeys(operation, step).map((key) => fields.find((field) => field.key === key)!);
}

/**
 * For a step: the places among its inputs. Where all of these are required and one more input is, that one has a
 * place too: `thread new <title>`, `thread rename <thread> <title>`.
 */
export function placeKeys(operation: Operation, step?: string): string[] {
  const isTaken = takenBy(operation, step);
  const keys = (operation.positional ?? []).filter((key) => isTaken(key));
  const needs = (step !== undefined && operation.takes?.[step]?.needs) || [];
  const others = needs.filter((key) => !keys.includes(key));
  return others.length === 1 && keys.every((key) => needs.includes(key)) ? [...keys, others[0]!] : keys;
}

function takenBy({ takes }: Operation, step: string | undefined): (key: string) => boolean {
  if (step === undefined) return () => true;
  const inputs = takes?.[step];
  if (!inputs) return (key) => key !== "step";
  return (key) => inputs.needs.includes(key) || inputs.may.includes(key) || common.includes(key);
}

/**
 * The inputs with their sentences. A command of one step does not say which steps take an input: "What it is called
 * (create, rename)".
 */
function commandFields(operation: Operation, step: string | undefined): InputField[] {
  const fields = fieldsOf(operation);
  const { takes } = operation;
  if (step === undefined || !takes) return fields;
  const isStep = (word: string) => Object.hasOwn(takes, word);
  return fields.map((field) => {
    const [ending, listed = ""] = / \(([a-z, ]+)\)$/.exec(field.description) ?? [];
    const description =
      ending && listed.split(", ").every(isStep) ? field.description.slice(0, -ending.length) : field.description;
    return { ...field, description };
  });
}

/** The name of a command's input in sentences: `--max-tokens`, or `<query>` if it has a place of its own. */
export function inputName(operation: Operation, key: string, step?: string): string {
  return key !== "path" && placeKeys(operation, step).includes(key) ? `<${key}>` : `--${flagName(key)}`;
}

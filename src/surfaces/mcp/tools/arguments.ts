import { DossierError } from "../../../errors.ts";
import { fieldsOf, type InputField } from "../../../operations/core/fields.ts";
import { readInput } from "../../../operations/core/input.ts";
import type { Operation } from "../../../operations/core/operation.ts";
import { grouped } from "../../../operations/terminal/phrases.ts";
import { tryParseJson } from "../../../text/json/try-parse-json.ts";
import { closest } from "../../../text/similarity/closest.ts";
import { mostDocument } from "../transport/limits.ts";
import { isDocument } from "./document.ts";
import { withheld } from "./listing.ts";
import { camelCase, snakeCase } from "./snake-case.ts";

export type Arguments = {
  input: Record<string, unknown>;
  /** The folder or workspace to ask. */
  project?: string;
  /** True if data is wanted instead of text, from a tool whose operation has no formats of its own. */
  asData: boolean;
  warnings: string[];
};

/** Arguments of every tool besides the inputs of its operation. */
const ofEveryTool = ["project", "cursor"];

/** Reads an agent's arguments; errors name them as the agent does. */
export function readArguments(operation: Operation, args: Record<string, unknown>): Arguments {
  const fields = fieldsOf(operation);
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const ownFormat = isDocument(operation);
  const input: Record<string, unknown> = {};
  let { project } = args;
  let format: unknown;
  for (const [name, value] of Object.entries(args)) {
    const key = byKey.has(name) ? name : camelCase(name);
    const field = byKey.get(key);
    // Agents send null for an argument that they leave out.
    if (value === null || (name === "project" && !field)) continue;
    // The notes tool of the first design used this name.
    if (key === "workspace" && field) project ??= value;
    else if (withheld.includes(key)) throw badInput(`${operation.name} takes no ${name}; project names a folder.`);
    else if (key === "format" && !ownFormat) format = value;
    else if (field) input[key] = converted(field, value);
    else throw unknownKey(operation, fields, name);
  }
  const warnings = budgets.flatMap((key) => lowerBudget(input, key));
  readInput(operation, input, snakeCase, { maxTokens: mostDocument, expandTokens: mostDocument });
  return {
    input,
    ...(project !== undefined && project !== null && { project: projectOf(project) }),
    asData: isData(format),
    warnings,
  };
}

/** Models write numbers, booleans and lists as strings, and words as a list; the meaning is certain. */
function converted({ key, type }: InputField, value: unknown): unknown {
  if (key === "hints" && Array.isArray(value)) return value.join(" ");
  if (type === "list") return typeof value === "string" ? listOf(value) : value;
  if (typeof value !== "string") return value;
  const text = value.trim();
  if ((type === "integer" || type === "number") && /^[+-]?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (type === "boolean" && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  return value;
}

function listOf(text: string): unknown {
  if (text.trim().startsWith("[")) {
    const list = tryParseJson(text);
    if (Array.isArray(list)) return list;
  }
  // A glob has commas of its own.
  if (text.includes("{")) return [text];
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

function unknownKey(operation: Operation, fields: InputField[], name: string): DossierError {
  const keys = fields.map(({ key }) => key).filter((key) => !withheld.includes(key));
  const names = [...keys.map(snakeCase), ...ofEveryTool];
  const typed = name.slice(0, 100);
  const part = typed.length > 2 ? names.find((each) => each.includes(typed.toLowerCase())) : undefined;
  const guess = closest(typed, names) ?? part;
  const hint = guess ? ` Did you mean ${guess}?` : "";
  return badInput(`${operation.name} takes no ${typed}.${hint} It takes ${names.join(", ")}.`);
}

function projectOf(project: unknown): string {
  if (typeof project === "string" && project !== "") return project;
  throw badInput("project takes the name of a workspace or a folder.");
}

function isData(format: unknown): boolean {
  if (format === undefined || format === "text" || format === "markdown") return false;
  if (format === "json") return true;
  throw badInput("format takes one of text, json.");
}

const budgets = ["maxTokens", "expandTokens"];

/** A document of more tokens than one answer holds would only be cut. */
function lowerBudget(input: Record<string, unknown>, key: string): string[] {
  const tokens = input[key];
  if (typeof tokens !== "number" || !(tokens > mostDocument)) return [];
  input[key] = mostDocument;
  return [`${snakeCase(key)} was lowered to ${grouped(mostDocument)}: one answer holds no more.`];
}

function badInput(sentence: string): DossierError {
  return new DossierError("bad-input", sentence);
}

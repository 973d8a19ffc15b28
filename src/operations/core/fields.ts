import * as z from "zod";
import type { Operation } from "./operation.ts";

/** One input of an operation, as every surface and the docs need it: read from the schema, never stated again. */
export type InputField = {
  key: string;
  type: "string" | "number" | "integer" | "boolean" | "list";
  description: string;
  required: boolean;
  default?: unknown;
  /** Allowed values of a string, or of a list's elements. */
  choices?: string[];
  /** For a string that takes any value: those that are always valid. */
  suggestions?: string[];
  minimum?: number;
  maximum?: number;
  /** For a list: a comma is part of an element, and does not end it. */
  whole: boolean;
  /** The value is a file's content: a command line takes the file's path, or - for standard input. */
  fromFile: boolean;
  /** The value is a JSON list in a string; a surface that speaks JSON takes the list itself. */
  json: boolean;
};

type Property = {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  fromFile?: boolean;
  suggestions?: string[];
  /** The schema of an element. */
  json?: object;
  whole?: boolean;
  items?: { enum?: string[] };
};

const types: Record<string, InputField["type"]> = {
  string: "string",
  number: "number",
  integer: "integer",
  boolean: "boolean",
  array: "list",
};

const cache = new WeakMap<Operation["input"], InputField[]>();

/** The inputs of an operation in the order they are declared. */
export function fieldsOf(operation: Pick<Operation, "name" | "input">): InputField[] {
  let fields = cache.get(operation.input);
  if (!fields) {
    fields = readFields(operation);
    cache.set(operation.input, fields);
  }
  return fields;
}

function readFields(operation: Pick<Operation, "name" | "input">): InputField[] {
  const schema = z.toJSONSchema(operation.input, { io: "input" });
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([key, value]) => {
    const property = value as Property;
    const type = types[property.type ?? ""];
    if (!type) throw new Error(`${operation.name}.${key} is of a type that no surface can show.`);
    return {
      key,
      type,
      description: property.description ?? "",
      required: required.has(key),
      default: property.default,
      choices: property.enum ?? property.items?.enum,
      ...(property.suggestions ? { suggestions: property.suggestions } : {}),
      minimum: limit(property.minimum),
      maximum: limit(property.maximum),
      whole: property.whole === true,
      fromFile: property.fromFile === true,
      json: property.json !== undefined,
    };
  });
}

/** The schema of an element of a JSON list, for surfaces that take the list itself. */
export function elementSchema(element: z.ZodType): object {
  const { $schema: _, ...schema } = z.toJSONSchema(element, { io: "input" });
  return schema;
}

/** Whole numbers carry the safe-integer bounds, which no reader wants to see. */
function limit(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;
}

/** The allowed values of a field, as the end of a sentence: "a whole number from 64 to 1000000". */
export function allowed(field: InputField): string {
  if (field.choices) {
    const list = field.choices.join(", ");
    return field.type === "list" ? `one or more of ${list}` : `one of ${list}`;
  }
  switch (field.type) {
    case "boolean":
      return "true or false";
    case "list":
      return "one or more values";
    case "string":
      return "a text";
    default:
      return `${field.type === "integer" ? "a whole number" : "a number"}${range(field)}`;
  }
}

export function range({ minimum, maximum }: InputField): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of ${minimum} or more`;
  return maximum === undefined ? "" : ` of ${maximum} or less`;
}

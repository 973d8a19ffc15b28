import type { JSONObject } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type Caller, scopeRange } from "../../operations/access.ts";
import { type Field, fieldsOf } from "../../operations/fields.ts";
import type { Operation } from "../../operations/operation.ts";
import type { ToolSet } from "../../operations/serving.ts";
import { defaultTools } from "./default-tools.ts";
import { leftOut } from "./lean.ts";
import { mostDocument } from "./limits.ts";
import { snakeCase } from "./names.ts";

/** A tool as clients list it, and what a caller must be allowed to do. Made when the program is built: listing loads no operation. */
export type ListedTool = {
  name: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, JSONObject>; required?: string[] };
  outputSchema?: { type: "object"; properties: Record<string, JSONObject> };
  annotations: { readOnlyHint: true } | { destructiveHint: boolean };
};
export type Listing = Record<ToolSet, ListedTool[]> & {
  /** The least that a caller must be allowed to do for anything of it. */
  access: Record<string, Caller["scope"]>;
};

/** Inputs that are not an agent's to give: `project` stands for the first two, the others are for the one who runs the process. */
export const withheld: readonly string[] = ["path", "workspace", "watch", "rebuild"];

const project = { type: "string", description: "A workspace's name or a folder; default: this one" };
const cursor = { type: "string", description: "Of a cut answer: gets the rest" };

export function listingOf(operations: Operation[]): Listing {
  const offered = operations.filter(({ onlyOn }) => onlyOn === undefined);
  const described = Object.entries(defaultTools).map(([name, how]) => {
    const operation = offered.find((each) => each.name === name);
    if (!operation) throw new Error(`${name} is no operation that an agent can be offered.`);
    const wrong = how.shows.find((key) => !fieldsOf(operation).some((field) => field.key === key));
    if (wrong !== undefined) throw new Error(`${name} has no input ${wrong}.`);
    return toolOf(operation, how.description, how.shows);
  });
  const access = offered.map((operation) => [operation.name, scopeRange(operation).least] as const);
  return {
    default: described,
    all: offered.map((operation) => toolOf(operation, operation.summary)),
    access: Object.fromEntries(access),
  };
}

/** Without `shows` every input is shown, at length. */
function toolOf(operation: Operation, description: string, shows?: string[]): ListedTool {
  const fields = fieldsOf(operation).filter(({ key }) => !withheld.includes(key) && (shows?.includes(key) ?? true));
  const brief = shows !== undefined;
  const required = fields.filter((field) => field.required).map(({ key }) => snakeCase(key));
  const properties = fields.map((field) => [snakeCase(field.key), propertyOf(field, brief)] as const);
  const output = z.toJSONSchema(operation.output, { io: "output", unrepresentable: "any" });
  return {
    name: operation.name,
    description,
    inputSchema: {
      type: "object",
      properties: { ...Object.fromEntries(properties), project, cursor: brief ? { type: "string" } : cursor },
      ...(required.length > 0 && { required }),
    },
    ...(output.type === "object" && { outputSchema: shallow(output.properties ?? {}, leftOut(operation.name)) }),
    annotations: scopeRange(operation).most === "read" ? { readOnlyHint: true } : { destructiveHint: !brief },
  };
}

function propertyOf(field: Field, brief: boolean): JSONObject {
  const { type, choices, minimum } = field;
  const maximum = field.key === "maxTokens" ? mostDocument : field.maximum;
  // A list of choices says what it takes; names that speak for themselves do not need a sentence in a short listing.
  const isEvident = brief && (choices !== undefined || evident.has(field.key));
  const property: JSONObject = { type: type === "list" ? "array" : type };
  if (!isEvident) property.description = field.description;
  if (type === "list") property.items = { type: "string", ...(choices ? { enum: choices } : {}) } as JSONObject;
  else if (choices) property.enum = choices;
  else if (field.suggestions) property.anyOf = [{ enum: field.suggestions }, { type: "string" }];
  if (minimum !== undefined) property.minimum = minimum;
  if (maximum !== undefined) property.maximum = maximum;
  if (field.default !== undefined && type !== "list") property.default = field.default as JSONObject[string];
  return property;
}

/** Inputs whose name says it. */
const evident = new Set(["maxTokens", "limit", "importance", "result", "surprise", "tags"]);

/** The names and types of an answer's parts; of a page of a long answer only some are there, so none is required. */
function shallow(properties: Record<string, unknown>, without: readonly string[]): ListedTool["outputSchema"] {
  const given = Object.entries(properties).filter(([key]) => !without.includes(key));
  const parts = given.map(([key, value]) => {
    const { type } = value as { type?: string };
    const shown: JSONObject = type === undefined ? {} : { type };
    return [key, shown] as const;
  });
  return { type: "object", properties: Object.fromEntries(parts) };
}

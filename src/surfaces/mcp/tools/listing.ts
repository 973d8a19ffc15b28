import type { JSONObject } from "@modelcontextprotocol/server";
import { type Caller, scopeRange } from "../../../operations/core/access.ts";
import { fieldsOf, type InputField } from "../../../operations/core/fields.ts";
import type { Operation } from "../../../operations/core/operation.ts";
import type { ToolSet } from "../../../operations/core/serving.ts";
import { mostDocument } from "../transport/limits.ts";
import { defaultTools } from "./default-tools.ts";
import { isDocument } from "./document.ts";
import { snakeCase } from "./snake-case.ts";

/**
 * A tool as clients list it, with the scope that a caller needs. The build makes the list: listing loads no operation.
 */
export type ListedTool = {
  name: string;
  description: string;
  inputSchema: { type: "object"; properties: Record<string, JSONObject>; required?: string[] };
  annotations: Annotations;
};

/** All four hints are always stated, since a client assumes the worst of an absent one. */
type Annotations = Record<"readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint", boolean>;

export type ToolListing = Record<ToolSet, ListedTool[]> & {
  /** The scope that a caller needs for any use of it. */
  access: Record<string, Caller["scope"]>;
};

/**
 * Inputs that an agent may not set: `project` replaces the first two, the others are for the person who runs the
 * process.
 */
export const withheld: readonly string[] = ["path", "workspace", "watch", "rebuild"];

const format = { type: "string", enum: ["text", "json"], default: "text" };
const project = { type: "string", description: "A workspace's name or a folder; default: this one" };
const cursor = { type: "string", description: "Of a cut answer: gets the rest" };

export function listingOf(operations: Operation[]): ToolListing {
  const offered = operations.filter(({ onlyOn }) => onlyOn === undefined);
  const described = Object.entries(defaultTools).map(([name, tool]) => {
    const operation = offered.find((each) => each.name === name);
    if (!operation) throw new Error(`${name} is no operation that an agent can be offered.`);
    const unknownKey = Object.keys(tool.shows).find((key) => !fieldsOf(operation).some((field) => field.key === key));
    if (unknownKey !== undefined) throw new Error(`${name} has no input ${unknownKey}.`);
    return toolOf(operation, tool.description, tool.shows);
  });
  const access = offered.map((operation) => [operation.name, scopeRange(operation).least] as const);
  return {
    default: described,
    all: offered.map((operation) => toolOf(operation, operation.summary)),
    access: Object.fromEntries(access),
  };
}

/** Without `shortTexts` every input is listed, with its whole description. */
function toolOf(operation: Operation, description: string, shortTexts?: Readonly<Record<string, string>>): ListedTool {
  const brief = shortTexts !== undefined;
  const ownFormat = isDocument(operation);
  const fields = fieldsOf(operation).filter(
    ({ key }) =>
      !withheld.includes(key) && (!brief || Object.hasOwn(shortTexts, key)) && (key !== "format" || ownFormat),
  );
  const required = fields.filter((field) => field.required).map(({ key }) => snakeCase(key));
  const properties = fields.map((field) => [snakeCase(field.key), propertyOf(field, shortTexts?.[field.key])] as const);
  return {
    name: operation.name,
    description,
    inputSchema: {
      type: "object",
      // Answers of default tools fit into one page, so no cursor is listed. The instructions name the arguments of
      // every tool.
      properties: {
        ...Object.fromEntries(properties),
        ...(brief ? { project: { type: "string" } } : ofEveryTool(operation)),
      },
      ...(required.length > 0 && { required }),
    },
    annotations: annotationsOf(operation),
  };
}

/** `shortText`: the words of a short listing; "" if the name is enough. */
function propertyOf(field: InputField, shortText?: string): JSONObject {
  const { type, choices, minimum } = field;
  const maximum = field.key === "maxTokens" || field.key === "expandTokens" ? mostDocument : field.maximum;
  const isShort = shortText !== undefined;
  const property: JSONObject = { type: type === "list" ? "array" : type };
  const description = shortText ?? field.description;
  if (description !== "") property.description = description;
  if (type === "list") property.items = { type: "string", ...(choices ? { enum: choices } : {}) } as JSONObject;
  else if (choices) property.enum = choices;
  // Lenses of the workspace are added when it is known (allowed-tools.ts).
  else if (field.suggestions) property.enum = field.suggestions;
  // A value below the minimum is answered with an error, so short listings leave the limit out. They also leave out
  // defaults that turn something off.
  if (minimum !== undefined && !isShort) property.minimum = minimum;
  if (maximum !== undefined) property.maximum = maximum;
  const isOff = field.default === "" || (isShort && field.default === false);
  if (field.default !== undefined && type !== "list" && !isOff) property.default = field.default as JSONObject[string];
  return property;
}

/** Data is given on request; documents have formats of their own. */
function ofEveryTool(operation: Operation): Record<string, JSONObject> {
  return { ...(!isDocument(operation) && { format }), project, cursor };
}

function annotationsOf({ name, ...operation }: Operation): Annotations {
  const isRead = scopeRange(operation).most === "read";
  return {
    readOnlyHint: isRead,
    destructiveHint: !isRead && destructive.has(name),
    idempotentHint: isRead || idempotent.has(name),
    openWorldHint: outside.has(name),
  };
}

/** Operations that delete or overwrite data. */
const destructive = new Set([
  ...["edit", "forget", "delete_document", "put_document", "move_document", "thread", "references", "value", "import"],
  ...["disconnect", "unname_workspace", "keys", "index"],
]);
/** Operations that change nothing more when they are repeated with the same arguments. */
const idempotent = new Set([
  ...["remember", "edit", "forget", "restore", "put_document", "delete_document", "restore_document", "import"],
  ...["index", "connect", "disconnect", "name_workspace", "unname_workspace"],
]);
/** Operations that may query something outside this machine's files: the notes application, a commit's host. */
const outside = new Set(["tana_context", "connect", "notes"]);

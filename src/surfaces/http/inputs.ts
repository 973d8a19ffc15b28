import { DossierError } from "../../errors.ts";
import { fieldsOf, type InputField } from "../../operations/core/fields.ts";
import type { Operation } from "../../operations/core/operation.ts";

/**
 * Inputs that a remote caller may not set: the server serves its one workspace, and does not watch it for one caller.
 */
export const withheld: readonly string[] = ["path", "workspace", "watch"];

/** The input of an operation: what the client sent, for the workspace that is served. */
export function inputFor(operation: Operation, sent: Record<string, unknown>, root: string): Record<string, unknown> {
  const fields = fieldsOf(operation);
  const keys = fields.map(({ key }) => key);
  const refused = withheld.find((key) => Object.hasOwn(sent, key) && keys.includes(key));
  if (refused !== undefined) {
    const why = refused === "watch" ? "the command line alone does that" : "this server serves one workspace";
    throw new DossierError("bad-input", `${operation.name} takes no ${refused} from afar: ${why}.`);
  }
  const input = { ...sent };
  for (const { key, json } of fields) {
    if (json && typeof input[key] === "object" && input[key] !== null) input[key] = JSON.stringify(input[key]);
  }
  return keys.includes("path") ? { ...input, path: root } : input;
}

/** Inputs from a URL's query, converted to the types of their fields; the operation reports what is wrong. */
export function inputOfQuery(operation: Operation, query: Record<string, string[]>): Record<string, unknown> {
  const fields = new Map(fieldsOf(operation).map((field) => [field.key, field]));
  return Object.fromEntries(Object.entries(query).map(([key, values]) => [key, typed(values, fields.get(key))]));
}

function typed(values: string[], field: InputField | undefined): unknown {
  const type = field?.type;
  if (type === "list") return field!.whole ? values : values.flatMap((value) => value.split(","));
  const value = values.at(-1)!;
  if ((type === "number" || type === "integer") && value.trim() !== "" && Number.isFinite(Number(value)))
    return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** Names that applications of the first design use for the same inputs. */
export const otherNames: Readonly<Record<string, string>> = { threadId: "thread", contextItemId: "item" };

export function renamed(sent: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sent).map(([key, value]) => [Object.hasOwn(otherNames, key) ? otherNames[key]! : key, value]),
  );
}

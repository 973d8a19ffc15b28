import { fieldsOf, type InputField } from "../../src/operations/core/fields.ts";
import type { Operation } from "../../src/operations/core/operation.ts";

/** Inputs that refer to other things, where an id may be passed. */
const leading = new Set(["thread", "item", "message", "target", "references", "given", "undo", "supersedes", "id"]);

/**
 * What might be tried with an operation, made from its schema: every step, with each value wherever it could lead
 * somewhere.
 */
export function attempts(operation: Operation, values: string[]): Record<string, unknown>[] {
  const fields = fieldsOf(operation).filter(({ key }) => key !== "path" && key !== "workspace");
  const free = fields.filter(({ type, choices }) => (type === "string" || type === "list") && !choices);
  const steps = fields.find(({ key }) => key === "step")?.choices ?? [undefined];
  const filled = new Map<string, Record<string, unknown>>();
  for (const step of steps) {
    for (const value of values) {
      const set: Record<string, unknown> = step === undefined ? {} : { step };
      for (const { key, choices, required } of fields) if (required && choices && key !== "step") set[key] = choices[0];
      for (const { key } of fields) if (["purge", "useful"].includes(key) && step === undefined) set[key] = true;
      const needed = free.filter(({ key, required }) => required || operation.positional?.includes(key));
      for (const field of needed) set[field.key] = valueFor(field, value);
      const more = { ...set };
      for (const field of free) if (leading.has(field.key)) more[field.key] = valueFor(field, value);
      for (const each of [set, more]) filled.set(JSON.stringify(each), each);
    }
  }
  return [...filled.values()];
}

/** Files are tried as bundles of citations, as records with her ids, and as text. */
function valueFor({ type, key, fromFile }: InputField, value: string): unknown {
  if (type === "list") return [value];
  if (!fromFile) return value;
  if (key === "content") return value;
  if (key === "documents") return JSON.stringify([{ document: value, content: "plumbago of his own" }]);
  if (key === "file") return `${JSON.stringify({ id: value, role: "user", content: `plumbago of his own` })}\n`;
  const citation = { id: `[${value}]`, itemId: value, path: `memory:${value}`, startLine: 1, endLine: 1, hash: "x" };
  return JSON.stringify({ items: [{ id: value, name: "x", citation }] });
}

import { redact } from "../../text/secrets/secrets.ts";

/**
 * A text without keys and passwords. Used where a surface gives a model what the operation returns to its owner
 * unchanged.
 */
export function masked(text: string): string {
  return redact(text).text;
}

/** The same for every string inside a value. */
export function maskedData<Value>(value: Value): Value {
  if (typeof value === "string") return masked(value) as Value;
  if (Array.isArray(value)) return value.map(maskedData) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskedData(each)])) as Value;
}

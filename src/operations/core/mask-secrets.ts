import { redact } from "../../text/secrets/secrets.ts";

/**
 * A text without keys and passwords, for surfaces that give to a model what an operation gives to its owner as it is.
 */
export function masked(text: string): string {
  return redact(text).text;
}

/** The same of every text in data. */
export function maskedData<Value>(value: Value): Value {
  if (typeof value === "string") return masked(value) as Value;
  if (Array.isArray(value)) return value.map(maskedData) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskedData(each)])) as Value;
}

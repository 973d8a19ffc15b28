export type JsonObject = Record<string, unknown>;

/** An object as JSON has it: no list and no null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

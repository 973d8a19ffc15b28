import type { Input, InputDescription, InputProperty } from "../../../client/client.ts";
import { restate } from "../shell/router.ts";

export type QuestionInput = Input<"context">;
type Value = string | number | boolean | string[] | undefined;

/** The question in an address. Values that the schema refuses (an address may be written by hand) are ignored. */
export function questionIn(state: URLSearchParams, { properties }: InputDescription): QuestionInput {
  const question: Record<string, Value> = {};
  for (const [key, property] of Object.entries(properties)) {
    const values = state.getAll(key);
    const value = values.length === 0 ? undefined : parsed(property, values);
    if (value !== undefined) question[key] = value;
  }
  return question as QuestionInput;
}

function parsed(property: InputProperty, values: string[]): Value {
  const [first = ""] = values;
  const { type, enum: choices, items, minimum = -Infinity, maximum = Infinity } = property;
  if (type === "array") return items?.enum ? values.filter((value) => items.enum?.includes(value)) : values;
  if (type === "boolean") return first === "true" ? true : first === "false" ? false : undefined;
  if (type === "integer" || type === "number") {
    const number = Number(first);
    const isFitting = first.trim() !== "" && number >= minimum && number <= maximum;
    return isFitting && (type === "number" || Number.isInteger(number)) ? number : undefined;
  }
  return !choices || choices.includes(first) ? first : undefined;
}

/** Writes an input into the address; without a value, the default holds. */
export function setInput(key: string, value: Value): void {
  restate((state) => {
    state.delete(key);
    if (value === undefined || value === "") return;
    for (const each of Array.isArray(value) ? value : [value]) state.append(key, String(each));
  });
}

/** Whether there is something to ask: words, or notes by their tags and fields. */
export function isAsked({ query = "", tag, field }: QuestionInput): boolean {
  return query.trim() !== "" || (tag?.length ?? 0) > 0 || (field?.length ?? 0) > 0;
}

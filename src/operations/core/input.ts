import type { z } from "zod";
import { DossierError } from "../../errors.ts";
import { knownLanguages } from "../../sources/known-languages.ts";
import { closest } from "../../text/similarity/closest.ts";
import { grouped } from "../terminal/phrases.ts";
import { allowed, fieldsOf, type InputField } from "./fields.ts";
import type { Operation } from "./operation.ts";

/** How a surface calls an input: `--max-tokens` on a command line, `maxTokens` elsewhere. */
export type NameOf = (key: string) => string;

/**
 * Checks a surface's input and fills in defaults; a mistake becomes one sentence that names it. `most`: the largest
 * numbers that a surface really takes, where those of the operation are larger.
 */
export function readInput<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  rawInput: Record<string, unknown>,
  nameOf: NameOf = (key) => key,
  most: Readonly<Record<string, number>> = {},
): z.output<Input> {
  const fields = fieldsOf(operation);
  refuseUnknown(operation, fields, rawInput, nameOf);
  refuseEmptyQuery(fields, rawInput);
  const parsed = operation.input.safeParse(rawInput);
  if (parsed.success) {
    refuseUnknownLanguage(fields, parsed.data.languages, nameOf("languages"));
    return parsed.data;
  }
  const issue = parsed.error.issues[0]!;
  const key = String(issue.path[0] ?? "");
  const field = fields.find((candidate) => candidate.key === key);
  if (!field) throw new DossierError("bad-input", `${operation.name} cannot use its input: ${issue.message}.`);
  throw refusal({ ...field, maximum: most[key] ?? field.maximum }, rawInput[key], issue, nameOf);
}

function refuseUnknown(
  operation: Operation,
  fields: InputField[],
  rawInput: Record<string, unknown>,
  nameOf: NameOf,
): void {
  const keys = fields.map((field) => field.key);
  const unknown = Object.keys(rawInput).find((key) => !keys.includes(key));
  if (unknown === undefined) return;
  const guess = closest(unknown, keys);
  const hint = guess ? ` Did you mean ${nameOf(guess)}?` : "";
  throw new DossierError("bad-input", `${operation.name} takes no ${nameOf(unknown)}.${hint}`);
}

/** Inputs that select notes without a question. */
const insteadOfQuery = ["tag", "field", "sort"];

function refuseEmptyQuery(fields: InputField[], rawInput: Record<string, unknown>): void {
  if (!fields.some((field) => field.key === "query" && (field.required || field.default === ""))) return;
  if (insteadOfQuery.some((key) => rawInput[key] !== undefined && fields.some((field) => field.key === key))) return;
  const query = rawInput.query ?? "";
  if (typeof query === "string" && query.trim() === "") throw new DossierError("empty-query", "The query is empty.");
}

/**
 * Refused because an unknown language would silently give an empty answer. The list of languages is too long for the
 * schema, which models read.
 */
function refuseUnknownLanguage(fields: InputField[], languages: unknown, name: string): void {
  if (!Array.isArray(languages) || !fields.some(({ key, type }) => key === "languages" && type === "list")) return;
  const unknown = languages.find((language) => !knownLanguages.includes(language));
  if (unknown === undefined) return;
  const guess = closest(unknown, knownLanguages);
  const hint = guess ? ` Did you mean ${guess}?` : "";
  throw new DossierError(
    "bad-input",
    `${name} knows no ${valueText(unknown)}.${hint} Known are ${knownLanguages.join(", ")}.`,
  );
}

type Issue = { code: string; path: PropertyKey[]; message: string; maximum?: number | bigint };

function refusal(field: InputField, value: unknown, issue: Issue, nameOf: NameOf): DossierError {
  const name = nameOf(field.key);
  if (value === undefined) return new DossierError("bad-input", `${name} is missing; it takes ${allowed(field)}.`);
  // Inside a list the path continues with the position of the wrong element.
  const position = issue.path[1];
  const wrongValue = Array.isArray(value) && typeof position === "number" ? value[position] : value;
  if (field.key === "maxTokens" && typeof wrongValue === "number" && issue.code === "too_small") {
    return new DossierError(
      "budget-too-small",
      `A budget of ${wrongValue} tokens is below the smallest possible, ${field.minimum}.`,
    );
  }
  if (Array.isArray(wrongValue) && issue.code === "too_big") {
    const limit = `at most ${grouped(Number(issue.maximum))} values, not ${grouped(wrongValue.length)}`;
    return new DossierError("bad-input", `${name} takes ${limit}.`);
  }
  if (typeof wrongValue === "string" && issue.code === "too_small") {
    if (wrongValue !== value) return new DossierError("bad-input", `${name} has an empty value among its others.`);
    return new DossierError("bad-input", `${name} is empty; it takes ${allowed(field)}.`);
  }
  if (typeof wrongValue === "string" && issue.code === "too_big") {
    const limit = `${grouped(wrongValue.length)} characters long; at most ${grouped(Number(issue.maximum))} are kept`;
    return new DossierError("too-long", `${name} is ${limit}.`);
  }
  // A pattern has its own message, which says what is valid.
  if (typeof wrongValue === "string" && issue.code === "invalid_format") {
    return new DossierError("bad-input", `${name} takes ${issue.message}, not ${valueText(wrongValue)}.`);
  }
  const guess = meantInstead(field, wrongValue, nameOf);
  const hint = guess ? ` Did you mean ${guess}?` : "";
  return new DossierError("bad-input", `${name} takes ${allowed(field)}, not ${valueText(wrongValue)}.${hint}`);
}

/** A suggestion: a choice with a similar spelling, or the input that a number of tokens belongs to. */
function meantInstead(field: InputField, value: unknown, nameOf: NameOf): string | undefined {
  if (field.key === "budget" && /^\d+$/.test(String(value))) return `${nameOf("maxTokens")} ${value}`;
  return typeof value === "string" && field.choices ? closest(value, field.choices) : undefined;
}

function valueText(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

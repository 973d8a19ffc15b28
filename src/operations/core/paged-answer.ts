import type { encodingNames } from "../../options.ts";
import { tokenCounter } from "../../text/tokens/tokens.ts";

/** One answer in two forms: text, and the same as data. */
export type AnswerForms = { text: string; data: Record<string, unknown> };
export type AnswerPage = AnswerForms & { rest?: AnswerForms };

/**
 * Tokens kept free in each form for the line that a surface adds to all pages but the last: how to get the next one.
 */
const roomForMore = 100;
/** Values whose JSON is no longer than this are on every page; longer ones are divided among them. */
const small = 400;
/** A text of more characters than this for each token is not counted whole: it is certainly too long. */
const mostCharacters = 12;

/**
 * As much of an answer as fits: neither form costs more than `limit` tokens. Lists are cut between entries, texts
 * between lines.
 */
export function nextPage({ text, data }: AnswerForms, limit: number): AnswerPage {
  const read = fits(text, limit) ? { part: text } : takeExactly(text, limit - roomForMore, takeText, (part) => part);
  const taken = fits(JSON.stringify(data), limit)
    ? { part: data }
    : takeExactly(data, limit - roomForMore, (value, budget) => takeObject(value, budget, true), JSON.stringify);
  const page = { text: read.part ?? "", data: taken.part ?? {} };
  if (read.rest === undefined && taken.rest === undefined) return page;
  return { ...page, rest: { text: read.rest ?? "", data: taken.rest ?? {} } };
}

type Taken<Value> = { part?: Value; rest?: Value };

/** Costs of parts do not add up exactly, so the whole is counted, and less is taken until it fits. */
function takeExactly<Value>(
  value: Value,
  limit: number,
  take: (value: Value, budget: number) => Taken<Value>,
  render: (part: Value) => string,
): Taken<Value> {
  for (let budget = limit; ; budget = Math.floor(budget * 0.9)) {
    const taken = take(value, budget);
    if (taken.part === undefined || budget < 1 || cost(render(taken.part)) <= limit) return taken;
  }
}

function takeText(text: string, budget: number): Taken<string> {
  let end = 0;
  for (let remaining = budget; end < text.length; ) {
    const next = text.indexOf("\n", end) + 1 || text.length;
    remaining -= cost(JSON.stringify(text.slice(end, next)).slice(1, -1));
    if (remaining < 0) break;
    end = next;
  }
  // A line that is longer than a page is cut inside; a character costs three tokens at most, its escape six.
  if (end === 0) end = wholeCharacters(text, Math.max(1, Math.floor(budget / 6)));
  return end >= text.length ? { part: text } : { part: text.slice(0, end), rest: text.slice(end) };
}

/** The same position, or the one before it where it would split a character. */
function wholeCharacters(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? Math.max(1, end - 1) || 2 : end;
}

/** `must`: take at least one entry, because otherwise no page could ever hold it. */
function take(value: unknown, budget: number, must: boolean): Taken<unknown> {
  if (typeof value === "string") return must || budget > small ? takeText(value, budget) : { rest: value };
  if (Array.isArray(value)) return takeList(value, budget, must);
  if (typeof value === "object" && value !== null) return takeObject(value as Record<string, unknown>, budget, must);
  return { part: value };
}

function takeList(list: unknown[], budget: number, must: boolean): Taken<unknown[]> {
  let count = 0;
  for (let remaining = budget; count < list.length; count++) {
    remaining -= costOf(list[count]) + 1;
    if (remaining < 0) break;
  }
  if (count > 0 || list.length === 0) {
    return count === list.length ? { part: list } : { part: list.slice(0, count), rest: list.slice(count) };
  }
  if (!must) return { rest: list };
  const { part, rest } = take(list[0], budget, true);
  return { part: [part], rest: rest === undefined ? list.slice(1) : [rest, ...list.slice(1)] };
}

function takeObject(object: Record<string, unknown>, budget: number, must: boolean): Taken<Record<string, unknown>> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  const short = entries.filter(([, value]) => JSON.stringify(value).length <= small);
  const part = Object.fromEntries(short);
  let remaining = budget - cost(JSON.stringify(part));
  const rest: Record<string, unknown> = {};
  let takenCount = 0;
  for (const [key, value] of entries) {
    if (Object.hasOwn(part, key)) continue;
    const room = remaining - cost(key) - 4;
    const split =
      room > 0 || (must && takenCount === 0) ? take(value, room, must && takenCount === 0) : { rest: value };
    if (split.part !== undefined) {
      part[key] = split.part;
      remaining -= costOf(split.part) + cost(key) + 4;
      takenCount++;
    }
    if (split.rest !== undefined) rest[key] = split.rest;
  }
  if (Object.keys(rest).length === 0) return { part };
  return takenCount === 0 && !must ? { rest: object } : { part, rest: { ...Object.fromEntries(short), ...rest } };
}

function costOf(value: unknown): number {
  return cost(JSON.stringify(value) ?? "");
}

function cost(text: string): number {
  return tokensOf(text);
}

/** The number of tokens of a text, for surfaces that add lines to a document. */
export function tokensOf(text: string, encoding: (typeof encodingNames)[number] = "o200k_base"): number {
  return tokenCounter(encoding).count(text);
}

function fits(text: string, limit: number): boolean {
  // No token is shorter than a byte.
  if (Buffer.byteLength(text) <= limit) return true;
  return text.length <= limit * mostCharacters && cost(text) <= limit;
}

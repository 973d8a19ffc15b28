import { fieldsOf } from "../../../operations/core/fields.ts";
import { opensWith } from "../../../operations/core/opens-with.ts";
import type { Operation } from "../../../operations/core/operation.ts";
import { tokensOf } from "../../../operations/core/paged-answer.ts";
import type { OperationName } from "../../../operations/core/registry.ts";
import { type encodingNames, smallestBudget } from "../../../options.ts";
import { oneLine } from "../../../text/one-line.ts";
import type { CallAnswer } from "../call-target.ts";

/** Tokens of a document's budget that are kept for the line which names its bundle. */
export const roomForBundle = 24;

const documents: ReadonlySet<string> = new Set<OperationName>([
  "context",
  "context_query",
  "assemble_context",
  "get_premortem_context",
  "tana_context",
  "prime_context",
  "open",
]);

/**
 * Whether an operation returns a document within a budget, in the format asked for. The others return data, from
 * which the text is made here.
 */
export function isDocument({ name }: Pick<Operation, "name">): boolean {
  return documents.has(name);
}

/** Whether its answers name a bundle, which `since` takes. */
export function namesBundle({ output }: Operation): boolean {
  return "shape" in output && Object.hasOwn(output.shape as object, "bundle");
}

type Ask = (input: Record<string, unknown>) => Promise<CallAnswer>;

/**
 * A document with everything that an agent must know about it. The budget covers the whole text, including the lines
 * around the document. Warnings are not known before; if they need more room than there is, the document is made again
 * for the rest.
 */
export async function documentWithin(
  operation: Operation,
  input: Record<string, unknown>,
  added: string[],
  ask: Ask,
): Promise<string> {
  const budget = Number(input.maxTokens ?? fieldsOf(operation).find(({ key }) => key === "maxTokens")!.default);
  const count = (text: string) => tokensOf(text, input.encoding as (typeof encodingNames)[number] | undefined);
  const room = namesBundle(operation) ? roomForBundle : 0;
  for (let maxTokens = Math.max(smallestBudget, budget - room), last = false; ; last = true) {
    const answer = await ask({ ...input, maxTokens });
    const text = operation.text!(answer.output, answer.input, false);
    const { warnings: ownWarnings = [], bundle } = answer.output as { warnings?: string[]; bundle?: string };
    const warnings = [...added, ...ownWarnings.filter((warning) => !opensWith(text, warning))];
    const isJson = answer.input.format === "json";
    const whole = surrounded(text, warnings, bundle, isJson);
    // The operation has counted its document, and the lines around it cost about as much as they do alone. The whole
    // text is counted only if that is close to the budget.
    const documentTokens = (bundle === undefined ? undefined : statedTokens(answer.output)) ?? count(text);
    const around = count(whole.slice(text.length - endOf(isJson)));
    if (documentTokens + around + slack <= budget || answer.input.budget === "soft") return whole;
    const used = count(whole);
    if (used <= budget) return whole;
    const rest = budget - (used - documentTokens);
    if (last || rest < smallestBudget)
      return fitSurroundings(text, warnings, bundle, isJson, (all) => count(all) <= budget);
    maxTokens = rest;
  }
}

/** More tokens than joining two texts can add. */
const slack = 4;

/** Length of a JSON document's end (`}` and a line end): further parts are inserted before it. */
function endOf(isJson: boolean): number {
  return isJson ? 2 : 0;
}

/** Tokens of the document as the operation reports them; each operation uses its own name for them. */
function statedTokens(output: unknown): number | undefined {
  const { tokenCount, token_count, tokens, meta } = output as Record<string, unknown>;
  const use = tokens ?? (meta as Record<string, unknown> | undefined)?.tokens;
  const stated = tokenCount ?? token_count ?? (use as { used?: unknown } | undefined)?.used ?? use;
  return typeof stated === "number" ? stated : undefined;
}

/** As much around the document as fits: the bundle first, then warnings. */
function fitSurroundings(
  text: string,
  warnings: string[],
  bundle: string | undefined,
  isJson: boolean,
  fits: (whole: string) => boolean,
): string {
  for (let count = warnings.length; count >= 0; count--) {
    const whole = surrounded(text, warnings.slice(0, count), bundle, isJson);
    if (fits(whole)) return whole;
  }
  return text;
}

/** Lines after the document, each of them whole, or parts of the JSON that it is. */
export function surrounded(text: string, warnings: string[], bundle: string | undefined, isJson: boolean): string {
  if (warnings.length === 0 && bundle === undefined) return text;
  if (isJson) {
    const more = { ...(warnings.length > 0 && { warnings }), ...(bundle !== undefined && { bundle }) };
    return `${text.trimEnd().slice(0, -1)},${JSON.stringify(more).slice(1)}\n`;
  }
  const lines = [
    ...warnings.map((warning) => `Warning: ${oneLine(warning)}`),
    ...(bundle ? [`bundle: ${bundle}`] : []),
  ];
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${lines.join("\n")}\n`;
}

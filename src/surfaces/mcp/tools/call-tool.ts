import type { CallToolResult } from "@modelcontextprotocol/server";
import { DossierError } from "../../../errors.ts";
import { fieldsOf } from "../../../operations/core/fields.ts";
import { masked, maskedData } from "../../../operations/core/mask-secrets.ts";
import type { Operation } from "../../../operations/core/operation.ts";
import { nextPage } from "../../../operations/core/paged-answer.ts";
import { isOperationName, loadOperation } from "../../../operations/core/registry.ts";
import { jsonText } from "../../../text/json/json-text.ts";
import { closest } from "../../../text/similarity/closest.ts";
import type { AgentRequest, CallTarget } from "../call-target.ts";
import { mostTokens } from "../transport/limits.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import type { Cursors, Rest } from "./cursors.ts";
import { documentWithin, isDocument, namesBundle, surrounded } from "./document.ts";
import { failureOf } from "./failure.ts";

/** The failure for programs: clients show a model the text only. */
export const errorKey = "dossier/error";

/**
 * Answers one call of a tool. There is no structured content: clients would pass it to the model instead of the text,
 * where it costs more tokens and says less. Data is returned as a text of its own, on request. Errors are returned as
 * results, since a model does not see protocol errors.
 */
export async function callTool(
  name: string,
  args: Record<string, unknown>,
  request: Omit<AgentRequest, "project">,
  { target, cursors, tools }: { target: CallTarget; cursors: Cursors; tools: readonly string[] },
): Promise<CallToolResult> {
  try {
    if (!tools.includes(name) || !isOperationName(name)) throw unknownTool(name, tools);
    const { cursor, ...rest } = args;
    if (cursor !== undefined && cursor !== null) return laterPage(name, cursor, target, cursors);
    const operation = await loadOperation(name);
    const read = readArguments(operation, rest);
    const answer = await answerOf(operation, read, request, target);
    return pageOf(name, answer, target, cursors);
  } catch (thrown) {
    return failed(thrown, target);
  }
}

async function answerOf(
  operation: Operation,
  { input, project, asData, warnings }: Arguments,
  request: Omit<AgentRequest, "project">,
  target: CallTarget,
): Promise<Rest> {
  // All calls of a conversation share one bundle: everything sent is recorded from the first answer on.
  const takesSince = namesBundle(operation) && fieldsOf(operation).some(({ key }) => key === "since");
  const whole = takesSince ? { since: "start", ...input } : input;
  const sharesGiven = takesSince && input.since !== "start";
  const ask = (input: Record<string, unknown>) => target.run(operation, input, { ...request, project, sharesGiven });
  if (isDocument(operation)) return { text: await documentWithin(operation, whole, warnings, ask) };
  const { input: read, output } = await ask(whole);
  const isObject = typeof output === "object" && output !== null && !Array.isArray(output);
  const data = isObject ? (output as Record<string, unknown>) : { result: output };
  const ownWarnings = Array.isArray(data.warnings) ? data.warnings.map(String) : [];
  // A document has its secrets redacted. Other outputs may hold their owner's own text, which a model must not get
  // unredacted.
  if (asData) {
    const whole = warnings.length > 0 ? { ...data, warnings: [...warnings, ...ownWarnings] } : data;
    return { data: maskedData(whole) };
  }
  const text = operation.text ? operation.text(output, read, false) : jsonText(output);
  const bundle = typeof data.bundle === "string" ? data.bundle : undefined;
  return { text: masked(surrounded(text, [...warnings, ...ownWarnings], bundle, false)) };
}

/**
 * One page: as much as one answer holds, in one text. Of data every page is an object of its own, with the cursor in
 * it.
 */
function pageOf(name: string, answer: Rest, target: CallTarget, cursors: Cursors): CallToolResult {
  const { text = "", data = {} } = answer;
  const page = nextPage({ text, data }, mostTokens);
  const keep = (rest: Rest) => cursors.keep(name, target.caller.owner, rest);
  if (answer.data) {
    const cursor = page.rest && keep({ data: page.rest.data });
    return textResult(jsonText(cursor === undefined ? page.data : { ...page.data, cursor }));
  }
  if (!page.rest) return textResult(page.text);
  const cursor = keep({ text: page.rest.text });
  const end = page.text.endsWith("\n") ? "" : "\n";
  return textResult(`${page.text}${end}Cut here: call ${name} with cursor ${cursor} for the rest.`);
}

function laterPage(name: string, cursor: unknown, target: CallTarget, cursors: Cursors): CallToolResult {
  const rest = typeof cursor === "string" ? cursors.find(name, target.caller.owner, cursor) : undefined;
  if (rest) return pageOf(name, rest, target, cursors);
  throw new DossierError("bad-input", `${name} knows no such cursor, or no longer; call it again without one.`);
}

function unknownTool(name: string, tools: readonly string[]): DossierError {
  const guess = closest(name, tools);
  const hint = guess ? ` Did you mean ${guess}?` : "";
  const typed = JSON.stringify(name.slice(0, 100));
  return new DossierError("bad-input", `There is no tool ${typed}.${hint} The tools are ${tools.join(", ")}.`);
}

function failed(thrown: unknown, target: CallTarget): CallToolResult {
  const { code, message, fix, error } = failureOf(thrown, target.from);
  if (code === "internal") console.error(error.cause ?? error);
  return { isError: true, ...textResult(`${message} ${fix}`), _meta: { [errorKey]: { code, message, fix } } };
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

import type { CallToolResult } from "@modelcontextprotocol/server";
import { DossierError } from "../../../errors.ts";
import { fieldsOf } from "../../../operations/core/fields.ts";
import { masked, maskedData } from "../../../operations/core/mask-secrets.ts";
import type { Operation } from "../../../operations/core/operation.ts";
import { nextPage } from "../../../operations/core/paged-answer.ts";
import { isOperationName, loadOperation } from "../../../operations/core/registry.ts";
import { closest } from "../../../text/similarity/closest.ts";
import type { AgentGround, Asked } from "../ground.ts";
import { mostTokens } from "../transport/limits.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import type { Cursors, Rest } from "./cursors.ts";
import { documentWithin, isDocument, namesBundle, surrounded } from "./document.ts";
import { failureOf } from "./failure.ts";

/** What failed, for programs: clients show a model the text, and keep this to themselves. */
export const errorKey = "dossier/error";

/**
 * Answers one call of a tool. Clients give a model the structured content of an answer where there is any, which costs more than its text
 * and says less: there is none, and data is a text of its own, on request. What is wrong is an answer, too: a model reads no errors of
 * the protocol.
 */
export async function callTool(
  name: string,
  given: Record<string, unknown>,
  asked: Omit<Asked, "project">,
  { ground, cursors, tools }: { ground: AgentGround; cursors: Cursors; tools: readonly string[] },
): Promise<CallToolResult> {
  try {
    if (!tools.includes(name) || !isOperationName(name)) throw unknownTool(name, tools);
    const { cursor, ...rest } = given;
    if (cursor !== undefined && cursor !== null) return laterPage(name, cursor, ground, cursors);
    const operation = await loadOperation(name);
    const read = readArguments(operation, rest);
    const answer = await answerOf(operation, read, asked, ground);
    return pageOf(name, answer, ground, cursors);
  } catch (thrown) {
    return failed(thrown, ground);
  }
}

async function answerOf(
  operation: Operation,
  { input, project, asData, warnings }: Arguments,
  asked: Omit<Asked, "project">,
  ground: AgentGround,
): Promise<Rest> {
  // A conversation is one: what was given in it is remembered from its first answer on.
  const takesSince = namesBundle(operation) && fieldsOf(operation).some(({ key }) => key === "since");
  const whole = takesSince ? { since: "start", ...input } : input;
  const sharesGiven = takesSince && input.since !== "start";
  const ask = (given: Record<string, unknown>) => ground.run(operation, given, { ...asked, project, sharesGiven });
  if (isDocument(operation)) return { text: await documentWithin(operation, whole, warnings, ask) };
  const { input: read, output } = await ask(whole);
  const isObject = typeof output === "object" && output !== null && !Array.isArray(output);
  const data = isObject ? (output as Record<string, unknown>) : { result: output };
  const said = Array.isArray(data.warnings) ? data.warnings.map(String) : [];
  // A document is without secrets; of all else some is its owner's own text, which a model is not to have as it is.
  if (asData) {
    const whole = warnings.length > 0 ? { ...data, warnings: [...warnings, ...said] } : data;
    return { data: maskedData(whole) };
  }
  const text = operation.text ? operation.text(output, read, false) : JSON.stringify(output);
  const bundle = typeof data.bundle === "string" ? data.bundle : undefined;
  return { text: masked(surrounded(text, [...warnings, ...said], bundle, false)) };
}

/** As much as one answer holds, in one text. Of data every page is an object of its own, with the cursor in it. */
function pageOf(name: string, answer: Rest, ground: AgentGround, cursors: Cursors): CallToolResult {
  const { text = "", data = {} } = answer;
  const page = nextPage({ text, data }, mostTokens);
  const keep = (rest: Rest) => cursors.keep(name, ground.caller.owner, rest);
  if (answer.data) {
    const cursor = page.rest && keep({ data: page.rest.data });
    return textResult(JSON.stringify(cursor === undefined ? page.data : { ...page.data, cursor }));
  }
  if (!page.rest) return textResult(page.text);
  const cursor = keep({ text: page.rest.text });
  const end = page.text.endsWith("\n") ? "" : "\n";
  return textResult(`${page.text}${end}Cut here: call ${name} with cursor ${cursor} for the rest.`);
}

function laterPage(name: string, cursor: unknown, ground: AgentGround, cursors: Cursors): CallToolResult {
  const rest = typeof cursor === "string" ? cursors.find(name, ground.caller.owner, cursor) : undefined;
  if (rest) return pageOf(name, rest, ground, cursors);
  throw new DossierError("bad-input", `${name} knows no such cursor, or no longer; call it again without one.`);
}

function unknownTool(name: string, tools: readonly string[]): DossierError {
  const guess = closest(name, tools);
  const hint = guess ? ` Did you mean ${guess}?` : "";
  const typed = JSON.stringify(name.slice(0, 100));
  return new DossierError("bad-input", `There is no tool ${typed}.${hint} The tools are ${tools.join(", ")}.`);
}

function failed(thrown: unknown, ground: AgentGround): CallToolResult {
  const { code, message, fix, error } = failureOf(thrown, ground.from);
  if (code === "internal") console.error(error.cause ?? error);
  return { isError: true, ...textResult(`${message} ${fix}`), _meta: { [errorKey]: { code, message, fix } } };
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

import type { CallToolResult } from "@modelcontextprotocol/server";
import { DossierError } from "../../errors.ts";
import { isOperationName, loadOperation } from "../../operations/all.ts";
import { fieldsOf } from "../../operations/fields.ts";
import { readInput } from "../../operations/input.ts";
import type { Operation } from "../../operations/operation.ts";
import { type Faces, nextPage } from "../../operations/pages.ts";
import { grouped } from "../../operations/words.ts";
import type { Cursors } from "./cursors.ts";
import { failureOf, inputFailures } from "./failure.ts";
import type { Asked, Ground } from "./ground.ts";
import { lean } from "./lean.ts";
import { mostDocument, mostTokens } from "./limits.ts";
import { withheld } from "./listing.ts";
import { camelCase, snakeCase } from "./names.ts";
import { invalid } from "./protocol-errors.ts";

/** Answers one call of a tool. What is wrong with the arguments is thrown as an error of the protocol; what goes wrong later is an answer. */
export async function callTool(
  name: string,
  given: Record<string, unknown>,
  asked: Omit<Asked, "project">,
  { ground, cursors }: { ground: Ground; cursors: Cursors },
): Promise<CallToolResult> {
  const { cursor, project, ...rest } = given;
  if (cursor !== undefined) return laterPage(name, cursor, ground, cursors);
  if (!isOperationName(name)) throw invalid(`There is no tool ${JSON.stringify(name.slice(0, 100))}.`);
  const operation = await loadOperation(name);
  const { input, where, warnings } = readArguments(operation, rest, project);
  try {
    const answered = await ground.run(operation, input, { ...asked, project: where });
    return pageOf(name, facesOf(operation, answered, warnings), ground, cursors);
  } catch (thrown) {
    return failed(thrown, ground);
  }
}

type Arguments = { input: Record<string, unknown>; where?: string; warnings: string[] };

function readArguments(operation: Operation, given: Record<string, unknown>, project: unknown): Arguments {
  const keys = fieldsOf(operation).map(({ key }) => key);
  const input: Record<string, unknown> = {};
  let where = project;
  for (const [name, value] of Object.entries(given)) {
    const key = keys.includes(name) ? name : camelCase(name);
    // The first design of the notes tool calls it so.
    if (key === "workspace" && keys.includes(key)) where ??= value;
    else if (withheld.includes(key)) throw invalid(`${operation.name} takes no ${name}; project names a folder.`);
    // Agents say null for what they leave out.
    else if (value !== null) input[key] = value;
  }
  if (where !== undefined && where !== null && (typeof where !== "string" || where === "")) {
    throw invalid("project takes the name of a workspace or a folder.");
  }
  // A conversation is one: what was given in it is remembered from its first answer on.
  if (keys.includes("since") && namesBundle(operation)) input.since ??= "start";
  const warnings = lowered(input);
  try {
    readInput(operation, input, snakeCase);
  } catch (thrown) {
    if (!(thrown instanceof DossierError) || !inputFailures.has(thrown.code)) throw thrown;
    const { code, message, fix } = failureOf(thrown, "near");
    throw invalid(`${message} ${fix}`, { code, fix });
  }
  return { input, ...(typeof where === "string" && { where }), warnings };
}

/** Whether `since` means a bundle there; elsewhere it is a date. */
function namesBundle({ output }: Operation): boolean {
  return "shape" in output && Object.hasOwn(output.shape as object, "bundle");
}

/** A document of more tokens than one answer holds would only be cut. */
function lowered(input: Record<string, unknown>): string[] {
  if (typeof input.maxTokens !== "number" || !(input.maxTokens > mostDocument)) return [];
  input.maxTokens = mostDocument;
  return [`max_tokens was lowered to ${grouped(mostDocument)}: one answer holds no more.`];
}

function facesOf(
  operation: Operation,
  { input, output }: { input: Record<string, unknown>; output: unknown },
  added: string[],
): Faces {
  const isObject = typeof output === "object" && output !== null && !Array.isArray(output);
  const data = isObject ? (output as Record<string, unknown>) : { result: output };
  const said = Array.isArray(data.warnings) ? data.warnings.map(String) : [];
  const text = operation.text ? operation.text(output, input, false) : JSON.stringify(output);
  const warnings = [...added, ...said];
  // For clients that show the text alone: how to ask for what is new.
  const bundle = typeof data.bundle === "string" ? [`bundle: ${data.bundle}`] : [];
  const marked = warnings.map((warning) => `Warning: ${warning}`).join("\n");
  return {
    text: [text, marked, ...bundle].filter((part) => part !== "").join(text.endsWith("\n") ? "\n" : "\n\n"),
    data: lean(operation.name, added.length > 0 ? { ...data, warnings } : data),
  };
}

function pageOf(name: string, faces: Faces, ground: Ground, cursors: Cursors): CallToolResult {
  const { text, data, rest } = nextPage(faces, mostTokens);
  if (!rest) return { content: [{ type: "text", text }], structuredContent: data };
  const cursor = cursors.keep(name, ground.caller.owner, rest);
  const more =
    rest.text === ""
      ? []
      : [{ type: "text" as const, text: `Cut here: call ${name} with cursor ${cursor} for the rest.` }];
  return { content: [{ type: "text", text }, ...more], structuredContent: { ...data, cursor } };
}

function laterPage(name: string, cursor: unknown, ground: Ground, cursors: Cursors): CallToolResult {
  const rest = typeof cursor === "string" ? cursors.find(name, ground.caller.owner, cursor) : undefined;
  if (!rest) throw invalid(`${name} knows no such cursor, or no longer; call it again without one.`);
  return pageOf(name, rest, ground, cursors);
}

function failed(thrown: unknown, ground: Ground): CallToolResult {
  const { code, message, fix, error } = failureOf(thrown, ground.from);
  if (code === "internal") console.error(error.cause ?? error);
  return {
    isError: true,
    content: [{ type: "text", text: `${message} ${fix}` }],
    structuredContent: { error: { code, message, fix } },
  };
}

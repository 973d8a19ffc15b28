import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from "@modelcontextprotocol/server";
import { asDossierError, DossierError } from "../../errors.ts";
import { nextPage } from "../../operations/core/paged-answer.ts";
import { loadOperation, type OperationName } from "../../operations/core/registry.ts";
import { percentDecoded } from "../../text/percent-decoding.ts";
import type { AgentRequest, CallTarget } from "./call-target.ts";
import { failureOf } from "./tools/failure.ts";
import { mostTokens } from "./transport/limits.ts";
import { invalid } from "./transport/protocol-errors.ts";

const statusAddress = "dossier://status";

export const resources: ListResourcesResult = {
  resources: [
    {
      uri: statusAddress,
      name: "status",
      description: "What the index of this workspace holds and how current it is",
      mimeType: "text/plain",
    },
  ],
};

export const templates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: "dossier://item/{id}",
      name: "item",
      description: "A citation in full, as it is now: code, a note, a memory, a commit, a message, a document",
      mimeType: "text/plain",
    },
  ],
};

type Reading = Omit<AgentRequest, "project">;

export async function readResource(uri: string, request: Reading, target: CallTarget): Promise<ReadResourceResult> {
  const item = /^dossier:\/\/item\/([^/?#]{1,300})(?:\?line=(\d{1,9}))?$/.exec(uri);
  if (!item && uri !== statusAddress) throw missing(uri, "There is no such resource.");
  try {
    if (!item) return textOf(uri, await answer("status", {}, request, target));
    const id = percentDecoded(item[1]!);
    return page(uri, id, (await findItem(id, request, target)).text, Number(item[2] ?? 1));
  } catch (thrown) {
    const { code, message, fix } = failureOf(thrown, target.from);
    if (code === "not-found") throw missing(uri, message);
    throw invalid(`${message} ${fix}`, { code, fix });
  }
}

type Item = { text: string };

/** Looks in the first folder, then in the agent's others. */
async function findItem(id: string, request: Reading, target: CallTarget): Promise<Item> {
  const operation = await loadOperation("item");
  const look = async (folders: string[]) =>
    (await target.run(operation, { item: id }, { ...request, folders })).output as Item;
  let first: DossierError;
  try {
    return await look(request.folders);
  } catch (thrown) {
    first = requireNotFound(thrown);
  }
  for (const folder of target.others(request)) {
    try {
      return await look([folder]);
    } catch (thrown) {
      requireNotFound(thrown);
    }
  }
  throw first;
}

/** Rethrows any failure except "not found", which leads to the next folder. */
function requireNotFound(thrown: unknown): DossierError {
  const error = asDossierError(thrown);
  if (error.code !== "not-found" && error.code !== "not-indexed") throw thrown;
  return error;
}

async function answer(name: OperationName, args: object, request: Reading, target: CallTarget): Promise<string> {
  const operation = await loadOperation(name);
  const { input, output } = await target.run(operation, { ...args }, request);
  return operation.text?.(output, input, false) ?? JSON.stringify(output, null, 2);
}

/** The text from a line on; if it is too long for one answer, its end says which line comes next. */
function page(uri: string, id: string, whole: string, line: number): ReadResourceResult {
  const lines = whole.split("\n");
  if (line < 1 || line > lines.length) throw new DossierError("not-found", `${id} has ${lines.length} lines.`);
  const { text, rest } = nextPage({ text: lines.slice(line - 1).join("\n"), data: {} }, mostTokens);
  if (!rest) return textOf(uri, text);
  const next = line + Math.max(1, text.split("\n").length - 1);
  return textOf(uri, `${text}\n[cut here; the rest: dossier://item/${encodeURIComponent(id)}?line=${next}]`);
}

function textOf(uri: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType: "text/plain", text }] };
}

/** Clients recognise a missing resource by the address in the error's data. */
function missing(uri: string, message: string) {
  return invalid(message, { uri });
}

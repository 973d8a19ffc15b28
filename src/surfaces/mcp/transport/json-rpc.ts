import { isObject } from "../../../text/json/is-object.ts";
/** JSON-RPC messages of the protocol, validated by hand: its package is not loaded before it is needed. */

export type Id = string | number;
export type RpcRequest = { jsonrpc: "2.0"; id: Id; method: string; params?: Record<string, unknown> };
export type Refusal = { jsonrpc: "2.0"; id: Id | null; error: { code: number; message: string } };

export const errorCodes = { notJson: -32700, noMessage: -32600, wrongParameters: -32602 } as const;

export function refusal(id: Id | null, code: number, message: string): Refusal {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/**
 * What is wrong with a message, or undefined. A message that passes here is accepted by the protocol's package, too.
 */
export function refusalOf(value: unknown): Refusal | undefined {
  if (!isObject(value)) return refusal(null, errorCodes.noMessage, "A message must be an object.");
  const id = isId(value.id) ? value.id : null;
  const invalid = refusal(id, errorCodes.noMessage, "This is no message of JSON-RPC 2.0.");
  const { method, params, result, error } = value;
  if (value.jsonrpc !== "2.0" || ("id" in value && id === null)) return invalid;
  if ("method" in value) {
    if (typeof method !== "string" || !only(value, ["jsonrpc", "id", "method", "params"])) return invalid;
    const args = params ?? {};
    if (params === null || !isObject(args) || !isMeta(args._meta))
      return refusal(id, errorCodes.wrongParameters, "params must be an object, and _meta in it, too.");
    if (id === null || !Object.hasOwn(parameters, method) || parameters[method]!.takes(args)) return undefined;
    return refusal(id, errorCodes.wrongParameters, `${method} takes ${parameters[method]!.what}.`);
  }
  if ("result" in value) {
    const isResult = id !== null && isObject(result) && only(value, ["jsonrpc", "id", "result"]);
    return isResult && (result._meta === undefined || isObject(result._meta)) ? undefined : invalid;
  }
  const isError = isObject(error) && Number.isSafeInteger(error.code) && typeof error.message === "string";
  return isError && only(value, ["jsonrpc", "id", "error"]) ? undefined : invalid;
}

/** Parameters that the package would reject with an internal error. */
const parameters: Record<string, { what: string; takes: (args: Record<string, unknown>) => boolean }> = {
  initialize: {
    what: "protocolVersion, capabilities and clientInfo with name and version",
    takes: ({ protocolVersion, capabilities, clientInfo }) =>
      typeof protocolVersion === "string" &&
      isObject(capabilities) &&
      isObject(clientInfo) &&
      typeof clientInfo.name === "string" &&
      typeof clientInfo.version === "string",
  },
  "tools/call": {
    what: "the name of a tool and arguments, an object",
    takes: ({ name, arguments: args = {} }) => typeof name === "string" && isObject(args),
  },
  "resources/read": { what: "the uri of a resource", takes: ({ uri }) => typeof uri === "string" },
  "prompts/get": {
    what: "the name of a prompt and arguments, all of them texts",
    takes: ({ name, arguments: args = {} }) =>
      typeof name === "string" && isObject(args) && Object.values(args).every((each) => typeof each === "string"),
  },
  ...Object.fromEntries(
    ["tools/list", "prompts/list", "resources/list", "resources/templates/list"].map((method) => [
      method,
      { what: "no parameters", takes: ({ cursor = "" }: Record<string, unknown>) => typeof cursor === "string" },
    ]),
  ),
};

export function isRequest(value: unknown): value is RpcRequest {
  return isObject(value) && typeof value.method === "string" && isId(value.id);
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Fields for tasks, which this server does not support, are not validated later, so they must be well-formed here. */
function isMeta(value: unknown): boolean {
  if (value === undefined) return true;
  if (!isObject(value)) return false;
  const task = value["io.modelcontextprotocol/related-task"];
  const isTask = task === undefined || (isObject(task) && typeof task.taskId === "string");
  return isTask && (value.progressToken === undefined || isId(value.progressToken));
}

function only(value: object, keys: string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

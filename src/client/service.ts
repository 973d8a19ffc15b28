import { failureOf, RequestFailure } from "./failure.ts";
import type { ClientOptions } from "./types.ts";

/** One input of an operation, as JSON Schema describes it. */
export type InputProperty = {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: InputProperty;
  examples?: readonly string[];
};

export type InputDescription = { properties: Record<string, InputProperty>; required: string[] };

/** The service's description: its version, and the inputs of every operation with their defaults and limits. */
export type ServiceDescription = { version: string; inputs: Record<string, InputDescription> };

type OpenApi = {
  info: { version: string };
  paths: Record<string, { post?: { requestBody?: { content?: Record<string, { schema?: { $ref?: string } }> } } }>;
  components: { schemas: Record<string, Partial<InputDescription>> };
};

/**
 * Reads the description that the service publishes, so that a form needs no copy of the options. The description of one
 * operation is small and quick.
 */
export async function describeService(
  options: ClientOptions & { operation?: string },
  signal?: AbortSignal,
): Promise<ServiceDescription> {
  const { operation: only } = options;
  const query = only === undefined ? "" : `?operation=${encodeURIComponent(only)}`;
  const response = await get(options, `/openapi.json${query}`, signal);
  if (!response.ok) throw await failureOf(response);
  const { info, paths, components } = (await response.json()) as OpenApi;
  const inputs: ServiceDescription["inputs"] = {};
  for (const [path, { post }] of Object.entries(paths)) {
    const [, operation] = /^\/v1\/([a-z_]+)$/.exec(path) ?? [];
    const reference = post?.requestBody?.content?.["application/json"]?.schema?.$ref;
    const schema = components.schemas[reference?.split("/").at(-1) ?? ""];
    if (operation && schema)
      inputs[operation] = { properties: schema.properties ?? {}, required: schema.required ?? [] };
  }
  return { version: info.version, inputs };
}

/** Whether a server answers at all; the request needs no key. */
export async function isServing(options: ClientOptions, signal?: AbortSignal): Promise<boolean> {
  try {
    return (await get(options, "/healthz", signal)).ok;
  } catch (error) {
    if (error instanceof RequestFailure) return false;
    throw error;
  }
}

async function get({ url, key, fetch: ask = globalThis.fetch }: ClientOptions, path: string, signal?: AbortSignal) {
  const base = url.replace(/\/+$/, "");
  try {
    return await ask(`${base}${path}`, {
      headers: { Accept: "application/json", ...(key !== undefined && { Authorization: `Bearer ${key}` }) },
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestFailure({
      code: "unreachable",
      message: `${base} cannot be reached.`,
      fix: "Start it with dossier serve, and check the address.",
      cause: error,
    });
  }
}

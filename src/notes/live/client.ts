import { DossierError } from "../../errors.ts";
import { liveAddress } from "../../workspace/config/live-address.ts";
import {
  isNodeId,
  type LiveHit,
  type LiveNode,
  type LiveWorkspace,
  readHealth,
  readHits,
  readNode,
  readPage,
  readTag,
  readWorkspaces,
} from "./api-responses.ts";
import { type GetOptions, missing, openRequests } from "./requests.ts";
import { readTagSchema, type TagSchema } from "./tag-schema.ts";

export type LiveOptions = {
  url: string;
  token: string;
  /** Name of the token's environment variable, for error messages. */
  tokenVariable: string;
  /** Id or name of the one workspace to search; all of them when absent. */
  workspace?: string;
  /** Time limit of an answer, milliseconds. */
  timeout?: number;
};

/** Conditions of the search API; each is about a node's name, type or time. */
export type LiveQuery =
  | { textContains: string }
  | { edited: { /** Seconds since 1970, unlike every other time here. */ since: number } }
  | { and: LiveQuery[] }
  | { or: LiveQuery[] };

/**
 * The Local API of Tana Desktop, read-only. Every failure is a DossierError: `live-refused` for the token,
 * `interrupted` for the caller's signal, `live-unavailable` for everything else. At most six requests run at once.
 */
export type LiveClient = {
  readonly url: string;
  /** Number of HTTP requests so far, retries included. */
  asked(): number;
  /** Whether Tana runs and has loaded its graph; asked once, without the token. */
  health(within: number, signal?: AbortSignal): Promise<"ready" | "loading">;
  workspaces(signal?: AbortSignal): Promise<LiveWorkspace[]>;
  search(query: LiveQuery, options?: { limit?: number; signal?: AbortSignal }): Promise<LiveHit[]>;
  /** Undefined when the node does not exist. A node in the trash is still returned. */
  node(id: string, options?: { depth?: number; signal?: AbortSignal }): Promise<LiveNode | undefined>;
  /** The parents of a tag, and the types of its fields. Undefined when the tag does not exist. */
  tagSchema(id: string, signal?: AbortSignal): Promise<TagSchema | undefined>;
  /** In order, page by page; `complete` when there are no more than `most`. Undefined when the node does not exist. */
  children(id: string, options?: { most?: number; signal?: AbortSignal }): Promise<LiveChildren | undefined>;
};

export type LiveChildren = { children: LiveHit[]; complete: boolean };

/** Limits of the API. */
const searchLimit = 100;
const pageLimit = 200;
const usualChildren = 600;

/** Throws `bad-input` for an address that is invalid or not local, and for an invalid token. */
export function openClient(options: LiveOptions): LiveClient {
  const { tokenVariable, timeout } = options;
  const address = liveAddress(options.url);
  const token = options.token.trim();
  // An error of fetch would print the token.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new DossierError(
      "bad-input",
      `What ${tokenVariable} holds cannot be a token: it is empty or has blanks inside.`,
    );
  }
  const requests = openRequests({ address, token, tokenVariable, timeout });
  let searched: Promise<LiveWorkspace | undefined> | undefined;

  async function get<Shape>(
    path: string,
    expected: string,
    parse: (json: unknown) => Shape | undefined,
    options: GetOptions,
  ) {
    const json = await requests.get(path, options);
    if (json === missing) return undefined;
    const shape = parse(json);
    if (shape === undefined)
      throw unexpectedAnswer(`GET ${path.split("/", 2).join("/")} with something else than ${expected}`);
    return shape;
  }

  const unexpectedAnswer = (answer: string) =>
    new DossierError("live-unavailable", `Tana's Local API at ${address} answered ${answer}.`);

  async function required<Shape>(answer: Promise<Shape | undefined>, path: string): Promise<Shape> {
    const shape = await answer;
    if (shape === undefined) throw unexpectedAnswer(`${path} with status 404: another program may listen there`);
    return shape;
  }

  const client: LiveClient = {
    url: address,
    asked: requests.sent,
    health: (within, signal) =>
      required(get("/health", "its health", readHealth, { openWithin: within, signal }), "GET /health"),
    workspaces: (signal) =>
      required(get("/workspaces", "a list of workspaces", readWorkspaces, { signal }), "GET /workspaces"),
    async search(query, { limit = searchLimit, signal } = {}) {
      const parameters = new URLSearchParams();
      addDeep(parameters, "query", query);
      const workspace = await configuredWorkspace(signal);
      if (workspace) parameters.set("workspaceIds[0]", workspace.id);
      const most = Math.min(limit, searchLimit);
      parameters.set("limit", String(most));
      const parse = (json: unknown) => readHits(json, most);
      return required(get("/nodes/search", "a list of nodes", parse, { parameters, signal }), "GET /nodes/search");
    },
    async node(id, { depth = 1, signal } = {}) {
      if (!isNodeId(id)) return undefined;
      const parameters = new URLSearchParams({ maxDepth: String(depth) });
      return get(`/nodes/${id}`, "a node", readNode, { parameters, signal });
    },
    async tagSchema(id, signal) {
      if (!isNodeId(id)) return undefined;
      const parameters = new URLSearchParams({ includeEditInstructions: "false", includeInheritedFields: "true" });
      const markdown = await get(`/tags/${id}/schema`, "a tag", readTag, { parameters, signal });
      return markdown === undefined ? undefined : readTagSchema(markdown);
    },
    async children(id, { most = usualChildren, signal } = {}) {
      if (!isNodeId(id)) return undefined;
      const children = new Map<string, LiveHit>();
      for (let offset = 0; ; ) {
        const limit = Math.min(pageLimit, most - offset);
        const parameters = new URLSearchParams({ limit: String(limit), offset: String(offset) });
        const parse = (json: unknown) => readPage(json, limit);
        const page = await get(`/nodes/${id}/children`, "a page of children", parse, { parameters, signal });
        if (!page) return undefined;
        const before = children.size;
        for (const child of page.children) children.set(child.id, child);
        offset += limit;
        // A server that reports more pages for ever without new children must not be asked for ever.
        const more = page.hasMore && children.size > before;
        if (!more || offset >= most) return { children: [...children.values()], complete: !page.hasMore };
      }
    },
  };

  /** The configured workspace by id or by name, looked up once; a failure is not cached. */
  function configuredWorkspace(signal: AbortSignal | undefined): Promise<LiveWorkspace | undefined> {
    const { workspace } = options;
    if (workspace === undefined) return Promise.resolve(undefined);
    searched ??= client.workspaces(signal).then(
      (all) => {
        const match =
          all.find(({ id }) => id === workspace) ??
          all.find(({ name }) => name.trim().toLowerCase() === workspace.trim().toLowerCase());
        if (!match)
          throw new DossierError("live-unavailable", `Tana's Local API has no workspace called ${workspace}.`);
        return match;
      },
      (error) => {
        searched = undefined;
        throw error;
      },
    );
    return searched;
  }

  return client;
}

/** `query[and][0][textContains]=x`: a deep object in OpenAPI's terms. */
function addDeep(parameters: URLSearchParams, name: string, value: unknown): void {
  if (typeof value === "object" && value !== null) {
    for (const [key, part] of Object.entries(value)) addDeep(parameters, `${name}[${key}]`, part);
  } else parameters.set(name, String(value));
}

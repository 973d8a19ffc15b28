import { DossierError } from "../../errors.ts";
import { liveAddress } from "../../workspace/config/live-address.ts";
import { type GetOptions, missing, openRequests } from "./requests.ts";
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
} from "./shapes.ts";
import { readTagSchema, type TagSchema } from "./tag-schema.ts";

export type LiveOptions = {
  url: string;
  token: string;
  /** Name of the variable that the token comes from, for sentences. */
  tokenVariable: string;
  /** Id or name of the one workspace to search; all of them without it. */
  workspace?: string;
  /** Milliseconds that an answer may take. */
  timeout?: number;
};

/** What may be asked of the search; every condition is about a node's name, type or time. */
export type LiveQuery =
  | { textContains: string }
  | { edited: { /** Seconds since 1970, unlike every other time here. */ since: number } }
  | { and: LiveQuery[] }
  | { or: LiveQuery[] };

/**
 * The Local API of Tana Desktop, read-only. Every failure is a DossierError: `live-refused` for the token, `interrupted` for the caller's
 * signal, `live-unavailable` for all else. At most six requests are under way at once.
 */
export type LiveClient = {
  readonly url: string;
  /** HTTP requests sent so far, repetitions included. */
  asked(): number;
  /** Whether Tana runs and has its graph at hand; asked once, without the token. */
  health(within: number, signal?: AbortSignal): Promise<"ready" | "loading">;
  workspaces(signal?: AbortSignal): Promise<LiveWorkspace[]>;
  search(query: LiveQuery, options?: { limit?: number; signal?: AbortSignal }): Promise<LiveHit[]>;
  /** Undefined where there is no such node. A node in the trash is still answered. */
  node(id: string, options?: { depth?: number; signal?: AbortSignal }): Promise<LiveNode | undefined>;
  /** What a tag inherits from, and the types of its fields. Undefined where there is no such tag. */
  tagSchema(id: string, signal?: AbortSignal): Promise<TagSchema | undefined>;
  /** In their order, page after page; `complete` when there are no more than `most`. Undefined where there is no such node. */
  children(id: string, options?: { most?: number; signal?: AbortSignal }): Promise<LiveChildren | undefined>;
};

export type LiveChildren = { children: LiveHit[]; complete: boolean };

/** What the API allows at most. */
const searchLimit = 100;
const pageLimit = 200;
const usualChildren = 600;

/** Throws `bad-input` for an address that is none or is elsewhere, and for a token that cannot be one. */
export function openClient(options: LiveOptions): LiveClient {
  const { tokenVariable, timeout } = options;
  const address = liveAddress(options.url);
  const token = options.token.trim();
  // The message of fetch would print it.
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
    what: string,
    read: (json: unknown) => Shape | undefined,
    options: GetOptions,
  ) {
    const json = await requests.get(path, options);
    if (json === missing) return undefined;
    const shape = read(json);
    if (shape === undefined) throw odd(`GET ${path.split("/", 2).join("/")} with something else than ${what}`);
    return shape;
  }

  const odd = (what: string) =>
    new DossierError("live-unavailable", `Tana's Local API at ${address} answered ${what}.`);

  async function required<Shape>(answer: Promise<Shape | undefined>, path: string): Promise<Shape> {
    const shape = await answer;
    if (shape === undefined) throw odd(`${path} with status 404: another program may listen there`);
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
      const workspace = await theWorkspace(signal);
      if (workspace) parameters.set("workspaceIds[0]", workspace.id);
      const most = Math.min(limit, searchLimit);
      parameters.set("limit", String(most));
      const read = (json: unknown) => readHits(json, most);
      return required(get("/nodes/search", "a list of nodes", read, { parameters, signal }), "GET /nodes/search");
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
        const read = (json: unknown) => readPage(json, limit);
        const page = await get(`/nodes/${id}/children`, "a page of children", read, { parameters, signal });
        if (!page) return undefined;
        const before = children.size;
        for (const child of page.children) children.set(child.id, child);
        offset += limit;
        // A page that says "more" for ever while it tells nothing new would be asked for ever.
        const more = page.hasMore && children.size > before;
        if (!more || offset >= most) return { children: [...children.values()], complete: !page.hasMore };
      }
    },
  };

  /** The workspace of the options by id or by name, looked up once; a failure is not remembered. */
  function theWorkspace(signal: AbortSignal | undefined): Promise<LiveWorkspace | undefined> {
    const { workspace } = options;
    if (workspace === undefined) return Promise.resolve(undefined);
    searched ??= client.workspaces(signal).then(
      (all) => {
        const found =
          all.find(({ id }) => id === workspace) ??
          all.find(({ name }) => name.trim().toLowerCase() === workspace.trim().toLowerCase());
        if (!found)
          throw new DossierError("live-unavailable", `Tana's Local API has no workspace called ${workspace}.`);
        return found;
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

/** `query[and][0][textContains]=x`: how OpenAPI calls a deep object. */
function addDeep(parameters: URLSearchParams, name: string, value: unknown): void {
  if (typeof value === "object" && value !== null) {
    for (const [key, part] of Object.entries(value)) addDeep(parameters, `${name}[${key}]`, part);
  } else parameters.set(name, String(value));
}

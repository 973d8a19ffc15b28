import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/**
 * A stand-in for the Local API of Tana Desktop, over real HTTP on this machine: the documented endpoints for reading,
 * answered from a small graph in memory, and switches for everything that can go wrong. A test double: it is only as
 * right as the API's public description.
 */
export type TanaApi = {
  url: string;
  token: string;
  /** May be changed at any time. */
  nodes: Map<string, TanaNode>;
  /** By the name of a tag: names of those that it extends, and what the API writes for the types of its fields. */
  schemas: Map<string, { extends?: string[]; fields?: Record<string, string> }>;
  behaviour: Behaviour;
  /** Every request so far: its path with query, decoded. */
  requests: string[];
  /** Most requests that were under way at once. */
  mostAtOnce(): number;
  close(): Promise<void>;
};

export type TanaNode = {
  id: string;
  /** HTML, as Tana keeps it. */
  name: string;
  description?: string;
  tags?: string[];
  fields?: Record<string, TanaValue[]>;
  /** Ids of what it owns, and of what it lists and others own. */
  children?: string[];
  listed?: string[];
  docType?: string;
  /** Milliseconds. */
  created?: number;
  edited?: number;
  done?: boolean;
  inTrash?: boolean;
  workspace?: string;
};

/** Text, text with a node of its own, or a node that is linked. */
type TanaValue = string | { text: string; id: string } | { link: string };

type Behaviour = {
  /** Paths that misbehave; without it all but /health. */
  on?: RegExp;
  /** Answers this status so many times, and then as it should. */
  fail?: { status: number; times: number };
  /** Breaks the connection so many times. */
  reset?: number;
  /** Milliseconds before an answer. */
  delay?: number;
  hang?: boolean;
  /** Sends this instead, as it is. */
  body?: string;
  /** Sends this instead, as JSON. */
  json?: unknown;
  /** Sends this many bytes of JSON. */
  bytes?: number;
  redirect?: string;
};

const workspaces = [
  { id: "wsMainAAAAAA", name: "Main", homeNodeId: "homeMainAAAA" },
  { id: "wsSideBBBBBB", name: "Side project", homeNodeId: "homeSideBBBB" },
];

export async function startTanaApi(nodes: TanaNode[], token = "a-token-of-tests"): Promise<TanaApi> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const schemas: TanaApi["schemas"] = new Map();
  const behaviour: Behaviour = {};
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let now = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++now);
    response.once("close", () => now--);
    const url = new URL(request.url ?? "/", "http://tana");
    requests.push(decodeURIComponent(`${url.pathname}${url.search}`));
    if (await misbehave(behaviour, url.pathname, request, response)) return;
    if (url.pathname !== "/health" && request.headers.authorization !== `Bearer ${token}`) {
      return send(response, 401, { error: "Unauthorized" });
    }
    const { status, json } = answer(byId, schemas, url);
    send(response, status, json);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    nodes: byId,
    schemas,
    behaviour,
    requests,
    mostAtOnce: () => most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Whether the request has had its answer, such as it is. */
async function misbehave(
  behaviour: Behaviour,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (!(behaviour.on ? behaviour.on.test(path) : path !== "/health")) return false;
  if (behaviour.delay) await new Promise((resolve) => setTimeout(resolve, behaviour.delay));
  if (behaviour.hang) return true;
  if (behaviour.reset) {
    behaviour.reset--;
    request.socket.resetAndDestroy();
    return true;
  }
  if (behaviour.fail && behaviour.fail.times > 0) {
    behaviour.fail.times--;
    send(response, behaviour.fail.status, { error: "as told" });
  } else if (behaviour.redirect) response.writeHead(302, { location: behaviour.redirect }).end();
  else if (behaviour.bytes) response.writeHead(200).end(`["${"x".repeat(behaviour.bytes)}"]`);
  else if (behaviour.body !== undefined)
    response.writeHead(200, { "content-type": "application/json" }).end(behaviour.body);
  else if ("json" in behaviour) send(response, 200, behaviour.json);
  else return false;
  return true;
}

function send(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

type Reply = { status: number; json: unknown };
const ok = (json: unknown): Reply => ({ status: 200, json });
const bad = (error: string): Reply => ({ status: 400, json: { error } });
const none: Reply = { status: 404, json: { error: "Not found" } };

function answer(nodes: Map<string, TanaNode>, schemas: TanaApi["schemas"], { pathname, searchParams }: URL): Reply {
  if (pathname === "/health") return ok({ status: "ok", timestamp: new Date(0).toISOString(), nodeSpaceReady: true });
  if (pathname === "/workspaces") return ok(workspaces);
  if (pathname === "/nodes/search") return search(nodes, searchParams);
  const [, room, id = "", part] = pathname.split("/").map(decodeURIComponent);
  if (room === "workspaces" && part === "tags") return ok(tagsOf(nodes));
  if (room === "tags" && part === "schema") return ok({ markdown: schemaOf(id, schemas) });
  const node = nodes.get(id);
  if (room !== "nodes" || !node) return none;
  if (part === "children") return children(nodes, node, searchParams);
  const depth = Number(searchParams.get("maxDepth") ?? 1);
  if (!(depth >= 0 && depth <= 10)) return bad("maxDepth");
  return ok({ markdown: outline(nodes, node, depth), name: node.name, description: node.description ?? null });
}

function schemaOf(id: string, schemas: TanaApi["schemas"]): string {
  const [name = id, schema = {}] = [...schemas].find(([each]) => tagId(each) === id) ?? [];
  const above = (schema.extends ?? []).map((each) => `#${each} (id:${tagId(each)})`).join(", ");
  const fields = Object.entries(schema.fields ?? {}).map(
    ([field, type]) => `- **${field}** (id:f-${field.length}):: ${type}`,
  );
  const head = [`# Tag definition: ${name} (id:${id})`, ...(above === "" ? [] : [`Extends ${above}`])];
  return [...head, "", "## Template Fields", ...fields].join("\n");
}

/** Names of what owns a node, from the top. */
function breadcrumbOf(nodes: Map<string, TanaNode>, { id }: TanaNode): string[] {
  const names: string[] = [];
  const owner = (below: string) => [...nodes.values()].find(({ children = [] }) => children.includes(below));
  for (let at = owner(id); at && names.length < 20; at = owner(at.id)) names.unshift(at.name);
  return ["Main", ...names];
}

function tagsOf(nodes: Map<string, TanaNode>): { id: string; name: string }[] {
  const names = new Set([...nodes.values()].flatMap(({ tags = [] }) => tags));
  return [...names].map((name) => ({ id: tagId(name), name }));
}

function search(nodes: Map<string, TanaNode>, parameters: URLSearchParams): Reply {
  const limit = Number(parameters.get("limit") ?? 50);
  if (!(limit >= 1 && limit <= 100)) return bad("limit");
  const query = deepObject(parameters, "query");
  if (query === undefined) return bad("query");
  const workspace = parameters.get("workspaceIds[0]");
  const hits: TanaNode[] = [];
  for (const node of nodes.values()) {
    const matches = meets(node, query);
    if (matches === undefined) return bad("condition");
    if (matches && (!workspace || (node.workspace ?? workspaces[0]!.id) === workspace)) hits.push(node);
  }
  return ok(
    hits.slice(0, limit).map((node) => ({
      ...hit(node),
      breadcrumb: breadcrumbOf(nodes, node),
      workspaceId: node.workspace ?? workspaces[0]!.id,
    })),
  );
}

/** Undefined for a condition that it does not know. */
function meets(node: TanaNode, query: unknown): boolean | undefined {
  const [entry] = Object.entries(query as Record<string, unknown>);
  if (!entry) return undefined;
  const [name, value] = entry;
  const parts = () => Object.values(value as Record<string, unknown>).map((each) => meets(node, each));
  switch (name) {
    case "textContains":
      return node.name.toLowerCase().includes(String(value).toLowerCase());
    case "and":
      return parts().includes(undefined) ? undefined : parts().every(Boolean);
    case "or":
      return parts().includes(undefined) ? undefined : parts().some(Boolean);
    case "edited": {
      // In seconds, whatever its description says.
      const since = Number((value as { since?: string }).since);
      return since > 0 ? (node.edited ?? node.created ?? 0) >= since * 1000 : undefined;
    }
    default:
      return undefined;
  }
}

/** `query[and][0][textContains]=x` as an object. */
function deepObject(parameters: URLSearchParams, name: string): object | undefined {
  const root: Record<string, unknown> = {};
  for (const [key, value] of parameters) {
    if (!key.startsWith(`${name}[`)) continue;
    const way = [...key.matchAll(/\[([^\]]*)\]/g)].map(([, step]) => step!);
    let at = root;
    for (const step of way.slice(0, -1)) at = (at[step] ??= {}) as Record<string, unknown>;
    at[way.at(-1)!] = value;
  }
  return Object.keys(root).length > 0 ? root : undefined;
}

/** Fields are tuples among the children, as they are in Tana. */
function children(nodes: Map<string, TanaNode>, node: TanaNode, parameters: URLSearchParams): Reply {
  const limit = Number(parameters.get("limit") ?? 100);
  const offset = Number(parameters.get("offset") ?? 0);
  if (!(limit >= 1 && limit <= 200) || !(offset >= 0)) return bad("limit");
  const tuples = Object.keys(node.fields ?? {}).map((_, at) =>
    hit({ id: `${node.id}-f${at}`, name: "", docType: "tuple" }),
  );
  const below = [...(node.children ?? []), ...(node.listed ?? [])].flatMap((id) => nodes.get(id) ?? []);
  const all = [...tuples, ...below.map(hit)];
  return ok({ children: all.slice(offset, offset + limit), total: all.length, hasMore: offset + limit < all.length });
}

function hit({
  id,
  name,
  tags = [],
  description,
  docType = "node",
  created = 0,
  inTrash = false,
  children = [],
}: TanaNode) {
  return {
    id,
    name,
    tags: tags.map((tag) => ({ id: tagId(tag), name: tag })),
    tagIds: tags.map(tagId),
    childCount: children.length,
    docType,
    ...(description === undefined ? {} : { description }),
    created: new Date(created).toISOString(),
    inTrash,
  };
}

function tagId(name: string): string {
  return `tag-${name.replace(/\W/g, "-")}`;
}

/**
 * The outline of a node: bullets two blanks deeper for each step, ids in comments, fields in bold, mentions as links.
 */
function outline(nodes: Map<string, TanaNode>, node: TanaNode, depth: number): string {
  const lines: string[] = [];
  const waiting: { node: TanaNode; level: number }[] = [{ node, level: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node: current, level } = next;
    const indent = "  ".repeat(level);
    const box = current.done === undefined ? "" : current.done ? "[x] " : "[ ] ";
    lines.push(`${indent}- ${box}${titled(nodes, current)} <!-- node-id: ${current.id} -->`);
    for (const [name, values] of Object.entries(current.fields ?? {})) {
      const written = values.map((value) => shown(nodes, value));
      if (written.length === 1) lines.push(`${indent}  - **${name}**: ${written[0]}`);
      else lines.push(`${indent}  - **${name}**:`, ...written.map((value) => `${indent}    - ${value}`));
    }
    if (level >= depth) continue;
    for (const id of current.listed ?? []) lines.push(`${indent}  - ${link(nodes, id)}`);
    const below = (current.children ?? []).flatMap((id) => nodes.get(id) ?? []);
    for (const child of below.toReversed()) if (!child.inTrash) waiting.push({ node: child, level: level + 1 });
  }
  return `${lines.join("\n")}\n`;
}

function titled(nodes: Map<string, TanaNode>, { name, tags = [] }: TanaNode): string {
  const text = name.replace(/<span data-inlineref-node="([^"]*)"><\/span>/g, (_, id: string) => link(nodes, id));
  return [text, ...tags.map((tag) => `#${tag.replace(/\s/g, "_")}`)].join(" ");
}

function link(nodes: Map<string, TanaNode>, id: string): string {
  const node = nodes.get(id);
  return `[${node ? titled(nodes, { ...node, name: node.name.replace(/<[^>]*>/g, "") }) : id}](tana:${id})`;
}

function shown(nodes: Map<string, TanaNode>, value: TanaValue): string {
  if (typeof value === "string") return value;
  return "link" in value ? link(nodes, value.link) : `${value.text} <!-- node-id: ${value.id} -->`;
}

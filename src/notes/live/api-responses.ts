import { isObject } from "../../text/json/is-object.ts";
/** The answers of the Local API, validated: unknown parts are ignored, and entries without a usable id are dropped. */

/** A node as searches and lists return it. */
export type LiveHit = {
  id: string;
  /** HTML, as Tana stores it. */
  name: string;
  description?: string;
  /** Names of its supertags, and those with an id. */
  tags: string[];
  tagged: LiveTag[];
  /** Names of its ancestors, from the top. */
  breadcrumb: string[];
  docType: string;
  /** Milliseconds since 1970. */
  created?: number;
  inTrash: boolean;
};

export type LiveTag = { id: string; name: string };

/** A node's outline. `description`: null when there is none, absent when the API does not say. */
export type LiveNode = { markdown: string; name?: string; description?: string | null };

export type LivePage = { children: LiveHit[]; hasMore: boolean };

export type LiveWorkspace = { id: string; name: string };

/** Tana's ids, long enough for `{workspace}_CAPTURE_INBOX`. Nothing else from an answer ever becomes part of a path. */
const idShape = /^[\w-]{1,80}$/;

export function isNodeId(text: unknown): text is string {
  return typeof text === "string" && idShape.test(text);
}

export function readHits(json: unknown, most: number): LiveHit[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const hits: LiveHit[] = [];
  for (const entry of json.slice(0, most)) {
    const hit = readHit(entry);
    if (hit) hits.push(hit);
  }
  return hits;
}

function readHit(json: unknown): LiveHit | undefined {
  if (!isObject(json) || !isNodeId(json.id)) return undefined;
  const created = readTime(json.created);
  return {
    id: json.id,
    name: typeof json.name === "string" ? json.name : "",
    ...(typeof json.description === "string" ? { description: json.description } : {}),
    tags: listOf(json.tags).flatMap((tag) => (isObject(tag) && typeof tag.name === "string" ? [tag.name.trim()] : [])),
    tagged: listOf(json.tags).flatMap((tag) =>
      isObject(tag) && isNodeId(tag.id) && typeof tag.name === "string" ? [{ id: tag.id, name: tag.name.trim() }] : [],
    ),
    breadcrumb: listOf(json.breadcrumb).filter((name) => typeof name === "string"),
    docType: typeof json.docType === "string" ? json.docType : "",
    ...(created === undefined ? {} : { created }),
    inTrash: json.inTrash === true,
  };
}

export function readNode(json: unknown): LiveNode | undefined {
  if (!isObject(json) || typeof json.markdown !== "string") return undefined;
  const { markdown, name, description } = json;
  return {
    markdown,
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof description === "string" || description === null ? { description } : {}),
  };
}

/** The description of a tag, in Markdown. */
export function readTag(json: unknown): string | undefined {
  return isObject(json) && typeof json.markdown === "string" ? json.markdown : undefined;
}

export function readPage(json: unknown, most: number): LivePage | undefined {
  const children = isObject(json) ? readHits(json.children, most) : undefined;
  return children && { children, hasMore: (json as Record<string, unknown>).hasMore === true };
}

export function readWorkspaces(json: unknown): LiveWorkspace[] | undefined {
  if (!Array.isArray(json)) return undefined;
  return json.flatMap((entry) =>
    isObject(entry) && isNodeId(entry.id)
      ? [{ id: entry.id, name: typeof entry.name === "string" ? entry.name : "" }]
      : [],
  );
}

/** Tana may run while its graph is still loading. */
export function readHealth(json: unknown): "ready" | "loading" | undefined {
  if (!isObject(json) || (json.status !== "ok" && json.status !== "degraded")) return undefined;
  return json.status === "ok" && json.nodeSpaceReady !== false ? "ready" : "loading";
}

function readTime(json: unknown): number | undefined {
  const time = typeof json === "number" ? json : typeof json === "string" ? Date.parse(json) : Number.NaN;
  return Number.isFinite(time) && time > 0 ? time : undefined;
}

function listOf(json: unknown): unknown[] {
  return Array.isArray(json) ? json : [];
}

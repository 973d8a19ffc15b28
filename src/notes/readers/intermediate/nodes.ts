import { hashText } from "../../../text/hash.ts";
import { isObject } from "../../../text/json/is-object.ts";

/** The nodes of a file in Tana Intermediate Format, flattened. */
type TifNode = {
  /** Its uid, or one made from its position in the file; unique. */
  key: string;
  name: string;
  description: string;
  type: "node" | "field" | "image" | "codeblock" | "date";
  /** Index of the parent node; -1 at the top. */
  parent: number;
  children: number[];
  refs: string[];
  /** Uids. */
  supertags: string[];
  created?: number;
  changed?: number;
  done?: boolean;
  address?: string;
  language?: string;
  /** For a field without its name: the key of its definition. */
  attribute?: string;
};

export type Tif = {
  nodes: TifNode[];
  /** Nodes by uid; the first of two with the same uid. */
  byUid: Map<string, number>;
  /** Number of entries that are no nodes. */
  unusable: number;
};

export function emptyTif(): Tif {
  return { nodes: [], byUid: new Map(), unusable: 0 };
}

/**
 * Adds a top-level node with all its descendants. `as`: converts each; undefined for one that is no part of the notes.
 */
export function addNode(tif: Tif, value: unknown, place: number, as: (value: unknown) => unknown = same): void {
  const waiting: { value: unknown; parent: number; place: number }[] = [{ value, parent: -1, place }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { parent } = next;
    const node = as(next.value);
    if (!isObject(node)) {
      if (node !== undefined) tif.unusable++;
      continue;
    }
    const index = tif.nodes.length;
    tif.nodes.push(nodeOf(tif, node, parent, next.place));
    const alias = textOf(node.alias);
    if (alias !== "" && !tif.byUid.has(alias)) tif.byUid.set(alias, index);
    if (parent >= 0) tif.nodes[parent]!.children.push(index);
    const children = Array.isArray(node.children) ? node.children : [];
    // Pushed in reverse, so that nodes come in file order.
    for (let at = children.length - 1; at >= 0; at--) waiting.push({ value: children[at], parent: index, place: at });
  }
}

const same = (value: unknown) => value;

function nodeOf(tif: Tif, node: Record<string, unknown>, parent: number, place: number): TifNode {
  const above = parent < 0 ? "" : tif.nodes[parent]!.key;
  const uid = textOf(node.uid);
  const isFirst = uid !== "" && !tif.byUid.has(uid);
  let key = isFirst ? uid : `~${hashText(`${above}/${place}`)}`;
  while (!isFirst && tif.byUid.has(key)) key += "'";
  tif.byUid.set(key, tif.nodes.length);
  const state = node.todoState;
  const [created, changed] = [timeOf(node.createdAt), timeOf(node.editedAt)];
  const [address, language] = [textOf(node.mediaUrl), textOf(node.codeLanguage)];
  return {
    key,
    name: textOf(node.name),
    description: textOf(node.description),
    type: isType(node.type) ? node.type : "node",
    parent,
    children: [],
    refs: listOf(node.refs),
    supertags: listOf(node.supertags),
    ...(created > 0 && { created }),
    ...(changed > 0 && { changed }),
    ...((state === "todo" || state === "done") && { done: state === "done" }),
    ...(address !== "" && { address }),
    ...(language !== "" && { language }),
    ...(textOf(node.attribute) !== "" && { attribute: textOf(node.attribute) }),
  };
}

const types: readonly unknown[] = ["node", "field", "image", "codeblock", "date"];

function isType(value: unknown): value is TifNode["type"] {
  return types.includes(value);
}

/** Names and uids may be numbers. */
export function textOf(value: unknown): string {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : "";
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== "") : [];
}

function timeOf(value: unknown): number {
  return typeof value === "number" && value > 0 && value <= 8.64e15 ? Math.floor(value) : 0;
}

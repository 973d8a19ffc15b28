import { isObject } from "../../../text/json/is-object.ts";
/**
 * The docs of a Tana export in compact form: ids are numbers from 0, and each column has one entry per id. Ids that are
 * only mentioned have a number too, so that data about a note outside the export is not lost.
 */
export type Docs = {
  ids: string[];
  numbers: Map<string, number>;
  kind: DocKind[];
  name: (string | undefined)[];
  description: (string | undefined)[];
  /** Numbers of the owner and of the metanode; -1 for none. */
  owner: number[];
  metanode: number[];
  children: (readonly number[])[];
  /** Milliseconds since 1970; 0 for unknown. */
  created: number[];
  changed: number[];
  done: (boolean | undefined)[];
  /** Number of docs added, and of entries that are no docs. */
  added: number;
  unusable: number;
};

/** The kind that a doc states itself. `missing`: only mentioned. `machinery`: views, commands, settings. */
type DocKind = "plain" | "code" | "tuple" | "metanode" | "definition" | "machinery" | "missing";

const kinds = new Map<unknown, DocKind>([
  ["tuple", "tuple"],
  ["metanode", "metanode"],
  ["attrDef", "definition"],
  ["tagDef", "definition"],
  ["viewDef", "machinery"],
  ["associatedData", "machinery"],
  ["command", "machinery"],
  ["workspace", "machinery"],
  ["settings", "machinery"],
  ["codeblock", "code"],
]);

const none: readonly number[] = [];

export function emptyDocs(): Docs {
  return {
    ids: [],
    numbers: new Map(),
    kind: [],
    name: [],
    description: [],
    owner: [],
    metanode: [],
    children: [],
    created: [],
    changed: [],
    done: [],
    added: 0,
    unusable: 0,
  };
}

/** Adds a doc of the export; the last of two with the same id counts. */
export function addDoc(docs: Docs, doc: unknown): void {
  const id = isObject(doc) ? idOf(doc.id) : undefined;
  if (!isObject(doc) || id === undefined) {
    docs.unusable++;
    return;
  }
  const props = isObject(doc.props) ? doc.props : {};
  const number = numberOf(docs, id);
  docs.kind[number] = id.startsWith("SYS_") ? "machinery" : (kinds.get(props._docType) ?? "plain");
  docs.name[number] = textOf(props.name);
  docs.description[number] = textOf(props.description);
  docs.owner[number] = mentioned(docs, props._ownerId);
  docs.metanode[number] = mentioned(docs, props._metaNodeId);
  docs.children[number] = childrenOf(docs, doc.children);
  docs.created[number] = timeOf(props.created);
  docs.changed[number] = latest(doc.modifiedTs);
  docs.done[number] = doneOf(props._done ?? props.done);
  docs.added++;
}

export function numberOf(docs: Docs, id: string): number {
  const existing = docs.numbers.get(id);
  if (existing !== undefined) return existing;
  const number = docs.ids.length;
  docs.numbers.set(id, number);
  docs.ids.push(id);
  docs.kind.push("missing");
  docs.name.push(undefined);
  docs.description.push(undefined);
  docs.owner.push(-1);
  docs.metanode.push(-1);
  docs.children.push(none);
  docs.created.push(0);
  docs.changed.push(0);
  docs.done.push(undefined);
  return number;
}

export function isSystem(docs: Docs, number: number): boolean {
  return docs.ids[number]!.startsWith("SYS_");
}

function mentioned(docs: Docs, id: unknown): number {
  const text = idOf(id);
  return text === undefined ? -1 : numberOf(docs, text);
}

function childrenOf(docs: Docs, value: unknown): readonly number[] {
  const list = listOf(value);
  if (list.length === 0) return none;
  const numbers: number[] = [];
  for (const each of list) {
    const id = idOf(each);
    if (id !== undefined) numbers.push(numberOf(docs, id));
  }
  return numbers;
}

/** Numbers are accepted, since some tools write ids as numbers. */
function idOf(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  return typeof value === "number" ? String(value) : undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An array, or a string that contains one. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string" || !value.startsWith("[")) return [];
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function latest(value: unknown): number {
  let time = 0;
  for (const each of listOf(value)) time = Math.max(time, timeOf(each));
  return time;
}

/** The largest time of a Date. */
const endOfTime = 8.64e15;

function timeOf(value: unknown): number {
  const time = typeof value === "string" ? Number(value) : value;
  return typeof time === "number" && time > 0 && time <= endOfTime ? Math.floor(time) : 0;
}

/** A time, or a boolean; 0 is an unticked checkbox. */
function doneOf(value: unknown): boolean | undefined {
  return typeof value === "boolean" || typeof value === "number" ? Boolean(value) : undefined;
}

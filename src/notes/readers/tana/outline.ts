import { type Docs, isSystem } from "./docs.ts";
import { mentionsIn } from "./names.ts";
import { parts, systemFields } from "./system.ts";
import { isMetanode, type Statements } from "./tuples.ts";

/** Which docs are notes, and their hierarchy. One entry for each number. */
export type TanaOutline = {
  isNote: Uint8Array;
  /** Number of the nearest note above it; -1 for none. */
  parent: Int32Array;
  /** Position among the notes below its parent; -1 where the export does not say. */
  order: Int32Array;
  /** In the trash or below it. */
  inTrash(number: number): boolean;
  /** Neither owned, listed nor mentioned anywhere. */
  isLoose(number: number): boolean;
};

/** The region of a doc: the maximum of its own and its owner's. */
const content = 0;
const system = 1;
const trash = 2;
type Standing = typeof content | typeof system | typeof trash;

/** A tuple with an ordinary note as label and more children than this is a pasted outline, not a field. */
const mostValues = 50;

export function outlineOf(docs: Docs, statements: Statements): TanaOutline {
  const downwards = ownersFirst(docs);
  const containers = containersOf(docs);
  const regions = regionsOf(docs, statements, containers, downwards);
  const isReferenced = referencedDocs(docs, regions);
  const isNote = notesAmong(docs, statements, containers, regions, isReferenced);
  const { length } = docs.ids;

  const nearest = new Int32Array(length).fill(-1);
  const parent = new Int32Array(length).fill(-1);
  for (const number of downwards) {
    const owner = docs.owner[number]!;
    if (owner >= 0) parent[number] = nearest[owner]!;
    nearest[number] = isNote[number] ? number : parent[number]!;
  }
  return {
    isNote,
    parent,
    order: placesOf(docs, isNote),
    inTrash: (number) => regions[number] === trash,
    isLoose(number) {
      const owner = docs.owner[number]!;
      const isOwned = owner >= 0 && (docs.kind[owner] !== "missing" || containers.has(owner));
      return !isOwned && isReferenced[number] === 0;
    },
  };
}

/** Every number after its owner. A cycle of owners is cut at the first of them, which inherits nothing. */
function ownersFirst(docs: Docs): Int32Array {
  const { length } = docs.ids;
  const sorted = new Int32Array(length);
  const isSeen = new Uint8Array(length);
  let count = 0;
  const way: number[] = [];
  for (let start = 0; start < length; start++) {
    let number = start;
    while (number >= 0 && isSeen[number] === 0) {
      isSeen[number] = 1;
      way.push(number);
      number = docs.owner[number]!;
    }
    while (way.length > 0) sorted[count++] = way.pop()!;
  }
  return sorted;
}

/** The parts of a workspace (library, inbox, schema, trash), and the workspace itself. */
function containersOf(docs: Docs): Map<number, Standing> {
  const containers = new Map<number, Standing>();
  for (let number = 0; number < docs.ids.length; number++) {
    const id = docs.ids[number]!;
    if (!id.includes("_") || id.startsWith("SYS_")) continue;
    const owner = docs.owner[number]!;
    const workspace = owner < 0 ? undefined : docs.ids[owner]!;
    if (workspace !== undefined && !id.startsWith(`${workspace}_`)) continue;
    const part = workspace === undefined ? partOfId(id) : id.slice(workspace.length + 1);
    if (part === undefined || !/^[A-Z]+(?:_[A-Z]+)*$/.test(part)) continue;
    const holds = parts.get(part);
    containers.set(number, holds === "trash" ? trash : holds === "system" ? system : content);
    if (workspace !== undefined) containers.set(owner, content);
  }
  return containers;
}

/** Without an owner to compare with, only listed parts count: other ids may end in capitals too. */
function partOfId(id: string): string | undefined {
  return [...parts.keys()].find((part) => id.endsWith(`_${part}`) && id.length > part.length + 8);
}

function regionsOf(
  docs: Docs,
  statements: Statements,
  containers: Map<number, Standing>,
  downwards: Int32Array,
): Uint8Array {
  const regions = new Uint8Array(docs.ids.length);
  for (const number of downwards) {
    const owner = ownerOf(docs, number);
    const above = owner < 0 ? content : regions[owner]!;
    const kind = docs.kind[number]!;
    const isOutside =
      kind === "machinery" ||
      statements.definitions.has(number) ||
      isMetanode(docs, number) ||
      (kind === "missing" && isSystem(docs, number));
    const own = containers.get(number) ?? (isOutside ? system : content);
    regions[number] = Math.max(above, own);
  }
  return regions;
}

/** A field that Tana stores in the metanode still belongs to the note: notes of a meeting are content. */
function ownerOf(docs: Docs, number: number): number {
  const owner = docs.owner[number]!;
  const isField = docs.kind[number] === "tuple" && systemFields.has(docs.ids[docs.children[number]![0] ?? -1] ?? "");
  return owner >= 0 && isField && isMetanode(docs, owner) ? docs.owner[owner]! : owner;
}

/** Docs that content lists without owning them, or mentions. */
function referencedDocs(docs: Docs, regions: Uint8Array): Uint8Array {
  const isReferenced = new Uint8Array(docs.ids.length);
  for (let number = 0; number < docs.ids.length; number++) {
    if (regions[number] !== content) continue;
    for (const child of docs.children[number]!) if (docs.owner[child] !== number) isReferenced[child] = 1;
    for (const html of [docs.name[number], docs.description[number]]) {
      for (const id of mentionsIn(html).ids) {
        const target = docs.numbers.get(id);
        if (target !== undefined && target !== number) isReferenced[target] = 1;
      }
    }
  }
  return isReferenced;
}

function notesAmong(
  docs: Docs,
  statements: Statements,
  containers: Map<number, Standing>,
  regions: Uint8Array,
  isReferenced: Uint8Array,
): Uint8Array {
  const { length } = docs.ids;
  const owns = new Uint8Array(length);
  for (let number = 0; number < length; number++) {
    const owner = docs.owner[number]!;
    if (owner >= 0 && !isMetanode(docs, number)) owns[owner] = 1;
  }

  const isNote = new Uint8Array(length);
  for (let number = 0; number < length; number++) {
    const kind = docs.kind[number]!;
    if (regions[number] !== content || containers.has(number) || kind === "tuple") continue;
    const isSubject = statements.tags.has(number) || hasField(docs, statements, number);
    const hasOwn = isSubject || owns[number] === 1 || docs.children[number]!.length > 0;
    const hasText = (docs.name[number] ?? "").trim() !== "" || docs.description[number] !== undefined;
    const owner = docs.owner[number]!;
    const isValue = owner >= 0 && docs.kind[owner] === "tuple" && isFieldTuple(docs, statements, owner);
    if (kind === "missing") isNote[number] = isSubject ? 1 : 0;
    else if (isValue) isNote[number] = hasOwn || (hasText && isReferenced[number] === 1) ? 1 : 0;
    else isNote[number] = hasOwn || hasText ? 1 : 0;
  }
  return isNote;
}

function hasField(docs: Docs, statements: Statements, number: number): boolean {
  const tuples = statements.fields.get(number) ?? [];
  return tuples.some((tuple) => isFieldTuple(docs, statements, tuple) && isShownLabel(docs, docs.children[tuple]![0]!));
}

/**
 * Whether the first child is a label and the others are values. Labels of Tana's settings are labels too, but never
 * shown.
 */
export function isFieldTuple(docs: Docs, statements: Statements, tuple: number): boolean {
  const [label] = docs.children[tuple]!;
  if (label === undefined) return false;
  if (isSystem(docs, label) || statements.definitions.has(label) || docs.kind[label] === "missing") return true;
  return docs.name[label] !== undefined && docs.children[tuple]!.length <= mostValues;
}

export function isShownLabel(docs: Docs, label: number): boolean {
  return !isSystem(docs, label) || systemFields.has(docs.ids[label]!);
}

/** Values take the position of their field. */
function placesOf(docs: Docs, isNote: Uint8Array): Int32Array {
  const order = new Int32Array(docs.ids.length).fill(-1);
  for (let number = 0; number < docs.ids.length; number++) {
    if (docs.kind[number] === "tuple") continue;
    let place = 0;
    for (const child of docs.children[number]!) {
      if (docs.owner[child] !== number) continue;
      if (isNote[child] && order[child] === -1) order[child] = place++;
      if (docs.kind[child] !== "tuple") continue;
      for (const value of docs.children[child]!) {
        if (docs.owner[value] === child && isNote[value] && order[value] === -1) order[value] = place++;
      }
    }
  }
  return order;
}

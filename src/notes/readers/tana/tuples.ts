import type { FieldType } from "../../../note.ts";
import type { Docs } from "./docs.ts";
import {
  codeLanguageLabel,
  fieldMarker,
  journalDateLabel,
  mediaLabel,
  supertagMarker,
  systemFields,
  systemTypes,
  tagLabel,
} from "./system.ts";

/** What the tuples of an export state about other docs. All numbers are of docs. */
export type Statements = {
  /** Supertags of a doc, and the parents of a supertag. */
  tags: Map<number, number[]>;
  parents: Map<number, number[]>;
  /** Tuples with fields of a doc, in the order of the export. */
  fields: Map<number, number[]>;
  /** Definitions of supertags and fields, also those that are not marked as such. */
  definitions: Set<number>;
  types: Map<number, FieldType>;
  /** The doc with the value: URL of an image, language of a code block, date of a day's, week's or year's note. */
  media: Map<number, number>;
  languages: Map<number, number>;
  dates: Map<number, number>;
};

export function readTuples(docs: Docs): Statements {
  const statements: Statements = {
    tags: new Map(),
    parents: new Map(),
    fields: new Map(),
    definitions: new Set(),
    types: new Map(),
    media: new Map(),
    languages: new Map(),
    dates: new Map(),
  };
  for (let number = 0; number < docs.ids.length; number++) {
    if (docs.kind[number] === "definition") statements.definitions.add(number);
    if (docs.kind[number] === "tuple" && docs.owner[number]! >= 0) readTuple(docs, number, statements);
  }
  return statements;
}

/** A doc of that kind, or the one that its owner names as its metanode. */
export function isMetanode(docs: Docs, number: number): boolean {
  return docs.kind[number] === "metanode" || docs.metanode[docs.owner[number]!] === number;
}

function readTuple(docs: Docs, tuple: number, statements: Statements): void {
  const owner = docs.owner[tuple]!;
  const ofMetanode = isMetanode(docs, owner);
  const subject = ofMetanode ? docs.owner[owner]! : owner;
  if (subject < 0) return;
  const children = docs.children[tuple]!;
  const ids = children.map((child) => docs.ids[child]!);
  if (ids.includes(tagLabel)) {
    const others = children.filter((_, at) => ids[at] !== tagLabel && ids[at] !== supertagMarker);
    if (ids.includes(supertagMarker)) {
      statements.definitions.add(subject);
      append(statements.parents, subject, others);
    } else if (ids.includes(fieldMarker)) statements.definitions.add(subject);
    else append(statements.tags, subject, others);
    return;
  }
  const [label, value] = children;
  if (label === undefined || value === undefined) return;
  if (ofMetanode) {
    if (ids[0] === mediaLabel) statements.media.set(subject, value);
    else if (ids[0] === codeLanguageLabel) statements.languages.set(subject, value);
    else if (ids[0] === journalDateLabel) statements.dates.set(subject, value);
    else if (systemFields.has(ids[0]!)) append(statements.fields, subject, [tuple]);
    return;
  }
  const type = ids.flatMap((id) => systemTypes.get(id) ?? [])[0];
  if (type !== undefined) statements.types.set(subject, type);
  append(statements.fields, subject, [tuple]);
}

function append(map: Map<number, number[]>, key: number, values: number[]): void {
  const list = map.get(key);
  if (!list) map.set(key, values);
  else for (const value of values) list.push(value);
}

import type { Literal, WalkedUnit } from "./walk-tree.ts";

/** A longer title is a sentence. */
const longestTitle = 100;

/**
 * Adds R's documentation above `NULL` or `"_PACKAGE"`, which describes several functions or none: it is a section,
 * named after its `@name` or its title.
 */
export function withTopics(units: WalkedUnit[], text: string, literals: Literal[]): WalkedUnit[] {
  const all = [...units, ...topicsOf(text, literals)].map((unit, index) => ({ unit, index }));
  all.sort((a, b) => a.unit.start - b.unit.start || a.index - b.index);
  const places = new Map(all.map(({ index }, place) => [index, place]));
  return all.map(({ unit }) => (unit.parent === undefined ? unit : { ...unit, parent: places.get(unit.parent) }));
}

function topicsOf(text: string, literals: Literal[]): WalkedUnit[] {
  const topics: WalkedUnit[] = [];
  let docs: Literal[] = [];
  for (const literal of literals) {
    if (literal.kind !== "comment" || !text.startsWith("#'", literal.start)) continue;
    const last = docs.at(-1);
    if (last && !/^\r?\n[ \t]*$/.test(text.slice(last.end, literal.start))) docs = [];
    docs.push(literal);
    const object = /^\r?\n(?:NULL|"_PACKAGE")[ \t]*(?=\r?\n|$)/.exec(text.slice(literal.end, literal.end + 20))?.[0];
    const name = object === undefined ? undefined : topicName(text, docs);
    if (object === undefined || name === undefined) continue;
    parted(text, docs).forEach((part, index, all) => {
      const start = part[0]!.start;
      const end = index === all.length - 1 ? literal.end + object.length : part.at(-1)!.end;
      const title = index === 0 ? name : `${name} (${index + 1})`;
      topics.push({ kind: "section", name: title, start, end, signatureStart: start, signatureEnd: start, docs: part });
    });
    docs = [];
  }
  return topics;
}

/** Divides long documentation where its parameters, sections or examples begin, so that a part can be printed alone. */
function parted(text: string, docs: Literal[]): Literal[][] {
  const parts: Literal[][] = [];
  let inParameters = false;
  for (const doc of docs) {
    const tag = partStart.exec(text.slice(doc.start, doc.end))?.[1];
    const isNext = tag === "param" && inParameters;
    if (tag !== undefined) inParameters = tag === "param";
    if (parts.length === 0 || (tag !== undefined && !isNext && parts.at(-1)!.length >= fewestLines)) parts.push([doc]);
    else parts.at(-1)!.push(doc);
  }
  return parts;
}

const fewestLines = 15;
const partStart = /^#'\s*(?:@(param|section|details|return|examples)\w*\b|(#)+\s)/;

function topicName(text: string, docs: Literal[]): string | undefined {
  const lines = docs.map(({ start, end }) => text.slice(start + 2, end).trim());
  const tagged = lines.map((line) => /^@(?:name|rdname)\s+(\S+)/.exec(line)?.[1]).find((name) => name !== undefined);
  return tagged ?? lines.find((line) => line !== "" && !line.startsWith("@"))?.slice(0, longestTitle);
}

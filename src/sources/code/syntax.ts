import { familyOf, hasImplicitReceiver } from "../../stores/scope/visibility.ts";
import { withoutMarks } from "./comments.ts";
import type { Extraction, Reference, Unit } from "./extraction.ts";
import type { Grammar, LanguageId } from "./languages.ts";
import { type LineTable, lineAt, lineTable } from "./lines.ts";
import { divide, type Mark, type Owned, type OwnSpan } from "./own-text.ts";
import { type Leaves, parse } from "./parser.ts";
import { originalNames } from "./receivers.ts";
import type { Rules } from "./rules.ts";
import { none, type SyntaxTree } from "./tree.ts";
import { withBlocks } from "./uncovered-blocks.ts";
import { typedReceivers } from "./variable-types.ts";
import { type Literal, type TreeWalk, type WalkedUnit, walk } from "./walk-tree.ts";

/** Longer signatures are cut at a line end: the rest is a table, not a declaration. */
const longestSignature = 2000;
/** Declarations without a body are shown completely up to this many lines; of longer ones, the first line is shown. */
const wholeLines = 4;
/** A file with more constants is a table of numbers: one-line constants are found by name only. */
const mostConstants = 300;
/** A file with more fields is data: further fields are only lines of it. */
const mostFields = 3000;

/** Reads a text by its grammar; undefined when it cannot be parsed in time. */
export async function extractSyntax(
  language: LanguageId,
  rules: Rules,
  grammar: Grammar,
  text: string,
  path: string,
): Promise<Extraction | undefined> {
  const tree = await parse(grammar, rules.readable?.(text) ?? text, leavesOf(rules));
  if (!tree) return undefined;
  const walked = walk(tree, rules, moduleName(path));
  return built(language, text, walked, fileDoc(tree, rules, walked));
}

/**
 * The name under which importers use a module: `lib/resolve-config.js` is `resolveConfig`, `hooks/index.js` is `hooks`;
 * undefined if that is not a valid name.
 */
function moduleName(path: string): string | undefined {
  const segments = path.split("/");
  const stem = segments.at(-1)!.replace(/(?:\.d)?\.\w+$/, "");
  const last = stem === "index" ? (segments.at(-2) ?? stem) : stem;
  const name = last.replace(/[-. ]+(.)/gu, (_, next: string) => next.toUpperCase());
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : undefined;
}

const leavesByRules = new WeakMap<Rules, Leaves>();

export function leavesOf(rules: Rules): Leaves {
  let leaves = leavesByRules.get(rules);
  if (!leaves) {
    leaves = { always: [...rules.names, ...(rules.types ?? []), ...rules.comments], withoutBraces: rules.strings };
    leavesByRules.set(rules, leaves);
  }
  return leaves;
}

/** Builds an Extraction from a walk: shared by every way of reading code. */
export function built(language: LanguageId, text: string, walked: TreeWalk, doc: Literal[]): Extraction {
  const lines = lineTable(text);
  const units = withBlocks(text, lines, nested(withoutTables(walked.units, text)), walked, doc);
  originalNames(walked);
  const declared = typedReceivers({ ...walked, units }, hasImplicitReceiver(familyOf(language)));
  for (const [index, methods] of methodsOfInterfaces(units, text))
    declared.set(index, [...(declared.get(index) ?? []), ...methods]);
  const signatures = units.map((unit) => signatureSpan(text, unit));
  const marksOf = (subset: WalkedUnit[]): Mark[] => [
    ...walked.literals,
    ...[...doc, ...subset.flatMap((unit) => [signatureSpan(text, unit), ...unit.docs])].map(
      ({ start, end }): Mark => ({ kind: "elsewhere", start, end }),
    ),
  ];
  const { owned, outside } = ownedBy(units, (some) => divide(text, some, marksOf(some), walked.references));
  const qualified: string[] = [];
  const result = units.map((unit, index): Unit => {
    const outer = outerName(unit, units, qualified);
    const owner = [outer, unit.owner].filter((part) => part !== undefined).join(".");
    qualified.push(owner === "" ? unit.name : `${owner}.${unit.name}`);
    const { own, references } = owned[index]!;
    return {
      kind: unit.kind,
      name: unit.name,
      qualified: qualified[index]!,
      parent: unit.parent,
      ...(unit.inner ? { inner: true as const } : {}),
      ...(unit.unsearched ? { unsearched: true as const } : {}),
      ...(unit.test ? { test: true as const } : {}),
      startLine: lineAt(lines, unit.start),
      endLine: lineAt(lines, Math.max(unit.start, unit.end - 1)),
      signature: text.slice(signatures[index]!.start, signatures[index]!.end) || undefined,
      doc: unit.kind === "field" ? undefined : docText(text, unit.docs),
      own,
      references: ownReferences(unit, references),
      ...(declared.has(index) ? { declares: declared.get(index)! } : {}),
    };
  });
  return {
    language,
    kind: "file",
    doc: docText(text, doc),
    units: result,
    imports: walked.imports.map((each) => importLines(withAlternative(each, walked.statements, text), text, lines)),
    rest: outside.own,
    references: outside.references,
  };
}

/**
 * The qualified name of the enclosing unit. A block is a location, not a name; a field that a function assigns belongs
 * to its class.
 */
function outerName(unit: WalkedUnit, units: WalkedUnit[], qualified: string[]): string | undefined {
  let outer = unit.parent;
  if (unit.ofOuter && outer !== undefined) outer = units[outer]!.parent;
  while (outer !== undefined && (units[outer]!.kind === "block" || units[outer]!.nameless))
    outer = units[outer]!.parent;
  return outer === undefined ? undefined : qualified[outer];
}

const longestIndentation = 100;

/** Methods that an interface only declares and that are fields among the units: `Close@`. */
function methodsOfInterfaces(units: WalkedUnit[], text: string): Map<number, string[]> {
  const methods = new Map<number, string[]>();
  for (const { kind, name, parent, signatureStart } of units) {
    if (kind !== "field" || parent === undefined || units[parent]!.kind !== "interface") continue;
    if (
      !/^[\w$]+\??\s*[(<]/.test(
        text
          .slice(signatureStart)
          .slice(0, longestIndentation + name.length)
          .trimStart(),
      )
    )
      continue;
    methods.set(parent, [...(methods.get(parent) ?? []), `${name}@`]);
  }
  return methods;
}

const nothing: Owned = { own: { comment: "", string: "", code: "" }, references: [] };

/**
 * The own text of each unit, and the text outside all. A function also contains the text of the functions inside it;
 * units that are not searched have no text of their own.
 */
function ownedBy(units: WalkedUnit[], divide: (spans: WalkedUnit[]) => Owned[]): { owned: Owned[]; outside: Owned } {
  const searched = units.filter(({ unsearched }) => !unsearched);
  const outer = divide(searched.filter(({ inner }) => !inner));
  const outside = outer.pop()!;
  const inner = searched.some((unit) => unit.inner) ? divide(searched.filter((unit) => unit.inner)) : [];
  let [nextOuter, nextInner] = [0, 0];
  const owned = units.map((unit) =>
    unit.unsearched ? nothing : unit.inner ? inner[nextInner++]! : outer[nextOuter++]!,
  );
  return { owned, outside };
}

/**
 * The references of a unit: supertypes of a class inside a function are mentions there, and a unit does not refer to
 * itself.
 */
function ownReferences(unit: WalkedUnit, references: Reference[]): Reference[] {
  const isFunction = unit.kind === "function" || unit.kind === "method";
  return references.flatMap((reference): Reference[] => {
    const { kind, name, receiver } = reference;
    const isHeritage = kind === "extends" || kind === "implements";
    // In some languages a method that calls its own name calls a function of that name.
    const isItself = receiver === unit.owner && !(unit.kind === "method" && receiver === undefined);
    // A block is named after what it calls.
    if (name === unit.name && isItself && unit.kind !== "block") return [];
    return [isHeritage && isFunction ? { ...reference, kind: "references" } : reference];
  });
}

/** Index of the last span, in order, that begins at or before an offset. */
function lastBefore(spans: OwnSpan[], at: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (spans[middle]!.start <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Longer statements are not alternatives of an import. */
const longestAlternative = 400;

/** Extends `try: import a` to its `except`: one is wrong without the other. */
function withAlternative(
  each: TreeWalk["imports"][number],
  statements: TreeWalk["statements"],
  text: string,
): TreeWalk["imports"][number] {
  const around = statements[lastBefore(statements, each.start)];
  if (
    !around ||
    around.end < each.end ||
    around.end - around.start > longestAlternative ||
    !/^try\b/.test(text.slice(around.start, around.start + 4))
  )
    return each;
  return { ...each, start: around.start, end: around.end };
}

function importLines(each: TreeWalk["imports"][number], text: string, lines: LineTable): Extraction["imports"][number] {
  let end = each.end;
  while (end > each.start + 1 && /\s/.test(text[end - 1]!)) end--;
  return {
    startLine: lineAt(lines, each.start),
    endLine: lineAt(lines, Math.max(each.start, end - 1)),
    module: each.module,
    names: each.names,
  };
}

function docText(text: string, docs: Literal[]): string | undefined {
  if (docs.length === 0) return undefined;
  return (
    docs
      .map((doc) => withoutMarks(text.slice(doc.start, doc.end)))
      .join("\n")
      .trim() || undefined
  );
}

/** Makes spans properly nested and without trailing blanks, even for a damaged tree. */
function nested(units: WalkedUnit[]): WalkedUnit[] {
  const result: WalkedUnit[] = [];
  for (const unit of units) {
    const parent = unit.parent === undefined ? undefined : result[unit.parent]!;
    const start = Math.max(unit.start, parent?.start ?? 0);
    const end = Math.max(start, Math.min(unit.end, parent?.end ?? unit.end));
    result.push({ ...unit, start, end });
  }
  return result;
}

/** Trims the units' ends, and turns the entries of large tables into fields. */
function withoutTables(units: WalkedUnit[], text: string): WalkedUnit[] {
  const parents = new Set(units.map((unit) => unit.parent));
  const isTable = units.filter((unit) => unit.kind === "constant").length > mostConstants;
  const trimmed = units.map((unit, index): WalkedUnit => {
    const trimmedText = text.slice(unit.start, unit.end).trimEnd();
    const end = unit.start + trimmedText.length;
    const isEntry = isTable && unit.kind === "constant" && !parents.has(index) && !trimmedText.includes("\n");
    return isEntry ? { ...unit, end, kind: "field", unsearched: true } : { ...unit, end };
  });
  let fields = 0;
  const isKept = trimmed.map((unit, index) => unit.kind !== "field" || parents.has(index) || ++fields <= mostFields);
  if (fields <= mostFields) return trimmed;
  const place = new Map<number, number>();
  isKept.forEach((keep, index) => {
    if (keep) place.set(index, place.size);
  });
  return trimmed.flatMap((unit, index) =>
    isKept[index] ? [{ ...unit, parent: unit.parent === undefined ? undefined : place.get(unit.parent) }] : [],
  );
}

function signatureSpan(text: string, unit: WalkedUnit): { start: number; end: number } {
  const start = Math.max(unit.signatureStart, 0);
  let end = Math.min(unit.signatureEnd, unit.end);
  const isWhole = unit.signatureEnd >= unit.end;
  let signature = text.slice(start, end);
  if (isWhole && (unit.kind === "constant" || unit.kind === "field")) end = lineEnd(text, start, end);
  else if (isWhole && signature.split("\n", wholeLines + 1).length > wholeLines) end = headEnd(text, start, end);
  signature = text.slice(start, end);
  if (signature.length > longestSignature) {
    const cut = signature.lastIndexOf("\n", longestSignature);
    end = start + (cut > 0 ? cut : longestSignature);
    signature = text.slice(start, end);
  }
  return { start, end: start + signature.replace(isWhole ? /\s+$/ : /\s*[{=,]?\s*$/, "").length };
}

function lineEnd(text: string, from: number, end: number): number {
  // The first non-empty line: the span may begin with indentation only.
  const at = text.indexOf("\n", from);
  return at === -1 || at > end ? end : at;
}

/** The end of the first line at which no parenthesis is open: parameters over several lines are one head. */
function headEnd(text: string, from: number, end: number): number {
  let depth = 0;
  for (let at = from; at < end; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")") depth--;
    else if (text[at] === "\n" && depth <= 0 && at > from) return at;
  }
  return depth > 0 ? lineEnd(text, from, end) : end;
}

const licence = /copyright|licen[cs]ed?\b|SPDX-|all rights reserved/i;
/** Comments for tools, not for readers. */
const directive =
  /^#!|^\{-#|^\W{1,4}(?:frozen_string_literal|-\*-|coding[:=]|vim?:|eslint|@ts-|prettier-|biome-|global |jshint|@flow|shellcheck|cSpell|<auto-generated)/i;

/** The file's doc: a docstring, or the first comment that is neither part of a unit nor a licence. */
function fileDoc(tree: SyntaxTree, rules: Rules, walked: TreeWalk): Literal[] {
  const inner = rules.docstring?.(tree, none) ?? none;
  if (inner !== none) return [{ kind: "string", start: tree.starts[inner]!, end: tree.ends[inner]! }];
  return topComment(tree.text, walked);
}

export function topComment(text: string, walked: TreeWalk): Literal[] {
  const unit = walked.units.find(({ kind }) => kind !== "field");
  const first = Math.min(unit?.start ?? text.length, 10_000);
  let run: Literal[] = [];
  for (const literal of walked.literals) {
    if (literal.start >= first) break;
    if (literal.kind !== "comment" || directive.test(text.slice(literal.start, literal.end))) continue;
    const last = run.at(-1);
    if (last && /^[ \t]*\r?\n?[ \t]*$/.test(text.slice(last.end, literal.start))) run.push(literal);
    else if (last && !licence.test(text.slice(run[0]!.start, last.end))) break;
    else run = [literal];
  }
  const isLicence = run.length > 0 && licence.test(text.slice(run[0]!.start, run.at(-1)!.end));
  return isLicence ? [] : run;
}

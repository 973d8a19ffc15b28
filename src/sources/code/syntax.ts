import { withoutMarks } from "./comments.ts";
import type { Extraction, Reference, Unit } from "./extraction.ts";
import type { Grammar, LanguageId } from "./languages.ts";
import { type LineTable, lineAt, lineTable } from "./lines.ts";
import { divide, type Mark, type Owned } from "./own.ts";
import { type Leaves, parse } from "./parser.ts";
import type { Rules } from "./rules.ts";
import { none, type SyntaxTree } from "./tree.ts";
import { type Literal, type Walk, type WalkedUnit, walk } from "./walk.ts";

/** Longer signatures are cut at a line end: what follows is a table, not a declaration. */
const longestSignature = 2000;
/** Declarations without a body are shown whole up to this many lines, else by their first. */
const wholeLines = 4;
/** A file with more constants than this is a table of numbers: only those of several lines are units. */
const mostConstants = 300;

/** Reads a text by its grammar; undefined when it cannot be parsed in time. */
export async function extractSyntax(
  language: LanguageId,
  rules: Rules,
  grammar: Grammar,
  text: string,
): Promise<Extraction | undefined> {
  const tree = await parse(grammar, rules.readable?.(text) ?? text, leavesOf(rules));
  if (!tree) return undefined;
  const walked = walk(tree, rules);
  return built(language, text, walked, fileDoc(tree, rules, walked));
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

/** An Extraction from what was found by place: shared by every way of reading code. */
export function built(language: LanguageId, text: string, walked: Walk, doc: Literal[]): Extraction {
  const lines = lineTable(text);
  const units = nested(withoutConstantTables(walked.units, text));
  const signatures = units.map((unit) => signatureSpan(text, unit));
  const marksOf = (some: WalkedUnit[]): Mark[] => [
    ...walked.literals,
    ...[...doc, ...some.flatMap((unit) => [signatureSpan(text, unit), ...unit.docs])].map(
      ({ start, end }): Mark => ({ kind: "elsewhere", start, end }),
    ),
  ];
  const { owned, outside } = ownedBy(units, (some) => divide(text, some, marksOf(some), walked.references));
  const qualified: string[] = [];
  /** What qualifies the names inside each unit. */
  const qualifiers: (string | undefined)[] = [];
  const result = units.map((unit, index): Unit => {
    const around = unit.parent === undefined ? undefined : qualifiers[unit.parent];
    qualified.push([around, unit.owner, unit.name].filter((part) => part !== undefined).join("."));
    qualifiers.push(unit.nameless ? around : qualified[index]);
    const { own, references } = owned[index]!;
    return {
      kind: unit.kind,
      name: unit.name,
      qualified: qualified[index]!,
      parent: unit.parent,
      ...(unit.inner ? { inner: true as const } : {}),
      ...(unit.test ? { test: true as const } : {}),
      startLine: lineAt(lines, unit.start),
      endLine: lineAt(lines, Math.max(unit.start, unit.end - 1)),
      signature: text.slice(signatures[index]!.start, signatures[index]!.end) || undefined,
      doc: docText(text, unit.docs),
      own,
      references: ownReferences(unit, references),
    };
  });
  return {
    language,
    kind: "file",
    doc: docText(text, doc),
    units: result,
    imports: walked.imports.map((each) => importLines(each, text, lines)),
    rest: outside.own,
    references: outside.references,
  };
}

/** What is each unit's own, and nobody's. A function keeps what is in the functions inside it, which have it for themselves besides. */
function ownedBy(units: WalkedUnit[], divide: (spans: WalkedUnit[]) => Owned[]): { owned: Owned[]; outside: Owned } {
  const outer = divide(units.filter(({ inner }) => !inner));
  const outside = outer.pop()!;
  const inner = units.some((unit) => unit.inner) ? divide(units.filter((unit) => unit.inner)) : [];
  let [nextOuter, nextInner] = [0, 0];
  return { owned: units.map((unit) => (unit.inner ? inner[nextInner++]! : outer[nextOuter++]!)), outside };
}

/** What a class inside a function extends is a mention there; a unit does not refer to itself. */
function ownReferences(unit: WalkedUnit, references: Reference[]): Reference[] {
  const isFunction = unit.kind === "function" || unit.kind === "method";
  return references.flatMap(({ kind, name }): Reference[] => {
    const isHeritage = kind === "extends" || kind === "implements";
    if (name === unit.name && !isHeritage) return [];
    return [{ kind: isHeritage && isFunction ? "references" : kind, name }];
  });
}

function importLines(each: Walk["imports"][number], text: string, lines: LineTable): Extraction["imports"][number] {
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

/** Spans made truly nested and without blanks at their end, whatever a damaged tree says. */
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

function withoutConstantTables(units: WalkedUnit[], text: string): WalkedUnit[] {
  const trimmed = units.map((unit) => ({
    ...unit,
    end: unit.start + text.slice(unit.start, unit.end).trimEnd().length,
  }));
  if (units.filter((unit) => unit.kind === "constant").length <= mostConstants) return trimmed;
  const parents = new Set(units.map((unit) => unit.parent));
  const kept = trimmed.map(
    (unit, index) => unit.kind !== "constant" || parents.has(index) || text.slice(unit.start, unit.end).includes("\n"),
  );
  const place = new Map<number, number>();
  kept.forEach((keep, index) => {
    if (keep) place.set(index, place.size);
  });
  return trimmed.flatMap((unit, index) =>
    kept[index] ? [{ ...unit, parent: unit.parent === undefined ? undefined : place.get(unit.parent) }] : [],
  );
}

function signatureSpan(text: string, unit: WalkedUnit): { start: number; end: number } {
  const start = Math.max(unit.signatureStart, 0);
  let end = Math.min(unit.signatureEnd, unit.end);
  const whole = unit.signatureEnd >= unit.end;
  let signature = text.slice(start, end);
  if ((whole && signature.split("\n", wholeLines + 1).length > wholeLines) || (whole && unit.kind === "constant"))
    end = lineEnd(text, start, end);
  signature = text.slice(start, end);
  if (signature.length > longestSignature) {
    const cut = signature.lastIndexOf("\n", longestSignature);
    end = start + (cut > 0 ? cut : longestSignature);
    signature = text.slice(start, end);
  }
  return { start, end: start + signature.replace(whole ? /\s+$/ : /\s*[{=,]?\s*$/, "").length };
}

function lineEnd(text: string, from: number, end: number): number {
  // The first line with something in it: the span may begin with the line's indentation only.
  const at = text.indexOf("\n", from);
  return at === -1 || at > end ? end : at;
}

const licence = /copyright|licen[cs]ed?\b|SPDX-|all rights reserved/i;
/** Lines for tools, not for readers. */
const directive =
  /^#!|^\{-#|^\W{1,4}(?:frozen_string_literal|-\*-|coding[:=]|vim?:|eslint|@ts-|prettier-|biome-|global |jshint|@flow|shellcheck|cSpell|<auto-generated)/i;

/** The file's own doc: a docstring, or the first comment that no unit claims and that is no licence. */
function fileDoc(tree: SyntaxTree, rules: Rules, walked: Walk): Literal[] {
  const inner = rules.docstring?.(tree, none) ?? none;
  if (inner !== none) return [{ kind: "string", start: tree.starts[inner]!, end: tree.ends[inner]! }];
  return topComment(tree.text, walked);
}

export function topComment(text: string, walked: Walk): Literal[] {
  const first = Math.min(walked.units[0]?.start ?? text.length, 10_000);
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

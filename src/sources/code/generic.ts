import { type BlockStyle, blockEnd, blockText } from "./declaration-ends.ts";
import type { Extraction } from "./extraction.ts";
import { type GenericRules, genericRules } from "./generic-rules.ts";
import type { LanguageId } from "./languages.ts";
import { lineTable } from "./lines.ts";
import { masked } from "./mask-literals.ts";
import { receiverBefore } from "./receivers.ts";
import { withTopics } from "./roxygen.ts";
import { built, topComment } from "./syntax.ts";
import { deepestUnits, type Literal, type TreeWalk, type WalkedUnit } from "./walk-tree.ts";

/** Longer lines are data: they are searched as text but not for declarations. */
const longestLine = 2000;

/**
 * Reads code without a grammar, line by line: a declaration is a line that looks like one, and its end is found by the
 * language's block style (braces, indentation, `end`). Also the fallback for files that a grammar cannot parse.
 */
export function extractGeneric(language: LanguageId, text: string): Extraction {
  const rules = genericRules(language);
  const { code, literals } = masked(text, rules);
  const declared = declarations(text, code, literals, rules);
  const units = language === "r" ? withTopics(declared, text, literals) : declared;
  const walked: TreeWalk = {
    units,
    literals,
    references: withoutDeclared(mentions(code), units),
    types: [],
    imports: importsOf(text, code, rules),
    statements: [],
  };
  return built(language, text, walked, topComment(text, walked));
}

function declarations(text: string, code: string, literals: Literal[], rules: GenericRules): WalkedUnit[] {
  const units: WalkedUnit[] = [];
  const { starts, count } = lineTable(text);
  const blocks = blockText(code, starts);
  const open: { unit: number; end: number; opaque: boolean }[] = [];
  for (let line = 0; line < count; line++) {
    const start = starts[line]!;
    while (open.length > 0 && open.at(-1)!.end <= start) open.pop();
    if (open.at(-1)?.opaque || open.length >= deepestUnits) continue;
    const lineEnd = starts[line + 1] ?? text.length;
    if (lineEnd - start > longestLine) continue;
    const lineCode = code.slice(start, lineEnd).trimEnd();
    if (lineCode === "") continue;
    const match = declaration(lineCode, text.slice(start, lineEnd).trimEnd(), rules);
    if (!match) continue;
    const block = blockEnd(blocks, line, match.block, match.name);
    const outer = open.at(-1);
    const end = Math.min(block.end, outer?.end ?? text.length);
    // A module whose body is not indented cannot be delimited: its members represent it.
    if (match.kind === "module" && !code.slice(start, end).trimEnd().includes("\n")) continue;
    const first = firstAnnotation(code, starts, line, outer && units[outer.unit]!.start);
    const above = docAbove(text, literals, first, outer === undefined ? 0 : units[outer.unit]!.signatureEnd);
    const inside = outer && units[outer.unit]!.kind;
    const isMethod = match.kind === "function" && inside !== undefined && inside !== "module";
    units.push({
      kind: isMethod ? "method" : match.kind,
      name: match.name,
      owner: match.owner,
      parent: outer?.unit,
      start: above[0]?.start ?? first,
      end,
      signatureStart: start,
      signatureEnd: Math.min(block.body ?? end, end),
      docs: above,
    });
    open.push({
      unit: units.length - 1,
      end,
      opaque: match.kind !== "class" && match.kind !== "module" && match.kind !== "interface",
    });
  }
  return units;
}

/** Start of the declaration including annotations on the lines above: `@Service`, `[Test]`. */
function firstAnnotation(code: string, starts: number[], line: number, from = -1): number {
  let first = line;
  while (
    first > 0 &&
    starts[first - 1]! > from &&
    /^[ \t]*(?:@\w|\[\w+.*\]\s*$)/.test(code.slice(starts[first - 1]!, starts[first]!))
  )
    first--;
  const indentation = /^[ \t]*/.exec(code.slice(starts[first]!, starts[first]! + 500))![0];
  return starts[first]! + indentation.length;
}

type Found = Pick<WalkedUnit, "kind" | "name" | "owner"> & { block: BlockStyle };

function declaration(code: string, raw: string, rules: GenericRules): Found | undefined {
  for (const { kind, pattern, block, raw: wantsRaw } of rules.declarations) {
    const match = pattern.exec(wantsRaw ? raw : code);
    const fullName = (match?.groups?.name ?? match?.[1])?.replace(/"\s+"/g, ".").replace(/["`[\]]/g, "");
    if (!fullName || rules.keywords.has(fullName)) continue;
    const parts = fullName.split(/[.:#]+/).filter(Boolean);
    if (kind === "module") return { kind, name: parts.join("."), block };
    const name = parts.pop();
    if (name) return { kind, name, owner: parts.length > 0 ? parts.join(".") : undefined, block };
  }
  return undefined;
}

/** Comment lines that end directly above. */
function docAbove(text: string, literals: Literal[], start: number, from: number): Literal[] {
  let low = 0;
  let high = literals.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (literals[middle]!.end <= start) low = middle + 1;
    else high = middle;
  }
  const docs: Literal[] = [];
  let until = start;
  for (let index = low - 1; index >= 0; index--) {
    const literal = literals[index]!;
    if (
      literal.kind !== "comment" ||
      literal.start < from ||
      !/^[ \t]*(?:\r?\n)?[ \t]*$/.test(text.slice(literal.end, until))
    )
      break;
    if (
      !/(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, literal.start - 200), literal.start)) ||
      text.startsWith("#!", literal.start)
    )
      break;
    docs.unshift(literal);
    until = literal.start;
  }
  return docs;
}

const notCalls = new Set(
  "if for while switch catch return function func fn fun def and or not in elif when match case with sizeof typeof assert do else until unless foreach except select from where values table on as is end then let set insert update delete create".split(
    " ",
  ),
);

function mentions(code: string): TreeWalk["references"] {
  const references: TreeWalk["references"] = [];
  for (const match of code.matchAll(/([\p{L}_][\p{L}\p{N}_]*[?!]?)(\s?\()?/gu)) {
    const name = match[1]!;
    const isCall = match[2] !== undefined && !notCalls.has(name.toLowerCase());
    if (!isCall && !/^\p{Lu}[\p{L}\p{N}_]*\p{Ll}/u.test(name)) continue;
    const receiver = receiverBefore(code, match.index);
    references.push({ kind: isCall ? "calls" : "references", name, receiver, at: match.index });
  }
  return references;
}

/** `fun pay(` looks like a call but is a declaration. References and units are in text order. */
function withoutDeclared(references: TreeWalk["references"], units: WalkedUnit[]): TreeWalk["references"] {
  const declared = new Set<TreeWalk["references"][number]>();
  const waiting = new Map<string, WalkedUnit>();
  let next = 0;
  for (const reference of references) {
    while (next < units.length && units[next]!.signatureStart <= reference.at) {
      waiting.set(units[next]!.name, units[next]!);
      next++;
    }
    const unit = reference.kind === "calls" ? waiting.get(reference.name) : undefined;
    if (unit && reference.at < unit.signatureEnd) declared.add(reference);
    if (unit) waiting.delete(reference.name);
  }
  return references.filter((reference) => !declared.has(reference));
}

function importsOf(text: string, code: string, rules: GenericRules): TreeWalk["imports"] {
  const imports: TreeWalk["imports"] = [];
  if (!rules.imports) return imports;
  for (const match of text.matchAll(rules.imports)) {
    const module = match.groups?.module;
    // A match in a comment or string is not an import.
    if (!module || code.slice(match.index, match.index + match[0].length).trim() === "") continue;
    // A path to a file introduces no name.
    const isFile = /\/|\.(?:h|hpp|proto|thrift|s?css|less|sol)$/.test(module);
    const last = isFile ? "" : module.split(/[./:\\]+/).findLast((part) => part !== "" && part !== "*" && part !== "_");
    const nameList = match.groups?.names ?? match.groups?.alias ?? last ?? "";
    const names = nameList.split(/[\s,{}()]+/).filter((name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name));
    const lead = match[0].length - match[0].trimStart().length;
    imports.push({ module, names, start: match.index + lead, end: match.index + match[0].trimEnd().length });
  }
  return imports;
}

import { syntaxOf } from "../../text/truncation/syntax.ts";

/** A branch of `#if`: the line of its directive and the lines that it holds for, from 1. */
type Branch = { condition: string; startLine: number; endLine: number };

const directive = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b(.*)$/;
const longestCondition = 80;
const branches = new WeakMap<readonly string[], Branch[]>();

/**
 * The condition under which a line is compiled: two definitions of one name are twins of `#ifdef`, and a reader must
 * know which is which. Undefined outside conditions, and inside the guard of a header.
 */
export function conditionOf(lines: readonly string[], language: string | undefined, line: number): string | undefined {
  if (syntaxOf(language).directives !== true) return undefined;
  let known = branches.get(lines);
  if (!known) branches.set(lines, (known = branchesIn(lines)));
  const around = known.filter(({ startLine, endLine }) => startLine < line && line <= endLine);
  const inner = around.sort((a, b) => b.startLine - a.startLine)[0];
  return inner && `under ${inner.condition}`;
}

function branchesIn(lines: readonly string[]): Branch[] {
  const found: Branch[] = [];
  const open: { condition: string; from: number; isGuard: boolean }[] = [];
  for (const [index, text] of lines.entries()) {
    const [, word, rest = ""] = (text.includes("#") && directive.exec(text)) || [];
    if (word === undefined) continue;
    const line = index + 1;
    const last = word.startsWith("if") ? undefined : open.pop();
    if (last && !last.isGuard) found.push({ condition: last.condition, startLine: last.from, endLine: line - 1 });
    if (word === "endif" || (last === undefined && !word.startsWith("if"))) continue;
    const own = `#${word} ${written(lines, index, rest)}`.trim();
    const condition = word === "else" ? `#else of ${last!.condition.replace(/^#else of /, "")}` : own;
    const isGuard = word === "ifndef" && /^\s*#\s*define\b/.test(lines[line] ?? "");
    open.push({ condition: shortened(condition), from: line, isGuard });
  }
  return found;
}

/** What a directive says, with the lines that it goes on for and without comments. */
function written(lines: readonly string[], index: number, rest: string): string {
  let text = rest;
  for (let at = index + 1; /\\\s*$/.test(text) && at < lines.length && text.length <= longestCondition; at++)
    text = text.replace(/\\\s*$/, " ") + lines[at]!;
  return text
    .replace(/\/\/.*$|\/\*.*?(?:\*\/|$)|\\\s*$/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function shortened(condition: string): string {
  if (condition.length <= longestCondition) return condition;
  return `${condition.slice(0, longestCondition).replace(/\s*\S*$/, "")} …`;
}

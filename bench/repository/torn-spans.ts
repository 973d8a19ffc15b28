import type { Node } from "web-tree-sitter";
import { loadGrammar } from "../../src/sources/code/grammars.ts";
import { detectLanguage, grammarOf } from "../../src/sources/code/languages.ts";

/**
 * What a printed part of a file tears, judged by the syntax tree of the file and not by the product's own reading of
 * lines.
 */
export const tears = ["comment", "bracket", "scope", "clause", "decorator", "border"] as const;
export type Tear = (typeof tears)[number];

/** Lines are counted from 0, as the tree does; `end` is inclusive. */
type Pair = { tear: Tear; start: number; end: number };
export type Structure = {
  /** Both lines are shown or none of them. */
  pairs: Pair[];
  /** Who shows a line after `start` up to `end` shows `start`. */
  scopes: Pair[];
  /** Who shows `start` shows `end`. */
  followers: Pair[];
};

const text = /comment|string|heredoc|template|sigil|char_literal/;
const closings: Record<string, string> = {
  "(": ")",
  "[": "]",
  "{": "}",
  do: "end",
  "#if": "#endif",
  "#ifdef": "#endif",
  "#ifndef": "#endif",
};
/** Nodes without a head of their own: they begin with their first statement. */
const headless =
  /(?:^|_)(?:block|body|statements?|list|suite|then|program|file|unit|content|arguments|elements|text|fragment|ERROR|stab|do|sequence)$|^(?:declarations|modifiers|class_members)/;
const handler = /^(?:except_clause|except_group_clause|rescue|ensure|finally_clause|rescue_block|after_block)$/;
const adornment = /decorator$|^attribute_item$|^attribute_list$|annotation$/;

/** Undefined where no grammar reads the file. */
export async function structureOf(path: string, source: string): Promise<Structure | undefined> {
  const language = detectLanguage(path);
  const grammar = language === undefined ? undefined : grammarOf(language, path);
  if (!grammar) return undefined;
  const { parser } = await loadGrammar(grammar);
  const tree = parser.parse(source);
  if (!tree) return undefined;
  const structure: Structure = { pairs: [], scopes: [], followers: [] };
  const visit = (node: Node, depth: number) => {
    const [start, end] = rowsOf(node);
    if (end === start && depth > 0) return;
    if (depth > 0 && text.test(node.type) && !/content|fragment|interpolation|element/.test(node.type)) {
      structure.pairs.push({ tear: "comment", start, end });
      if (/comment/.test(node.type)) return;
    } else if (depth > 0 && node.isNamed && !node.hasError && !headless.test(node.type))
      structure.scopes.push({ tear: "scope", start, end });
    // Where the grammar does not understand the code, brackets tell nothing.
    if (!node.hasError || depth === 0) readChildren(node, structure);
    for (const child of node.children) if (child) visit(child, depth + 1);
  };
  visit(tree.rootNode, 0);
  tree.delete();
  return structure;
}

function rowsOf(node: Node): [number, number] {
  const { startPosition, endPosition } = node;
  // Some nodes end with the line end before the next line.
  const end = endPosition.column === 0 && endPosition.row > startPosition.row ? endPosition.row - 1 : endPosition.row;
  return [startPosition.row, end];
}

function readChildren(node: Node, { pairs, followers }: Structure): void {
  const open: { close: string; row: number }[] = [];
  const children = node.children.filter((child): child is Node => child !== null);
  const head = children[0];
  children.forEach((child, index) => {
    const [row, lastRow] = rowsOf(child);
    if (!child.isNamed && Object.hasOwn(closings, child.type)) open.push({ close: closings[child.type]!, row });
    else if (!child.isNamed && open.at(-1)?.close === child.type) {
      const start = open.pop()!.row;
      if (row > start) pairs.push({ tear: "bracket", start, end: row });
    } else if (!child.isNamed && child.type === "end" && head && row > rowsOf(head)[0])
      pairs.push({ tear: "bracket", start: rowsOf(head)[0], end: row });
    if (handler.test(child.type) && head && row > rowsOf(head)[0])
      followers.push({ tear: "clause", start: rowsOf(head)[0], end: row });
    if (adornment.test(child.type)) {
      const target = children
        .slice(index + 1)
        .find((next) => next.isNamed && !adornment.test(next.type) && !text.test(next.type));
      if (target && rowsOf(target)[0] > lastRow)
        followers.push({ tear: "decorator", start: lastRow, end: rowsOf(target)[0] });
    }
  });
}

/** Context lines above a unit that may be the head of what it is in. */
const headLines = 3;

/**
 * What this part tears: `shown` are its lines that are in the file, `first` to `last` the range that it was made of;
 * all from 0.
 */
export function tornBy(
  structure: Structure,
  shown: ReadonlySet<number>,
  first: number,
  last: number,
): { tear: Tear; line: number }[] {
  const found: { tear: Tear; line: number }[] = [];
  const within = (line: number) => line >= first && line <= last;
  for (const { tear, start, end } of structure.pairs) {
    if (within(start) !== within(end)) {
      const inside = within(start) ? start : end;
      // The head of the class may stand above its first method.
      const isOuter = tear === "bracket" && within(start) && start < first + headLines;
      if (
        tear === "comment" ? hasAny(shown, Math.max(first, start), Math.min(last, end)) : shown.has(inside) && !isOuter
      )
        found.push({ tear: "border", line: inside });
      continue;
    }
    if (!within(start)) continue;
    if (
      tear === "comment"
        ? hasAny(shown, start, end) && !(shown.has(start) && shown.has(end))
        : shown.has(start) !== shown.has(end)
    )
      found.push({ tear, line: shown.has(start) ? start : end });
  }
  for (const { tear, start, end } of structure.scopes)
    if (start >= first && start <= last && !shown.has(start) && hasAny(shown, start + 1, Math.min(last, end)))
      found.push({ tear, line: start });
  for (const { tear, start, end } of structure.followers)
    if (within(start) && shown.has(start) && !shown.has(end)) found.push({ tear, line: start });
  return found;
}

function hasAny(shown: ReadonlySet<number>, from: number, to: number): boolean {
  for (let line = from; line <= to; line++) if (shown.has(line)) return true;
  return false;
}

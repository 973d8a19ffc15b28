import { blankOutside, type ComponentBlock, svelteBlocks, vueBlocks } from "./component-blocks.ts";
import type { Extraction } from "./extraction.ts";
import { javascript } from "./languages/javascript.ts";
import { markup } from "./languages/markup.ts";
import { markupGrammar, scriptGrammar } from "./languages.ts";
import { parse } from "./parser.ts";
import { built, leavesOf, topComment } from "./syntax.ts";
import { type SyntaxTree, textOf, typeOf } from "./tree.ts";
import { type TreeWalk, type WalkedUnit, walk } from "./walk-tree.ts";

/**
 * Reads a Vue or Svelte file: its script, template and style are units, and declarations of the script are nested in
 * the script's unit. Undefined when the script cannot be parsed.
 */
export async function extractComponent(language: "vue" | "svelte", text: string): Promise<Extraction | undefined> {
  const blocks = language === "vue" ? vueBlocks(text) : svelteBlocks(text);
  const scripts = blocks.filter(({ tag }) => tag === "script");
  const scriptText = blankOutside(
    text,
    scripts.map(({ contentStart, contentEnd }) => ({ start: contentStart, end: contentEnd })),
  );
  const isTsx = scripts.some(({ attributes }) => /\blang\s*=\s*["']?[jt]sx\b/.test(attributes));
  const tree = await parse(scriptGrammar(isTsx), scriptText, leavesOf(javascript));
  if (!tree) return undefined;
  const markupPart = await markupWalk(language, text, blocks);
  const script = walk(tree, javascript);
  const walked: TreeWalk = {
    units: blocks.length === 0 ? script.units : within(blocks, [script.units, markupPart.units]),
    literals: [...script.literals, ...markupPart.literals].sort((a, b) => a.start - b.start),
    references: [...script.references, ...markupPart.references],
    imports: script.imports,
    types: script.types,
    statements: script.statements,
  };
  return built(language, text, walked, topComment(text, walked));
}

/** One unit for each block, with the units inside it. */
function within(blocks: ComponentBlock[], unitLists: WalkedUnit[][]): WalkedUnit[] {
  const units: WalkedUnit[] = [];
  for (const block of blocks) {
    const parent = units.length;
    units.push(unitOf(block));
    for (const list of unitLists) {
      const place = new Map<number, number>();
      list.forEach((unit, index) => {
        if (unit.start < block.start || unit.start >= block.end) return;
        place.set(index, units.length);
        units.push({ ...unit, parent: unit.parent === undefined ? parent : (place.get(unit.parent) ?? parent) });
      });
    }
  }
  return units;
}

/** `script setup`, `script module`, `template`, `style`: named as written. */
function unitOf({ tag, attributes, start, contentStart, end }: ComponentBlock): WalkedUnit {
  const word = tag === "script" ? /\b(?:setup|module)\b/.exec(attributes)?.[0] : undefined;
  const name = word === undefined ? tag : `${tag} ${word}`;
  return {
    kind: "module",
    name,
    nameless: true,
    start,
    end,
    signatureStart: start,
    signatureEnd: contentStart,
    docs: [],
  };
}

/** References in the markup: components by their tags, functions by the expressions. */
async function markupWalk(
  language: "vue" | "svelte",
  text: string,
  blocks: ComponentBlock[],
): Promise<Pick<TreeWalk, "units" | "literals" | "references">> {
  const templates = blocks.filter(({ tag }) => tag === "template");
  const tree = await parse(
    markupGrammar,
    blankOutside(text, [...templates, ...commentsBefore(text, blocks)].sort(byStart)),
    leavesOf(markup),
  );
  if (!tree) return { units: [], literals: [], references: [] };
  const walked = walk(tree, markup);
  return { ...walked, references: [...walked.references, ...expressionCalls(tree, language)] };
}

function byStart(a: { start: number }, b: { start: number }): number {
  return a.start - b.start;
}

/** Comments at the top describe the file. */
function commentsBefore(text: string, blocks: ComponentBlock[]): { start: number; end: number }[] {
  const first = blocks[0]?.start ?? text.length;
  return text.slice(0, first).includes("<!--") ? [{ start: 0, end: first }] : [];
}

const handler = /^(?:on|@|v-on)/;
const directive = /^(?:[:@#]|v-)/;

function expressionCalls(tree: SyntaxTree, language: "vue" | "svelte"): TreeWalk["references"] {
  const references: TreeWalk["references"] = [];
  let attribute = "";
  for (let node = 0; node < tree.count; node++) {
    const type = typeOf(tree, node);
    if (type === "attribute") attribute = "";
    if (type === "attribute_name") attribute = textOf(tree, node);
    const isBinding = language === "vue" && type === "attribute_value" && directive.test(attribute);
    if (type !== "svelte_raw_text" && !isBinding) continue;
    const at = tree.starts[node]!;
    const code = textOf(tree, node);
    const isInAttribute = typeOf(tree, tree.parents[tree.parents[node]!]!) === "attribute";
    const handlerName = /^\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(code)?.[1];
    if (handlerName && isInAttribute && handler.test(attribute))
      references.push({ kind: "calls", name: handlerName, at });
    for (const match of code.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)(\()?/gu))
      if (match[2]) references.push({ kind: "calls", name: match[1]!, at: at + match.index });
  }
  return references;
}

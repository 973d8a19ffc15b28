import { none } from "./tree.ts";
import type { TreeWalk } from "./walk-tree.ts";

/** A receiver that is not a name: `f().x`, `list[0].x`, `"text".x`. */
export const unknownReceiver = "?";
/**
 * Prefix of the declared type of a variable: `:Gateway` for the `g` of `func pay(g *Gateway)`, and `:Gateway#bank` for
 * `g.bank`, whose type is declared in Gateway.
 */
export const typeMark = ":";

/** Prefix of an import alias: `=Bank` for `import { Gateway as Bank }`. */
const aliasMark = "=";

const mostParts = 6;
/** Most characters that are searched backwards for the opening bracket. */
const longestBracket = 300;
const word = /[\p{L}\p{N}_$]/u;

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128)
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36
    );
  return word.test(text[at]!);
}

/** The receiver joined to a name, with dots for every separator: `a.b` for the `c` of `a::b->c`. */
export function receiverBefore(text: string, at: number): string | undefined {
  if (separatorBefore(text, at) === none) return undefined;
  const parts: string[] = [];
  let end = at;
  for (;;) {
    const separator = separatorBefore(text, end);
    if (separator === none) break;
    let stop = withoutTypeArguments(text, lineBreakBefore(text, separator));
    if (separatorBefore(text, stop) !== none && stop < separator) stop = separatorBefore(text, stop);
    if (text[stop - 1] === ")") stop = constructed(text, stop);
    let start = stop;
    while (start > 0 && isWord(text, start - 1)) start--;
    if (start === stop && parts.length === 0 && /[\\:]/.test(text[separator]!) && !/[)\]}]/.test(text[stop - 1] ?? ""))
      return undefined;
    if (start === stop || /^\p{N}/u.test(text.slice(start, stop)) || parts.length === mostParts) {
      if (!(parts.length > 0 && /[\\:]/.test(text[separator]!))) parts.unshift(unknownReceiver);
      break;
    }
    parts.unshift(text.slice(start, stop));
    end = text[start - 1] === "#" ? start - 1 : start;
  }
  if (parts.length === 0) return undefined;
  return parts.map((part) => (part.length > 1 ? part.replace(/^\$/, "") : part)).join(".");
}

/** Start of the separator that ends here, or `none`. `..` is a range or a spread. */
function separatorBefore(text: string, end: number): number {
  const last = text[end - 1];
  const before = text[end - 2];
  if (last === ".") {
    if (before === ".") return none;
    return before === "?" || before === "!" || before === "&" ? end - 2 : end - 1;
  }
  if (last === ":") return before === ":" ? end - 2 : none;
  if (last === ">") return before === "-" ? (text[end - 3] === "?" ? end - 3 : end - 2) : none;
  return last === "\\" ? end - 1 : none;
}

/** Finds the line break before a dot, since chained calls often begin lines with their dots. */
function lineBreakBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && /\s/.test(text[start - 1]!)) start--;
  return text.slice(start, at).includes("\n") ? start : at;
}

function withoutTypeArguments(text: string, end: number): number {
  return text[end - 1] === ">" && text[end - 2] !== "-" ? opening(text, end, "<", ">") : end;
}

/**
 * `new Gateway(x).charge()`, `Gateway(x).charge()`, `super().charge()`: the callee names the type. Otherwise unchanged.
 */
function constructed(text: string, end: number): number {
  const open = withoutTypeArguments(text, opening(text, end, "(", ")"));
  let start = open;
  while (start > 0 && isWord(text, start - 1)) start--;
  const name = text.slice(start, open);
  return name === "super" || /^\p{Lu}.*\p{Ll}/u.test(name) ? open : end;
}

/** Where the bracket that closes before `end` opens, or `end`. */
function opening(text: string, end: number, open: string, close: string): number {
  let depth = 0;
  for (let at = end - 1; at >= 0 && at > end - longestBracket; at--) {
    if (text[at] === close && !(close === ">" && /[-=]/.test(text[at - 1] ?? ""))) depth++;
    else if (text[at] === open && --depth === 0) return at;
  }
  return end;
}

/** Replaces import aliases by the original name: `Bank` becomes Gateway, imported as Bank. */
export function originalNames({
  references,
  imports,
  types,
}: Pick<TreeWalk, "references" | "imports" | "types">): void {
  const originals = new Map(imports.flatMap(({ aliases }) => Object.entries(aliases ?? {})));
  if (originals.size === 0) return;
  const originalOf = (alias: string | undefined) => {
    const original = alias === undefined ? undefined : originals.get(alias);
    return original === alias ? undefined : original;
  };
  for (const variable of types) {
    const original = originalOf(variable.type);
    if (original !== undefined) variable.type = `${aliasMark}${variable.type}.${original}`;
  }
  for (const mention of references) {
    const { name, receiver } = mention;
    const alias = receiver ?? name;
    const original = originalOf(alias);
    if (original === undefined) continue;
    if (receiver === undefined) mention.name = original;
    mention.receiver = aliasMark + alias + (receiver === undefined ? "" : `.${original}`);
  }
}

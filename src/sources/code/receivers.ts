import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf } from "./tree.ts";
import type { TreeWalk, WalkedUnit } from "./walk-tree.ts";

/** A receiver that is no name: `f().x`, `list[0].x`, `"text".x`. */
const unknownReceiver = "?";
/** Prefix of a type that a declaration gives a variable: `:Gateway` for the `g` of `func pay(g *Gateway)`. */
const typeMark = ":";

/** The type of a variable that is of no class: a list, a function. */
const builtInType = "[]";

/** Prefix of an import alias: `=Bank` for `import { Gateway as Bank }`. */
const aliasMark = "=";

const mostParts = 6;
/** How far back the opening bracket is searched. */
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

/** A chain of calls has its dots at the beginning of lines. */
function lineBreakBefore(text: string, at: number): number {
  let start = at;
  while (start > 0 && /\s/.test(text[start - 1]!)) start--;
  return text.slice(start, at).includes("\n") ? start : at;
}

function withoutTypeArguments(text: string, end: number): number {
  return text[end - 1] === ">" && text[end - 2] !== "-" ? opening(text, end, "<", ">") : end;
}

/** `new Gateway(x).charge()`, `Gateway(x).charge()`, `super().charge()`: the callee names the type. Otherwise unchanged. */
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

/** A child by its role, or by its type where the grammar has no roles. */
type Part = string | readonly string[];
/**
 * A declaration with a variable's type: its name, its type and its initial value (`last`: the last child); `parent`: the type is one
 * node further out; `literal`: what is called is a function, as in Go, where only `Gateway{}` makes a value of that type.
 */
export type TypedRule = { name: Part; type?: Part; value?: string; parent?: boolean; literal?: true };
export type Typed = { name: string; type: string; at: number };

export function addTyped(tree: SyntaxTree, node: number, rule: TypedRule, typed: Typed[]): void {
  const holder = rule.parent ? tree.parents[node]! : node;
  const declared = rule.type === undefined ? none : childIn(tree, holder, rule.type);
  const type =
    (declared === none ? undefined : typeName(textOf(tree, declared))) ??
    (rule.value === undefined ? undefined : createdType(tree, valueNode(tree, node, rule.value), rule.literal));
  if (type === undefined) return;
  for (let child = node + 1; child < tree.after[node]!; child = tree.after[child]!) {
    const isName = isPart(tree, child, rule.name) || (rule.name === "*" && child === node + 1);
    const name = isName ? variableName(textOf(tree, child)) : undefined;
    if (name === undefined) continue;
    typed.push({ name, type, at: tree.starts[child]! });
    // A constructor parameter that is also a field.
    if (fieldModifier.test(tree.text.slice(tree.starts[node], tree.starts[child])))
      typed.push({ name: `this.${name}`, type, at: tree.starts[child]! });
  }
}

function isPart(tree: SyntaxTree, child: number, part: Part): boolean {
  return typeof part === "string" ? tree.fieldNames[tree.roles[child]!] === part : part.includes(typeOf(tree, child));
}

function childIn(tree: SyntaxTree, node: number, part: Part): number {
  return typeof part === "string" ? childAs(tree, node, part) : childOf(tree, node, ...part);
}

const fieldModifier = /^(?:public|private|protected|readonly)\b/;

function valueNode(tree: SyntaxTree, node: number, role: string): number {
  return role === "last" ? (childrenOf(tree, node).at(-1) ?? none) : childAs(tree, node, role);
}

const selfReceiver = /^(?:this|self|@+)\.?/;

function variableName(text: string): string | undefined {
  return /^(?:mut\s+)?[*&]*\s*((?:(?:this|self)(?:\.|->)|\$this->|@)?#?[$\p{L}_][\p{L}\p{N}_]*)$/u
    .exec(text)?.[1]
    ?.replace("->", ".")
    .replace(/^\$|#/, "");
}

/** The type's own name: without pointers, type arguments, `mut`; anything but a plain name is a built-in type. */
function typeName(text: string): string | undefined {
  const bare = text
    .replace(/^[\s:*&?]+|\b(?:mut|dyn|const|final|readonly|impl|struct)\s+/g, "")
    .replace(/^'[a-z]+\s+/, "")
    .replace(/^Optional\[(.*)\]$|^(?:Promise|Readonly|Box|Rc|Arc|Option)<(.*)>$/s, "$1$2")
    .replace(/\s*\|\s*(?:None|null|undefined)\b|\?$/g, "");
  if (/^(?:var|auto|let|any|object|unknown|interface\{\}|Any)$/.test(bare)) return undefined;
  const name =
    /^["']?([\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::|\\)[\p{L}_][\p{L}\p{N}_]*)*)["']?\s*[*&]*(?:<[\s\S]*>|\[[\s\S]*\])?$/u.exec(
      bare,
    )?.[1];
  if (name === undefined || /\]$/.test(bare))
    return name !== undefined && /\[[^\]]/.test(bare) ? name.replace(/::|\\/g, ".") : builtInType;
  return name.replace(/::|\\/g, ".");
}

/** `new Gateway()`, `Gateway(x)`, `&Gateway{}`, `Gateway::new()`, `Gateway.new`. */
function createdType(tree: SyntaxTree, value: number, isLiteral = false): string | undefined {
  if (value === none) return undefined;
  const text = tree.text.slice(tree.starts[value], Math.min(tree.ends[value]!, tree.starts[value]! + 200));
  const path =
    /^(?:await\s+)?(?:new\s+|&)?\\?([\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::|\\)[\p{L}_][\p{L}\p{N}_]*)*)(?:<[^<>()]*>)?\s*(?:[({]|$)/u.exec(
      text,
    )?.[1];
  const name = path?.replace(/(?:::|\.)(?:new|default)$/, "").replace(/::|\\/g, ".");
  if (isLiteral && text[path?.length ?? 0] === "(") return undefined;
  return name !== undefined && name !== text && /(?:^|\.)\p{Lu}[\p{L}\p{N}_]*\p{Ll}[\p{L}\p{N}_]*$/u.test(name)
    ? name
    : undefined;
}

/**
 * Replaces variables with a known type by that type, in receivers: of the enclosing function, else of the class around it. Fields of it
 * stay behind the type: `:Context.parser` for the `context.parser` of `context.parser.parse()`.
 */
export function typedReceivers({ units, references, types }: Pick<TreeWalk, "units" | "references" | "types">): void {
  if (types.length === 0) return;
  const place = innermost(units);
  const typeByVariable = new Map<string, string>();
  for (const { name, type, at } of types) {
    const bare = name.replace(selfReceiver, "");
    const scope = scopeOf(units, place(at), bare);
    // A field that a method assigns belongs to the class.
    const owner = bare !== name && scope !== none ? (units[scope]!.parent ?? scope) : scope;
    const key = `${owner} ${bare}`;
    if (!typeByVariable.has(key)) typeByVariable.set(key, type);
  }
  for (const mention of references) {
    const name = mention.receiver?.replace(/^(?:this|self)\./, "");
    if (name === undefined || name === unknownReceiver) continue;
    const [variable, ...fields] = name.split(".");
    for (let unit: number = place(mention.at); ; unit = units[unit]!.parent ?? none) {
      const type = typeByVariable.get(`${unit} ${variable}`);
      if (type !== undefined && (fields.length === 0 || type !== builtInType))
        mention.receiver = typeMark + [type, ...fields].join(".");
      if (type !== undefined || unit === none) break;
    }
  }
}

/** The scope of a variable: a field or constant is not limited to itself, and a block is no scope. */
function scopeOf(units: WalkedUnit[], from: number, variable: string): number {
  let scope = from;
  while (scope !== none) {
    const { kind, name, parent } = units[scope]!;
    const isItself = (kind === "field" || kind === "constant") && name === variable;
    if (kind !== "block" && !isItself) break;
    scope = parent ?? none;
  }
  return scope;
}

/** The innermost unit at an offset; `none` outside all. Units are ordered by start. */
function innermost(units: WalkedUnit[]): (at: number) => number {
  return (at) => {
    let [low, high] = [0, units.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (units[middle]!.start <= at) low = middle + 1;
      else high = middle;
    }
    let unit: number = low - 1;
    while (unit >= 0 && units[unit]!.end <= at) unit = units[unit]!.parent ?? none;
    return unit;
  };
}

/** Replaces import aliases by the original name: `Bank` becomes Gateway, imported as Bank. */
export function originalNames({ references, imports }: Pick<TreeWalk, "references" | "imports">): void {
  const originals = new Map(imports.flatMap(({ aliases }) => Object.entries(aliases ?? {})));
  if (originals.size === 0) return;
  for (const mention of references) {
    const { name, receiver } = mention;
    const alias = receiver === undefined ? name : receiver.replace(typeMark, "");
    const original = originals.get(alias);
    if (original === undefined || original === alias) continue;
    if (receiver === undefined) mention.name = original;
    mention.receiver = aliasMark + alias + (receiver === undefined ? "" : `.${original}`);
  }
}

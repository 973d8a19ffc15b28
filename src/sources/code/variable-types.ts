import type { Kind } from "../../item.ts";
import { typeMark, unknownReceiver } from "./receivers.ts";
import { childAs, childOf, childrenOf, none, type SyntaxTree, textOf, typeOf } from "./tree.ts";
import type { TreeWalk, WalkedUnit } from "./walk-tree.ts";

/**
 * A declared variable or field, from its declaration (`at`) to the end of its function (`until`). It has a type, or the
 * path whose value it holds (`let state = self.state.lock()`), or neither. `written`: the type is written in the
 * declaration, not derived from the first value. The type `open()` is the result type of that function.
 */
export type Typed = { name: string; at: number; until: number; type?: string; path?: string; written?: boolean };

/** A child by its role, or by its type where the grammar has no roles. */
type Part = string | readonly string[];
/**
 * A declaration with a variable's type: its name, its type and its initial value (`last`: the last child); `parent`:
 * the type is in the parent node; `calls`: for a value that a function returns, the function represents the type.
 */
export type TypedRule = {
  name: Part;
  type?: Part;
  value?: string;
  parent?: boolean;
  calls?: boolean;
  embedded?: boolean;
};

export function addTyped(tree: SyntaxTree, node: number, rule: TypedRule, until: number, typed: Typed[]): void {
  if (isOfFunctionType(tree, node)) return;
  const holder = rule.parent ? tree.parents[node]! : node;
  const declared = rule.type === undefined ? none : childIn(tree, holder, rule.type);
  const value = rule.value === undefined ? none : valueNode(tree, node, rule.value);
  const writtenType = declared === none ? undefined : typeName(firstOf(textOf(tree, declared)));
  const type = writtenType ?? (value === none ? undefined : createdType(tree, value, rule.calls ?? false));
  const written = writtenType !== undefined;
  const path = type === undefined && value !== none ? heldPath(tree, value) : undefined;
  // A variable of unknown type still hides outer variables of the same name. A variable that is only initialised as
  // empty is left out.
  if (type === undefined && (value === none || isNothing.test(textOf(tree, value)))) return;
  let isNamed = false;
  for (let child = node + 1; child < tree.after[node]!; child = tree.after[child]!) {
    const isName = isPart(tree, child, rule.name) || (rule.name === "*" && child === node + 1);
    if (!isName) continue;
    const at = tree.starts[child]!;
    const name = variableName(textOf(tree, child));
    if (name === undefined) continue;
    typed.push({ name, type, path, at, until, written });
    isNamed = true;
    // A constructor parameter may also be a field.
    if (fieldModifier.test(tree.text.slice(tree.starts[node], at)))
      typed.push({ name: `this.${name}`, type, at, until, written });
  }
  // An embedded type is a field that goes by the type's own name.
  if (rule.embedded && !isNamed && type !== undefined)
    typed.push({ name: type.slice(type.lastIndexOf(".") + 1), type, at: tree.starts[node]!, until, written });
}

/** A parameter of a function type is not a variable: `cb: (gate: Gate) => void`. */
function isOfFunctionType(tree: SyntaxTree, node: number): boolean {
  const list = tree.parents[node]!;
  return list > 0 && /^function_(?:type|pointer_type)$/.test(typeOf(tree, tree.parents[list]!));
}

/** The first of several results, `(*Server, error)`: the first name on the left takes it. */
function firstOf(text: string): string {
  return text.replace(/^\(\s*(?:\w+\s+)?([^\s,()]+)\s*(?:,[\s\S]*)?\)$/, "$1");
}

const isNothing = /^(?:None|null|nil|undefined|void 0)$/;

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

/** The first of several names on the left: `gate, err := open()`. */
function variableName(text: string): string | undefined {
  return /^(?:mut\s+)?[*&]*\s*((?:(?:this|self)(?:\.|->)|\$this->|@)?#?[$\p{L}_][\p{L}\p{N}_]*)(?:\s*,|$)/u
    .exec(text)?.[1]
    ?.replace("->", ".")
    .replace(/^\$|#/, "");
}

/** Wrapper types: the methods called on them are those of the wrapped value, or return it. */
const holder =
  /^(?:[\p{L}_][\p{L}\p{N}_]*::)*(?:Promise|Readonly|Box|Rc|Arc|Option|Mutex|RwLock|RefCell|Cell|Pin|Cow|MutexGuard|RwLockReadGuard|RwLockWriteGuard|Ref|RefMut|Result|unique_ptr|shared_ptr)<(?:\s*'[a-z_]+\s*,)?\s*([\s\S]*)>$|^Optional\[([\s\S]*)\]$/u;
const mostHolders = 5;

/** `Response<A, B>, Error`: up to the first comma outside brackets. */
function firstArgument(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if ("<([".includes(text[at]!)) depth++;
    else if (">)]".includes(text[at]!)) depth--;
    else if (text[at] === "," && depth === 0) return text.slice(0, at);
  }
  return text;
}

/**
 * The type's own name, without pointers, type arguments, `mut` and wrapper types. Anything other than a plain name is a
 * built-in type.
 */
function typeName(text: string): string | undefined {
  let bare = text;
  for (let depth = 0; depth < mostHolders; depth++) {
    bare = bare
      .replace(/^(?:->)?[\s:*&?]+(?:'[a-z_]+\s+)?|\b(?:mut|dyn|const|final|readonly|impl|struct)\s+/g, "")
      .replace(/\s*\|\s*(?:None|null|undefined)\b|\?$/g, "");
    const held = holder.exec(bare);
    if (!held) break;
    bare = firstArgument(held[1] ?? held[2]!);
  }
  bare = bare.replace(/\s+\+\s+[^<>]*$/, "");
  // A type parameter may be anything.
  if (/^(?:var|auto|let|any|object|unknown|interface\{\}|Any|\p{Lu}\d?)$/u.test(bare)) return undefined;
  const name =
    /^["']?([\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::|\\)[\p{L}_][\p{L}\p{N}_]*)*)["']?\s*[*&]*(?:<[\s\S]*>|\[[\s\S]*\])?$/u.exec(
      bare,
    )?.[1];
  if (name === undefined || /\]$/.test(bare))
    return name !== undefined && /\[[^\]]/.test(bare) ? name.replace(/::|\\/g, ".") : "[]";
  return name.replace(/::|\\/g, ".");
}

/**
 * `new Gateway()`, `Gateway(x)`, `&Gateway{}`, `Gateway::new()`, `Gateway.new`; with `calls`, also the function that
 * returns the value: `newGateway(x)`, `bank.Open(x)`.
 */
function createdType(tree: SyntaxTree, value: number, calls: boolean): string | undefined {
  const start = tree.starts[value]!;
  const text = tree.text.slice(start, Math.min(tree.ends[value]!, start + 200));
  const match =
    /^(?:await\s+)?(new\s+|&)?\\?([\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::|\\)[\p{L}_][\p{L}\p{N}_]*)*)(?:<[^<>()]*>)?\s*(?:[({]|$)/u.exec(
      text,
    );
  if (!match || !isWhole(tree.text.slice(start + match[0].length, tree.ends[value]), match[0].at(-1)!))
    return undefined;
  const [matched, isNew, path] = match;
  const name = path!.replace(/(?:::|\.)(?:new|default)$/, "").replace(/::|\\/g, ".");
  if (name === text) return undefined;
  if (calls && isNew === undefined && matched.endsWith("(") && heldPath(tree, value) === undefined)
    return isTypeLike(name) ? name : `${name}()`;
  return isTypeLike(name) ? name : undefined;
}

function isTypeLike(name: string): boolean {
  return /(?:^|\.)\p{Lu}[\p{L}\p{N}_]*\p{Ll}[\p{L}\p{N}_]*$/u.test(name);
}

/**
 * Whether the bracket closes at the end: `Gateway(x).session()` is not a Gateway. A body, a block or a call that
 * returns the same value may follow.
 */
function isWhole(rest: string, open: string): boolean {
  if (open !== "(") return true;
  let depth = 1;
  let at = 0;
  for (; at < rest.length && depth > 0; at++) {
    if (rest[at] === "(") depth++;
    else if (rest[at] === ")") depth--;
  }
  const further = rest.slice(at).trimStart();
  return /^(?:$|\{|do\b)/.test(further) || (further.length <= longestPath && further.replace(handsOver, "") === "");
}

/** Calls that return the same value or access to it: a lock, a smart pointer. */
const handsOver =
  /(?:\s*\.\s*(?:(?:lock|borrow|borrow_mut|unwrap|as_ref|as_mut|clone)\(\)|(?:read|write)\(\)(?=\s*\.\s*(?:unwrap|expect|await)\b)|expect\("[^"]*"\)|await\b)|[?!])*$/;
const longestPath = 200;

/** The path whose value a variable has: `self.broker`, `p.state.lock().unwrap()`; undefined for other expressions. */
function heldPath(tree: SyntaxTree, value: number): string | undefined {
  if (tree.ends[value]! - tree.starts[value]! > longestPath) return undefined;
  const path = textOf(tree, value)
    .replace(/^(?:[&*]+\s*(?:mut\s+)?|await\s+)/, "")
    .replace(handsOver, "")
    .replace(/^\$/, "")
    .replace(/->/g, ".");
  return /^@?[\p{L}_][\p{L}\p{N}_]*(?:\.#?[\p{L}_][\p{L}\p{N}_]*){0,4}$/u.test(path)
    ? path.replace(/^@/, "this.").replaceAll("#", "")
    : undefined;
}

type Declared = Typed & { isField: boolean };

/**
 * Replaces receivers that are variables by their type, as declared in the enclosing function, or else in the enclosing
 * class. `implicit`: fields can be named without their object. Returns the types of each unit's fields, as `name@Type`,
 * and a function's result, as `@Type`.
 */
export function typedReceivers(
  { units, references, types }: Pick<TreeWalk, "units" | "references" | "types">,
  implicit: boolean,
): Map<number, string[]> {
  const place = innermost(units);
  const variables = new Map<string, Declared[]>();
  const fields = new Map<number, Map<string, Declared[]>>();
  for (const each of types) {
    const bare = each.name.replace(selfReceiver, "");
    const scope = scopeOf(units, place(each.at), bare);
    // A field that a method assigns belongs to the class.
    const ofSelf = bare !== each.name;
    const owner = ofSelf && scope !== none ? (units[scope]!.parent ?? scope) : scope;
    const isField = ofSelf || (owner !== none && isTypeKind(units[owner]!.kind));
    const key = `${owner} ${bare}`;
    const declared = { ...each, isField };
    const known = variables.get(key);
    if (known) known.push(declared);
    else variables.set(key, [declared]);
    if (isField && owner !== none) {
      const ofOwner = fields.get(owner) ?? new Map<string, Declared[]>();
      fields.set(owner, ofOwner.set(bare, variables.get(key)!));
    }
  }

  const resolved = (receiver: string, at: number, depth = 0): string | undefined => {
    const parts = receiver.split(".");
    const ofSelf = parts.length > 1 && /^(?:this|self)$/.test(parts[0]!);
    const [name, ...rest] = ofSelf ? parts.slice(1) : parts;
    if (name === undefined || depth > longestChain) return undefined;
    for (let unit: number = place(at); ; unit = units[unit]!.parent ?? none) {
      const declared = (variables.get(`${unit} ${name}`) ?? []).filter(({ isField }) =>
        ofSelf ? isField : !isField || implicit,
      );
      const chosen = inEffect(declared, at, unit !== none && !isTypeKind(units[unit]!.kind));
      if (chosen?.type?.endsWith("()")) return ofResult(chosen.type.slice(0, -2), chosen.at, rest, depth);
      if (chosen?.type !== undefined) return [typeMark + chosen.type, ...rest].join("#");
      if (chosen?.path !== undefined) {
        const path = [chosen.path, ...rest].join(".");
        // The own class may declare it in another file, so the path is resolved there.
        return resolved(path, chosen.at, depth + 1) ?? (/^(?:this|self)\./.test(path) ? path : undefined);
      }
      if (chosen || unit === none) return undefined;
    }
  };
  // `reader.searcher()`: a method of a variable is looked up like a field of its type.
  const ofResult = (called: string, at: number, rest: readonly string[], depth: number): string => {
    const isOfVariable = called.includes(".");
    const owner = isOfVariable ? resolved(called, at, depth + 1) : undefined;
    if (owner !== undefined) return [owner, ...rest].join("#");
    return /^(?:this|self)\./.test(called)
      ? [called, ...rest].join(".")
      : [`${typeMark}${called}()`, ...rest].join("#");
  };
  for (const mention of types.length === 0 ? [] : references) {
    const { receiver, at, isPath } = mention;
    if (receiver === undefined || isPath || receiver.startsWith(unknownReceiver)) continue;
    mention.receiver = resolved(receiver, at) ?? receiver;
  }
  const typeOfField = (declared: readonly Declared[]): string | undefined => {
    const { type, path, at } = agreed(declared)!;
    const ofPath = path === undefined ? undefined : resolved(path, at);
    return ofPath?.includes("#") ? undefined : (type ?? ofPath?.replace(typeMark, ""));
  };
  const declares = new Map([...fields].map(([unit, ofUnit]) => [unit, fieldTypes(units[unit]!, ofUnit, typeOfField)]));
  for (const [unit, { kind, name }] of units.entries()) {
    const result = kind === "function" || kind === "method" ? variables.get(`${unit} ${name}`)?.[0]?.type : undefined;
    if (result !== undefined) declares.set(unit, [...(declares.get(unit) ?? []), `@${result}`]);
  }
  return declares;
}

/** Limit of a chain of variables that each hold the value of the next one. */
const longestChain = 4;

function isTypeKind(kind: Kind): boolean {
  return kind === "class" || kind === "interface" || kind === "enum" || kind === "type";
}

/**
 * The declaration that is valid at an offset: in a function the last one before it; elsewhere all declarations, if they
 * agree.
 */
function inEffect(declared: readonly Declared[], at: number, inFunction: boolean): Declared | undefined {
  if (declared.length === 0) return undefined;
  if (inFunction && !declared[0]!.isField) return declared.findLast((each) => each.at < at && at < each.until);
  return agreed(declared);
}

function agreed(declared: readonly Declared[]): Declared | undefined {
  const written = declared.filter((each) => each.written);
  const known = declared.filter(({ type, path }) => type !== undefined || path !== undefined);
  const counting = written.length > 0 ? written : known;
  const [first = declared[0]] = counting;
  const differs = counting.some(({ type, path }) => type !== first!.type || path !== first!.path);
  return differs ? { ...first!, type: undefined, path: undefined } : first;
}

/** `broker@base.Broker`; the type of an alias (`type State = Arc<Mutex<Inner>>`) has no name before the `@`. */
function fieldTypes(
  { name, kind }: WalkedUnit,
  fields: ReadonlyMap<string, Declared[]>,
  typeOfField: (declared: readonly Declared[]) => string | undefined,
): string[] {
  return [...fields].flatMap(([field, declared]) => {
    const type = typeOfField(declared);
    return type === undefined ? [] : [`${kind === "type" && field === name ? "" : field}@${type}`];
  });
}

const mostOfNode = 20;

/** The scope of a variable: a field or constant is visible outside itself, and a block is not a scope. */
function scopeOf(units: WalkedUnit[], from: number, variable: string): number {
  let scope = from;
  while (scope !== none) {
    const { kind, start, parent } = units[scope]!;
    // One node may declare several variables: `a, b Gate`.
    const isSelf = (unit: WalkedUnit | undefined) => unit?.start === start && unit.name === variable;
    const isItself =
      (kind === "field" || kind === "constant") &&
      (isSelf(units[scope]) || units.slice(Math.max(0, scope - mostOfNode), scope).some(isSelf));
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

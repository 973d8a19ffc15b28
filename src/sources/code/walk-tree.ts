import type { Kind } from "../../item.ts";
import { belongs, type CommentRun, continued, indentationBefore, skipBlank } from "./comment-runs.ts";
import type { OwnSpan } from "./own-text.ts";
import { addBareCall, addCall, addHeritage, addName, type PlacedReference } from "./references.ts";
import { type Declaration, type ImportedName, ownEntry, type Rules } from "./rules.ts";
import { childAs, none, type SyntaxTree } from "./tree.ts";
import { addTyped, type Typed, type TypedRule } from "./variable-types.ts";

/** The result of one pass over a tree, by offset; made into an Extraction by syntax.ts. */
export type TreeWalk = {
  units: WalkedUnit[];
  literals: Literal[];
  references: PlacedReference[];
  types: Typed[];
  imports: (ImportedName & OwnSpan)[];
  /** Top-level statements, in order; none if the text was not parsed by a grammar. */
  statements: OwnSpan[];
};

export type WalkedUnit = {
  kind: Kind;
  name: string;
  owner?: string;
  /** Index of the enclosing unit. */
  parent?: number;
  /** A function inside a function: its text also belongs to the outer one. */
  inner?: boolean;
  /** Not searched as text: its text belongs to the surrounding unit. */
  unsearched?: boolean;
  /** Named after the unit around the function that contains it. */
  ofOuter?: boolean;
  /** The whole span, including the doc comment above. */
  start: number;
  end: number;
  /** The declaration without decorators and doc comment. */
  signatureStart: number;
  signatureEnd: number;
  /** Comments above, or the docstring inside. */
  docs: Literal[];
  test?: boolean;
  /** Names inside are not qualified with its own name: the parts of a Vue file. */
  nameless?: boolean;
};

export type Literal = OwnSpan & { kind: "comment" | "string" };

/** Deeper units are ignored: names would grow without end. */
export const deepestUnits = 30;

type Scope = { end: number; unit: number | undefined; opaque: boolean };

/**
 * One loop over the nodes in text order, with a stack of open units. `module`: the name under which the file is
 * imported.
 */
export function walk(tree: SyntaxTree, rules: Rules, module?: string): TreeWalk {
  const roles = rolesOf(tree, rules);
  const walker = new TreeWalker(tree, rules, module);
  for (let node = 0; node < tree.count; node++) {
    walker.leaveScopes(node);
    const role = roles[tree.types[node]!];
    if (role) walker.read(node, role);
  }
  return walker.walked;
}

class TreeWalker {
  readonly walked: TreeWalk;
  readonly #tree: SyntaxTree;
  readonly #rules: Rules;
  readonly #module: string | undefined;
  readonly #scopes: Scope[] = [];
  #scope: Scope | undefined;
  /** Comments and prefixes that may belong to what follows. */
  #run: CommentRun | undefined;
  #literalEnd = 0;

  constructor(tree: SyntaxTree, rules: Rules, module: string | undefined) {
    this.#tree = tree;
    this.#rules = rules;
    this.#module = module;
    const statements = statementsOf(tree, rules);
    this.walked = { units: [], literals: [], references: [], types: [], imports: [], statements };
  }

  leaveScopes(node: number): void {
    while (this.#scope !== undefined && node >= this.#scope.end) {
      this.#scopes.pop();
      this.#scope = this.#scopes.at(-1);
    }
  }

  read(node: number, role: Role): void {
    const tree = this.#tree;
    const rules = this.#rules;
    const { references, types } = this.walked;
    if (role.heritage || role.heritageRoles) this.#addHeritage(node, role);
    if (role.literal) this.#addLiteral(node, role.literal);
    if (role.prefix && !rules.notPrefix?.(tree, node)) this.#goOn({ kind: "comment", ...this.#spanOf(node) }, false);
    if (role.callee) addCall(tree, node, role.callee, rules, references);
    if (role.isBareCall?.(tree, node)) addBareCall(tree, node, rules, references);
    if (role.typed) addTyped(tree, node, role.typed, endOf(tree, this.#scope), types);
    if (role.isName) addName(tree, node, role.isType, references);
    if (role.imports && this.#addImports(node, role.imports)) return;
    if (role.unit && this.#addUnits(node, role.unit)) return;
    if (role.opaque && !(rules.transparent?.(tree, node) ?? false))
      this.#enter({ end: tree.after[node]!, unit: this.#scope?.unit, opaque: true });
  }

  #spanOf(node: number): OwnSpan {
    return { start: this.#tree.starts[node]!, end: this.#tree.ends[node]! };
  }

  #enter(scope: Scope): void {
    this.#scopes.push(scope);
    this.#scope = scope;
  }

  #goOn(literal: Literal, isComment: boolean): void {
    this.#run = continued(this.#tree.text, this.#run, literal, this.#scope?.unit, isComment);
  }

  #addHeritage(node: number, { heritage, heritageRoles }: Role): void {
    const tree = this.#tree;
    const rules = this.#rules;
    const { references } = this.walked;
    if (rules.isHeritage?.(tree, node) === false) return;
    if (heritage) addHeritage(tree, node, heritage, rules, references);
    for (const [childRole, kind] of heritageRoles ?? []) {
      const child = childAs(tree, node, childRole);
      if (child !== none) addHeritage(tree, child, kind, rules, references);
    }
  }

  /** What is inside a literal belongs to it. */
  #addLiteral(node: number, kind: Literal["kind"]): void {
    const literal: Literal = { kind, ...this.#spanOf(node) };
    if (literal.start < this.#literalEnd) return;
    this.#literalEnd = literal.end;
    this.walked.literals.push(literal);
    if (kind === "comment") this.#goOn(literal, true);
  }

  #addImports(node: number, importsOf: Rules["imports"][string]): boolean {
    const imported = this.#scope?.opaque ? undefined : importsOf(this.#tree, node);
    if (!imported) return false;
    for (const each of imported) this.walked.imports.push({ ...each, ...this.#spanOf(node) });
    return true;
  }

  #addUnits(node: number, unitOf: Rules["units"][string]): boolean {
    const scope = this.#scope;
    const inside = scope?.unit === undefined ? undefined : this.walked.units[scope.unit]!.kind;
    const inFunction = scope?.opaque === true && (inside === "function" || inside === "method");
    if ((scope?.opaque && !inFunction) || this.#scopes.length >= deepestUnits) return false;
    const declared = unitOf(this.#tree, node, inside);
    if (!declared || !isName(declared.name) || (inFunction && !isInner(this.#tree, node, declared))) return false;
    const { units } = this.walked;
    const unitIndex = units.length;
    const unit = { ...this.#placed(node, declared), ...kindOf(declared, inside, inFunction), parent: scope?.unit };
    const ownName = declared.ofModule ? (this.#module ?? declared.name) : declared.name;
    for (const name of [ownName, ...(declared.also ?? []).filter(isName)]) units.push({ ...unit, name });
    this.#enter({ end: this.#tree.after[declared.last ?? node]!, unit: unitIndex, opaque: !declared.open });
    this.#run = undefined;
    return true;
  }

  /** The span of a unit, and whether a prefix above makes it a test. */
  #placed(node: number, declared: Declaration) {
    const tree = this.#tree;
    const rules = this.#rules;
    const unit = walkedUnit(tree, node, wrapped(tree, node, rules), declared, rules, this.#run, this.#scope?.unit);
    const above = tree.text.slice(unit.start, unit.signatureStart);
    const isTest = declared.test || (rules.testPrefix !== undefined && above !== "" && rules.testPrefix.test(above));
    return { ...unit, owner: declared.owner, ...(isTest ? { test: true } : {}) };
  }
}

function kindOf(
  { kind, owner, unsearched, ofOuter }: Declaration,
  inside: Kind | undefined,
  inFunction: boolean,
): Pick<WalkedUnit, "kind" | "unsearched" | "ofOuter" | "inner"> {
  const asMethod = !inFunction && kind === "function" && (owner !== undefined || isTypeLike(inside));
  const isUnsearched = kind === "field" || unsearched;
  const inner = inFunction ? { inner: true } : {};
  return { kind: asMethod ? "method" : kind, ...(isUnsearched ? { unsearched: true, ofOuter } : inner) };
}

/** The end of a function's scope, where its variables stop being visible. */
function endOf(tree: SyntaxTree, scope: Scope | undefined): number {
  return scope === undefined || scope.end >= tree.count ? tree.text.length : tree.starts[scope.end]!;
}

/** The children of the root, and of the statement lists in it. */
function statementsOf(tree: SyntaxTree, rules: Rules): OwnSpan[] {
  const statements: OwnSpan[] = [];
  for (let node = 1; node < tree.count; ) {
    const type = tree.typeNames[tree.types[node]!]!;
    const isList = tree.parents[node] === 0 && (type.endsWith("_list") || type === "declarations");
    if (!isList && !rules.comments.includes(type))
      statements.push({ start: tree.starts[node]!, end: tree.ends[node]! });
    node = isList ? node + 1 : tree.after[node]!;
  }
  return statements;
}

type Role = {
  unit?: Rules["units"][string];
  imports?: Rules["imports"][string];
  literal?: "comment" | "string";
  prefix?: boolean;
  callee?: string;
  isBareCall?: (tree: SyntaxTree, node: number) => boolean;
  typed?: TypedRule;
  isName?: boolean;
  isType?: boolean;
  opaque?: boolean;
  heritage?: "extends" | "implements";
  /** Roles of its children that are heritage. */
  heritageRoles?: [string, "extends" | "implements"][];
};

const rolesByRules = new WeakMap<Rules, WeakMap<readonly string[], (Role | undefined)[]>>();

/** The rules by type number, so that the loop indexes an array instead of looking up strings. */
function rolesOf(tree: SyntaxTree, rules: Rules): (Role | undefined)[] {
  let byGrammar = rolesByRules.get(rules);
  if (!byGrammar) rolesByRules.set(rules, (byGrammar = new WeakMap()));
  let roles = byGrammar.get(tree.typeNames);
  if (!roles) byGrammar.set(tree.typeNames, (roles = compile(tree.typeNames, rules)));
  return roles;
}

function compile(typeNames: readonly string[], rules: Rules): (Role | undefined)[] {
  const inRoles = Object.entries(rules.heritage ?? {}).filter(([key]) => key.includes("."));
  return typeNames.map((type) => {
    const role: Role = {
      unit: ownEntry(rules.units, type),
      imports: ownEntry(rules.imports, type),
      literal: rules.comments.includes(type) ? "comment" : rules.strings.includes(type) ? "string" : undefined,
      prefix: rules.prefixes?.includes(type),
      callee: ownEntry(rules.calls, type),
      isBareCall: ownEntry(rules.bareCalls ?? {}, type),
      typed: ownEntry(rules.typed ?? {}, type),
      isName: rules.names.includes(type) || rules.types?.includes(type),
      isType: rules.types?.includes(type),
      opaque: rules.opaque?.includes(type),
      heritage: ownEntry(rules.heritage ?? {}, type),
    };
    const heritageRoles = inRoles.filter(([key]) => key.startsWith(`${type}.`));
    if (heritageRoles.length > 0)
      role.heritageRoles = heritageRoles.map(([key, kind]) => [key.slice(type.length + 1), kind]);
    return Object.values(role).some(Boolean) ? role : undefined;
  });
}

/** The outermost node that is still only this declaration: `export default class ...`, `@decorator def ...`. */
function wrapped(tree: SyntaxTree, node: number, rules: Rules): number {
  let outer = node;
  for (;;) {
    const parent = tree.parents[outer]!;
    if (parent === none || !rules.wrappers.includes(tree.typeNames[tree.types[parent]!]!)) return outer;
    for (let sibling = parent + 1; sibling < tree.after[parent]!; sibling = tree.after[sibling]!) {
      if (sibling !== outer && ownEntry(rules.units, tree.typeNames[tree.types[sibling]!]!)) return outer;
    }
    outer = parent;
  }
}

function walkedUnit(
  tree: SyntaxTree,
  node: number,
  outer: number,
  { body, last, start: from, doc }: Declaration,
  rules: Rules,
  run: CommentRun | undefined,
  scopeUnit: number | undefined,
): Pick<WalkedUnit, "start" | "end" | "signatureStart" | "signatureEnd" | "docs"> {
  const start = from ?? tree.starts[outer]!;
  const end = Math.max(tree.ends[outer]!, tree.ends[last ?? outer]!);
  const above = run && run.unit === scopeUnit && belongs(tree.text, run, start) ? run : undefined;
  const declaration = from ?? afterDecorators(tree, outer, rules);
  const inner = doc ?? (body === undefined || !rules.docstring ? none : rules.docstring(tree, body));
  return {
    start: Math.min(above?.start ?? start, start, inner === none ? start : tree.starts[inner]!),
    end,
    signatureStart: indentationBefore(tree.text, declaration),
    signatureEnd: body === undefined ? end : Math.max(declaration, bodyStart(tree, node, body, rules)),
    docs:
      inner === none ? (above?.docs ?? []) : [{ kind: "string", start: tree.starts[inner]!, end: tree.ends[inner]! }],
  };
}

/** A comment between the head and the body is not part of the signature. */
function bodyStart(tree: SyntaxTree, node: number, body: number, rules: Rules): number {
  let end = tree.starts[body]!;
  for (let child = node + 1; child < body; child = tree.after[child]!) {
    if (rules.comments.includes(tree.typeNames[tree.types[child]!]!)) end = Math.min(end, tree.starts[child]!);
    else end = tree.starts[body]!;
  }
  return end;
}

function afterDecorators(tree: SyntaxTree, outer: number, rules: Rules): number {
  let at = tree.starts[outer]!;
  for (let node = outer + 1; node < tree.after[outer]! && tree.starts[node]! <= at; ) {
    const type = tree.typeNames[tree.types[node]!]!;
    if (rules.decorators?.includes(type) || (at > tree.starts[outer]! && rules.comments.includes(type))) {
      at = skipBlank(tree.text, tree.ends[node]!);
      node = tree.after[node]!;
    } else node++;
  }
  return at;
}

/** A shorter inner function is part of the outer one's text. */
const shortestInner = 5;

/** A longer inner function is a unit of its own; so is a field of the class. */
function isInner(tree: SyntaxTree, node: number, { kind, owner, ofOuter, last = node }: Declaration): boolean {
  if (ofOuter) return true;
  if (kind !== "function" || owner !== undefined) return false;
  let lines = 1;
  for (let at = tree.starts[node]!; lines < shortestInner; lines++) {
    at = tree.text.indexOf("\n", at) + 1;
    if (at === 0 || at >= tree.ends[last]!) return false;
  }
  return true;
}

function isTypeLike(kind: Kind | undefined): boolean {
  return kind !== undefined && kind !== "module" && kind !== "function" && kind !== "method";
}

function isName(name: string): boolean {
  return name !== "" && name !== "_" && name.length <= 200 && !name.includes("\n");
}

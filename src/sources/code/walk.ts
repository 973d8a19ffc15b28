import type { Kind } from "../../item.ts";
import type { Reference } from "./extraction.ts";
import type { Imported, Rules } from "./rules.ts";
import { childAs, none, type SyntaxTree, textOf } from "./tree.ts";

/** What one pass over a tree yields, by place in the text; assembled into an Extraction by assemble.ts. */
export type Walk = {
  units: WalkedUnit[];
  literals: Literal[];
  references: (Reference & { at: number })[];
  imports: (Imported & { start: number; end: number })[];
};

export type WalkedUnit = {
  kind: Kind;
  name: string;
  owner?: string;
  /** Index of the unit around it. */
  parent?: number;
  /** The whole span, the doc comment above included. */
  start: number;
  end: number;
  /** The declaration without decorators and doc comment. */
  signatureStart: number;
  signatureEnd: number;
  /** Comments above, or the docstring inside. */
  docs: Literal[];
  /** Decorators, attributes and annotations as written. */
  marks: string;
};

export type Literal = { kind: "comment" | "string"; start: number; end: number };

type Scope = { end: number; unit: number | undefined; opaque: boolean };
type Run = { start: number; end: number; unit: number | undefined; docs: Literal[] };

const capitalised = /^\p{Lu}[\p{L}\p{N}_]*\p{Ll}/u;

/** One loop over the nodes in text order, with a stack of what is open. */
export function walk(tree: SyntaxTree, rules: Rules): Walk {
  const roles = rolesOf(tree, rules);
  const walked: Walk = { units: [], literals: [], references: [], imports: [] };
  const scopes: Scope[] = [];
  let run: Run | undefined;
  let literalEnd = 0;

  for (let node = 0; node < tree.count; node++) {
    while (scopes.length > 0 && node >= scopes.at(-1)!.end) scopes.pop();
    const role = roles[tree.types[node]!];
    const scope = scopes.at(-1);
    if (!role) continue;
    if (role.heritage) addHeritage(tree, node, role.heritage, rules, walked);
    for (const [held, kind] of role.heritageRoles ?? []) {
      const child = childAs(tree, node, held);
      if (child !== none) addHeritage(tree, child, kind, rules, walked);
    }

    if (role.literal && tree.starts[node]! >= literalEnd) {
      const literal: Literal = { kind: role.literal, start: tree.starts[node]!, end: tree.ends[node]! };
      literalEnd = literal.end;
      walked.literals.push(literal);
      if (role.literal === "comment") run = continued(tree.text, run, literal, scope?.unit, true);
    }
    if (role.prefix)
      run = continued(
        tree.text,
        run,
        { kind: "comment", start: tree.starts[node]!, end: tree.ends[node]! },
        scope?.unit,
        false,
      );
    if (role.callee) addCall(tree, node, role.callee, rules, walked);
    if (role.isName) addName(tree, node, role.isType, walked);

    if (role.imports && !scope?.opaque) {
      const imported = role.imports(tree, node);
      if (imported) {
        for (const each of imported) walked.imports.push({ ...each, start: tree.starts[node]!, end: tree.ends[node]! });
        continue;
      }
    }
    if (role.unit && !scope?.opaque) {
      const inside = scope?.unit === undefined ? undefined : walked.units[scope.unit]!.kind;
      const declared = role.unit(tree, node, inside);
      if (declared && isName(declared.name)) {
        const outer = wrapped(tree, node, rules);
        const unit = walkedUnit(tree, outer, declared.last ?? outer, declared.body, rules, run, scope?.unit);
        const asMethod = declared.kind === "function" && (declared.owner !== undefined || isTypeLike(inside));
        walked.units.push({
          ...unit,
          kind: asMethod ? "method" : declared.kind,
          name: declared.name,
          owner: declared.owner,
          parent: scope?.unit,
        });
        const last = declared.last ?? node;
        scopes.push({ end: tree.after[last]!, unit: walked.units.length - 1, opaque: !declared.open });
        run = undefined;
        continue;
      }
    }
    if (role.opaque && !(rules.transparent?.(tree, node) ?? false)) {
      scopes.push({ end: tree.after[node]!, unit: scope?.unit, opaque: true });
    }
  }
  return walked;
}

type Role = {
  unit?: Rules["units"][string];
  imports?: Rules["imports"][string];
  literal?: "comment" | "string";
  prefix?: boolean;
  callee?: string;
  isName?: boolean;
  isType?: boolean;
  opaque?: boolean;
  heritage?: "extends" | "implements";
  /** Roles of its children that are heritage. */
  heritageRoles?: [string, "extends" | "implements"][];
};

const rolesByRules = new WeakMap<Rules, WeakMap<readonly string[], (Role | undefined)[]>>();

/** The rules by type number, so that the loop looks up an array and not a string. */
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
      unit: own(rules.units, type),
      imports: own(rules.imports, type),
      literal: rules.comments.includes(type) ? "comment" : rules.strings.includes(type) ? "string" : undefined,
      prefix: rules.prefixes?.includes(type),
      callee: own(rules.calls, type),
      isName: rules.names.includes(type) || rules.types?.includes(type),
      isType: rules.types?.includes(type),
      opaque: rules.opaque?.includes(type),
      heritage: own(rules.heritage ?? {}, type),
    };
    const held = inRoles.filter(([key]) => key.startsWith(`${type}.`));
    if (held.length > 0) role.heritageRoles = held.map(([key, kind]) => [key.slice(type.length + 1), kind]);
    return Object.values(role).some(Boolean) ? role : undefined;
  });
}

function own<T>(table: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** The outermost node that is still only this declaration: `export default class ...`, `@decorator def ...`. */
function wrapped(tree: SyntaxTree, node: number, rules: Rules): number {
  let outer = node;
  for (;;) {
    const parent = tree.parents[outer]!;
    if (parent === none || !rules.wrappers.includes(tree.typeNames[tree.types[parent]!]!)) return outer;
    for (let sibling = parent + 1; sibling < tree.after[parent]!; sibling = tree.after[sibling]!) {
      if (sibling !== outer && tree.types[sibling] === tree.types[outer]) return outer;
    }
    outer = parent;
  }
}

function walkedUnit(
  tree: SyntaxTree,
  outer: number,
  last: number,
  body: number | undefined,
  rules: Rules,
  run: Run | undefined,
  scopeUnit: number | undefined,
): Pick<WalkedUnit, "start" | "end" | "signatureStart" | "signatureEnd" | "docs" | "marks"> {
  const start = tree.starts[outer]!;
  const end = tree.ends[last]!;
  const above = run && run.unit === scopeUnit && touches(tree.text, run.end, start) ? run : undefined;
  const declaration = afterDecorators(tree, outer, rules);
  const inner = body === undefined || !rules.docstring ? none : rules.docstring(tree, body);
  const docs: Literal[] =
    inner === none ? (above?.docs ?? []) : [{ kind: "string", start: tree.starts[inner]!, end: tree.ends[inner]! }];
  return {
    start: above?.start ?? start,
    end,
    signatureStart: indentationBefore(tree.text, declaration),
    signatureEnd: body === undefined ? end : Math.max(declaration, tree.starts[body]!),
    docs,
    marks: tree.text.slice(above?.start ?? start, declaration),
  };
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

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}

/** The place where the line's indentation begins, when nothing else stands before `at`. */
export function indentationBefore(text: string, at: number): number {
  let from = at;
  while (from > 0 && (text.charCodeAt(from - 1) === 32 || text.charCodeAt(from - 1) === 9)) from--;
  return from === 0 || text.charCodeAt(from - 1) === 10 ? from : at;
}

/** Comments that follow each other on their own lines are one run. */
function continued(
  text: string,
  run: Run | undefined,
  literal: Literal,
  unit: number | undefined,
  isDoc: boolean,
): Run | undefined {
  const line = indentationBefore(text, literal.start);
  if (line !== 0 && text.charCodeAt(line - 1) !== 10) return run && run.end <= literal.start ? undefined : run;
  const docs = isDoc ? [literal] : [];
  if (run && run.unit === unit && touches(text, run.end, literal.start)) {
    return { start: run.start, end: literal.end, unit, docs: [...run.docs, ...docs] };
  }
  return { start: literal.start, end: literal.end, unit, docs };
}

/** True when only blanks and at most one line end stand between two places. */
function touches(text: string, from: number, to: number): boolean {
  // A comment node may hold its line end already.
  let ends = from > 0 && text.charCodeAt(from - 1) === 10 ? 1 : 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) ends++;
    else if (!isBlank(code)) return false;
  }
  return ends <= 1 && from <= to;
}

function isTypeLike(kind: Kind | undefined): boolean {
  return kind !== undefined && kind !== "module";
}

function isName(name: string): boolean {
  return name !== "" && name.length <= 200 && !name.includes("\n");
}

function addCall(tree: SyntaxTree, node: number, callee: string, rules: Rules, walked: Walk): void {
  // "*" is the first child, for grammars that give the callee no role.
  const called = callee !== "*" ? childAs(tree, node, callee) : tree.after[node]! > node + 1 ? node + 1 : none;
  const name = lastName(tree, called, rules);
  if (name) walked.references.push({ kind: "calls", name, at: tree.starts[node]! });
}

function lastName(tree: SyntaxTree, from: number, rules: Rules): string | undefined {
  let node = from;
  while (node !== none) {
    const type = tree.typeNames[tree.types[node]!]!;
    if (rules.names.includes(type) || rules.types?.includes(type)) return textOf(tree, node);
    const role = own(rules.members, type);
    if (role === undefined) return undefined;
    node = role === "last" ? lastChild(tree, node) : childAs(tree, node, role);
  }
  return undefined;
}

function lastChild(tree: SyntaxTree, node: number): number {
  let last = none;
  for (let child = node + 1; child < tree.after[node]!; child = tree.after[child]!) last = child;
  return last;
}

function addName(tree: SyntaxTree, node: number, isType: boolean | undefined, walked: Walk): void {
  const first = tree.text.charCodeAt(tree.starts[node]!);
  if (!isType && first >= 97 && first <= 122) return;
  const name = textOf(tree, node);
  if ((isType && name.length > 1) || capitalised.test(name))
    walked.references.push({ kind: "references", name, at: tree.starts[node]! });
}

function addHeritage(tree: SyntaxTree, node: number, kind: "extends" | "implements", rules: Rules, walked: Walk): void {
  const end = tree.after[node]!;
  for (let inner = node; inner < end; ) {
    const type = tree.typeNames[tree.types[inner]!]!;
    if (inner !== node && (rules.notHeritage?.includes(type) || own(rules.heritage ?? {}, type))) {
      inner = tree.after[inner]!;
      continue;
    }
    const name = lastName(tree, inner, rules);
    if (name) {
      walked.references.push({ kind, name, at: tree.starts[inner]! });
      inner = tree.after[inner]!;
    } else inner++;
  }
}

import { type Definition, isType, type NameMention, ownerOf, type Program } from "./definitions.ts";
import { lastPart } from "./modules.ts";
import { type Family, hasOpenTypes } from "./visibility.ts";

/**
 * The types of a call's receiver: of fields, as their classes declare them, of the enclosing class, and of types that
 * implement an interface.
 */

/** The part of the workspace that is visible to a mention. */
export type ScopeView = {
  mention: NameMention;
  program: Program;
  family: Family;
  /** Every definition that the name may mean. */
  visible: (name: string) => readonly Definition[];
  /** The meaning of the name without a receiver. */
  plain: (name: string) => Definition[];
  members: (types: readonly Definition[], name: string) => Definition[];
  basesOf: (type: Definition) => Definition[];
  resolve: (mention: NameMention, program: Program) => Definition[];
};

const deepestBase = 8;

/** These types, then their supertypes, then the supertypes of those, level by level. */
export function* withSupertypes(types: readonly Definition[], view: ScopeView): Generator<readonly Definition[]> {
  const seen = new Set<string>();
  let level = types;
  for (let depth = 0; depth < deepestBase && level.length > 0; depth++) {
    yield level;
    level = level.flatMap((type) => {
      if (seen.has(type.id)) return [];
      seen.add(type.id);
      return [...view.basesOf(type), ...embedded(type, view)];
    });
  }
}

/**
 * Go: the members of an embedded type are the type's own. A field that only has the same name as its type may count as
 * embedded too; this does no harm, since code never asks the outer type for members of that field.
 */
function embedded(type: Definition, view: ScopeView): Definition[] {
  if (view.family !== "go") return [];
  const names = view.program.members(type).flatMap((text) => /^([^@]+)@(?:.*\.)?\1$/.exec(text)?.[1] ?? []);
  return names
    .flatMap((name) => declaredTypes(type, name, view).flatMap((each) => each()))
    .filter(({ id }) => id !== type.id);
}

/**
 * The types of `a.b` on these owners; undefined when a field is not declared. Empty when the field's type is not in the
 * workspace.
 */
export function typesOfFields(
  owners: readonly Definition[],
  fields: readonly string[],
  view: ScopeView,
): readonly Definition[] | undefined {
  let types: readonly Definition[] | undefined = owners;
  for (const field of fields) types = types && typesOfField(types, field, view);
  return types;
}

function typesOfField(types: readonly Definition[], field: string, view: ScopeView): Definition[] | undefined {
  for (const level of withSupertypes(types, view)) {
    const declared = level.flatMap((type) => declaredTypes(type, field, view));
    if (declared.length > 0) return declared.flatMap((each) => each());
  }
  // A method that is called within the path stands for its result type.
  const results = view.members(types, field).flatMap((method) => declaredTypes(method, "", view));
  return results.length > 0 ? results.flatMap((each) => each()) : undefined;
}

/**
 * The declared type of a field of this type, the target of an alias (`field` is empty), or the result type of a
 * function; resolved in the file of the declaration.
 */
export function declaredTypes(type: Definition, field: string, view: ScopeView): (() => Definition[])[] {
  const texts = view.program.members(type).filter((text) => text.startsWith(`${field}@`) && !text.endsWith("@"));
  const program: Program = {
    ...view.program,
    definitions: (name) => view.program.definitions(name).filter(({ kind }) => kind !== "field"),
  };
  return texts.map((text) => () => {
    const written = text.slice(field.length + 1);
    const { path, language, qualified } = type;
    const mention: NameMention = {
      ...view.mention,
      kind: "references",
      text: written,
      path,
      language,
      unit: qualified,
    };
    return view.resolve(mention, program).filter(isType);
  });
}

/** The type itself; a function represents its result type. */
export function typesOfValue(named: Definition, view: ScopeView): Definition[] {
  const isFunction = named.kind === "function" || named.kind === "method";
  const returned = isFunction ? declaredTypes(named, "", view).flatMap((types) => types()) : [];
  return returned.length > 0 ? returned : named.kind === "method" ? [] : [named];
}

/** The innermost enclosing class; with all its parts, if the language allows several. */
export function typeAround({ mention, program, family, plain }: ScopeView): Definition[] {
  for (let owner = mention.unit; owner !== ""; owner = ownerOf(owner)) {
    const types = program
      .definitions(lastPart(owner))
      .filter((each) => each.qualified === owner && each.path === mention.path && isType(each));
    if (types.length === 0) continue;
    const further = hasOpenTypes(family) ? plain(lastPart(owner)).filter(isType) : [];
    return [...new Set([...types, ...further])];
  }
  return [];
}

/** True when the name is imported, but not from a file of the workspace. */
export function isOfLibrary(root: string, { mention, program }: ScopeView): boolean {
  const bindings = program.imports(mention.path).filter(({ names }) => names.includes(root));
  return bindings.length > 0 && bindings.every(({ files }) => files(root).length === 0);
}

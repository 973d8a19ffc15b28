import { type Definition, isType, type NameMention, ownerOf, type Program } from "./definitions.ts";
import { implementationsOf } from "./implementations.ts";
import { lastPart } from "./modules.ts";
import { type Family, hasOpenTypes } from "./visibility.ts";

/** The types of what a call is made on: of fields, as their classes declare them, of the class around, of what implements an interface. */

/** What a mention sees of the workspace. */
export type ScopeView = {
  mention: NameMention;
  program: Program;
  family: Family;
  /** All that the name may mean at all. */
  visible: (name: string) => readonly Definition[];
  /** What the name means alone. */
  plain: (name: string) => Definition[];
  members: (types: readonly Definition[], name: string) => Definition[];
  basesOf: (type: Definition) => Definition[];
  resolve: (mention: NameMention, program: Program) => Definition[];
};

const deepestBase = 8;

/** These types, then their supertypes, then those of them. */
export function* withSupertypes(
  types: readonly Definition[],
  { basesOf }: Pick<ScopeView, "basesOf">,
): Generator<readonly Definition[]> {
  const seen = new Set<string>();
  let level = types;
  for (let depth = 0; depth < deepestBase && level.length > 0; depth++) {
    yield level;
    level = level.flatMap((type) => {
      if (seen.has(type.id)) return [];
      seen.add(type.id);
      return basesOf(type);
    });
  }
}

/** The types of `a.b` on these owners; undefined when a field is not declared. None when its type is not of the workspace. */
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
  return undefined;
}

/** What a type writes as the type of a field, or of itself as an alias (`field` is empty), or a function as its result; looked up there. */
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

/** Members of these types; through an interface also those of the types that implement it. */
export function membersThrough(types: readonly Definition[], name: string, view: ScopeView): Definition[] {
  return [...new Set([...view.members(types, name), ...implementationsOf(types, name, view)])];
}

/** The innermost class around, with all its parts where it may have several. */
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

import { type Definition, isType, ownerOf, sameFolder, singleThing } from "./definitions.ts";
import { lastPart } from "./modules.ts";
import { type ScopeView, withSupertypes } from "./receiver-types.ts";
import { isDistinctive } from "./visibility.ts";

/** Limit of implementations: a call through an interface with more of them may mean anything. */
const mostImplementations = 4;

/** The methods that may be called through the interfaces among these types: those of the types that implement them. */
function implementationsOf(types: readonly Definition[], name: string, view: ScopeView): Definition[] {
  const candidates = view.visible(name).filter(({ kind }) => kind === "method");
  const implementations = types
    .filter(({ kind }) => kind === "interface")
    .flatMap((type) =>
      view.family === "go" ? structural(type, name, candidates, view) : declared(type, candidates, view),
    );
  return implementations.length > mostImplementations ? [] : implementations;
}

function declared(
  { id }: Definition,
  candidates: readonly Definition[],
  { program, basesOf }: ScopeView,
): Definition[] {
  return candidates.filter(({ qualified, path }) => {
    const owner = ownerOf(qualified);
    return program
      .definitions(lastPart(owner))
      .filter((each) => each.qualified === owner && each.path === path && isType(each))
      .some((each) => basesOf(each).some((base) => base.id === id));
  });
}

/** Go: any type with all methods of an interface implements it. */
function structural(type: Definition, name: string, candidates: readonly Definition[], view: ScopeView): Definition[] {
  const { program, visible } = view;
  const asked = [...withSupertypes([type], view)].flat().flatMap((each) => program.members(each));
  const methods = [...new Set(asked.flatMap((text) => (text.endsWith("@") ? [text.slice(0, -1)] : [])))];
  if (!methods.includes(name)) return [];
  const implementing = candidates.filter(({ qualified, path }) =>
    methods.every((method) =>
      visible(method).some(
        (each) => each.qualified === `${ownerOf(qualified)}.${method}` && sameFolder(each.path, path),
      ),
    ),
  );
  // A single common method name, such as `draw`, does not prove that a type implements the interface.
  return methods.length > 1 || isDistinctive(name, "go") ? implementing : singleThing(implementing);
}

/** Members of these types; through an interface also those of the types that implement it. */
export function membersThrough(types: readonly Definition[], name: string, view: ScopeView): Definition[] {
  return [...new Set([...view.members(types, name), ...implementationsOf(types, name, view)])];
}

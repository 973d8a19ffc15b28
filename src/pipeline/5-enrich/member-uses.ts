import type { Item, UsageSite, Uses } from "../../item.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { bySite, usesOf } from "./callers.ts";

/** Methods of one class that are looked at, and lines of each in a short list. */
const mostMembers = 20;
const leastOfEach = 2;

/**
 * Adds who calls the methods of a class from outside: the class itself is named only where an object is made or
 * declared, so its own uses say little about where it works.
 */
export async function withMembers(uses: Uses, type: Item, workspace: Workspace, limit: number): Promise<Uses> {
  const { callers, tests } = await usesOfMembers(type, workspace, limit);
  const known = new Set([...uses.callers, ...uses.tests].map(({ path, line }) => `${path}:${line}`));
  const further = (sites: UsageSite[]) => sites.filter(({ path, line }) => !known.has(`${path}:${line}`));
  return {
    callers: [...uses.callers, ...further(callers)].sort(bySite),
    tests: uses.tests.length > 0 ? uses.tests : further(tests),
  };
}

async function usesOfMembers(type: Item, workspace: Workspace, limit: number): Promise<Uses> {
  const { store, owner } = workspace;
  const members = (await store.itemsOf(owner, type.path))
    .filter((each) => isMethodOf(each, type))
    .slice(0, mostMembers);
  const ofEach = Math.max(leastOfEach, Math.ceil(limit / mostMembers));
  const uses = await Promise.all(members.map((each) => usesOf(each, workspace, ofEach, ["calls"])));
  const own = new Set(members.map(({ name }) => name));
  // In the file of the class, its own lines and those of its methods are not outside.
  const isOutside = ({ path, line, name }: UsageSite) =>
    path !== type.path || !((line >= type.startLine && line <= type.endLine) || own.has(name));
  return {
    callers: inTurn(
      uses.map(({ callers }) => callers.filter(isOutside)),
      limit,
    ),
    tests: inTurn(
      uses.map(({ tests }) => tests),
      limit,
    ),
  };
}

function isMethodOf({ kind, qualifiedName, test }: Item, type: Item): boolean {
  if ((kind !== "method" && kind !== "function") || (test === true && type.test !== true)) return false;
  return (
    qualifiedName.startsWith(type.qualifiedName) &&
    /^(?:\.|::|#)[^.:#]+$/.test(qualifiedName.slice(type.qualifiedName.length))
  );
}

/**
 * One line for each method, then a second for each, so that no method takes the room of the others. No line is
 * repeated.
 */
function inTurn(groups: readonly UsageSite[][], limit: number): UsageSite[] {
  const sites = new Map<string, UsageSite>();
  const longest = Math.max(0, ...groups.map(({ length }) => length));
  for (let turn = 0; turn < longest; turn++)
    for (const group of groups) {
      const site = group[turn];
      if (site && sites.size < limit) sites.set(`${site.path}:${site.line}`, site);
    }
  return [...sites.values()];
}

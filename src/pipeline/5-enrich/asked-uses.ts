import type { Item, Scored, UsageSite, Uses } from "../../item.ts";
import type { Request } from "../../options.ts";
import { certainMatch } from "../../text/analysis/message-match.ts";
import type { Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { isValue, usesOf } from "./callers.ts";
import { isError, raises } from "./raised.ts";

/**
 * For how many definitions usage sites are listed, how many are looked at for them, and how many sites for each: one
 * per `tokensPerUse` tokens of the budget. Of a setting that has a field in each of several classes, only some are read
 * anywhere.
 */
const mostDefinitions = 3;
const mostTried = 8;
const tokensPerUse = 250;
const mostUses = 8;
/** The same for a question that contains more than the name, since it asks for more than the users. */
const mostUsesInQuestion = 4;

/**
 * Adds to the code of a pasted message how it comes to be printed: the lines that raise an error whose class composes
 * the message, or that use its constant.
 */
async function withRaising<Found extends Scored>(
  unique: Found[],
  limit: number,
  workspace: Workspace,
): Promise<(Found & { uses?: Uses })[]> {
  const [first, ...others] = unique;
  if (!first || (first.signals.message ?? 0) < certainMatch) return unique;
  const { item } = first;
  const error = [item, await ownerOf(item, workspace)].find((each) => each?.kind === "class" && isError(each));
  const value = error ?? (makesMessage(item) ? item : await valueSaying(first, workspace));
  if (!value) return unique;
  const { callers } = await usesOf(value, workspace, limit);
  const saying = error ? callers.filter(({ text }) => raises(text, error.name)) : callers;
  return saying.length > 0 ? [{ ...first, uses: { callers: saying, tests: [] } }, ...others] : unique;
}

/** What an item is a member of. Methods of Go stand beside their type. */
async function ownerOf(item: Item, { store, owner }: Workspace): Promise<Item | undefined> {
  if (item.parent !== undefined) {
    const [parent] = await store.items(owner, [item.parent]);
    if (parent?.kind === "class") return parent;
  }
  const name = item.qualifiedName.slice(0, Math.max(0, item.qualifiedName.lastIndexOf(".")));
  if (item.kind !== "method" || !name.includes("::")) return undefined;
  return (await store.itemsOf(owner, item.path)).find(({ qualifiedName }) => qualifiedName === name);
}

/**
 * A function that is called after the error or the message which it makes: `timeoutError`, `UNKNOWN_ROOM_MESSAGE`.
 * Those that call it raise that.
 */
function makesMessage({ kind, name }: Item): boolean {
  return (
    (kind === "function" || kind === "method") &&
    /[\p{L}\p{N}_](?:Error|Exception|Message|_error|_exception|_message|_ERROR|_MESSAGE)$/u.test(name)
  );
}

/** The constant or field that holds the message: `ErrBucketExists` in a block of errors. */
async function valueSaying({ item, focus }: Scored, { store, owner }: Workspace): Promise<Item | undefined> {
  const line = focus?.[0]?.startLine;
  if (line === undefined) return undefined;
  const size = ({ startLine, endLine }: Item) => endLine - startLine;
  const [innermost] = (await store.itemsOf(owner, item.path))
    .filter(({ startLine, endLine }) => startLine <= line && line <= endLine)
    .sort((a, b) => size(a) - size(b) || Number(isValue(b)) - Number(isValue(a)));
  return innermost && isValue(innermost) ? innermost : undefined;
}

/** The name that was asked for; for a block of statements, the variable in it that has this name. */
async function askedItem(
  { item, merged = [] }: Scored & { merged?: { id: string; name: string }[] },
  asked: readonly string[],
  { store, owner }: Workspace,
): Promise<Item> {
  const names = new Set(asked.map((name) => name.slice(name.lastIndexOf(".") + 1)));
  const inside = names.has(item.name) ? undefined : merged.find(({ name }) => names.has(name));
  const [found] = inside ? await store.items(owner, [inside.id]) : [];
  return found ?? item;
}

/**
 * Attaches usage sites to the items that were asked for by name. Tests only where they are asked for, or the name is
 * all of the query: of those that were listed in 58 longer questions none of 95 is among the lines that answer them, of
 * the callers 40 of 178.
 */
export async function withUses<Found extends Scored>(
  unique: Found[],
  { maxTokens, tests: testCode }: Pick<Request, "maxTokens" | "tests">,
  { onlyNames, asked, wantsTests }: Pick<Query, "onlyNames" | "asked" | "wantsTests">,
  workspace: Workspace,
): Promise<(Found & { uses?: Uses })[]> {
  const limit = Math.min(onlyNames ? mostUses : mostUsesInQuestion, Math.floor(maxTokens / tokensPerUse));
  const named = unique.filter(({ signals }) => signals.named !== undefined).slice(0, mostTried);
  const listsTests = testCode !== "exclude" && (onlyNames || wantsTests);
  if (limit === 0) return unique;
  if (named.length === 0) return withRaising(unique, limit, workspace);
  const uses = new Map<string, Uses & { name: string }>();
  let used = 0;
  for (const [rank, each] of named.entries()) {
    if (used >= mostDefinitions) break;
    const meant = await askedItem(each, asked, workspace);
    if (rank >= mostDefinitions && !isValue(meant)) continue;
    const { callers, tests } = await usesOf(meant, workspace, limit);
    const own = { name: meant.name, callers, tests: listsTests ? tests : [] };
    if (own.callers.length + own.tests.length > 0) used++;
    uses.set(each.item.id, own);
  }
  const listed = new Set<string>();
  return unique.map((each) => {
    const own = uses.get(each.item.id);
    if (!own) return each;
    const { name } = own;
    // Overloads and other definitions of one name are used by the same lines: those are listed with the first of them.
    const isNew = ({ path, line }: UsageSite) => {
      const site = `${name} ${path}:${line}`;
      return !listed.has(site) && listed.add(site);
    };
    const callers = own.callers.filter(isNew);
    // Leave out tests that are only named after the item: no line of them uses it.
    const usedIn = own.tests.filter(({ text }) => text.includes(name)).slice(0, Math.ceil(limit / 2));
    const tests = usedIn.filter(isNew);
    return callers.length + tests.length > 0 ? { ...each, uses: { callers, tests } } : each;
  });
}

import { wellFormed } from "../../formats/characters.ts";
import { type Item, isInFile, isWholeFile, type LinkKind, type UsageSite, type Uses } from "../../item.ts";
import { receiverBefore } from "../../sources/code/receivers.ts";
import { withoutLiterals } from "../../sources/code/same-code.ts";
import type { ResolvedLink } from "../../stores/store.ts";
import { memoizeRecent } from "../../text/memoize.ts";
import { redact } from "../../text/secrets/secrets.ts";
import { shortened } from "../../text/shortened.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openFile } from "../open-file.ts";
import { locate } from "./enrich.ts";
import { isError, raises } from "./raised.ts";

const longestText = 120;
const mostLinks = 500;
/** Lines of an error's users that are looked at for those that raise it. */
const mostOfError = 60;

/**
 * Usage sites of an item: its callers (or references to it), and tests that use it or are named after it. One current
 * line of each file position, product code first, then by path.
 */
export async function usesOf(
  item: Item,
  workspace: Workspace,
  limit: number,
  kinds: LinkKind[] = ["calls", "references", "extends", "implements", "tests"],
): Promise<Uses> {
  if (!isInFile(item.source) || limit <= 0) return { callers: [], tests: [] };
  const { store, owner } = workspace;
  const links = await store.links(owner, [item.id], "to", kinds, mostLinks);
  const users = linkedUsers(item, links, await store.items(owner, [...new Set(links.map(({ from }) => from))]));
  const paths = [...new Set(users.map(({ unit }) => unit.path))];
  const outlines = await store.outlines(owner, paths);
  const opened = new Map<string, ReturnType<typeof openFile>>();
  const open = (path: string) => {
    let file = opened.get(path);
    if (!file) opened.set(path, (file = openFile(path, outlines.get(path), workspace)));
    return file;
  };
  const sitesOf = async (group: User[]) => {
    const sites = new Map<string, { place: UsageSite; size: number }>();
    let path = "";
    for (const user of group) {
      // Stop opening files once there are enough sites, but finish the current file. Of an error, those that raise it
      // may be in any.
      const most = isError(item) ? mostOfError : limit;
      if (sites.size >= most && user.unit.path !== path) break;
      path = user.unit.path;
      for (const place of await sitesIn(user, item, await open(path))) {
        // A line may belong to nested functions: the innermost one is named.
        const key = `${path}:${place.line}`;
        const size = isWholeFile(user.unit.kind) ? Number.POSITIVE_INFINITY : user.unit.endLine - user.unit.startLine;
        if (size < (sites.get(key)?.size ?? Number.POSITIVE_INFINITY) || !sites.has(key))
          sites.set(key, { place, size });
      }
    }
    return [...sites.values()]
      .map(({ place }) => place)
      .sort((a, b) => Number(isRaised(b, item)) - Number(isRaised(a, item)) || bySite(a, b))
      .slice(0, limit);
  };
  const callers = await sitesOf(users.filter(({ unit }) => !unit.test));
  const tests = await sitesOf(users.filter(({ unit }) => unit.test));
  if (isType(item) && kinds.includes("calls")) {
    const { withMembers } = await import("./member-uses.ts");
    return withMembers({ callers, tests }, item, workspace, limit);
  }
  if (callers.length > 0 || !(isValue(item) || isMadeByCall(item))) return { callers, tests };
  return withWritten({ callers, tests }, item, workspace, limit);
}

/** What is read and not called, so that the index has no links to it. */
export function isValue({ kind }: Item): boolean {
  return kind === "constant" || kind === "field";
}

/** `const allowed = cached(() => …)`: the function in it is handed on, and what has the name is read. */
function isMadeByCall({ kind, signature = "" }: Item): boolean {
  return kind === "function" && madeByCall.test(signature);
}

const madeByCall =
  /^(?:export\s+)?(?:const|let|var)\s+[\w$]+\s*(?::[^=]{1,200})?=\s*(?:\/\*[^*]{0,40}\*\/\s*)?(?!async\b|function\b)[\w$.]+\s*\(/;

function isType({ kind }: Item): boolean {
  return kind === "class" || kind === "interface";
}

async function withWritten(uses: Uses, item: Item, workspace: Workspace, limit: number): Promise<Uses> {
  const { writtenUses } = await import("./written-uses.ts");
  const written = await writtenUses(item, workspace);
  const sites = await Promise.all(
    written.map(async ({ path, line, unit, isTest }) => {
      const { lines } = await openFile(path, undefined, workspace);
      const site: UsageSite = { path, line, text: printedLine(lines, line - 1, item.name), name: unit };
      return { site, isTest };
    }),
  );
  const some = (isTest: boolean) =>
    sites
      .filter((each) => each.isTest === isTest)
      .map(({ site }) => site)
      .sort(bySite)
      .slice(0, limit);
  return { callers: some(false), tests: uses.tests.length > 0 ? uses.tests : some(true) };
}

/**
 * A unit that uses the item, and the spellings of the item's name in its text; empty for a test that is only named
 * after it.
 */
type User = { unit: Item; texts: string[] };

function linkedUsers(item: Item, links: ResolvedLink[], units: Item[]): User[] {
  const texts = new Map<string, Set<string>>();
  for (const { from, kind, texts: written = [] } of links) {
    const spellings = texts.get(from) ?? new Set<string>();
    if (kind !== "tests") for (const text of written) spellings.add(text);
    texts.set(from, spellings);
  }
  // A method beside its type, as in Go, is the type's own.
  const isInside = (unit: Item) =>
    (unit.path === item.path && unit.startLine >= item.startLine && unit.endLine <= item.endLine) ||
    (isType(item) && unit.kind === "method" && isOfType(unit, item));
  return units
    .filter((unit) => !isInside(unit) || isWholeFile(item.kind))
    .map((unit) => ({ unit, texts: [...texts.get(unit.id)!] }))
    .sort(byImportance);
}

function isOfType({ path, qualifiedName }: Item, type: Item): boolean {
  const folder = (of: string) => of.slice(0, of.lastIndexOf("/") + 1);
  const unitName = qualifiedName.slice(path.length);
  return folder(path) === folder(type.path) && unitName.startsWith(`${type.qualifiedName.slice(type.path.length)}.`);
}

/** Folders beside the product's own code: they come last. */
const outsideProduct =
  /(?:^|\/)(?:examples?|samples?|demos?|docs?|bench(?:es|marks?)?|fixtures|vendor|third_party|scripts)\//i;

function byImportance({ unit: a }: User, { unit: b }: User): number {
  return (
    Number(outsideProduct.test(a.path)) - Number(outsideProduct.test(b.path)) ||
    byText(a.path, b.path) ||
    a.startLine - b.startLine ||
    a.endLine - b.endLine ||
    byText(a.id, b.id)
  );
}

export function bySite(a: UsageSite, b: UsageSite): number {
  return (
    Number(outsideProduct.test(a.path)) - Number(outsideProduct.test(b.path)) ||
    byText(a.path, b.path) ||
    a.line - b.line
  );
}

function isRaised({ text }: UsageSite, item: Item): boolean {
  return isError(item) && raises(text, item.name);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Memoised: files that use one name often use the next one too. */
const codeWithoutLiterals = memoizeRecent((text) => {
  const [path] = text.split("\0", 1) as [string];
  return { code: withoutLiterals(text.slice(path.length + 1), path) };
}, 2_000_000);
const redactedText = memoizeRecent(redact, 2_000_000);

/**
 * The best line of the unit that uses the name in one of these spellings, or all that raise it; none if the file no
 * longer does.
 */
async function sitesIn(
  { unit, texts }: User,
  item: Item,
  file: Awaited<ReturnType<typeof openFile>>,
): Promise<UsageSite[]> {
  const { name } = item;
  const span = file.onDisk ? await locate(unit, file) : undefined;
  if (!span) return [];
  const lines = file.lines.slice(span.startLine - 1, span.endLine);
  const code = codeWithoutLiterals(`${unit.path}\0${lines.join("\n")}`).code;
  const declared = declarationLine(unit, lines);
  const inner = file.spans.filter(
    ([start, end]) => start >= span.startLine && end <= span.endLine && end - start < span.endLine - span.startLine,
  );
  const isOwn = (line: number) =>
    !inner.some(([start, end]) => line >= start - span.startLine && line <= end - span.startLine);
  const uses = texts.length === 0 ? [] : usesIn(code, texts, name, isPrivate(item));
  // Import statements are spans without a name.
  const imports = file.spans.filter(([, , named]) => named === "");
  const isImport = (line: number) =>
    imports.some(([start, end]) => line >= start - span.startLine && line <= end - span.startLine);
  const others = uses.filter(({ line }) => !(unit.name === name && line === declared));
  const own = others.filter(({ line }) => isOwn(line));
  // Small blocks of statements have no links of their own: their uses count for the file.
  const ofFile = own.length > 0 ? own : others.filter(({ line }) => !isImport(line));
  const candidates = isWholeFile(unit.kind) ? ofFile : others;
  const best = candidates.sort(
    (a, b) => Number(isOwn(b.line)) - Number(isOwn(a.line)) || Number(b.call) - Number(a.call) || a.line - b.line,
  )[0];
  const raising = candidates.filter(({ line }) => isOwn(line) && raises(lines[line]!, name)).map(({ line }) => line);
  const line = best?.line ?? (texts.length === 0 ? declared : undefined);
  const shown = raising.length > 0 ? raising : line === undefined ? [] : [line];
  return shown.map((at) => ({
    path: unit.path,
    line: span.startLine + at,
    text: printedLine(lines, at, name),
    name: unit.name,
  }));
}

/** A line as it is printed, without its indentation; of a long one, the part with the name. */
function printedLine(lines: readonly string[], at: number, name: string): string {
  const line = redactedText(lines.join("\n")).text.split("\n")[at]!.trim();
  return wellFormed(shortened(line, Math.max(0, line.indexOf(name)), longestText));
}

/** Index of the line that declares the unit; decorators and comments may be above it. */
function declarationLine({ signature, name }: Item, lines: string[]): number {
  const opening = signature?.split("\n")[0]?.trim() ?? "";
  const index = opening === "" ? -1 : lines.findIndex((line) => line.trim().startsWith(opening));
  return index >= 0
    ? index
    : Math.max(
        0,
        lines.findIndex((line) => line.includes(name)),
      );
}

/** True of `#name` in JavaScript, which is another member than `name`. */
function isPrivate({ signature, name }: Item): boolean {
  return new RegExp(`(?:^|\\s)[*]?#${escaped(name)}(?![\\p{L}\\p{N}_$])`, "u").test(signature?.split("(")[0] ?? "");
}

type Use = { line: number; call: boolean };

/**
 * Lines where the code contains one of these spellings: the name with its receiver, an alias (`=alias.…`), or any
 * receiver if the link came through a type (`:…`). A private member is used where its mark is.
 */
function usesIn(code: string, texts: string[], name: string, hasMark: boolean): Use[] {
  const exact = new Set(texts.filter((text) => !/^[:=]/.test(text)));
  const throughType = texts.some((text) => text.startsWith(":") || /^=[^.]*\.[^.]*\./.test(text));
  const aliases = texts.flatMap((text) => /^=([^.]*)\.[^.]*$/.exec(text)?.[1] ?? []);
  const names = [...new Set([name, ...aliases])].map(escaped).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_$])(?:${names})(?![\\p{L}\\p{N}_$])(?=\\s*([<({!]?))`, "gu");
  const uses: Use[] = [];
  let line = 0;
  let counted = 0;
  for (const match of code.matchAll(pattern)) {
    for (let at = code.indexOf("\n", counted); at !== -1 && at < match.index; at = code.indexOf("\n", counted)) {
      line++;
      counted = at + 1;
    }
    if (hasMark && code[match.index - 1] !== "#") continue;
    const receiver = receiverBefore(code, hasMark ? match.index - 1 : match.index);
    const written = receiver === undefined ? match[0] : `${receiver}.${match[0]}`;
    const isAlias = receiver === undefined && aliases.includes(match[0]);
    if (!exact.has(written) && !isAlias && !(throughType && receiver !== undefined)) continue;
    uses.push({ line, call: match[1] !== "" });
  }
  return uses;
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

import { wellFormed } from "../../formats/characters.ts";
import { type Item, isInFile, isWholeFile, type LinkKind, type Scored, type UsageSite, type Uses } from "../../item.ts";
import { receiverBefore } from "../../sources/code/receivers.ts";
import { withoutLiterals } from "../../sources/code/same-code.ts";
import type { ResolvedLink } from "../../stores/store.ts";
import { memoizeRecent } from "../../text/memoize.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openFile } from "../open-file.ts";
import { locate } from "./enrich.ts";

const longestText = 120;
const mostLinks = 500;

/**
 * Who calls an item, or refers to it where it is no function, and which tests do or are named after it: a line of each, as it is on disk
 * now. Product code first, then by path.
 */
export async function usesOf(
  item: Item,
  workspace: Workspace,
  most: number,
  kinds: LinkKind[] = ["calls", "references", "extends", "implements", "tests"],
): Promise<Uses> {
  if (!isInFile(item.source) || most <= 0) return { callers: [], tests: [] };
  const { store, owner } = workspace;
  const links = await store.links(owner, [item.id], "to", kinds, mostLinks);
  const users = usersOf(item, links, await store.items(owner, [...new Set(links.map(({ from }) => from))]));
  const paths = [...new Set(users.map(({ unit }) => unit.path))];
  const outlines = await store.outlines(owner, paths);
  const opened = new Map<string, ReturnType<typeof openFile>>();
  const open = (path: string) => {
    let file = opened.get(path);
    if (!file) opened.set(path, (file = openFile(path, outlines.get(path), workspace)));
    return file;
  };
  const places = async (some: User[]) => {
    const sites = new Map<string, { place: UsageSite; size: number }>();
    let path = "";
    for (const user of some) {
      // Files are opened only as long as something is wanted; one that was is read to its end.
      if (sites.size >= most && user.unit.path !== path) break;
      path = user.unit.path;
      const place = await placeOf(user, item.name, await open(path));
      if (!place) continue;
      // A function's lines are those of the function around it too: the inner one is named.
      const key = `${path}:${place.line}`;
      const size = isWholeFile(user.unit.kind) ? Number.POSITIVE_INFINITY : user.unit.endLine - user.unit.startLine;
      if (size < (sites.get(key)?.size ?? Number.POSITIVE_INFINITY) || !sites.has(key)) sites.set(key, { place, size });
    }
    return [...sites.values()]
      .map(({ place }) => place)
      .sort(byPlace)
      .slice(0, most);
  };
  return {
    callers: await places(users.filter(({ unit }) => !unit.test)),
    tests: await places(users.filter(({ unit }) => unit.test)),
  };
}

/** A unit that uses the item, and how its text writes the item's name; nothing for a test that is only named after it. */
type User = { unit: Item; texts: string[] };

function usersOf(item: Item, links: ResolvedLink[], units: Item[]): User[] {
  const texts = new Map<string, Set<string>>();
  for (const { from, kind, texts: written = [] } of links) {
    const spellings = texts.get(from) ?? new Set<string>();
    if (kind !== "tests") for (const text of written) spellings.add(text);
    texts.set(from, spellings);
  }
  const isInside = (unit: Item) =>
    unit.path === item.path && unit.startLine >= item.startLine && unit.endLine <= item.endLine;
  return units
    .filter((unit) => !isInside(unit) || isWholeFile(item.kind))
    .map((unit) => ({ unit, texts: [...texts.get(unit.id)!] }))
    .sort(byImportance);
}

/** Code that shows or measures the product is no part of it. */
const besideProduct =
  /(?:^|\/)(?:examples?|samples?|demos?|docs?|bench(?:es|marks?)?|fixtures|vendor|third_party|scripts)\//i;

function byImportance({ unit: a }: User, { unit: b }: User): number {
  return (
    Number(besideProduct.test(a.path)) - Number(besideProduct.test(b.path)) ||
    byText(a.path, b.path) ||
    a.startLine - b.startLine ||
    a.endLine - b.endLine ||
    byText(a.id, b.id)
  );
}

function byPlace(a: UsageSite, b: UsageSite): number {
  return (
    Number(besideProduct.test(a.path)) - Number(besideProduct.test(b.path)) || byText(a.path, b.path) || a.line - b.line
  );
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Files that use one name use others that are asked for next. */
const rememberedCode = memoizeRecent((text) => {
  const [path] = text.split("\0", 1) as [string];
  return { code: withoutLiterals(text.slice(path.length + 1), path) };
}, 2_000_000);
const rememberedText = memoizeRecent(redact, 2_000_000);

/** The first line of the unit that uses the name in one of these ways; undefined when the file no longer does. */
async function placeOf(
  { unit, texts }: User,
  name: string,
  file: Awaited<ReturnType<typeof openFile>>,
): Promise<UsageSite | undefined> {
  const span = file.onDisk ? await locate(unit, file) : undefined;
  if (!span) return undefined;
  const lines = file.lines.slice(span.startLine - 1, span.endLine);
  const code = rememberedCode(`${unit.path}\0${lines.join("\n")}`).code;
  const declared = declarationLine(unit, lines);
  const inner = file.spans.filter(
    ([start, end]) => start >= span.startLine && end <= span.endLine && end - start < span.endLine - span.startLine,
  );
  const isOwn = (line: number) =>
    !inner.some(([start, end]) => line >= start - span.startLine && line <= end - span.startLine);
  const uses = texts.length === 0 ? [] : usesIn(code, texts, name);
  // What is outside a file's units is the file's own; import statements are among its spans.
  const imports = file.spans.filter(([, , named]) => named === "");
  const isImport = (line: number) =>
    imports.some(([start, end]) => line >= start - span.startLine && line <= end - span.startLine);
  const others = uses.filter(({ line }) => !(unit.name === name && line === declared));
  const own = others.filter(({ line }) => isOwn(line));
  // Small runs of statements are units that refer to nothing: what they use, the file does.
  const ofFile = own.length > 0 ? own : others.filter(({ line }) => !isImport(line));
  const candidates = isWholeFile(unit.kind) ? ofFile : others;
  const best = candidates.sort(
    (a, b) => Number(isOwn(b.line)) - Number(isOwn(a.line)) || Number(b.call) - Number(a.call) || a.line - b.line,
  )[0];
  const line = best?.line ?? (texts.length === 0 ? declared : undefined);
  if (line === undefined) return undefined;
  const printed = rememberedText(lines.join("\n")).text.split("\n")[line]!.trim();
  return {
    path: unit.path,
    line: span.startLine + line,
    text: wellFormed(printed.slice(0, longestText)),
    name: unit.name,
  };
}

/** The line of the unit's own name, counted from its first; decorators and comments may stand above it. */
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

type Use = { line: number; call: boolean };

/** Where the code writes one of these texts: the name with what it was linked by before it, or with a variable of a known type. */
function usesIn(code: string, texts: string[], name: string): Use[] {
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
    const receiver = receiverBefore(code, match.index);
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

/** Definitions whose uses are told, and uses of each: one for so many tokens of the budget. */
const mostDefinitions = 3;
const tokensPerUse = 250;
const mostUses = 8;

/** Attaches to what was asked for by name who uses it. */
export async function withUses<Found extends Scored>(
  unique: Found[],
  { maxTokens }: { maxTokens: number },
  workspace: Workspace,
): Promise<(Found & { uses?: Uses })[]> {
  const most = Math.min(mostUses, Math.floor(maxTokens / tokensPerUse));
  const named = unique.filter(({ signals }) => signals.named !== undefined).slice(0, mostDefinitions);
  if (named.length === 0 || most === 0) return unique;
  const uses = new Map(
    await Promise.all(named.map(async ({ item }) => [item.id, await usesOf(item, workspace, most)] as const)),
  );
  return unique.map((each) => {
    const own = uses.get(each.item.id);
    if (!own) return each;
    // A test file that is only named after it has no line that uses it.
    const tests = own.tests.filter(({ text }) => text.includes(each.item.name)).slice(0, Math.ceil(most / 2));
    return own.callers.length + tests.length > 0 ? { ...each, uses: { ...own, tests } } : each;
  });
}

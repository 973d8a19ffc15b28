import { citationIds } from "../../formats/citation.ts";
import { type Item, isWholeFile, type LinkKind, type Scored, sourceTraits } from "../../item.ts";
import type { Request } from "../../options.ts";
import { receiverBefore } from "../../sources/code/receivers.ts";
import { withoutLiterals } from "../../sources/code/same-code.ts";
import { splitIdentifier } from "../../text/analysis/analyse.ts";
import { hasIdentifier, identifiersIn } from "../../text/analysis/identifiers.ts";
import type { Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { isBoilerplate } from "../boilerplate.ts";
import { type OpenedFile, openFile } from "../open-file.ts";
import { contains, overlap, ownSpan, type Span, sizeOf, type Unique } from "../unique.ts";
import { attach, locate } from "./enrich.ts";

/**
 * The best function brings the values that it names. It and the next ones also bring helpers whose names contain a word
 * of the question. A helper without one is a primitive (`zmalloc`, `sdsempty`) more often than part of the answer.
 */
const leaders = 3;
const mostOfFirst = 6;
const mostOfOthers = 2;
/** A name with more definitions has one for each platform, and no single one is the answer. */
const mostTwins = 2;
/** Names of a body that are looked up: a longer body is a registry of everything. */
const mostNames = 200;
const mostCandidates = 30;
/** In lines. */
const longest = { value: 8, wantedValue: 20, helper: 8, worker: 60, type: 12, file: 40 };
/** Functions that a named one leaves its work to, and of those the work of the first. */
const mostWorkers = 2;
/** Lines of the comment above a value that are printed with it. */
const mostComment = 3;
/** Share of the leader's score: the same that a reference passes on. */
const scoreKept = 0.45;

/**
 * Adds what the best functions name and a reader needs beside them: constants with their values, short helpers and
 * small types of the workspace, resolved by scope as links are. Not what is printed anyway, as an item or inside one.
 */
export async function withCompanions(
  unique: readonly Unique[],
  request: Request,
  query: Pick<Query, "terms">,
  workspace: Workspace,
): Promise<Unique[]> {
  if (!request.includeCodeContent || !request.expand) return [...unique];
  const files = new Map<string, Promise<OpenedFile>>();
  const open = (path: string) => {
    let file = files.get(path);
    if (!file) files.set(path, (file = openOutlined(path, workspace)));
    return file;
  };
  const added: Unique[] = [];
  const lifted = new Set<Unique>();
  const working = new Set<string>();
  const best = unique.filter(mayLead).slice(0, leaders);
  // Asked for at once: a store over the network answers them together.
  const [workersOfFirst, ...named] = await Promise.all([
    best[0] ? workersOf(best[0], workspace) : [],
    ...best.map((leader) => companionsOf(leader, query, workspace)),
  ]);
  for (const [place, leader] of best.entries()) {
    let count = 0;
    const workers = place === 0 ? workersOfFirst : [];
    for (const item of [...workers, ...named[place]!]) {
      if (count === (place === 0 ? mostOfFirst : mostOfOthers)) break;
      if (!hasTerm(item, query) && !(place === 0 && (isValue(item) || workers.includes(item)))) continue;
      const printedIn = [...unique, ...added].find((other) => covers(other, item));
      if (printedIn) {
        if (workers.includes(item) && printedIn.item.id === item.id) working.add(item.id);
        else if (printedIn !== leader && sizeOf(ownSpan(printedIn)) <= longest.type) lifted.add(printedIn);
        continue;
      }
      const one = await printable({ item, leader }, await open(item.path), request);
      if (one) added.push(one);
      if (one && workers.includes(item)) working.add(item.id);
      count++;
    }
  }
  if (added.length === 0 && lifted.size === 0 && working.size === 0) return [...unique];
  const ids = [...unique, ...added].flatMap(({ item, absorbed = [] }) => [
    item.id,
    ...absorbed.map((each) => each.item.id),
  ]);
  const short = citationIds([...new Set(ids)]);
  return [...unique.map((each) => (lifted.has(each) ? { ...each, companion: true } : each)), ...added].map((each) => {
    const isWorking = working.has(each.item.id) ? { companion: true, works: true } : {};
    const cited = { ...each, ...isWorking, citation: { ...each.citation, id: short.get(each.item.id)! } };
    return each.outline ? withoutAdded(cited, added) : cited;
  });
}

type Companion = { item: Item; leader: Unique };

async function openOutlined(path: string, workspace: Workspace): Promise<OpenedFile> {
  const outlines = await workspace.store.outlines(workspace.owner, [path]);
  return openFile(path, outlines.get(path), workspace);
}

function mayLead(unique: Unique): boolean {
  const { item, outline } = unique;
  if (sourceTraits[item.source].lines !== "code" || outline) return false;
  return !isWholeFile(item.kind) || sizeOf(ownSpan(unique)) <= longest.file;
}

/**
 * Where a function that was asked for by name leaves its work to others, those: they are called like it and something
 * more (`prefetch` starts `_start_prefetch`, and that `_prefetch_thread`).
 */
async function workersOf({ item, signals }: Unique, workspace: Workspace): Promise<Item[]> {
  if (signals.named === undefined || !isFunction(item)) return [];
  const workers: Item[] = [];
  let from = item;
  while (workers.length < mostWorkers) {
    const next = (await calledAlike(from, item, workspace)).filter(
      (each) => each.id !== item.id && !workers.some(({ id }) => id === each.id),
    );
    if (next.length === 0) break;
    workers.push(...next.slice(0, mostWorkers - workers.length));
    from = next[0]!;
  }
  return workers;
}

/** What a function calls or hands on, as a callback, that has all words of the asked name. */
async function calledAlike(from: Item, asked: Item, workspace: Workspace): Promise<Item[]> {
  const { store, owner } = workspace;
  const { lines, onDisk } = await openFile(from.path, undefined, workspace);
  if (!onDisk) return [];
  const code = withoutLiterals(lines.slice(from.startLine - 1, from.endLine).join("\n"), from.path);
  const words = wordsOf(asked.name);
  const isAlike = (name: string) => {
    const own = new Set(wordsOf(name));
    return words.length > 0 && name !== asked.name && words.every((word) => own.has(word));
  };
  // Most functions name nothing like that, and cost no look-up.
  if (![...identifiersIn(code)].some(isAlike)) return [];
  const handedOn = namesIn(code, from).filter((name) => isAlike(name.slice(name.lastIndexOf(".") + 1)));
  const [meanings, links] = await Promise.all([
    store.meanings(owner, from.id, handedOn.slice(0, mostNames)),
    store.links(owner, [from.id], "from", ["calls"], mostLinks),
  ]);
  const ids = [...links.map(({ to }) => to), ...[...meanings.values()].filter(({ length }) => length === 1).flat()];
  const placeOf = ({ name }: Item) => code.search(new RegExp(`\\b${escaped(name)}\\b`));
  return (await store.items(owner, [...new Set(ids)]))
    .filter((each) => isFunction(each) && isAlike(each.name) && (each.test !== true || asked.test === true))
    .filter((each) => declaredLines(each) <= longest.worker && each.signature?.endsWith(";") !== true)
    .sort((a, b) => placeOf(a) - placeOf(b) || (a.id < b.id ? -1 : 1));
}

function wordsOf(name: string): string[] {
  return splitIdentifier(name).map((word) => word.toLowerCase());
}

function isFunction({ kind }: Item): boolean {
  return kind === "function" || kind === "method";
}

const linkKinds: LinkKind[] = ["calls", "references"];
const mostLinks = 60;

/**
 * What a function names, the most wanted first: values before helpers, what has words of the question, what is in its
 * own file, in the order in which it names them.
 */
async function companionsOf(leader: Unique, query: Pick<Query, "terms">, workspace: Workspace): Promise<Item[]> {
  const { store, owner } = workspace;
  const { item, lines } = leader;
  const { startLine, endLine } = ownSpan(leader);
  const own = lines.slice(startLine - leader.startLine, endLine - leader.startLine + 1);
  const code = withoutLiterals(own.join("\n"), item.path);
  const [meanings, links] = await Promise.all([
    store.meanings(owner, item.id, namesIn(code, item).slice(0, mostNames)),
    store.links(owner, [item.id], "from", linkKinds, mostLinks),
  ]);
  const named = [...meanings.values()].filter(({ length }) => length <= mostTwins).flat();
  const linked = (await store.items(owner, [...new Set(links.map(({ to }) => to))])).filter((other) => !isValue(other));
  // A function that is named but not called is passed on as a callback: it is called in the end.
  const handed = (await store.items(owner, [...new Set(named)])).filter((each) => isValue(each) || isFunction(each));
  const items = [...new Map([...handed, ...linked].map((each) => [each.id, each])).values()];
  const isWanted = (other: Item) => hasTerm(other, query);
  const inside: Span = { startLine, endLine };
  const placeOf = new Map(items.map((other) => [other.id, code.search(new RegExp(`\\b${escaped(other.name)}\\b`))]));
  return items
    .filter(
      (other) =>
        other.id !== item.id && !(other.path === item.path && (contains(inside, other) || contains(other, inside))),
    )
    .filter((other) => other.test !== true || item.test === true)
    .filter((other) => isShort(other, isWanted(other)))
    .filter((other) => !isBoilerplate(other, query))
    .sort(
      (a, b) =>
        Number(isValue(b)) - Number(isValue(a)) ||
        Number(isWanted(b)) - Number(isWanted(a)) ||
        Number(b.path === item.path) - Number(a.path === item.path) ||
        placeOf.get(a.id)! - placeOf.get(b.id)! ||
        (a.id < b.id ? -1 : 1),
    )
    .slice(0, mostCandidates);
}

/**
 * Names in code that may be constants, with their receivers: not what is called, nor what the code itself declares or
 * sets.
 */
function namesIn(code: string, { name: own, signature = "" }: Item): string[] {
  const names = new Set<string>();
  const declared = declaredIn(code);
  for (const match of code.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    const [name] = match;
    if (
      name.length < 3 ||
      name === own ||
      /^\s*\(/.test(code.slice(match.index + name.length, match.index + name.length + 3))
    )
      continue;
    const receiver = receiverBefore(code, match.index);
    if (receiver === undefined && (declared.has(name) || isParameter(name, signature))) continue;
    names.add(receiver === undefined ? name : `${receiver}.${name}`);
  }
  return [...names];
}

function isParameter(name: string, signature: string): boolean {
  return /^\p{Ll}/u.test(name) && hasIdentifier(signature, name);
}

/**
 * What code declares or sets itself: two patterns for all names, since one for each name takes longer to compile than
 * to search.
 */
function declaredIn(code: string): Set<string> {
  const set = code.matchAll(/(?<![\p{L}\p{N}_$.])([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::=|=(?![=>]))/gu);
  const declared = code.matchAll(/\b(?:let|const|var|val|auto)\s+(?:mut\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/gu);
  return new Set([...set, ...declared].map(([, name]) => name!));
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** A field is a value of its own where it is set where it is declared, once for all objects. */
function isValue({ kind, name, signature = "" }: Item): boolean {
  if (kind === "constant") return true;
  if (kind !== "field" || !signature.includes("=")) return false;
  return /\b(?:static|const|constexpr|final|readonly|let|val)\b/.test(signature) || /^_?[A-Z][A-Z0-9_]+$/.test(name);
}

function isShort(item: Item, isWanted: boolean): boolean {
  const { kind } = item;
  const lines = declaredLines(item);
  if (isValue(item)) return lines <= (isWanted ? longest.wantedValue : longest.value);
  // A prototype in C contains nothing else.
  if (isFunction(item))
    return item.endLine - item.startLine + 1 <= longest.helper && item.signature?.endsWith(";") !== true;
  // Neither does a typedef that only names its struct.
  if (/^typedef\s+(?:struct|union|enum)\s+\w+\s+\w+;?$/.test(item.signature ?? "")) return false;
  return (kind === "enum" || kind === "type") && item.endLine - item.startLine + 1 <= longest.type;
}

function declaredLines({ signature = "", startLine, endLine, doc }: Item): number {
  const comment = doc === undefined ? 0 : doc.split("\n").length;
  return Math.max(signature.split("\n").length, endLine - startLine + 1 - comment);
}

/** Whether its name has a word of the question, or of a value its declaration or comment. */
function hasTerm(item: Item, { terms }: Pick<Query, "terms">): boolean {
  const { name, signature = "", doc = "" } = item;
  const text = (isValue(item) ? `${name} ${signature} ${doc}` : name).toLowerCase();
  return terms.some(({ term }) => term.length > 2 && text.includes(term.toLowerCase()));
}

/** The item with its lines; of a value below a long comment, without that. */
async function printable({ item, leader }: Companion, file: OpenedFile, request: Request): Promise<Unique | undefined> {
  const place = await locate(item, file);
  if (!place) return undefined;
  const opening = item.signature?.split("\n")[0]?.trim() ?? "";
  const own = file.lines.slice(place.startLine - 1, place.endLine);
  const declared = opening === "" ? -1 : own.findIndex((line) => line.trim().startsWith(opening));
  const startLine = isValue(item) && declared > mostComment ? place.startLine + declared : place.startLine;
  const score = leader.score * scoreKept;
  const scored: Scored = {
    item,
    signals: { graph: score },
    score,
    because: { graph: score },
    distance: leader.distance + 1,
    via: [{ id: leader.item.id, name: leader.item.name, kind: "references" }, ...(leader.via ?? [])],
  };
  const attached = await attach(scored, { ...place, startLine }, file, [], { ...request, contextLines: 0 });
  return { ...attached, companion: true };
}

/** Whether an item prints these lines already, or would. */
function covers(other: Unique, item: Item): boolean {
  if (other.item.path !== item.path) return false;
  return other.item.id === item.id || (!other.outline && overlap(other, item));
}

/** An outline does not repeat the lines of what is printed beside it. */
function withoutAdded(outline: Unique, added: readonly Unique[]): Unique {
  const inside = added.filter(({ item }) => item.path === outline.item.path);
  if (inside.length === 0 || !outline.parts) return outline;
  return { ...outline, parts: [...outline.parts, ...inside.map((each) => ({ ...ownSpan(each), name: "" }))] };
}

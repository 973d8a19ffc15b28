import type { Candidate, Item } from "../../item.ts";
import { itemFilter } from "../../sources/item-filter.ts";
import { bringsLines, type SourceSearch } from "../../sources/source.ts";
import type { Filter } from "../../stores/store.ts";
import type { StackFrame } from "../../text/analysis/stack-frames.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Finding } from "../finding.ts";

/** Most frames that are looked up, and most that count once they are found. */
const mostFrames = 40;
const mostSites = 12;
/** Most files of one name that are compared with the path of a frame. */
const mostFiles = 60;
/** The step from one frame to the next: frames keep their order, before all other results. */
const frameStep = 0.004;
/**
 * The step from the frame that raised the error to its callers: the code that prints the message comes between them.
 */
const callerStep = 0.02;

/**
 * Adds the signal `frame` to the units that a pasted stack trace runs through, the raising one first, with its lines as
 * `focus`.
 */
export async function withFrameSites(finding: Finding, search: SourceSearch, workspace: Workspace): Promise<Finding> {
  const { query, candidates } = finding;
  if (!query.trace?.alone || !bringsLines(finding.source) || !search.strategies.includes("path")) return finding;
  const errors: FrameSite[][] = [];
  const known = verifiedPackages();
  const lookup = fileLookup(search.filter, workspace);
  let left = mostFrames;
  for (const frames of query.trace.errors) {
    const found = await Promise.all(frames.slice(0, left).map((frame) => lookup(frame)));
    left -= Math.min(left, frames.length);
    errors.push(found.flatMap((site) => site ?? []));
  }
  for (const { frame, isVerified } of errors.flat()) if (isVerified) known.add(frame);
  const sites = inOrder(errors.map((found) => found.filter((site) => site.isVerified || known.has(site.frame))));
  if (sites.length === 0) return finding;
  const signals = new Map<string, { site: FrameSite; value: number; lines: number[] }>();
  for (const { site, value } of sites) {
    const existing = signals.get(site.item.id);
    if (existing) existing.lines.push(...site.lines);
    else signals.set(site.item.id, { site, value, lines: [...site.lines] });
  }
  const candidateIds = new Set(candidates.map(({ item }) => item.id));
  const added = [...signals.values()].flatMap(({ site: { item } }) => (candidateIds.has(item.id) ? [] : [item]));
  const terms = await workspace.store.terms(
    workspace.owner,
    "unit",
    added.map(({ id }) => id),
  );
  const all: Candidate[] = [...candidates, ...added.map((item) => ({ item, signals: {}, distance: 0 }))];
  return {
    ...finding,
    candidates: all.map((candidate) => {
      const framed = signals.get(candidate.item.id);
      return framed ? withLines(candidate, framed.value, framed.lines) : candidate;
    }),
    evidence: { ...finding.evidence, unitTerms: new Map([...finding.evidence.unitTerms, ...terms]) },
  };
}

/** A function is cut to its lines of the trace; a class or a file to the lines around the one in the trace. */
function withLines(candidate: Candidate, frame: number, lines: readonly number[]): Candidate {
  const signals = { ...candidate.signals, frame };
  const [first] = lines;
  if (first === undefined) return { ...candidate, signals };
  const { kind } = candidate.item;
  if (kind !== "function" && kind !== "method") return { ...candidate, signals, askedLine: first };
  return { ...candidate, signals, focus: lines.map((line) => ({ startLine: line, endLine: line })) };
}

/** `isVerified`: the file has the function of the frame, or the frame's path is surely that of the workspace. */
type FrameSite = { frame: StackFrame; item: Item; lines: number[]; isVerified: boolean };

/** The raising frame of each error, then who called it, error by error. */
function inOrder(errors: readonly FrameSite[][]): { site: FrameSite; value: number }[] {
  const raising = errors.flatMap(([site]) => site ?? []);
  const calling = errors.flatMap(([, ...sites]) => sites);
  return [
    ...raising.map((site, place) => ({ site, value: 1 - frameStep * place })),
    ...calling.map((site, place) => ({ site, value: 1 - callerStep - frameStep * (raising.length + place) })),
  ].slice(0, mostSites);
}

/**
 * Installed packages with some frame in the workspace: the workspace is that package, so the package's other frames are
 * in it too.
 */
function verifiedPackages(): { add(frame: StackFrame): void; has(frame: StackFrame): boolean } {
  const packages = new Set<string>();
  return {
    add: ({ installed }) => installed !== undefined && packages.add(installed),
    has: ({ installed }) => installed !== undefined && packages.has(installed),
  };
}

type Lookup = (frame: StackFrame) => Promise<FrameSite | undefined>;

/**
 * Finds the unit of a frame. The trace may be of another machine or version: paths are compared from their end, and
 * names count more than lines.
 */
function fileLookup(filter: Filter, { store, owner }: Workspace): Lookup {
  const files = new Map<string, Promise<Item[]>>();
  const units = new Map<string, Promise<Item[]>>();
  const passes = itemFilter(filter);
  const filesOf = (name: string) => {
    let found = files.get(name);
    if (!found) {
      const hits = store.searchPaths(owner, { text: name, mode: "suffix", limit: mostFiles, filter });
      files.set(name, (found = hits.then((all) => all.map(({ item }) => item))));
    }
    return found;
  };
  const unitsOf = (path: string) => {
    let found = units.get(path);
    if (!found) units.set(path, (found = store.itemsOf(owner, path).then((items) => items.filter(passes))));
    return found;
  };
  const asPrinted: Lookup = async (frame) => {
    const segments = frame.path.split("/").filter((segment) => segment !== "" && segment !== "." && segment !== "..");
    const shared = (await filesOf(segments.at(-1) ?? "")).map((file) => ({
      file,
      length: sharedEnd(file.path.split("/"), segments),
    }));
    const longest = Math.max(0, ...shared.map(({ length }) => length));
    const hasFolder = segments.length > 1;
    let best: FrameSite | undefined;
    for (const { file, length } of shared) {
      const isWhole = length === file.path.split("/").length;
      // A single shared segment is only the file's name.
      if (length < longest || (hasFolder && length < 2 && !isWhole)) continue;
      const site = siteIn(await unitsOf(file.path), frame);
      if (!site) continue;
      const isSurePath = frame.installed === undefined && hasFolder && length > 1;
      const isVerified = site.isNamed || (isSurePath && !site.isElsewhere) || (frame.name === undefined && isSurePath);
      const found = {
        frame,
        item: site.item,
        lines: site.lines,
        isVerified: isVerified || (!hasFolder && shared.length === 1),
      };
      if (!best || (found.isVerified && !best.isVerified)) best = found;
    }
    return best;
  };
  const asBuilt: Lookup = async (frame) => {
    const { endings, folder } = sourcesOfBuilt(frame.path, frame.installed);
    const name = frame.name?.replace(compiledPrivate, "");
    if (name === undefined) return undefined;
    const sites: FrameSite[] = [];
    for (const file of (await Promise.all(endings.map(filesOf))).flat()) {
      const isInFolder = folder !== undefined && file.path.split("/").includes(folder);
      // A file's name alone is no evidence for an installed package: every package has an index file.
      if (frame.installed !== undefined && !isInFolder && endings.includes(file.path.split("/").at(-1)!)) continue;
      const item = (await unitsOf(file.path)).find((unit) => isCalled(unit, name));
      if (item && isInFolder) return { frame, item, lines: [], isVerified: true };
      if (item) sites.push({ frame, item, lines: [], isVerified: true });
    }
    return sites[0];
  };
  return async (frame) => {
    const printed = await asPrinted(frame);
    return printed?.isVerified ? printed : ((await asBuilt(frame)) ?? printed);
  };
}

const builtFolder = /^(?:dist|build|out|esm|cjs|lib-esm|lib-cjs)$/;
/** `_Client_write`: the name that compilers give the private method `#write` of `Client`. */
const compiledPrivate = /^_[A-Z][A-Za-z0-9$]*_(?=\w)/;

/**
 * Ends of the paths that a built file may have been made from: `lib/client/index.ts` of
 * `node_modules/@redis/client/dist/lib/client/index.js`. `folder`: the package's folder if there are several. The lines
 * of the two differ, so only the frame's function shows whether it is the source.
 */
function sourcesOfBuilt(path: string, installed = ""): { endings: string[]; folder?: string } {
  const inPackage = /(?:^|\/)node_modules\//.test(installed);
  const segments = path.slice(inPackage ? installed.length : 0).split("/");
  const built = segments.findLastIndex((segment) => builtFolder.test(segment));
  const rest = segments.slice(built + 1).filter((segment) => segment !== "");
  if ((built === -1 && !inPackage) || !/\.[cm]?jsx?$/.test(rest.at(-1) ?? "")) return { endings: [] };
  const ways = rest[0] === "lib" && rest.length > 1 ? [rest, rest.slice(1)] : [rest];
  const endings = ways.flatMap((way) => {
    const stem = way.join("/").replace(/\.[cm]?jsx?$/, "");
    return ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs"].map((ending) => `${stem}.${ending}`);
  });
  return inPackage ? { endings, folder: installed.slice(installed.lastIndexOf("/") + 1) } : { endings };
}

function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}

type UnitSite = { item: Item; lines: number[]; isNamed: boolean; isElsewhere: boolean };

/** The function around the frame's line; if another function is there now, the one with the frame's name. */
function siteIn(units: readonly Item[], { line, name, isNameInferred }: StackFrame): UnitSite | undefined {
  const around = units
    .filter((unit) => unit.startLine <= line && line <= unit.endLine)
    .sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine));
  const named = name === undefined ? [] : units.filter((unit) => isCalled(unit, name));
  const inside = around.find((unit) => named.includes(unit));
  // The line may be in a nested function or a block inside the named one.
  if (inside)
    return { item: around[0]!.kind === "file" ? inside : around[0]!, lines: [line], isNamed: true, isElsewhere: false };
  if (named[0] && (!isNameInferred || around.length === 0))
    return { item: named[0], lines: [], isNamed: true, isElsewhere: true };
  const [unit] = around;
  return unit && { item: unit, lines: [line], isNamed: false, isElsewhere: name !== undefined };
}

/** `render` and `render!`; `__init__` and the constructor that is named after its class. */
function isCalled(unit: Item, name: string): boolean {
  return unit.name === name || unit.name.slice(unit.name.lastIndexOf(".") + 1) === name;
}

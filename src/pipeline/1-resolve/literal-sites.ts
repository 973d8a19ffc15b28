import { type Candidate, type Item, isProse, type Signals, sourceTraits } from "../../item.ts";
import { itemFilter } from "../../sources/item-filter.ts";
import { isInModule, withoutModules } from "../../sources/module-names.ts";
import { bringsLines, type SourceSearch } from "../../sources/source.ts";
import { endsInName } from "../../stores/scope/targets.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import type { QueryLiteral } from "../../text/analysis/literals.ts";
import { type Query, saysMoreThan } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Finding } from "../finding.ts";
import { openFile } from "../open-file.ts";
import { withoutCopies } from "./copies.ts";
import { isDottedPath, nestedKeyLines } from "./nested-keys.ts";

/** Limits of the items and files that are searched for a literal. */
const mostHits = 120;
const mostFiles = 40;
/**
 * A text that occurs in more items is not a name. If it is the key or the whole string in fewer of them, only those
 * count.
 */
const mostItems = 8;
const mostFocused = 4;
/**
 * Steps below the definitions of a name: for sites where it is a key or a whole string, where documentation explains
 * it, and where it is mentioned.
 */
const literalStep = 0.002;
const steps = { asked: 0, key: 1, told: 2, mentioned: 3, beside: 5 };

/**
 * A method of so few lines contains nothing but the name. A class of so few lines defines what has this name, such as a
 * flag with its text and its field.
 */
const fewestLines = 6;
const smallClass = 60;

type Site = { item: Item; isKey: boolean; lines: number[] };

/**
 * A literal of the question that occurs verbatim in few items is the name of something: a setting, a flag, an
 * environment variable. Adds the signals `named` and `literal` to those items, with the lines that contain it as their
 * `focus`. If code has this name, the code is meant.
 */
export async function withLiteralSites(finding: Finding, search: SourceSearch, workspace: Workspace): Promise<Finding> {
  const { query } = finding;
  if (query.literals.length === 0 || !bringsLines(finding.source) || !search.strategies.includes("text"))
    return finding;
  if (query.messages.some(({ alone }) => alone)) return finding;
  let found = finding;
  for (const literal of query.literals) {
    if (isDefined(literal, finding.candidates)) continue;
    const sites = fewest(await sitesOf(literal, query, search, workspace), literal, query);
    if (sites.length > 0) found = await withSites(found, literal, sites, workspace);
  }
  return found;
}

function isDefined({ text }: QueryLiteral, candidates: readonly Candidate[]): boolean {
  return candidates.some(
    ({ item, signals }) =>
      signals.named !== undefined &&
      !isProse(item) &&
      (endsInName(item.qualifiedName, text) || withoutModules(text).some((shorter) => isInModule(item, shorter))),
  );
}

/** The sites that count: all if they are few, else those where it is a key, or that are in a file of the question. */
function fewest(all: Site[], { onlyAsKey }: QueryLiteral, query: Query): Site[] {
  const places = withoutCopies(all, query);
  // Tests of an option mention it more often than the program does.
  const own = places.filter(({ item }) => !item.test);
  const sites = places.length > mostItems && own.length > 0 ? own : places;
  const keys = sites.filter(({ isKey }) => isKey);
  if (onlyAsKey && keys.length === 0) return [];
  if (sites.length <= mostItems) return sites;
  if (keys.length <= mostItems) return keys;
  return keys.filter((site) => isInAskedFile(site, query)).slice(0, mostItems);
}

function isInAskedFile({ item }: Site, { paths }: Query): boolean {
  return paths.some(({ path }) => `/${item.path}`.endsWith(`/${path}`));
}

/** The items that contain a literal, innermost first. Case is ignored only if none contains it as written. */
async function sitesOf(
  { text }: QueryLiteral,
  query: Query,
  { filter, fewTests }: SourceSearch,
  workspace: Workspace,
): Promise<Site[]> {
  const { store, owner } = workspace;
  const all = [...new Set(analyse(text, { dropStopWords: false }))];
  // Of a compound name, the compound is the rarest term.
  const compound = all.filter((term) => term.includes("_"));
  const terms = (compound.length > 0 ? compound : all).map((term) => ({ term, weight: 1 }));
  const noTests = fewTests && !query.wantsTests && filter.tests === undefined;
  const hits = await store.searchText(owner, {
    scope: "unit",
    terms,
    limit: mostHits,
    filter: noTests ? { ...filter, tests: false } : filter,
  });
  const paths = [...new Set(hits.map(({ item }) => item.path))].slice(0, mostFiles);
  const read: { lines: string[]; items: Item[] }[] = [];
  for (const path of paths) {
    const { lines } = await openFile(path, undefined, workspace);
    read.push({ lines, items: (await store.itemsOf(owner, path)).filter(itemFilter(filter)) });
  }
  const exact = read.flatMap(({ lines, items }) => sitesIn(lines, items, text, (line) => line));
  if (exact.length > 0) return exact;
  const folded = read.flatMap(({ lines, items }) =>
    sitesIn(lines, items, text.toLowerCase(), (line) => line.toLowerCase()),
  );
  return folded.length > 0 || !isDottedPath(text) ? folded : read.flatMap((file) => nestedSitesIn(file, text));
}

/** The configuration that has a dotted path as nested keys. */
function nestedSitesIn({ lines, items }: { lines: string[]; items: Item[] }, text: string): Site[] {
  const config = items.find(({ kind }) => kind === "config");
  const found = config ? nestedKeyLines(lines, config.language ?? "", text) : [];
  const sites = found.map((line): Site => ({ item: innermost(items, line)!, isKey: true, lines: [line] }));
  const ids = new Set(sites.map(({ item }) => item.id));
  return [...ids].map((id) => {
    const same = sites.filter(({ item }) => item.id === id);
    return { ...same[0]!, lines: same.flatMap((site) => site.lines) };
  });
}

function sitesIn(lines: readonly string[], items: Item[], text: string, folded: (line: string) => string): Site[] {
  const sites = new Map<string, Site>();
  for (const [index, line] of lines.entries()) {
    const at = placeOf(folded(line), text);
    if (at < 0) continue;
    const inner = innermost(items, index + 1);
    if (!inner) continue;
    const item = ofClass(inner, items);
    const site = sites.get(item.id) ?? { item, isKey: false, lines: [] };
    const isKey = isKeyAt(line, at, text.length, item) || isNumberOfText(line, at, text.length, lines[index + 1]);
    // The line where it is a key defines it; the other lines only mention it.
    if (isKey && !site.isKey) site.lines.unshift(index + 1);
    else site.lines.push(index + 1);
    sites.set(item.id, { ...site, isKey: site.isKey || isKey });
  }
  return [...sites.values()];
}

/** Index at which a text occurs in a line as a word of its own; -1 if it is only a part of longer names. */
function placeOf(line: string, text: string): number {
  for (let at = line.indexOf(text); at !== -1; at = line.indexOf(text, at + 1)) {
    const before = line[at - 1] ?? "";
    const after = line.slice(at + text.length, at + text.length + 2);
    const isPart = /[\p{L}\p{N}_]/u.test(before) || /^(?:[\p{L}\p{N}_]|[-.][\p{L}\p{N}_])/u.test(after);
    const isEnd = /[\p{L}\p{N}_][-.]$/u.test(line.slice(Math.max(0, at - 2), at));
    if (!isPart && !isEnd) return at;
  }
  return -1;
}

/** Whether the text is the whole of a string or of code in prose, a flag, the key of a line, or the name of a tag. */
function isKeyAt(line: string, at: number, length: number, item: Item): boolean {
  const [before, after] = [line.slice(0, at), line.slice(at + length)];
  const [quote, close] = [/["'`]$/.exec(before)?.[0], after[0]];
  if (quote !== undefined && quote === close) return true;
  if (/(?:^|[\s"'`[(|])--?$/.test(before) || (before.endsWith("<") && /^[\s>/]/.test(after))) return true;
  if (sourceTraits[item.source].lines === "code") return false;
  if (item.kind === "config" || isDirective(item))
    return /^\s*(?:[#;]\s?|- |export )?$/.test(before) && /^\s*(?:[\s=:]|$)/.test(after);
  return /^#{1,6}\s+$/.test(before) && after.trim() === "";
}

/**
 * `warn(2086, "Double quote …")`, `2304: "Cannot find …"`: the meaning of a number follows it, perhaps on the next
 * line.
 */
function isNumberOfText(line: string, at: number, length: number, next = ""): boolean {
  if (!/^\d+$/.test(line.slice(at, at + length)) || !/(?:^|[\s(,[{:])$/.test(line.slice(0, at))) return false;
  const after = line.slice(at + length);
  const text = /^\s*,?\s*$/.test(after) ? `${after} ${next.trim()}` : after;
  return /^(?:\s{1,8}|\s{0,8}[,:=>)]{1,2}\s{0,8})\(?["'`][^"'`]/.test(text);
}

/** A section of a configuration file. */
function isDirective({ kind, language }: Item): boolean {
  return kind === "section" && (language === "ini" || language === "properties");
}

function innermost(items: readonly Item[], line: number): Item | undefined {
  let best: Item | undefined;
  for (const item of items) {
    if (item.startLine > line || item.endLine < line) continue;
    if (!best || item.endLine - item.startLine <= best.endLine - best.startLine) best = item;
  }
  return best;
}

/** The small class of a method that only returns a name: `fn name(&self) -> &str { "max-columns" }`. */
function ofClass(item: Item, items: readonly Item[]): Item {
  if (item.kind !== "method" || item.endLine - item.startLine >= fewestLines) return item;
  const parent = items.find(({ id }) => id === item.parent);
  const isSmall = parent?.kind === "class" && parent.endLine - parent.startLine < smallClass;
  return isSmall ? parent : item;
}

async function withSites(
  finding: Finding,
  { text }: QueryLiteral,
  sites: readonly Site[],
  { store, owner }: Workspace,
): Promise<Finding> {
  const byId = new Map(sites.map((site) => [site.item.id, site]));
  const known = new Set(finding.candidates.map(({ item }) => item.id));
  const added = sites.filter(({ item }) => !known.has(item.id));
  const terms = await store.terms(
    owner,
    "unit",
    added.map(({ item }) => item.id),
  );
  const parts = new Set(text.split(/[-.:]/).slice(text.includes("-") ? 0 : -1));
  const candidates = [
    ...finding.candidates,
    ...added.map(({ item }): Candidate => ({ item, signals: {}, distance: 0 })),
  ];
  return {
    ...finding,
    candidates: candidates.map((candidate) => {
      const { item, signals } = candidate;
      const site = byId.get(item.id);
      if (site) {
        const isCalledSo = item.name.replace(/^-+/, "") === text;
        const named = 1 - literalStep * (isCalledSo ? steps.asked : stepOf(site, finding.query));
        const focus = site.lines.slice(0, mostFocused).map((line) => ({ startLine: line, endLine: line }));
        return {
          ...candidate,
          signals: {
            ...signals,
            literal: 1,
            ...(isAsked(item, finding.query) && { named: Math.max(named, signals.named ?? 0) }),
          },
          focus: [...(candidate.focus ?? []), ...focus],
        };
      }
      // A part of the literal is no name by itself: `maven.compiler.source` asks for no field `source`.
      const isPart = signals.literal === undefined && parts.has(item.name) && !finding.query.paths.length;
      return isPart ? { ...candidate, signals: withoutName(signals) } : candidate;
    }),
    evidence: { ...finding.evidence, unitTerms: new Map([...finding.evidence.unitTerms, ...terms]) },
  };
}

/**
 * Whether an item with the literal is what the question asks for. A question that says more about a setting is answered
 * by the code that acts on it, or by documentation that ranks high by itself, but not by every text that mentions the
 * setting, such as release notes.
 */
function isAsked(item: Item, query: Query): boolean {
  if (!isProse(item) || query.wantsUsage || query.wantsDocs) return true;
  return !saysMoreThan(
    query,
    query.literals.map(({ text }) => text),
  );
}

function withoutName({ named: _, ...signals }: Signals): Signals {
  return signals;
}

function stepOf(site: Site, query: Query): number {
  const { item, isKey } = site;
  if (isKey && isInAskedFile(site, query)) return steps.asked;
  const beside = (item.test && !query.wantsTests) || (item.role !== undefined && item.role !== "declaration");
  const step = isKey ? steps.key : isProse(item) ? steps.told : steps.mentioned;
  return step + (beside ? steps.beside : 0);
}

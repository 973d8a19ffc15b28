import type { Candidate, Item, Signals } from "../../item.ts";
import { itemFilter } from "../../sources/item-filter.ts";
import { bringsLines, type SourceSearch } from "../../sources/source.ts";
import type { Filter } from "../../stores/store.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import { type MessageTemplate, messageTemplates } from "../../text/analysis/message-literals.ts";
import { certainMatch, type MessageMatch, matchMessage, matchWrapped } from "../../text/analysis/message-match.ts";
import { type PastedMessage, wordPairs, wrappedTexts } from "../../text/analysis/pasted-messages.ts";
import type { Query } from "../../text/analysis/query.ts";
import { hashTerm } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Finding } from "../finding.ts";
import { openFile } from "../open-file.ts";
import { countingOnly, inverseFrequency } from "../signals/bm25.ts";
import { countTerms, termTable } from "../signals/term-table.ts";
import { withoutCopies } from "./copies.ts";

/**
 * Limits on the units whose string literals are read (best match first), and on their lines in total; for each kind of
 * reading its own.
 */
const mostUnits = 80;
const mostWrapping = 40;
const mostConfigs = 20;
const mostLines = 20_000;
const mostConfigLines = 6_000;
/** Share of the message's words, weighted by idf, that a unit's strings must contain. */
const minShare = { likely: 0.2, unlikely: 0.5 };
/** Minimum match of a literal: weaker ones match many unrelated messages. */
const minMatch = { likely: 0.3, unlikely: 0.6 };

/**
 * Adds the signal `message` to units that print a pasted error message, with the printing lines as their `focus`. Does
 * nothing without a message.
 */
export async function withMessageSites(finding: Finding, search: SourceSearch, workspace: Workspace): Promise<Finding> {
  const { query, candidates } = finding;
  if (query.messages.length === 0 || !bringsLines(finding.source) || !search.strategies.includes("text")) {
    return finding;
  }
  // A report that mentions tests still quotes messages of the product, so only a question searches the tests.
  const inTests = search.filter.tests ?? (query.wantsTests && query.shape === "question");
  const units = likelyUnits(finding).filter(({ test }) => !test || inTests);
  const allSites = await findSites(query, units, search.filter, workspace);
  // A unit may be a test although its file is not one.
  const tried = [...allSites.values()].filter(({ item }) => !item.test || inTests);
  const sites = new Map(withoutCopies(tried, query).map((site) => [site.item.id, site]));
  const sure = [...sites.values()].some(({ match }) => match >= certainMatch);
  const asError = sites.size === 0 && isForeign(finding) ? errorSignals : withoutSymbol;
  const isError = errorNames(query);
  if (sites.size === 0) {
    const known = candidates.map((each) =>
      isError(each.item) ? { ...each, signals: asError(each.signals, each.item) } : each,
    );
    return { ...finding, candidates: known };
  }
  const candidateIds = new Set(candidates.map(({ item }) => item.id));
  const newSites = [...sites.values()].filter(({ item }) => !candidateIds.has(item.id));
  const terms = await workspace.store.terms(
    workspace.owner,
    "unit",
    newSites.map(({ item }) => item.id),
  );
  const allCandidates: Candidate[] = [
    ...candidates,
    ...newSites.map(({ item }) => ({ item, signals: {}, distance: 0 })),
  ];
  const isCertain = sure && query.messages.some(({ alone }) => alone);
  return {
    ...finding,
    candidates: allCandidates.map((candidate) => {
      const site = sites.get(candidate.item.id);
      if (site) return { ...candidate, signals: { ...candidate.signals, message: site.match }, focus: site.lines };
      if (isError(candidate.item)) return { ...candidate, signals: asError(candidate.signals, candidate.item) };
      return isCertain ? { ...candidate, signals: withoutName(candidate.signals) } : candidate;
    }),
    evidence: { ...finding.evidence, unitTerms: new Map([...finding.evidence.unitTerms, ...terms]) },
  };
}

function errorNames({ messages }: Query): (item: Item) => boolean {
  const errors = new Set(messages.flatMap(({ alone, error }) => (alone && error !== undefined ? [error] : [])));
  return ({ name }) => errors.has(name);
}

/** Whether some words of the message occur nowhere here: then it was not composed here. */
function isForeign({ query: { messages }, evidence: { units } }: Finding): boolean {
  return messages.some(({ text }) =>
    analyse(text).some((term) => /^\p{L}+$/u.test(term) && !units.frequencies.has(term)),
  );
}

/**
 * A name in a message is mostly the class of the error. It is not what was asked for: the statement that prints the
 * message is.
 */
function withoutName({ named: _, ...signals }: Signals): Signals {
  return signals;
}

/** Nor is the class itself, whose text contains the words of its name everywhere. */
function withoutSymbol({ symbol: _, ...signals }: Signals): Signals {
  return withoutName(signals);
}

/**
 * If nothing here prints the message, the class of the error is the only lead: the lines that raise it are listed with
 * it.
 */
function errorSignals(signals: Signals, { kind, test }: Item): Signals {
  return kind === "class" && !test && signals.symbol !== undefined ? { ...signals, named: 1 } : withoutSymbol(signals);
}

/**
 * The signature too: the signature of a constant contains its value. Catalogues of messages (`en.yml`) are text, not
 * code.
 */
const literalFields = countingOnly("string", "signature");
const catalogueFields = countingOnly("string", "signature", "code");

/**
 * Candidates whose strings contain much of a message, best first; then those that contain much of what it wraps, then
 * catalogues.
 */
function likelyUnits(finding: Finding): Item[] {
  const { query } = finding;
  const isConfig = ({ kind }: Item) => kind === "config";
  const whole = unitsWith(query.messages, finding);
  const code = whole.filter((item) => !isConfig(item)).slice(0, mostUnits);
  const wrapped = query.messages.flatMap((message) => wrappedTexts(message).map((text) => ({ ...message, text })));
  const wrapping = unitsWith(wrapped, finding).filter((item) => !isConfig(item));
  return [...new Set([...code, ...wrapping.slice(0, mostWrapping), ...whole.filter(isConfig).slice(0, mostConfigs)])];
}

function unitsWith(
  texts: readonly Pick<PastedMessage, "text" | "likely">[],
  { candidates, evidence }: Finding,
): Item[] {
  if (texts.length === 0) return [];
  const { frequencies: documentFrequencies, count } = evidence.units;
  const messages = texts.map(({ text, likely }) => {
    // Words that occur nowhere in the index were filled in at run time, as numbers are.
    const terms = [...new Set(analyse(text))]
      .filter((term) => documentFrequencies.has(term) && /\p{L}{2}/u.test(term))
      .map((term) => ({ hash: hashTerm(term), worth: inverseFrequency(documentFrequencies.get(term)!, count) }));
    const total = terms.reduce((sum, { worth }) => sum + worth, 0);
    return {
      terms,
      table: termTable(terms.map(({ hash }) => hash)),
      minimum: total * minShare[likely ? "likely" : "unlikely"],
    };
  });
  const likely: { item: Item; met: number }[] = [];
  for (const { item } of candidates) {
    const packed = evidence.unitTerms.get(item.id);
    if (packed === undefined) continue;
    const weights = item.kind === "config" ? catalogueFields : literalFields;
    let best = 0;
    for (const { terms, table, minimum } of messages) {
      const frequencies = countTerms(packed, table, weights);
      const met = terms.reduce((sum, { worth }, i) => (frequencies[i]! > 0 ? sum + worth : sum), 0);
      if (met >= minimum) best = Math.max(best, met);
    }
    if (best > 0) likely.push({ item, met: best });
  }
  return likely.sort((a, b) => b.met - a.met || (a.item.id < b.item.id ? -1 : 1)).map(({ item }) => item);
}

type LineSpan = { startLine: number; endLine: number };
type Site = { item: Item; match: number; lines: LineSpan[] };

/** The innermost units around the matching literals, by id. */
async function findSites(
  { messages }: Query,
  units: Item[],
  filter: Filter,
  workspace: Workspace,
): Promise<Map<string, Site>> {
  const { store, owner } = workspace;
  const pairs = wordPairs(messages);
  const matches: LiteralMatch[] = [];
  const left = { code: mostLines, config: mostConfigLines };
  for (const [path, inFile] of byPath(units)) {
    const { lines } = await openFile(path, undefined, workspace);
    for (const { startLine, endLine, language, kind } of outermost(inFile)) {
      const reading = kind === "config" ? "config" : "code";
      if (left[reading] <= 0) break;
      const unitLines = lines.slice(startLine - 1, Math.min(endLine, startLine - 1 + left[reading]));
      left[reading] -= unitLines.length;
      if (!containsAny(unitLines, pairs)) continue;
      const templates = messageTemplates(unitLines, language, startLine);
      const isEntry = entriesOf(templates, lines);
      for (const template of templates)
        for (const message of messages)
          matches.push(...matchesOf(path, template, message).map((each) => ({ ...each, isEntry: isEntry(template) })));
    }
  }
  const sites = new Map<string, Site>();
  const itemsByPath = new Map<string, Item[]>();
  for (const { path, template, match } of innermostFirst(matches)) {
    let items = itemsByPath.get(path);
    if (!items) itemsByPath.set(path, (items = (await store.itemsOf(owner, path)).filter(itemFilter(filter))));
    const item = innermost(items, template);
    if (!item) continue;
    const site = sites.get(item.id) ?? { item, match: 0, lines: [] };
    const lines = { startLine: template.startLine, endLine: template.endLine };
    sites.set(item.id, {
      item,
      match: Math.max(match, site.match),
      lines: match > site.match ? [lines, ...site.lines] : [...site.lines, lines],
    });
  }
  return sites;
}

/** A literal that prints a message, or the part of it that another literal wraps (`wrapped`). */
type LiteralMatch = {
  path: string;
  template: MessageTemplate;
  message: PastedMessage;
  whole: MessageMatch;
  wrapped: MessageMatch | undefined;
  /** It is a value in a table of texts, as of error codes: whoever prints it is elsewhere. */
  isEntry: boolean;
};

/** A unit with as many texts that are values is a table of them. */
const leastEntries = 10;
const entryLine = /^\s*(?:(?:case\b[^:"]*:\s*)?return\b\s*\(?\s*\w{0,3}\(?|\[?[\w.]*\]?\s*=\s*|\{[^"]*,\s*)?"/;

function entriesOf(
  templates: readonly MessageTemplate[],
  lines: readonly string[],
): (template: MessageTemplate) => boolean {
  const entries = new Set(templates.filter(({ startLine }) => entryLine.test(lines[startLine - 1] ?? "")));
  return (template) => entries.size >= leastEntries && entries.has(template);
}

function matchesOf(path: string, template: MessageTemplate, message: PastedMessage): Omit<LiteralMatch, "isEntry">[] {
  const whole = matchMessage(template, message);
  const wrapped = matchWrapped(template, message);
  const minimum = minMatch[message.likely ? "likely" : "unlikely"];
  return whole.match >= minimum || wrapped ? [{ path, template, message, whole, wrapped }] : [];
}

/**
 * A literal that is wrapped by another scores above this, the wrapping one below: `reading x: opening y: bad header` is
 * raised by the code that says "bad header".
 */
const betweenWrapped = 0.75;

/** The matches with their scores: if a message is composed of several literals, the innermost one raised it. */
function innermostFirst(
  matches: readonly LiteralMatch[],
): { path: string; template: MessageTemplate; match: number }[] {
  const isSure = ({ whole, wrapped }: LiteralMatch) => whole.match >= certainMatch || wrapped !== undefined;
  const spanOf = ({ whole, wrapped }: LiteralMatch) => wrapped ?? whole;
  const said = new Set(matches.filter((each) => isSure(each) && !each.isEntry).map(({ message }) => message));
  // "cannot reach x: connection refused": the text of an error code says less than who prints it.
  const isLookedUp = ({ isEntry, wrapped, message }: LiteralMatch) =>
    isEntry && wrapped !== undefined && said.has(message);
  const bySure = new Map<PastedMessage, LiteralMatch[]>();
  for (const each of matches) {
    if (isSure(each) && !isLookedUp(each))
      bySure.set(each.message, [...(bySure.get(each.message) ?? []), each].slice(0, mostCompared));
  }
  return matches.map((each) => {
    const { path, template, whole, wrapped } = each;
    if (isLookedUp(each)) return { path, template, match: certainMatch };
    const others = bySure.get(each.message) ?? [];
    const { start, end } = spanOf(each);
    // `x: y`: only the colon shows that y is wrapped by x.
    const wraps =
      isSure(each) &&
      others.some(
        ({ wrapped: inner }) =>
          inner !== undefined && inner.start >= end && each.message.plain.slice(end, inner.start).includes(":"),
      );
    if (wraps) {
      const match = Math.max(whole.match, wrapped?.match ?? 0);
      return { path, template, match: certainMatch + (betweenWrapped - certainMatch) * match };
    }
    // The match belongs to another literal whose own fixed text contains these words.
    const isPart = others.some(({ whole: other }) => {
      return (
        other.match >= certainMatch && other.start <= start && other.end >= end && other.end - other.start > end - start
      );
    });
    if (!wrapped || isPart) return { path, template, match: whole.match };
    return { path, template, match: Math.max(whole.match, betweenWrapped + (1 - betweenWrapped) * wrapped.match) };
  });
}

/** Most matches of one message that are compared with each other. */
const mostCompared = 50;

/** Whether any word pair occurs at all: much cheaper than parsing literals. */
function containsAny(lines: readonly string[], pairs: readonly string[]): boolean {
  const text = lines.join("\n").toLowerCase();
  return pairs.length === 0 || pairs.some((pair) => text.includes(pair));
}

function byPath(units: Item[]): Map<string, Item[]> {
  const paths = new Map<string, Item[]>();
  for (const unit of units) paths.set(unit.path, [...(paths.get(unit.path) ?? []), unit]);
  return paths;
}

/** Units that are inside no other unit, so that each literal is read once. */
function outermost(units: Item[]): Item[] {
  const sorted = [...units].sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  let end = 0;
  return sorted.filter((unit) => {
    if (unit.endLine <= end) return false;
    end = unit.endLine;
    return true;
  });
}

function innermost(items: Item[], { startLine, endLine }: LineSpan): Item | undefined {
  let best: Item | undefined;
  for (const item of items) {
    if (item.startLine > startLine || item.endLine < endLine) continue;
    if (!best || item.endLine - item.startLine <= best.endLine - best.startLine) best = item;
  }
  return best;
}

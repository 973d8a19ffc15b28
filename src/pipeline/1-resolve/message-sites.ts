import type { Candidate, Item, Signals } from "../../item.ts";
import { itemFilter } from "../../sources/item-filter.ts";
import { bringsLines, type SourceSearch } from "../../sources/source.ts";
import type { Filter } from "../../stores/store.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import { type MessageTemplate, messageTemplates } from "../../text/analysis/message-literals.ts";
import { certainMatch, matchMessage, type PastedMessage, wordPairs } from "../../text/analysis/pasted-messages.ts";
import type { Query } from "../../text/analysis/query.ts";
import { fields, frequencies } from "../../text/analysis/terms.ts";
import { hashTerm } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Finding } from "../finding.ts";
import { openFile } from "../open-file.ts";
import { inverseFrequency } from "../signals/bm25.ts";

/** Limits on the units whose string literals are read (best match first), and on their lines in total. */
const mostUnits = 80;
const mostLines = 20_000;
/** Share of the message's words, weighted by idf, that a unit's strings must contain. */
const minShare = { likely: 0.2, unlikely: 0.5 };
/** Minimum match of a literal: weaker ones match many unrelated messages. */
const minMatch = { likely: 0.3, unlikely: 0.6 };

/** Adds the signal `message` to units that print a pasted error message, with the printing lines as their `focus`. Does nothing without a message. */
export async function withMessageSites(finding: Finding, search: SourceSearch, workspace: Workspace): Promise<Finding> {
  const { query, candidates } = finding;
  if (query.messages.length === 0 || !bringsLines(finding.source) || !search.strategies.includes("text")) {
    return finding;
  }
  // A report that mentions tests still quotes messages of the product, so only a question searches the tests.
  const inTests = search.filter.tests ?? (query.wantsTests && query.shape === "question");
  const units = likelyUnits(finding).filter(({ test }) => !test || inTests);
  const allSites = await findSites(query, units.slice(0, mostUnits), search.filter, workspace);
  // A unit may be a test although its file is not one.
  const sites = new Map([...allSites].filter(([, { item }]) => !item.test || inTests));
  if (sites.size === 0) return finding;
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
  const isCertain =
    query.messages.some(({ alone }) => alone) && [...sites.values()].some(({ match }) => match >= certainMatch);
  return {
    ...finding,
    candidates: allCandidates.map((candidate) => {
      const site = sites.get(candidate.item.id);
      if (site) return { ...candidate, signals: { ...candidate.signals, message: site.match }, focus: site.lines };
      return isCertain ? { ...candidate, signals: withoutName(candidate.signals) } : candidate;
    }),
    evidence: { ...finding.evidence, unitTerms: new Map([...finding.evidence.unitTerms, ...terms]) },
  };
}

/** What a message names, mostly the class of the error, is not what was asked for: that is the statement which prints it. */
function withoutName({ named: _, ...signals }: Signals): Signals {
  return signals;
}

/** The signature too: the signature of a constant contains its value. */
const literalFields = [fields.indexOf("string"), fields.indexOf("signature")];

/** Candidates whose strings contain much of a message, best first. */
function likelyUnits({ query, candidates, evidence }: Finding): Item[] {
  const { frequencies: documentFrequencies, count } = evidence.units;
  const messages = query.messages.map(({ text, likely }) => {
    // Words that occur nowhere in the index were filled in at run time, as numbers are.
    const terms = [...new Set(analyse(text))]
      .filter((term) => documentFrequencies.has(term) && /\p{L}{2}/u.test(term))
      .map((term) => ({ hash: hashTerm(term), worth: inverseFrequency(documentFrequencies.get(term)!, count) }));
    const total = terms.reduce((sum, { worth }) => sum + worth, 0);
    return { terms, minimum: total * minShare[likely ? "likely" : "unlikely"] };
  });
  const scratch = new Uint16Array(fields.length);
  const likely: { item: Item; met: number }[] = [];
  for (const { item } of candidates) {
    const packed = evidence.unitTerms.get(item.id);
    if (packed === undefined) continue;
    let best = 0;
    for (const { terms, minimum } of messages) {
      let met = 0;
      for (const { hash, worth } of terms) {
        scratch.fill(0);
        if (frequencies(packed, hash, scratch) && literalFields.some((field) => scratch[field]! > 0)) met += worth;
      }
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
  const sites = new Map<string, Site>();
  const pairs = wordPairs(messages);
  let linesLeft = mostLines;
  for (const [path, inFile] of byPath(units)) {
    const { lines } = await openFile(path, undefined, workspace);
    const matches: { template: MessageTemplate; match: number }[] = [];
    for (const { startLine, endLine, language } of outermost(inFile)) {
      if (linesLeft <= 0) break;
      const unitLines = lines.slice(startLine - 1, Math.min(endLine, startLine - 1 + linesLeft));
      linesLeft -= unitLines.length;
      if (!containsAny(unitLines, pairs)) continue;
      for (const template of messageTemplates(unitLines, language, startLine)) {
        const match = bestMatch(template, messages);
        if (match > 0) matches.push({ template, match });
      }
    }
    if (matches.length === 0) continue;
    const items = (await store.itemsOf(owner, path)).filter(itemFilter(filter));
    for (const { template, match } of matches) {
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
  }
  return sites;
}

function bestMatch(template: MessageTemplate, messages: readonly PastedMessage[]): number {
  let best = 0;
  for (const message of messages) {
    const match = matchMessage(template, message);
    if (match > best && match >= minMatch[message.likely ? "likely" : "unlikely"]) best = match;
  }
  return best;
}

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

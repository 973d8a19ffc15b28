import { type Directory, directoryOf } from "../../chat/directory.ts";
import type { Candidate, Item } from "../../item.ts";
import { pathMatcher } from "../../stores/globs.ts";
import type { Store } from "../../stores/store.ts";
import { analyse, looksLikeIdentifier } from "../../text/analysis/analyse.ts";
import type { Query } from "../../text/analysis/query.ts";
import { fields, frequencies } from "../../text/analysis/terms.ts";
import { hashTerm } from "../../text/hash.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { candidatesEach, findOnShelf } from "../find-on-shelf.ts";
import type { SourceSearch } from "../source.ts";
import { documentIdOf, placeOfDocument } from "./document-items.ts";
import { placesAt } from "./named-document.ts";
import { readChunks } from "./read-chunks.ts";
import { type Correction, correctionsOf } from "./spelling.ts";

const mostKeywords = 4;
const hitsPerKeyword = 5;
const mostQuoted = 4;
const hitsPerPhrase = 40;
const hitsPerIdentifier = 10;
const fuzzyHits = 10;
const mostNamed = 8;
const chunksPerNamed = 5;
const mostRecent = 5;
/** Factor on the limit if a path filter will remove some candidates. */
const whenFiltered = 4;

/**
 * Candidates among the chunks, with one signal per strategy: `matched` (full text), `keyword` (share of the keywords
 * whose best hits include it), `phrase` and `identifier` (share of the phrases and identifiers that occur in it
 * literally), `fuzzy` (share of the query that is misspelt and corrected to words of this chunk), `named` (path or name
 * of its document), `recent` (its document was opened lately), `similar`.
 */
export async function findChunks(query: Query, search: SourceSearch, workspace: Workspace): Promise<Candidate[]> {
  if (!workspace.hasRecords()) return [];
  const library = await workspace.library();
  const directory = await directoryOf(library, workspace.owner);
  if (directory.documents.size === 0) return [];
  const finder = new Finder(query, search, workspace, directory);
  const { strategies } = search;
  await finder.byTextAndMeaning();
  if (strategies.includes("text")) {
    await finder.byKeywords();
    await finder.byIdentifiers();
    await finder.byPhrases();
    await finder.bySpelling();
  }
  if (strategies.includes("path") || strategies.includes("name")) await finder.byNames();
  const { documents } = await library.documents(workspace.owner, {
    order: "accessed",
    opened: true,
    limit: mostRecent,
  });
  await finder.byAccess(documents.map(({ id }) => id));
  return finder.candidates();
}

class Finder {
  readonly #query: Query;
  readonly #search: SourceSearch;
  readonly #workspace: Workspace;
  readonly #directory: Directory;
  readonly #shelf: Store;
  readonly #allowed: (item: Item) => boolean;
  readonly #candidates = new Map<string, Candidate>();

  constructor(query: Query, search: SourceSearch, workspace: Workspace, directory: Directory) {
    const { paths, ...filter } = search.filter;
    const limit = search.limit * candidatesEach * (paths?.length ? whenFiltered : 1);
    this.#query = query;
    this.#search = { ...search, limit, filter };
    this.#workspace = workspace;
    this.#directory = directory;
    this.#shelf = workspace.store.shelf("document");
    // On the shelf a document's path is its id, so globs are compared here.
    const matches = paths?.length ? pathMatcher(paths) : undefined;
    this.#allowed = (item) => {
      const path = directory.documents.get(documentIdOf(item))?.path;
      if (path === undefined || (matches && !matches(path))) return false;
      return (filter.ids?.includes(item.id) ?? true) && (filter.kinds?.includes(item.kind) ?? true);
    };
  }

  candidates(): Candidate[] {
    return [...this.#candidates.values()];
  }

  #add(item: Item, signal: string, score: number): void {
    if (!this.#allowed(item)) return;
    const existing = this.#candidates.get(item.id);
    if (existing) existing.signals[signal] = Math.max(existing.signals[signal] ?? 0, score);
    else this.#candidates.set(item.id, { item, signals: { [signal]: score }, distance: 0 });
  }

  async byTextAndMeaning(): Promise<void> {
    for (const { item, signals } of await findOnShelf("document", this.#query, this.#search, this.#workspace)) {
      for (const [signal, score] of Object.entries(signals)) this.#add(item, signal, score);
    }
  }

  async #hits(terms: readonly { term: string; weight: number }[], limit: number) {
    const { owner } = this.#workspace;
    return this.#shelf.searchText(owner, { scope: "unit", terms: [...terms], limit, filter: this.#search.filter });
  }

  /** Each keyword is searched separately, since its best hits may rank low among the hits of the whole question. */
  async byKeywords(): Promise<void> {
    const { terms } = this.#query;
    const searchTerms = terms.map(({ term }) => term);
    const { count, frequencies: counts } = await this.#shelf.termStatistics(this.#workspace.owner, "unit", searchTerms);
    const worth = ({ term, weight }: { term: string; weight: number }) =>
      weight * Math.log(1 + count / (counts.get(term) ?? count));
    const keywords = terms
      .filter(({ term }) => counts.has(term))
      .sort((a, b) => worth(b) - worth(a))
      .slice(0, mostKeywords);
    if (keywords.length < 2) return;
    const shares = new Shares(keywords.length);
    for (const keyword of keywords) {
      for (const { item } of await this.#hits([keyword], hitsPerKeyword)) shares.add(item);
    }
    for (const [item, share] of shares) this.#add(item, "keyword", share);
  }

  /**
   * A whole identifier is a term of its own, beside its parts: a chunk with that term contains the identifier, apart
   * from case.
   */
  async byIdentifiers(): Promise<void> {
    const names = this.#query.names.map(({ name }) => name).filter(looksLikeIdentifier);
    const terms = [...new Set(names.flatMap((name) => analyse(name).at(-1) ?? []))].slice(0, mostQuoted);
    const shares = new Shares(terms.length);
    for (const term of terms) {
      for (const { item } of await this.#hits([{ term, weight: 1 }], hitsPerIdentifier)) shares.add(item);
    }
    for (const [item, share] of shares) this.#add(item, "identifier", share);
  }

  /** A quoted phrase must occur literally. */
  async byPhrases(): Promise<void> {
    const phrases = phrasesOf(this.#query.text).slice(0, mostQuoted);
    const shares = new Shares(phrases.length);
    for (const phrase of phrases) {
      const terms = [...new Set(analyse(phrase))];
      const weighted = terms.map((term) => ({ term, weight: 1 }));
      const hits = terms.length > 0 ? await this.#hits(weighted, hitsPerPhrase) : [];
      const items = hits.map(({ item }) => item);
      const likely = await this.#within(await this.#havingAll(items, terms), phrase);
      for (const [id, { text }] of await readChunks(likely, this.#workspace)) {
        if (folded(text).includes(folded(phrase))) shares.add(likely.find((item) => item.id === id)!);
      }
    }
    for (const [item, share] of shares) this.#add(item, "phrase", share);
  }

  /** The items with every term: only these need to be read. */
  async #havingAll(items: Item[], terms: string[]): Promise<Item[]> {
    const ids = items.map(({ id }) => id);
    const vectors = await this.#shelf.terms(this.#workspace.owner, "unit", ids);
    const hashes = terms.map(hashTerm);
    const counts = new Uint16Array(fields.length);
    return items.filter(({ id }) => {
      const packed = vectors.get(id);
      return packed !== undefined && hashes.every((hash) => frequencies(packed, hash, counts));
    });
  }

  /** Chunks whose documents contain the text anywhere: reading whole documents is cheaper than chunk by chunk. */
  async #within(items: Item[], text: string): Promise<Item[]> {
    const library = await this.#workspace.library();
    const contents = await library.contents(this.#workspace.owner, [...new Set(items.map(documentIdOf))]);
    const phrase = folded(text);
    const having = new Set([...contents].filter(([, content]) => folded(content).includes(phrase)).map(([id]) => id));
    return items.filter((item) => having.has(documentIdOf(item)));
  }

  async bySpelling(): Promise<void> {
    const corrections = await correctionsOf(this.#query, this.#workspace);
    if (corrections.length === 0) return;
    const terms = corrections.map(({ instead, weight }: Correction) => ({ term: instead, weight }));
    const hits = await this.#hits(terms, fuzzyHits);
    const best = hits[0]?.score ?? 0;
    // One misspelt word of six is a sixth of the question, however well it matches.
    const corrected = new Set(corrections.map(({ term }) => term));
    const queryTerms = this.#query.terms;
    const weightOf = (list: typeof queryTerms) => list.reduce((sum, { weight }) => sum + weight, 0);
    const share = weightOf(queryTerms.filter(({ term }) => corrected.has(term))) / weightOf(queryTerms);
    for (const { item, score } of hits) this.#add(item, "fuzzy", (share * score) / best);
  }

  async byNames(): Promise<void> {
    const { paths, names } = this.#query;
    const namedIds = new Map<string, { score: number; line?: number }>();
    for (const { path, line } of paths) {
      for (const { id, score } of placesAt(this.#directory, path).slice(0, mostNamed)) {
        if ((namedIds.get(id)?.score ?? 0) < score)
          namedIds.set(id, { score, ...(line === undefined ? {} : { line }) });
      }
    }
    for (const { name, weight } of names) {
      for (const id of [...(this.#directory.byName.get(name.toLowerCase()) ?? [])].slice(0, mostNamed)) {
        const score = 0.5 + weight / 4;
        if ((namedIds.get(id)?.score ?? 0) < score) namedIds.set(id, { score });
      }
    }
    const best = [...namedIds].sort((a, b) => b[1].score - a[1].score || (a[0] < b[0] ? -1 : 1)).slice(0, mostNamed);
    for (const [id, { score, line }] of best) {
      const items = await this.#chunksOf(id);
      const containsLine = (item: Item) => line !== undefined && item.startLine <= line && line <= item.endLine;
      // Limited, because a line of several megabytes spans thousands of chunks.
      const onLine = items.filter(containsLine).slice(0, chunksPerNamed);
      for (const item of onLine) this.#add(item, "named", 1);
      for (const item of items.slice(0, chunksPerNamed)) this.#add(item, "named", score);
    }
    for (const { item } of this.#candidates.values()) {
      const score = namedIds.get(documentIdOf(item))?.score;
      if (score !== undefined) this.#add(item, "named", score);
    }
  }

  /** Adds recently opened documents: their chunks among the candidates, or else their first chunk. */
  async byAccess(ids: string[]): Promise<void> {
    const byDocument = grouped(this.#candidates.values());
    for (const [i, id] of ids.entries()) {
      const score = 1 - i / mostRecent;
      const items = byDocument.get(id)?.map(({ item }) => item) ?? (await this.#chunksOf(id)).slice(0, 1);
      for (const item of items) this.#add(item, "recent", score);
    }
  }

  #chunksOf(id: string): Promise<Item[]> {
    return this.#shelf.itemsOf(this.#workspace.owner, placeOfDocument(id));
  }
}

/** Counts on how many of several lists each item is. */
class Shares {
  readonly #of: number;
  readonly #counts = new Map<string, { item: Item; count: number }>();

  constructor(of: number) {
    this.#of = of;
  }

  add(item: Item): void {
    this.#counts.set(item.id, { item, count: (this.#counts.get(item.id)?.count ?? 0) + 1 });
  }

  *[Symbol.iterator](): Iterator<[Item, number]> {
    for (const { item, count } of this.#counts.values()) yield [item, count / this.#of];
  }
}

function grouped(candidates: Iterable<Candidate>): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const id = documentIdOf(candidate.item);
    groups.set(id, [...(groups.get(id) ?? []), candidate]);
  }
  return groups;
}

const quotation = /"([^"\n]{3,200})"|“([^”\n]{3,200})”|«([^»\n]{3,200})»|`([^`\n]{3,200})`/g;
const longestLooked = 10_000;

/** The quoted phrases of a query. */
export function phrasesOf(text: string): string[] {
  const phrases = new Set<string>();
  for (const [, ...groups] of text.slice(0, longestLooked).matchAll(quotation)) {
    const phrase = groups.find((group) => group !== undefined)!.trim();
    if (phrase !== "") phrases.add(phrase);
  }
  return [...phrases];
}

/** The literal text, apart from case and the kind of white space. */
function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ");
}

import type { Dropped } from "../../document.ts";
import { type Format, formats } from "../../formats/format.ts";
import { contextDocument } from "../../formats/json/graph-document.ts";
import { isInFile } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import { memoize } from "../../text/memoize.ts";
import { rememberedCount, type TokenCounter, tokenCounter } from "../../text/tokens/tokens.ts";
import { hasName, trimmedImport } from "../imports.ts";
import type { Unique } from "../unique.ts";
import { addEntityBlocks } from "./entity-blocks.ts";
import { isPointer } from "./entry.ts";
import { addFileBlocks } from "./file-blocks.ts";
import { sectionOf } from "./groups.ts";
import { type CountedParts, itemPrinter } from "./item-printer.ts";
import {
  countsOf,
  fileFrame,
  footerTexts,
  placesOf,
  selfCounting,
  sourcePlace,
  summaryOf,
  textsOf,
  tooSmall,
} from "./layout-parts.ts";
import type { LaidPage } from "./page.ts";
import type { Layout, LayoutPart, LeftCounts, Shown } from "./printed-parts.ts";
import { treePositions } from "./tree-order.ts";

/**
 * Smallest budgets in tokens for a list of sources and for other metadata: below them, metadata would crowd out the
 * items.
 */
const smallestWithSources = 256;
const smallestWithLeftOut = 128;

/**
 * Lays out any choice of items as the document that would be printed, and counts its tokens. This is the only code that
 * lays out a document or counts its tokens.
 */
export type Layouter = {
  counter: TokenCounter;
  /** Tokens of any text. Memoised for this document. */
  tokensOf(text: string): number;
  /** Tokens of an item's text. Memoised across queries, because the next one may print it again. */
  countOwn(text: string): number;
  /** `left`: how many items are left out for reasons other than the budget. */
  lay(shown: readonly Shown[], left?: LeftCounts): Layout;
  /** Tokens of one item's block alone, with these imports. */
  blockTokens(shown: Shown, imports: string[]): number;
  /**
   * Tokens that an item adds besides its block: the file's heading if it is the first of its file, and its line among
   * the sources.
   */
  sharedTokens(shown: Shown, first: boolean): number;
  nothing(sentence: string): Layout;
};

const nothingLeft: LeftCounts = { forDiversity: 0, alreadySent: 0, unworthy: 0 };

/** `notice`: what the reader must know before anything else. */
export function layouter(
  all: readonly Unique[],
  leftOut: readonly Dropped[],
  request: Request,
  look: Look,
  notice?: string,
): Layouter {
  return new DocumentLayouter(all, leftOut, request, look, notice);
}

class DocumentLayouter implements Layouter {
  readonly counter: TokenCounter;
  readonly tokensOf: (text: string) => number;
  readonly countOwn: (text: string) => number;
  readonly #all: readonly Unique[];
  readonly #leftOut: readonly Dropped[];
  readonly #request: Request;
  readonly #look: Look;
  readonly #notice: string | undefined;
  readonly #format: Format;
  readonly #isByFile: boolean;
  readonly #hasSources: boolean;
  readonly #hasSections: boolean;
  /** By rank: the index of the section, and the printed position within it. */
  readonly #sectionByRank: readonly number[];
  readonly #positions: readonly number[];
  /** Number of all items that were found, without duplicates. */
  readonly #foundCount: number;
  readonly #printer: ReturnType<typeof itemPrinter>;
  readonly #frames = new Map<string, number>();

  constructor(
    all: readonly Unique[],
    leftOut: readonly Dropped[],
    request: Request,
    look: Look,
    notice: string | undefined,
  ) {
    const { header } = look;
    const hasRoom = request.maxTokens >= smallestWithSources;
    this.#all = all;
    this.#leftOut = leftOut;
    this.#request = request;
    this.#look = look;
    this.#notice = notice;
    const makeFormat = header && request.format === "json" ? contextDocument : formats[request.format];
    this.#format = makeFormat(textsOf(all), look.title, header !== undefined, notice);
    this.#isByFile = request.layout === "files" && !header;
    this.#hasSources = request.includeSources && !this.#isByFile && hasRoom;
    this.#hasSections = request.groupByType && !header && hasRoom;
    this.#sectionByRank = all.map((unique) => (this.#hasSections ? look.sections.indexOf(sectionOf(unique, look)) : 0));
    // JSON is in the order of relevance; a document for readers follows the tree of paths.
    this.#positions = header && request.format !== "json" ? treePositions(all) : all.map((_, rank) => rank);
    const hidden = leftOut.filter(({ reason }) => reason === "over-budget" || reason === "given");
    this.#foundCount = all.length + hidden.length;
    this.counter = tokenCounter(request.encoding);
    this.countOwn = rememberedCount(request.encoding);
    this.tokensOf = memoize((text: string) => this.counter.count(text));
    const counted: CountedParts = {
      partOf: (text, owner) => this.#partOf(text, owner),
      ownPart: (text, owner) => ({ text, tokens: this.countOwn(text), owner }),
    };
    this.#printer = itemPrinter(this.#format, request, look, counted);
  }

  lay(shown: readonly Shown[], left = nothingLeft): Layout {
    const { header, title } = this.#look;
    const format = this.#format;
    const page = this.#emptyPage();
    const listed = this.#isByFile ? [] : this.#printedOrder(shown);
    const firstPointer = header ? listed.findIndex(isPointer) : -1;
    page.add(format.opening);
    if (title !== undefined) page.add(format.title(title));
    if (this.#notice !== undefined) page.add(format.notice(this.#notice));
    if (this.#isByFile) addFileBlocks(page, shown);
    else addEntityBlocks(page, listed, firstPointer);
    page.add(format.itemsClosing);
    for (const text of this.#footer(shown, this.#hasSources ? listed : [], left)) page.add(text);
    page.add(format.closing);
    const { parts } = page;
    if (header && format.header)
      parts.unshift(this.#headerPart(parts, firstPointer < 0 ? listed.length : firstPointer, listed.length));
    let tokens = 0;
    let linked = 0;
    for (const part of parts) {
      tokens += part.tokens;
      if (part.owner && part.owner.unique.distance > 0) linked += part.tokens;
    }
    return { parts, tokens, linked };
  }

  blockTokens(shown: Shown, imports: string[]): number {
    if (!this.#isSpan(shown)) return tokensIn(this.#printer.block(shown, imports, false));
    const isUsed = (name: string) => hasName(shown.printLevel, name);
    const used = imports.flatMap((statement) => trimmedImport(statement, isUsed) ?? []);
    const { language } = shown.unique.item;
    const importTokens = used.length > 0 ? this.tokensOf(this.#format.file.imports(used, language)) : 0;
    return this.#printer.span(shown).tokens + importTokens;
  }

  sharedTokens(shown: Shown, first: boolean): number {
    const { item } = shown.unique;
    if (this.#isSpan(shown)) return first ? this.#frameTokens(item.path, item.language) : 0;
    if (!this.#hasSources || isPointer(shown) || !isInFile(item.source)) return 0;
    return this.tokensOf(this.#format.source(sourcePlace(shown), false));
  }

  nothing(sentence: string): Layout {
    const { header } = this.#look;
    const { format, maxTokens } = this.#request;
    const part = this.#partOf(this.#format.nothing(sentence));
    const parts = header && this.#format.header ? [this.#headerPart([part], 0, 0), part] : [part];
    const tokens = tokensIn(parts);
    if (tokens <= maxTokens || parts.length === 1) return { parts, tokens, linked: 0 };
    // In JSON the header is part of the object, so it must be printed with the sentence.
    if (format !== "json") return { parts: [part], tokens: part.tokens, linked: 0 };
    throw tooSmall(tokens, maxTokens);
  }

  #partOf(text: string, owner?: Shown): LayoutPart {
    return { text, tokens: this.tokensOf(text), ...(owner ? { owner } : {}) };
  }

  #emptyPage(): LaidPage {
    const parts: LayoutPart[] = [];
    return {
      request: this.#request,
      look: this.#look,
      format: this.#format,
      printer: this.#printer,
      hasSections: this.#hasSections,
      sectionOf: (rank) => this.#sectionByRank[rank]!,
      parts,
      add: (text) => {
        if (text !== "") parts.push(this.#partOf(text));
      },
      addFor: (owner, text) => parts.push(this.#partOf(text, owner)),
    };
  }

  /** Printed order; pointers are a list at the end of their group. */
  #printedOrder(shown: readonly Shown[]): Shown[] {
    return [...shown].sort(
      (a, b) =>
        this.#sectionByRank[a.rank]! - this.#sectionByRank[b.rank]! ||
        Number(isPointer(a)) - Number(isPointer(b)) ||
        this.#positions[a.rank]! - this.#positions[b.rank]!,
    );
  }

  /** The header with the token count of the whole document, itself included. */
  #headerPart(rest: readonly LayoutPart[], shown: number, listed: number): LayoutPart {
    const { header } = this.#look;
    const summarised = Math.max(this.#foundCount, listed) - shown;
    const use = { budget: this.#request.maxTokens, included: shown, summarised };
    const text = (used: number) => this.#format.header!(header!, { ...use, used });
    return selfCounting(tokensIn(rest), text, this.tokensOf);
  }

  #footer(shown: readonly Shown[], sources: readonly Shown[], left: LeftCounts): string[] {
    const format = this.#format;
    const places = placesOf(sources);
    if (this.#request.maxTokens < smallestWithLeftOut) return footerTexts(format, undefined, [], places);
    const uniques = shown.map(({ unique }) => unique);
    const summary = this.#look.summary ? summaryOf(this.#look.summary, uniques) : undefined;
    const counts = countsOf(this.#leftOut, this.#all.length - shown.length, left);
    // A duplicate's text is printed elsewhere, as a part or a copy of another item, so a reader misses nothing.
    const missing = this.#request.format === "json" ? counts : counts.filter(({ reason }) => reason !== "duplicate");
    return footerTexts(format, summary, missing, places);
  }

  #isSpan(shown: Shown): boolean {
    return this.#isByFile && !isPointer(shown) && isInFile(shown.unique.item.source);
  }

  /** `fileFrame`, memoised. */
  #frameTokens(path: string, language: string | undefined): number {
    const key = `${language} ${path}`;
    let tokens = this.#frames.get(key);
    if (tokens === undefined) {
      tokens = fileFrame(this.#format, path, language, this.tokensOf);
      this.#frames.set(key, tokens);
    }
    return tokens;
  }
}

function tokensIn(parts: readonly LayoutPart[]): number {
  return parts.reduce((sum, part) => sum + part.tokens, 0);
}

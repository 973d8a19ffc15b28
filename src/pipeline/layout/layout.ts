import type { Dropped } from "../../document.ts";
import { formats } from "../../formats/format.ts";
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

/** In tokens. Below these budgets, metadata would crowd out the items. */
const smallestWithSources = 256;
const smallestWithLeftOut = 128;

/**
 * Lays out any choice of items as the document that would be printed, and counts its tokens. Nothing else does either.
 */
export type Layouter = {
  counter: TokenCounter;
  /** Tokens of any text. Memoised for this document. */
  tokensOf(text: string): number;
  /** Tokens of an item's text. Memoised across queries, because the next one may print it again. */
  countOwn(text: string): number;
  /** `left`: how many items are left out for another reason than the budget. */
  lay(shown: readonly Shown[], left?: LeftCounts): Layout;
  /** Tokens of one item's block by itself, with these imports. */
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
  const { header } = look;
  const makeFormat = header && request.format === "json" ? contextDocument : formats[request.format];
  const format = makeFormat(textsOf(all), look.title, header !== undefined, notice);
  const isByFile = request.layout === "files" && !header;
  const hasRoom = request.maxTokens >= smallestWithSources;
  const hasSources = request.includeSources && !isByFile && hasRoom;
  const hasSections = request.groupByType && !header && hasRoom;
  const sectionByRank = all.map((unique) => (hasSections ? look.sections.indexOf(sectionOf(unique, look)) : 0));
  const counter = tokenCounter(request.encoding);
  const countOwn = rememberedCount(request.encoding);
  const tokensOf = memoize((text: string) => counter.count(text));
  const counted: CountedParts = {
    partOf: (text, owner) => ({ text, tokens: tokensOf(text), ...(owner ? { owner } : {}) }),
    ownPart: (text, owner) => ({ text, tokens: countOwn(text), owner }),
  };
  const { partOf } = counted;
  const printer = itemPrinter(format, request, look, counted);

  function emptyPage(): LaidPage {
    const parts: LayoutPart[] = [];
    const add = (text: string) => {
      if (text !== "") parts.push(partOf(text));
    };
    const addFor = (owner: Shown, text: string) => parts.push(partOf(text, owner));
    return {
      request,
      look,
      format,
      printer,
      hasSections,
      sectionOf: (rank) => sectionByRank[rank]!,
      parts,
      add,
      addFor,
    };
  }

  function lay(shown: readonly Shown[], left = nothingLeft): Layout {
    const page = emptyPage();
    const listed = isByFile ? [] : printedOrder(shown);
    const firstPointer = header ? listed.findIndex(isPointer) : -1;
    page.add(format.opening);
    if (look.title !== undefined) page.add(format.title(look.title));
    if (notice !== undefined) page.add(format.notice(notice));
    if (isByFile) addFileBlocks(page, shown);
    else addEntityBlocks(page, listed, firstPointer);
    page.add(format.itemsClosing);
    for (const text of footer(shown, hasSources ? listed : [], left)) page.add(text);
    page.add(format.closing);
    const { parts } = page;
    if (header && format.header)
      parts.unshift(headerPart(parts, firstPointer < 0 ? listed.length : firstPointer, listed.length));
    let tokens = 0;
    let linked = 0;
    for (const part of parts) {
      tokens += part.tokens;
      if (part.owner && part.owner.unique.distance > 0) linked += part.tokens;
    }
    return { parts, tokens, linked };
  }

  // JSON is in the order of relevance; a document for readers in that of the tree of paths.
  const positions = header && request.format !== "json" ? treePositions(all) : all.map((_, rank) => rank);

  /** Printed order; pointers are a list at the end of their group. */
  function printedOrder(shown: readonly Shown[]): Shown[] {
    return [...shown].sort(
      (a, b) =>
        sectionByRank[a.rank]! - sectionByRank[b.rank]! ||
        Number(isPointer(a)) - Number(isPointer(b)) ||
        positions[a.rank]! - positions[b.rank]!,
    );
  }

  // Everything that was found, without duplicates.
  const foundCount = all.length + leftOut.filter(({ reason }) => reason === "over-budget" || reason === "given").length;

  /** The header with the token count of the whole document, itself included. */
  function headerPart(rest: readonly LayoutPart[], shown: number, listed: number): LayoutPart {
    const use = { budget: request.maxTokens, included: shown, summarised: Math.max(foundCount, listed) - shown };
    const others = rest.reduce((sum, { tokens }) => sum + tokens, 0);
    return selfCounting(others, (used) => format.header!(header!, { ...use, used }), tokensOf);
  }

  function footer(shown: readonly Shown[], sources: readonly Shown[], left: LeftCounts): string[] {
    const places = placesOf(sources);
    if (request.maxTokens < smallestWithLeftOut) return footerTexts(format, undefined, [], places);
    const uniques = shown.map(({ unique }) => unique);
    const summary = look.summary ? summaryOf(look.summary, uniques) : undefined;
    const counts = countsOf(leftOut, all.length - shown.length, left);
    // What is a duplicate is printed, as a part of something or as its copy: a reader misses nothing.
    const missing = request.format === "json" ? counts : counts.filter(({ reason }) => reason !== "duplicate");
    return footerTexts(format, summary, missing, places);
  }

  function isSpan(shown: Shown): boolean {
    return isByFile && !isPointer(shown) && isInFile(shown.unique.item.source);
  }

  function blockTokens(shown: Shown, imports: string[]): number {
    if (!isSpan(shown)) return printer.block(shown, imports, false).reduce((sum, part) => sum + part.tokens, 0);
    const isUsed = (name: string) => hasName(shown.printLevel, name);
    const used = imports.flatMap((statement) => trimmedImport(statement, isUsed) ?? []);
    const importTokens = used.length > 0 ? tokensOf(format.file.imports(used, shown.unique.item.language)) : 0;
    return printer.span(shown).tokens + importTokens;
  }

  const frames = new Map<string, number>();

  /** `fileFrame`, memoised. */
  function frameTokens(path: string, language: string | undefined): number {
    const key = `${language} ${path}`;
    let tokens = frames.get(key);
    if (tokens === undefined) frames.set(key, (tokens = fileFrame(format, path, language, tokensOf)));
    return tokens;
  }

  function sharedTokens(shown: Shown, first: boolean): number {
    const { item } = shown.unique;
    if (isSpan(shown)) return first ? frameTokens(item.path, item.language) : 0;
    if (!hasSources || isPointer(shown) || !isInFile(item.source)) return 0;
    return tokensOf(format.source(sourcePlace(shown), false));
  }

  function nothing(sentence: string): Layout {
    const part = partOf(format.nothing(sentence));
    const parts = header && format.header ? [headerPart([part], 0, 0), part] : [part];
    const tokens = parts.reduce((sum, each) => sum + each.tokens, 0);
    if (tokens <= request.maxTokens || parts.length === 1) return { parts, tokens, linked: 0 };
    if (makeFormat !== contextDocument) return { parts: [part], tokens: part.tokens, linked: 0 };
    throw tooSmall(tokens, request.maxTokens);
  }

  return { counter, tokensOf, countOwn, lay, blockTokens, sharedTokens, nothing };
}

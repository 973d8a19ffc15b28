import type { Dropped } from "../../document.ts";
import { type BlockState, endsBlock, formats, type LeftOut, type SourcePlace } from "../../formats/format.ts";
import { contextDocument } from "../../formats/json/graph-document.ts";
import { isPlainNote } from "../../formats/notes.ts";
import { isInFile } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import { memoize } from "../../text/memoize.ts";
import { rememberedCount, type TokenCounter, tokenCounter } from "../../text/tokens/tokens.ts";
import { hasName, trimmedImport } from "../imports.ts";
import type { Unique } from "../unique.ts";
import { arrange, type FileBlock } from "./arrange.ts";
import { entryOf, isPointer, placeOf, scopeOf } from "./entry.ts";
import { sectionOf } from "./groups.ts";
import {
  countsOf,
  fileFrame,
  footerTexts,
  freshImports,
  importsOf,
  mayLead,
  placesOf,
  selfCounting,
  sourcePlace,
  summaryOf,
  textsOf,
  tooSmall,
} from "./layout-parts.ts";
import { noteOutline } from "./note-outline.ts";
import type { PrintLevel } from "./print-level.ts";
import type { Layout, LayoutPart, LeftCounts, Shown } from "./printed-parts.ts";
import { treePositions } from "./tree-order.ts";

/** In tokens. Below these budgets, metadata would crowd out the items. */
const smallestWithSources = 256;
const smallestWithLeftOut = 128;

/** Lays out any choice of items as the document that would be printed, and counts its tokens. Nothing else does either. */
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
  /** Tokens that an item adds besides its block: the file's heading if it is the first of its file, and its line among the sources. */
  sharedTokens(shown: Shown, first: boolean): number;
  nothing(sentence: string): Layout;
};

/** `notice`: what the reader must know before anything else. */
export function layouter(
  all: readonly Unique[],
  leftOut: readonly Dropped[],
  request: Request,
  look: Look,
  notice?: string,
): Layouter {
  const counter = tokenCounter(request.encoding);
  const { header } = look;
  const makeFormat = header && request.format === "json" ? contextDocument : formats[request.format];
  const format = makeFormat(textsOf(all), look.title, header !== undefined, notice);
  const isByFile = request.layout === "files" && !header;
  const hasSources = request.includeSources && !isByFile && request.maxTokens >= smallestWithSources;
  const hasSections = request.groupByType && !header && request.maxTokens >= smallestWithSources;
  const sectionByRank = all.map((unique) => (hasSections ? look.sections.indexOf(sectionOf(unique, look)) : 0));
  const tokensOf = memoize((text: string) => counter.count(text));
  const partOf = (text: string, owner?: Shown): LayoutPart => ({
    text,
    tokens: tokensOf(text),
    ...(owner ? { owner } : {}),
  });
  const countOwn = rememberedCount(request.encoding);
  const ownPart = (text: string, owner: Shown): LayoutPart => ({ text, tokens: countOwn(text), owner });
  const rendered = new WeakMap<PrintLevel, RenderedParts>();
  const spans = new WeakMap<PrintLevel, Map<string, LayoutPart>>();

  /** The parts of an item. Memoised: they do not depend on the other items. */
  function partsOf(shown: Shown): RenderedParts {
    let parts = rendered.get(shown.printLevel);
    if (!parts) {
      const entry = entryOf(shown, request, look);
      parts = { head: ownPart(format.head(entry, false), shown), body: ownPart(format.body(entry), shown) };
      // A one-line note needs its place, unless the note before has printed it.
      if (header && format.place && isPlainNote(entry))
        parts.place = partOf(format.place(placeOf(entry), (entry.distance ?? 0) === 0));
      rendered.set(shown.printLevel, parts);
    }
    return parts;
  }

  function block(shown: Shown, imports: string[], first: boolean): LayoutPart[] {
    const parts = partsOf(shown);
    const head = first
      ? (parts.firstHead ??= ownPart(format.head(entryOf(shown, request, look), true), shown))
      : parts.head;
    const between = imports.length > 0 ? [partOf(format.imports(imports, shown.unique.item.language), shown)] : [];
    return parts.body.text === "" ? [head, ...between] : [head, ...between, parts.body];
  }

  /** A part of a file below the file's heading; `before` is the part printed before it. */
  function span(shown: Shown, before?: Shown, isFirst = false, state: BlockState = "open"): LayoutPart {
    const scope = before === undefined ? undefined : scopeOf(before);
    const isSameScope = scope !== undefined && scope === scopeOf(shown);
    const key = `${isFirst} ${isSameScope} ${state}`;
    let cached = spans.get(shown.printLevel);
    if (!cached) spans.set(shown.printLevel, (cached = new Map()));
    let part = cached.get(key);
    if (!part) {
      const { scope: own, ...entry } = entryOf(shown, request, look);
      const scoped = isSameScope || own === undefined ? entry : { ...entry, scope: own };
      part = ownPart(format.file.span(scoped, isFirst, state), shown);
      cached.set(key, part);
    }
    return part;
  }

  function stateAfter({ unique: { uses }, printLevel: { rest } }: Shown): BlockState {
    return endsBlock({ ...(uses ? { uses } : {}), ...(rest === undefined ? {} : { rest }) }) ? "closed" : "open";
  }

  function isSpan(shown: Shown): boolean {
    return isByFile && !isPointer(shown) && isInFile(shown.unique.item.source);
  }

  function lay(shown: readonly Shown[], left: LeftCounts = { forDiversity: 0, alreadySent: 0, unworthy: 0 }): Layout {
    const parts: LayoutPart[] = [];
    const add = (text: string) => {
      if (text !== "") parts.push(partOf(text));
    };
    const listed: Shown[] = [];
    let firstPointer = -1;
    add(format.opening);
    if (look.title !== undefined) add(format.title(look.title));
    if (notice !== undefined) add(format.notice(notice));
    if (isByFile) layFiles(shown, parts, add);
    else {
      listed.push(...printedOrder(shown));
      firstPointer = header ? listed.findIndex(isPointer) : -1;
      layEntities(listed, firstPointer, parts, add);
    }
    add(format.itemsClosing);
    addFooter(add, hasSources ? placesOf(listed) : [], countsOf(leftOut, all.length - shown.length, left), shown);
    add(format.closing);
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

  /** One block for each file. */
  function layFiles(shown: readonly Shown[], parts: LayoutPart[], add: (text: string) => void): void {
    const groups = arrange(
      shown,
      (rank) => sectionByRank[rank]!,
      ({ unique }) => unique.lead === true,
    );
    // With shares, scores of different sections are not comparable: sections are in the recipe's order.
    if (look.budget === "shares") groups.sort((a, b) => a.section - b.section);
    // A single group needs no heading.
    const hasHeadings = hasSections && groups.length > 1;
    let first = true;
    for (const [index, { section, blocks, pointers }] of groups.entries()) {
      if (hasHeadings) add(format.groupOpening(look.sections[section]!.title, index === 0));
      for (const one of blocks) {
        if (one.path === undefined) parts.push(...block(one.spans[0]!, [], first));
        else layFile(one, first, parts, add);
        first = false;
      }
      for (const one of pointers) {
        parts.push(...block(one, [], first));
        first = false;
      }
      if (hasHeadings) add(format.groupClosing);
    }
  }

  function layFile({ path, spans }: FileBlock, first: boolean, parts: LayoutPart[], add: (text: string) => void): void {
    const { language } = spans[0]!.unique.item;
    const imports = importsOf(spans);
    const head = { path: path!, ...(language ? { language } : {}) };
    const opensWithItem = imports.length === 0 && mayLead(spans[0]!);
    if (opensWithItem) {
      const opening = format.file.opening({ ...head, lead: entryOf(spans[0]!, request, look) }, first);
      parts.push(partOf(opening, spans[0]!));
    } else add(format.file.opening(head, first));
    if (imports.length > 0) parts.push(partOf(format.file.imports(imports, language), spans[0]!));
    let state: BlockState = opensWithItem ? "named" : "open";
    for (const [index, one] of spans.entries()) {
      parts.push(span(one, spans[index - 1], index === 0, state));
      state = stateAfter(one);
    }
    add(format.file.closing(state));
  }

  /** One block for each item, in the order of the sections. */
  function layEntities(
    order: readonly Shown[],
    firstPointer: number,
    parts: LayoutPart[],
    add: (text: string) => void,
  ): void {
    const printedImports = new Map<string, Set<string>>();
    const outline =
      header && format.indented
        ? noteOutline({
            add,
            placeOf: (one) => partsOf(one).place?.text,
            addBlock: (one) => parts.push(...block(one, [], false)),
            addLine: (one, depth) => parts.push(indentedPart(one, depth)),
          })
        : undefined;
    let section: number | undefined;
    let placedBelow: string | undefined;
    order.forEach((one, index) => {
      if (index === firstPointer) {
        outline?.end();
        add(format.pointersOpening?.(order.length - firstPointer) ?? "");
      }
      const next = sectionByRank[one.rank]!;
      if (hasSections && next !== section) {
        if (section !== undefined) add(format.groupClosing);
        add(format.groupOpening(look.sections[next]!.title, section === undefined));
        section = next;
      }
      if (outline && !isPointer(one)) {
        outline.place(one);
        return;
      }
      if (header && !isPointer(one)) {
        const { place } = partsOf(one);
        const above = one.unique.via?.[0]?.id ?? place?.text;
        if (place && above !== placedBelow) parts.push(place);
        placedBelow = place ? above : one.unique.item.id;
      }
      // Some formats separate items by commas, so they must know the first of each list.
      parts.push(...block(one, freshImports(one, printedImports), index === 0 || index === firstPointer));
    });
    outline?.end();
    if (header && firstPointer < 0) add(format.pointersOpening?.(0) ?? "");
    if (section !== undefined) add(format.groupClosing);
  }

  /** A line of a list, indented by its depth. */
  function indentedPart(one: Shown, depth: number): LayoutPart {
    const { head } = partsOf(one);
    if (depth === 0) return head;
    let cached = spans.get(one.printLevel);
    if (!cached) spans.set(one.printLevel, (cached = new Map()));
    let part = cached.get(String(depth));
    if (!part) cached.set(String(depth), (part = ownPart(format.indented!(head.text, depth), one)));
    return part;
  }

  // Everything that was found, without duplicates.
  const foundCount = all.length + leftOut.filter(({ reason }) => reason === "over-budget" || reason === "given").length;

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

  /** The header with the token count of the whole document, itself included. */
  function headerPart(rest: readonly LayoutPart[], shown: number, listed: number): LayoutPart {
    const use = { budget: request.maxTokens, included: shown, summarised: Math.max(foundCount, listed) - shown };
    const others = rest.reduce((sum, { tokens }) => sum + tokens, 0);
    return selfCounting(others, (used) => format.header!(header!, { ...use, used }), tokensOf);
  }

  function addFooter(
    add: (text: string) => void,
    places: SourcePlace[],
    counts: LeftOut[],
    shown: readonly Shown[],
  ): void {
    const hasRoom = request.maxTokens >= smallestWithLeftOut;
    const uniques = shown.map(({ unique }) => unique);
    const summary = look.summary && hasRoom ? summaryOf(look.summary, uniques) : undefined;
    // What is a duplicate is printed, as a part of something or as its copy: a reader misses nothing.
    const missing = request.format === "json" ? counts : counts.filter(({ reason }) => reason !== "duplicate");
    for (const text of footerTexts(format, summary, hasRoom ? missing : [], places)) add(text);
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

  return {
    counter,
    tokensOf,
    countOwn,
    lay,
    blockTokens: (shown, imports) => {
      if (!isSpan(shown)) return block(shown, imports, false).reduce((sum, part) => sum + part.tokens, 0);
      if (imports.length === 0) return span(shown).tokens;
      const isUsed = (name: string) => hasName(shown.printLevel, name);
      const used = imports.flatMap((statement) => trimmedImport(statement, isUsed) ?? []);
      if (used.length === 0) return span(shown).tokens;
      return span(shown).tokens + tokensOf(format.file.imports(used, shown.unique.item.language));
    },
    sharedTokens,
    nothing: (sentence) => {
      const part = partOf(format.nothing(sentence));
      const parts = header && format.header ? [headerPart([part], 0, 0), part] : [part];
      const tokens = parts.reduce((sum, each) => sum + each.tokens, 0);
      if (tokens <= request.maxTokens || parts.length === 1) return { parts, tokens, linked: 0 };
      if (makeFormat !== contextDocument) return { parts: [part], tokens: part.tokens, linked: 0 };
      throw tooSmall(tokens, request.maxTokens);
    },
  };
}

type RenderedParts = { head: LayoutPart; firstHead?: LayoutPart; body: LayoutPart; place?: LayoutPart };

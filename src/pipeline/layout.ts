import { DossierError } from "../errors.ts";
import { contextDocument } from "../formats/context-document.ts";
import { type Entry, formats, type LeftOut, type SourcePlace, type Step } from "../formats/format.ts";
import { isPlainNote } from "../formats/notes.ts";
import { type Dropped, type DropReason, type Facts, isInFile } from "../item.ts";
import type { Request } from "../options.ts";
import type { Look } from "../recipes/recipe.ts";
import { rememberedCount, type TokenCounter, tokenCounter } from "../text/tokens.ts";
import { sectionOf } from "./groups.ts";
import { selfCounting } from "./header-part.ts";
import type { Rung } from "./levels.ts";
import { summaryOf } from "./summary.ts";
import { treePositions } from "./tree-order.ts";
import { ownSpan, type Unique } from "./unique.ts";

/** An item, its place in the ranking, and how it is printed. */
export type Shown = { rank: number; unique: Unique; rung: Rung };

/** A piece of the document that is counted apart; `owner` is the item it belongs to. */
export type Part = { text: string; tokens: number; owner?: Shown };

/** A whole document. `tokens` is the sum of its parts, which is what the joined text counts. */
export type Layout = { parts: Part[]; tokens: number; linked: number };

/** Below these budgets what a document says of itself would crowd out what it is for. */
const smallestWithSources = 256;
const smallestWithLeftOut = 128;

/** Lays out any choice of items as the document that would be printed, and counts it. The only place that does. */
export type Layouter = {
  counter: TokenCounter;
  /** Tokens of any text, counted once. */
  tokensOf(text: string): number;
  lay(shown: readonly Shown[], varied?: number): Layout;
  /** Tokens of one item's block by itself, with these imports. */
  blockTokens(shown: Shown, imports: string[]): number;
  /** Tokens that a shown item adds to the list of sources, when it is the first of its file or not. */
  sourceTokens(shown: Shown, first: boolean): number;
  nothing(sentence: string): Layout;
};

export function layouter(all: readonly Unique[], leftOut: readonly Dropped[], request: Request, look: Look): Layouter {
  const counter = tokenCounter(request.encoding);
  const { header } = look;
  const makeFormat = header && request.format === "json" ? contextDocument : formats[request.format];
  const format = makeFormat(textsOf(all), look.title, header !== undefined);
  const sources = request.includeSources && request.maxTokens >= smallestWithSources;
  const sections = request.groupByType && !header && request.maxTokens >= smallestWithSources;
  // A list for programs is in the order of relevance, a document for readers in that of the ways that led there.
  const positions = header && request.format !== "json" ? treePositions(all) : all.map((_, rank) => rank);
  const sectionByRank = all.map((unique) => (sections ? look.sections.indexOf(sectionOf(unique, look)) : 0));
  const counted = memo((text: string) => counter.count(text));
  const partOf = (text: string, owner?: Shown): Part => ({ text, tokens: counted(text), ...(owner ? { owner } : {}) });
  const countOwn = rememberedCount(request.encoding);
  const ownPart = (text: string, owner: Shown): Part => ({ text, tokens: countOwn(text), owner });
  const rendered = new WeakMap<Rung, { head: Part; firstHead?: Part; body: Part; place?: Part }>();

  /** An item's parts are made once, whatever else is shown. */
  function partsOf(shown: Shown) {
    let parts = rendered.get(shown.rung);
    if (!parts) {
      const entry = entryOf(shown, request, look);
      parts = { head: ownPart(format.head(entry, false), shown), body: ownPart(format.body(entry), shown) };
      // What stands in a list needs to say where, unless what was printed before has said it.
      if (header && format.place && isPlainNote(entry)) parts.place = partOf(format.place(placeOf(entry)));
      rendered.set(shown.rung, parts);
    }
    return parts;
  }

  function block(shown: Shown, imports: string[], first: boolean): Part[] {
    const parts = partsOf(shown);
    const head = first
      ? (parts.firstHead ??= ownPart(format.head(entryOf(shown, request, look), true), shown))
      : parts.head;
    const between = imports.length > 0 ? [partOf(format.imports(imports, shown.unique.item.language), shown)] : [];
    return parts.body.text === "" ? [head, ...between] : [head, ...between, parts.body];
  }

  function lay(shown: readonly Shown[], varied = 0): Layout {
    const parts: Part[] = [];
    const add = (text: string) => {
      if (text !== "") parts.push(partOf(text));
    };
    // Pointers make a list at the end of their group.
    const order = [...shown].sort(
      (a, b) =>
        sectionByRank[a.rank]! - sectionByRank[b.rank]! ||
        Number(isPointer(a)) - Number(isPointer(b)) ||
        positions[a.rank]! - positions[b.rank]!,
    );
    const named = header ? order.findIndex(isPointer) : -1;
    const printedImports = new Map<string, Set<string>>();
    let section: number | undefined;
    add(format.opening);
    if (look.title !== undefined) add(format.title(look.title));
    let standsAt: string | undefined;
    order.forEach((one, index) => {
      if (index === named) add(format.pointersOpening?.(order.length - named) ?? "");
      const next = sectionByRank[one.rank]!;
      if (sections && next !== section) {
        if (section !== undefined) add(format.groupClosing);
        add(format.groupOpening(look.sections[next]!.title, section === undefined));
        section = next;
      }
      if (header && !isPointer(one)) {
        const { place } = partsOf(one);
        const above = one.unique.via?.[0]?.id ?? place?.text;
        if (place && above !== standsAt) parts.push(place);
        standsAt = place ? above : one.unique.item.id;
      }
      // Items of one list are told apart by commas in some formats, so the first of each list is known as such.
      parts.push(...block(one, freshImports(one, printedImports), index === 0 || index === named));
    });
    if (header && named < 0) add(format.pointersOpening?.(0) ?? "");
    if (section !== undefined) add(format.groupClosing);
    add(format.itemsClosing);
    addFooter(add, sources ? placesOf(order) : [], countsOf(leftOut, all.length - shown.length, varied), order);
    add(format.closing);
    if (header && format.header) parts.unshift(headerPart(parts, named < 0 ? order.length : named, order.length));
    let tokens = 0;
    let linked = 0;
    for (const part of parts) {
      tokens += part.tokens;
      if (part.owner && part.owner.unique.distance > 0) linked += part.tokens;
    }
    return { parts, tokens, linked };
  }

  /** Says what the whole document takes, itself included. */
  function headerPart(rest: readonly Part[], shown: number, all: number): Part {
    const use = { budget: request.maxTokens, included: shown, summarised: all - shown };
    const others = rest.reduce((sum, { tokens }) => sum + tokens, 0);
    return selfCounting(others, (used) => format.header!(header!, { ...use, used }), counted);
  }

  /** Each import statement is printed once per file, with the first block that uses it. */
  function freshImports({ unique, rung }: Shown, printed: Map<string, Set<string>>): string[] {
    if (rung.imports.length === 0) return [];
    let known = printed.get(unique.item.path);
    if (!known) printed.set(unique.item.path, (known = new Set()));
    const fresh = rung.imports.filter((statement) => !known.has(statement));
    for (const statement of fresh) known.add(statement);
    return fresh;
  }

  function addFooter(
    add: (text: string) => void,
    places: SourcePlace[],
    counts: LeftOut[],
    order: readonly Shown[],
  ): void {
    const note = counts.length > 0 && request.maxTokens >= smallestWithLeftOut;
    const summary = look.summary && request.maxTokens >= smallestWithLeftOut;
    if (!note && !summary && places.length === 0) return;
    add(format.footerOpening);
    if (summary)
      add(
        format.summary(
          summaryOf(
            look.summary!,
            order.map(({ unique }) => unique),
          ),
        ),
      );
    if (note) add(format.leftOut(counts));
    if (places.length === 0) return;
    add(format.sourcesOpening);
    for (const [index, place] of places.entries()) add(format.source(place, index === 0));
    add(format.sourcesClosing);
  }

  return {
    counter,
    tokensOf: counted,
    lay,
    blockTokens: (shown, imports) => block(shown, imports, false).reduce((sum, part) => sum + part.tokens, 0),
    sourceTokens: (shown, first) => {
      if (!sources || shown.rung.level === "pointer" || !isInFile(shown.unique.item.source)) return 0;
      const { startLine, endLine } = printedSpan(shown);
      if (!first) return counted(`, ${startLine}-${endLine}`);
      return counted(format.source({ path: shown.unique.item.path, ranges: [{ startLine, endLine }] }, false));
    },
    nothing: (sentence) => {
      const part = partOf(format.nothing(sentence));
      const parts = header && format.header ? [headerPart([part], 0, 0), part] : [part];
      const tokens = parts.reduce((sum, each) => sum + each.tokens, 0);
      if (tokens <= request.maxTokens || parts.length === 1) return { parts, tokens, linked: 0 };
      if (makeFormat !== contextDocument) return { parts: [part], tokens: part.tokens, linked: 0 };
      const needs = `The metadata of this document alone takes ${tokens} tokens`;
      throw new DossierError("budget-too-small", `${needs}, and the budget is ${request.maxTokens}.`);
    },
  };
}

function* textsOf(all: readonly Unique[]): Iterable<string> {
  for (const { lines, imports } of all) {
    yield lines.join("\n");
    yield imports.join("\n");
  }
}

function entryOf({ unique, rung }: Shown, request: Request, look: Look): Entry {
  const { item, score, citation, related, facts, distance, via } = unique;
  const span = printedSpan({ unique, rung });
  return {
    source: item.source,
    style: look.style,
    ...(look.title === undefined ? {} : { section: sectionOf(unique, look).title }),
    ...(facts ? { facts: factsOf(facts, via?.[0]?.kind, request) } : {}),
    ...(item.source === "note" ? { distance, way: wayOf(unique) } : {}),
    citation: citation.id,
    kind: item.kind,
    name: item.name,
    path: citation.path,
    ...span,
    score,
    ...(item.language ? { language: item.language } : {}),
    level: rung.level,
    notes: notesOf(unique),
    ...(rung.doc ? { doc: rung.doc } : {}),
    ...(rung.rest === undefined ? {} : { rest: rung.rest }),
    related: request.includeRelated && rung.level !== "pointer" ? related : [],
    text: rung.text,
  };
}

/** How a note was reached is said with it; which thread a message is of is not, where one thread was asked. */
function factsOf(facts: Facts, relation: string | undefined, { thread }: Request): Facts {
  const { thread_title: _, ...others } = facts;
  return { ...(thread === undefined ? facts : others), ...(relation === undefined ? {} : { relation }) };
}

function isPointer({ rung }: Shown): boolean {
  return rung.level === "pointer";
}

/** The way from the source, which comes first, to what led here. */
function wayOf({ via = [] }: Unique): Step[] {
  return via
    .map(({ id, key = id, name }, index): Step => {
      const before = via[index + 1];
      return before ? { id: key, name, relation: before.kind } : { id: key, name };
    })
    .reverse();
}

/** Where a note of a list stands: below what led to it, or below what owns it. */
function placeOf({ way = [], facts }: Entry): Step[] {
  if (way.length > 0) return way;
  return [facts?.breadcrumb ?? []].flat().map((name) => ({ id: "", name: String(name) }));
}

/** The lines that are printed, or of which a part is. */
export function printedSpan({ unique, rung }: Pick<Shown, "unique" | "rung">): { startLine: number; endLine: number } {
  if (!rung.context) return ownSpan(unique);
  return { startLine: unique.startLine, endLine: unique.endLine };
}

function notesOf({ freshness, merged, notes: given }: Unique): string[] {
  const notes = [...(given ?? [])];
  if (freshness === "stored") notes.push("stored text: the file is gone");
  if (freshness === "moved") notes.push("moved since indexing");
  const inside = merged.filter(({ why }) => why === "inside" || why === "overlapping").map(({ name }) => name);
  if (inside.length > 0) notes.push(`includes ${inside.slice(0, 3).join(", ")}${inside.length > 3 ? "..." : ""}`);
  return notes;
}

/** The files of all blocks that show text, in the order of print, with the lines of each. */
function placesOf(order: readonly Shown[]): SourcePlace[] {
  const places = new Map<string, SourcePlace>();
  for (const shown of order) {
    if (shown.rung.level === "pointer" || !isInFile(shown.unique.item.source)) continue;
    const { path } = shown.unique.item;
    const place = places.get(path) ?? { path, ranges: [] };
    place.ranges.push(printedSpan(shown));
    places.set(path, place);
  }
  for (const { ranges } of places.values()) ranges.sort((a, b) => a.startLine - b.startLine || a.endLine - b.endLine);
  return [...places.values()];
}

const reasonOrder: DropReason[] = ["given", "over-budget", "diversity", "duplicate", "below-score", "unreadable"];

/** Reasons with their counts: those of the earlier stages and of the items that are not shown. */
function countsOf(leftOut: readonly Dropped[], notShown: number, varied: number): LeftOut[] {
  const counts = new Map<DropReason, number>([
    ["over-budget", notShown - varied],
    ["diversity", varied],
  ]);
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return reasonOrder.map((reason) => ({ reason, count: counts.get(reason) ?? 0 })).filter(({ count }) => count > 0);
}

function memo(compute: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) known.set(text, (value = compute(text)));
    return value;
  };
}

import type { Dropped } from "../../document.ts";
import { isWholeFile } from "../../item.ts";
import { hashText } from "../../text/hash.ts";
import { droppedFor } from "../dropped.ts";
import { contains, overlap, ownSpan, type Span, sizeOf, touch, type Unique } from "../unique.ts";
import { besideOutline, outlineTells } from "./outlines.ts";

/** A union of spans may be this much larger than the needed lines, and at most `smallUnion` lines. */
const allowedGrowth = { factor: 1.5, lines: 10 };
const smallUnion = 80;
/** A container hardly longer than its best part counts as the same, whatever its length. */
const sameThing = { factor: 1.1, lines: 6 };
/**
 * A class that ranks above its methods stays whole up to this many lines; of a longer one, the ranked methods are
 * printed.
 */
const largestWhole = 40;
/** A whole file is left out in favour of a part that has at least this share of its score. */
const partScoreShare = 0.6;

/** An item with its place in the ranking, 0 for the best. */
export type RankedSpan = { rank: number; unique: Unique };
type Node = { ranked: RankedSpan; inside: Node[] };
export type Merging = { kept: RankedSpan[]; dropped: Dropped[] };

/**
 * Merges overlapping spans of one file. Small ones become one span. A container much larger than the ranked parts
 * inside it does not replace them: the parts are the better evidence, and the container is reduced to an outline.
 */
export function mergeSpans(items: RankedSpan[]): Merging {
  const dropped: Dropped[] = [];
  const settled = nest(items).flatMap((node) => settle(node, dropped));
  const outlines = settled.filter(({ unique }) => unique.outline);
  const whole = settled.filter(({ unique }) => !unique.outline);
  return { kept: [...outlines, ...joinNeighbours(whole, dropped)], dropped };
}

/** Items as a forest by containment. */
function nest(items: RankedSpan[]): Node[] {
  const spans = new Map(items.map((ranked) => [ranked, ownSpan(ranked.unique)]));
  const order = [...items].sort((a, b) => {
    const [first, second] = [spans.get(a)!, spans.get(b)!];
    return (
      first.startLine - second.startLine ||
      second.endLine - first.endLine ||
      Number(isWholeFile(b.unique.item.kind)) - Number(isWholeFile(a.unique.item.kind)) ||
      a.rank - b.rank
    );
  });
  const roots: Node[] = [];
  const path: Node[] = [];
  for (const ranked of order) {
    const span = spans.get(ranked)!;
    while (path.length > 0 && !isInside(span, ranked, path.at(-1)!.ranked)) path.pop();
    const node = { ranked, inside: [] };
    (path.at(-1)?.inside ?? roots).push(node);
    path.push(node);
  }
  return roots;
}

function isInside(span: Span, inner: RankedSpan, outer: RankedSpan): boolean {
  return contains(ownSpan(outer.unique), span) && sameLines(outer.unique, inner.unique);
}

/** Decides bottom-up whether a container and its parts are merged, the container dropped, or reduced to an outline. */
function settle({ ranked, inside }: Node, dropped: Dropped[]): RankedSpan[] {
  const parts = inside.flatMap((node) => settle(node, dropped));
  if (parts.length === 0) return [ranked];
  const container = ranked.unique;
  const evidence = parts.filter(({ unique }) => !unique.outline);
  const best = evidence.reduce((a, b) => (b.rank < a.rank ? b : a), evidence[0] ?? parts[0]!);
  const size = sizeOf(ownSpan(container));
  const needed = evidence.reduce((sum, { unique }) => sum + sizeOf(ownSpan(unique)), 0);
  const isSmall = size <= smallUnion && size <= allowedGrowth.factor * needed + allowedGrowth.lines;
  const isSame = evidence.length > 0 && size <= sameThing.factor * sizeOf(ownSpan(best.unique)) + sameThing.lines;
  const isFile = isWholeFile(container.item.kind);
  const isBetter = container.score > best.unique.score;
  // A function that ranks above its nested parts stays whole, however long it is.
  const isFunction = container.item.kind === "function" || container.item.kind === "method";
  const { askedLine } = container;
  const hasAskedLine =
    askedLine !== undefined &&
    !parts.some(({ unique }) => contains(ownSpan(unique), { startLine: askedLine, endLine: askedLine }));
  const staysWhole =
    hasAskedLine ||
    container.askedWhole === true ||
    (!isFile && (container.signals.named !== undefined || (isBetter && (isFunction || size <= largestWhole))));
  // A part that was asked for by name replaces its whole file.
  const isPartNamed = isFile && container.signals.named === undefined && best.unique.signals.named !== undefined;
  if (!isPartNamed && ((isSmall && (!isFile || isBetter)) || isSame || staysWhole)) {
    return [parts.reduce((merged, part) => merge(merged, part, "inside", dropped), ranked)];
  }
  if (isFile && (isPartNamed || best.unique.score >= partScoreShare * container.score)) {
    dropped.push(droppedFor(container, "duplicate", best.unique.item.id));
    const { id, name } = container.item;
    const survivor = {
      ...best.unique,
      merged: [...best.unique.merged, { id, name, why: "the whole file" }, ...container.merged],
    };
    // If the question names a file, the best part of the file takes the file's place.
    const isInPlace = container.signals.named !== undefined && ranked.rank < best.rank;
    const rank = isInPlace ? ranked.rank : best.rank;
    const { score, because } = container;
    const unique = isInPlace ? { ...survivor, score, because } : survivor;
    return parts.map((part) => (part === best ? { rank, unique } : part));
  }
  if (!isFile && !outlineTells(container)) {
    dropped.push(droppedFor(container, "duplicate", best.unique.item.id));
    return parts;
  }
  const outline = { ...container, outline: true };
  const beside = parts.map((part) => (isFile ? part : { ...part, unique: besideOutline(part.unique, outline) }));
  return [{ ...ranked, unique: outline }, ...beside];
}

/** Spans that overlap or touch by their context lines: small ones are joined, others give up the shared lines. */
function joinNeighbours(items: RankedSpan[], dropped: Dropped[]): RankedSpan[] {
  const order = [...items].sort((a, b) => ownSpan(a.unique).startLine - ownSpan(b.unique).startLine || a.rank - b.rank);
  const joined: RankedSpan[] = [];
  for (const each of order) {
    const last = joined.at(-1);
    // Context lines do not reach beyond a neighbour into the span before it.
    const next = last ? { ...each, unique: startingAt(each.unique, last.unique.startLine) } : each;
    if (!last || !touch(last.unique, next.unique) || !sameLines(last.unique, next.unique)) joined.push(next);
    else if (overlap(ownSpan(last.unique), ownSpan(next.unique)) || worthJoining(last, next)) {
      joined[joined.length - 1] = merge(last, next, "overlapping", dropped);
    } else {
      const [before, after] = separate(last.unique, next.unique);
      joined[joined.length - 1] = { ...last, unique: before };
      joined.push({ ...next, unique: after });
    }
  }
  return joined;
}

function worthJoining(a: RankedSpan, b: RankedSpan): boolean {
  // An item that was asked for by name is not joined with a neighbour that was only found by its words: that one must
  // be worth its own tokens.
  const isNamed = ({ unique }: RankedSpan) => unique.signals.named !== undefined;
  if (isNamed(a) !== isNamed(b)) return false;
  const better = a.rank < b.rank ? a : b;
  const size = Math.max(a.unique.endLine, b.unique.endLine) - Math.min(a.unique.startLine, b.unique.startLine) + 1;
  return size <= smallUnion && size <= allowedGrowth.factor * sizeOf(better.unique) + allowedGrowth.lines;
}

/** Separates two neighbours: own lines stay with their item, shared context lines with the first. */
function separate(first: Unique, second: Unique): [Unique, Unique] {
  const firstEnd = Math.min(first.endLine, ownSpan(second).startLine - 1);
  const before = cut(first, { startLine: first.startLine, endLine: firstEnd });
  return [before, cut(second, { startLine: Math.max(second.startLine, firstEnd + 1), endLine: second.endLine })];
}

function startingAt(unique: Unique, line: number): Unique {
  if (unique.startLine >= line) return unique;
  return cut(unique, { startLine: Math.min(line, ownSpan(unique).startLine), endLine: unique.endLine });
}

function cut(unique: Unique, span: Span): Unique {
  return {
    ...unique,
    ...span,
    lines: unique.lines.slice(span.startLine - unique.startLine, span.endLine - unique.startLine + 1),
  };
}

/** True when the shared lines are equal: two versions of a file are never mixed. */
function sameLines(a: Unique, b: Unique): boolean {
  const from = Math.max(a.startLine, b.startLine);
  const to = Math.min(a.endLine, b.endLine);
  for (let line = from; line <= to; line++) {
    if (a.lines[line - a.startLine] !== b.lines[line - b.startLine]) return false;
  }
  return true;
}

/**
 * Merges two spans into one. A container survives its part, since its name covers all printed lines, except a whole
 * file that equals the part and was not asked for by its path; otherwise the better ranked survives. The better score
 * and its reasons are kept.
 */
function merge(a: RankedSpan, b: RankedSpan, how: "inside" | "overlapping", dropped: Dropped[]): RankedSpan {
  const better = a.rank <= b.rank ? a : b;
  const same = contains(ownSpan(b.unique), ownSpan(a.unique));
  const givesWay = same && isWholeFile(a.unique.item.kind) && a.unique.askedWhole !== true;
  const first = how === "inside" ? !givesWay : better === a;
  const [survivor, other] = first ? [a.unique, b.unique] : [b.unique, a.unique];
  dropped.push(droppedFor(other, "duplicate", survivor.item.id));
  const { lines, startLine, endLine } = union(survivor, other);
  const { score, because, signals } = better.unique;
  const { id, name } = other.item;
  const askedLine = survivor.askedLine ?? other.askedLine;
  const why = isWholeFile(other.item.kind) ? "the whole file" : how;
  const merged = [...survivor.merged, { id, name, why }, ...other.merged];
  // The lines of the better one first: in a small budget only those are kept.
  const [focus, otherFocus] = better.unique === other ? [other.focus, survivor.focus] : [survivor.focus, other.focus];
  const names = new Set([survivor.item.name, ...merged.map((gone) => gone.name)]);
  return {
    rank: better.rank,
    unique: {
      ...survivor,
      score,
      because,
      signals,
      distance: Math.min(survivor.distance, other.distance),
      lines,
      startLine,
      endLine,
      imports: [...new Set([...survivor.imports, ...other.imports])].filter(
        (statement) => !hasStatement(lines, statement),
      ),
      related: [...new Set([...survivor.related, ...other.related])]
        .filter((related) => !names.has(related))
        .slice(0, 6),
      merged,
      ...(askedLine === undefined ? {} : { askedLine }),
      citation: citeBoth(survivor, other, { startLine, lines }),
      absorbed: [...(survivor.absorbed ?? (how === "overlapping" ? [survivor] : [])), other],
      focus: [...(focus ?? []), ...(otherFocus ?? []), ownSpan(other)],
    },
  };
}

const statementsByLines = new WeakMap<readonly string[], Map<string, boolean>>();

/** Whether the lines contain a statement. Memoised: a long class is asked again for each of its methods. */
function hasStatement(lines: readonly string[], statement: string): boolean {
  let answers = statementsByLines.get(lines);
  if (!answers) statementsByLines.set(lines, (answers = new Map()));
  let answer = answers.get(statement);
  if (answer === undefined) answers.set(statement, (answer = hasInOrder(lines, statement.split("\n"))));
  return answer;
}

/** Substring search over lines, without joining them. */
function hasInOrder(lines: readonly string[], wanted: readonly string[]): boolean {
  const [first, ...others] = wanted as [string, ...string[]];
  if (others.length === 0) return lines.some((line) => line.includes(first));
  const last = others.length - 1;
  return lines.some(
    (line, at) =>
      line.endsWith(first) &&
      others.every((other, i) => {
        const next = lines[at + 1 + i];
        return next !== undefined && (i === last ? next.startsWith(other) : next === other);
      }),
  );
}

function union(a: Unique, b: Unique): Span & { lines: string[] } {
  const [first, second] = a.startLine <= b.startLine ? [a, b] : [b, a];
  if (second.endLine <= first.endLine) return first;
  const lines = [...first.lines, ...second.lines.slice(first.endLine - second.startLine + 1)];
  return { startLine: first.startLine, endLine: Math.max(first.endLine, second.endLine), lines };
}

/** The survivor's citation, widened and rehashed where the other's own lines go beyond it. */
function citeBoth(survivor: Unique, other: Unique, all: { startLine: number; lines: string[] }): Unique["citation"] {
  const startLine = Math.min(survivor.citation.startLine, other.citation.startLine);
  const endLine = Math.max(survivor.citation.endLine, other.citation.endLine);
  if (contains(survivor.citation, { startLine, endLine })) return survivor.citation;
  const cited = all.lines.slice(startLine - all.startLine, endLine - all.startLine + 1);
  return { ...survivor.citation, startLine, endLine, hash: hashText(cited.join("\n")) };
}

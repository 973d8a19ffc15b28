import { LineContents, type Range } from "./line-contents.ts";
import { type LineTable, lineAt } from "./lines.ts";
import type { OwnSpan } from "./own-text.ts";
import type { Literal, TreeWalk, WalkedUnit } from "./walk-tree.ts";

/** A longer run of statements is split, so that a printed block is about one thing. */
const longestBlock = 60;
/** Shorter runs are useless alone, so they stay part of the file's text. */
const fewestLines = 3;
const fewestCharacters = 60;

/**
 * Assigns every line to a unit: the text between units becomes blocks, apart from imports and blank lines. A short
 * statement that contains units without being one (`if`, `const ( ... )`) is a block around them.
 */
export function withBlocks(
  text: string,
  table: LineTable,
  units: WalkedUnit[],
  walked: TreeWalk,
  doc: Literal[],
): WalkedUnit[] {
  const lines = new LineContents(text, table, [...walked.literals.filter(({ kind }) => kind === "comment"), ...doc]);
  const top = units.filter((unit) => unit.parent === undefined && unit.kind !== "field");
  const owned = new Uint8Array(table.count + 2);
  for (const each of walked.imports) lines.mark(owned, each, import_);
  for (const unit of top) lines.mark(owned, unit, unit_);

  const around = blocksAround(inOrder(top), walked.statements, lines, owned);
  const fields = inOrder(units.filter((unit) => unit.parent === undefined && unit.kind === "field"));
  const between = [...piecesBetween(lines, owned, borders(table, walked.statements))];
  const blocks = [...around, ...blocksBetween(between, fields, walked.references, lines, text)];
  return blocks.length === 0 ? units : merged(units, inOrder(blocks));
}

/** Blocks for statements that frame units: `if`, `const ( ... )`. */
function blocksAround(
  ordered: WalkedUnit[],
  statements: readonly OwnSpan[],
  lines: LineContents,
  owned: Uint8Array,
): WalkedUnit[] {
  const blocks: WalkedUnit[] = [];
  let next = 0;
  for (const statement of statements) {
    while (next < ordered.length && ordered[next]!.start < statement.start) next++;
    const around = lines.of(statement);
    if (!lines.isTorn(owned, around)) continue;
    const first = ordered[next];
    const holdsUnits = first !== undefined && first.end <= statement.end && first.start < statement.end;
    if (holdsUnits && around.last - around.first < longestBlock) {
      const start = lines.startAt(lines.withCommentAbove(owned, around.first), statement.start);
      const block = blockOf({ start, end: lines.endBefore(statement.end, start) }, first.name);
      blocks.push(block);
      lines.mark(owned, block, unit_);
    } else if (!holdsUnits) {
      // `try: import a` is printed whole, so its imports become part of the block.
      for (let line = around.first; line <= around.last; line++) if (owned[line] === import_) owned[line] = 0;
    }
  }
  return blocks;
}

function borders(table: LineTable, statements: readonly OwnSpan[]): Set<number> {
  return new Set(statements.map(({ start }) => lineAt(table, start)));
}

/** Lines that belong to no unit, divided into pieces that begin with a statement. */
function* piecesBetween(lines: LineContents, owned: Uint8Array, at: ReadonlySet<number>): Iterable<Range> {
  for (const run of lines.runs(owned)) yield* lines.divided(run, at, longestBlock);
}

/**
 * Blocks of these pieces, named after what they assign, call or begin with. A piece whose text is only the fields that
 * it assigns has no block.
 */
function blocksBetween(
  pieces: readonly Range[],
  fields: readonly WalkedUnit[],
  references: TreeWalk["references"],
  lines: LineContents,
  text: string,
): WalkedUnit[] {
  const calls = references.filter(({ kind }) => kind === "calls").sort((a, b) => a.at - b.at);
  // Pieces come in text order, so earlier fields and calls are never visited again.
  let [nextField, nextCall] = [0, 0];
  return pieces.flatMap((piece) => {
    const span = { start: lines.startAt(piece.first), end: lines.endOf(piece.last) };
    while (nextField < fields.length && fields[nextField]!.start < span.start) nextField++;
    const assigned: WalkedUnit[] = [];
    for (let at = nextField; at < fields.length && fields[at]!.start < span.end; at++)
      if (fields[at]!.end <= span.end) assigned.push(fields[at]!);
    const { code, characters } = lines.measure(piece);
    const searched = code >= fewestLines && characters >= fewestCharacters;
    if (!searched && lines.isWithin(piece, assigned)) return [];
    while (nextCall < calls.length && calls[nextCall]!.at < span.start) nextCall++;
    const called = calls[nextCall];
    const calledName = called !== undefined && called.at < span.end ? called.name : undefined;
    const named = assigned[0]?.name ?? calledName ?? firstWord(text.slice(lines.firstCode(piece), span.end));
    return [blockOf(span, code === 0 ? "comment" : named, searched)];
  });
}

const import_ = 1;
const unit_ = 2;

function blockOf({ start, end }: OwnSpan, name: string, searched = false): WalkedUnit {
  const block: WalkedUnit = { kind: "block", name, start, end, signatureStart: start, signatureEnd: start, docs: [] };
  return searched ? block : { ...block, unsearched: true };
}

function firstWord(text: string): string {
  return /[\p{L}_$][\p{L}\p{N}_$]{0,79}/u.exec(text)?.[0] ?? "block";
}

function inOrder(units: WalkedUnit[]): WalkedUnit[] {
  return units.slice().sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Units and blocks in text order; a unit inside a block has it as its parent. */
function merged(units: WalkedUnit[], blocks: WalkedUnit[]): WalkedUnit[] {
  const parents = new Map<WalkedUnit, WalkedUnit | undefined>(blocks.map((block) => [block, undefined]));
  let next = 0;
  for (const unit of inOrder(units)) {
    if (unit.parent !== undefined) {
      parents.set(unit, units[unit.parent]);
      continue;
    }
    while (next < blocks.length && blocks[next]!.end < unit.start) next++;
    const block = blocks[next];
    parents.set(unit, block && block.start <= unit.start && unit.end <= block.end ? block : undefined);
  }
  const all = [...blocks, ...units];
  const order = new Map(all.map((unit, index) => [unit, index]));
  all.sort((a, b) => a.start - b.start || b.end - a.end || order.get(a)! - order.get(b)!);
  const places = new Map(all.map((unit, index) => [unit, index]));
  return all.map((unit) => {
    const parent = parents.get(unit);
    return { ...unit, parent: parent && places.get(parent) };
  });
}

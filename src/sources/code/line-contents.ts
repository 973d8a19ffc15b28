import { type LineTable, lineAt } from "./lines.ts";
import type { OwnSpan } from "./own-text.ts";

export type Range = { first: number; last: number };

/** The lines of a text, 1-based, and what each contains. */
export class LineContents {
  readonly #text: string;
  readonly #table: LineTable;
  /** Per line: number of characters that are neither blank nor in a comment, and whether it is empty. */
  readonly #code: Uint32Array;
  readonly #written: Uint8Array;
  /** Per line: offset of its first character of code. */
  readonly #first: Uint32Array;

  constructor(text: string, table: LineTable, comments: OwnSpan[]) {
    this.#text = text;
    this.#table = table;
    this.#code = new Uint32Array(table.count + 2);
    this.#written = new Uint8Array(table.count + 2);
    this.#first = new Uint32Array(table.count + 2);
    const ordered = comments.slice().sort((a, b) => a.start - b.start);
    let comment = 0;
    let line = 1;
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at);
      if (character === 10) line++;
      if (character <= 32 || character === 0xfeff) continue;
      while (comment < ordered.length && ordered[comment]!.end <= at) comment++;
      this.#written[line] = 1;
      if ((ordered[comment]?.start ?? text.length) > at && this.#code[line]!++ === 0) this.#first[line] = at;
    }
  }

  of({ start, end }: OwnSpan): Range {
    return {
      first: lineAt(this.#table, start),
      last: lineAt(this.#table, Math.max(start, this.endBefore(end, start) - 1)),
    };
  }

  /** `end` without trailing blanks: some statements reach to the next one. */
  endBefore(end: number, start: number): number {
    let last = end;
    while (last > start + 1 && this.#text.charCodeAt(last - 1) <= 32) last--;
    return last;
  }

  mark(owned: Uint8Array, span: OwnSpan, value: number): void {
    const { first, last } = this.of(span);
    owned.fill(value, first, last + 1);
  }

  /** True when some lines of the range belong to units or imports and others are still free. */
  isTorn(owned: Uint8Array, { first, last }: Range): boolean {
    let hasOwned = false;
    let hasFree = false;
    for (let line = first; line <= last; line++) {
      if (owned[line]) hasOwned = true;
      else if (this.#written[line]) hasFree = true;
    }
    return hasOwned && hasFree;
  }

  withCommentAbove(owned: Uint8Array, line: number): number {
    let first = line;
    while (first > 1 && this.#isComment(first - 1) && !owned[first - 1]) first--;
    return first;
  }

  #isComment(line: number): boolean {
    return this.#written[line] === 1 && this.#code[line] === 0;
  }

  /** Offset of the line's text, or `at` if it is on this line, since other code may precede it. */
  startAt(line: number, at?: number): number {
    if (at !== undefined && lineAt(this.#table, at) === line) return at;
    let start = this.#table.starts[line - 1]!;
    while (start < this.#text.length && this.#text.charCodeAt(start) <= 32) start++;
    return start;
  }

  endOf(line: number): number {
    const end = this.#table.starts[line] ?? this.#text.length;
    return this.#table.starts[line - 1]! + this.#text.slice(this.#table.starts[line - 1]!, end).trimEnd().length;
  }

  /** Runs of free lines, without blank lines at their ends. */
  *runs(owned: Uint8Array): Iterable<Range> {
    let first = 0;
    let last = 0;
    for (let line = 1; line <= this.#table.count; line++) {
      if (owned[line]) {
        if (first > 0) yield { first, last };
        first = 0;
      } else if (this.#written[line]) {
        if (first === 0) first = line;
        last = line;
      }
    }
    if (first > 0) yield { first, last };
  }

  /** The range divided where statements begin, or at the least indented lines; comments stay with the line below. */
  *divided({ first, last }: Range, borders: ReadonlySet<number>, longest: number): Iterable<Range> {
    const isBorder = borders.size > 0 ? (line: number) => borders.has(line) : this.#outermost(first, last);
    let start = first;
    let best = 0;
    for (let line = first + 1; line <= last; line++) {
      if (isBorder(line)) best = this.#aboveComments(line, start);
      if (line - start >= longest && best > start) {
        yield { first: start, last: this.#lastWritten(best - 1) };
        start = best;
      }
    }
    yield { first: start, last };
  }

  #outermost(first: number, last: number): (line: number) => boolean {
    let least = Number.POSITIVE_INFINITY;
    const indent = (line: number) => this.startAt(line) - this.#table.starts[line - 1]!;
    for (let line = first; line <= last; line++) if (this.#written[line]) least = Math.min(least, indent(line));
    return (line) => {
      if (this.#code[line] === 0 || indent(line) !== least) return false;
      const start = this.startAt(line);
      return !/^(?:[)\]}]|end\b)/.test(this.#text.slice(start, start + 4));
    };
  }

  #aboveComments(line: number, from: number): number {
    let first = line;
    while (first - 1 > from && this.#isComment(first - 1)) first--;
    return first;
  }

  #lastWritten(line: number): number {
    let last = line;
    while (last > 1 && !this.#written[last]) last--;
    return last;
  }

  measure({ first, last }: Range): { code: number; characters: number } {
    let code = 0;
    let characters = 0;
    for (let line = first; line <= last; line++) {
      characters += this.#code[line]!;
      if (this.#code[line]! > 0) code++;
    }
    return { code, characters };
  }

  firstCode({ first, last }: Range): number {
    let line = first;
    while (line < last && this.#code[line] === 0) line++;
    return this.#first[line]!;
  }

  /** True when every non-empty line is inside one of the units. */
  isWithin({ first, last }: Range, units: OwnSpan[]): boolean {
    const covered = new Set<number>();
    for (const unit of units) {
      const range = this.of(unit);
      for (let line = range.first; line <= range.last; line++) covered.add(line);
    }
    for (let line = first; line <= last; line++) if (this.#written[line] && !covered.has(line)) return false;
    return true;
  }
}

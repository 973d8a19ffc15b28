import type { TokenCounter } from "../tokens/tokens.ts";
import { blocksOf, dialectOf, type TextBlock } from "./blocks.ts";
import { piecesOf, sentencesOf } from "./sentences.ts";

/** A part of a document that can be read alone. */
export type Passage = {
  text: string;
  /** Where it begins in the document, in UTF-16 units. */
  start: number;
  tokens: number;
  /** Lines of the first and last character, from 1. */
  startLine: number;
  endLine: number;
  /** The headings above its beginning, highest first: `Guide`, `Setup`. */
  path: string[];
  /** Titles that begin within it. */
  titles: string[];
};

export type PassageOptions = {
  /** Tells, with the type, how headings are written. */
  path: string;
  type?: string;
  counter: TokenCounter;
  /** The most that a passage holds, and from where on it may end at a paragraph. */
  maxTokens?: number;
  enoughTokens?: number;
  /** From where on it may end at a heading. */
  leastTokens?: number;
};

type Limits = { most: number; enough: number; least: number };

/** Longer blocks are cut before they are counted: most are far too long, and by how much does not matter. */
const longestCounted = 50_000;

/**
 * A document in passages of 400 to 500 tokens, which are the document when put together. A passage ends before a
 * heading where one is near, the higher the better. Without one it ends after a paragraph, then after a sentence. Code
 * blocks and tables that fit into one are not torn.
 */
export function passagesOf(content: string, options: PassageOptions): Passage[] {
  const { counter, maxTokens = 500, enoughTokens = 400, leastTokens = 150 } = options;
  const most = Math.max(1, maxTokens);
  const limits = { most, enough: Math.min(enoughTokens, most), least: Math.min(leastTokens, most) };
  const blocks = blocksOf(content, dialectOf(options.path, options.type));
  return placed(new Packer(limits, counter).pack(blocks));
}

type Unit = TextBlock & { cost: number };
type Packed = { text: string; tokens: number; units: Unit[] };

class Packer {
  readonly #limits: Limits;
  readonly #counter: TokenCounter;
  readonly #packed: Packed[] = [];
  /** Units that are still to be placed, the next one last. */
  readonly #waiting: Unit[] = [];
  #current: Unit[] = [];
  #cost = 0;

  constructor(limits: Limits, counter: TokenCounter) {
    this.#limits = limits;
    this.#counter = counter;
  }

  pack(blocks: TextBlock[]): Packed[] {
    for (let i = blocks.length - 1; i >= 0; i--) this.#waiting.push(this.#unit(blocks[i]!));
    while (this.#waiting.length > 0) this.#step();
    while (this.#current.length > 0) {
      this.#flush();
      while (this.#waiting.length > 0) this.#step();
    }
    return this.#packed;
  }

  #step(): void {
    const { most } = this.#limits;
    const next = this.#waiting.at(-1)!;
    const { limit, enough } = this.#current.length === 0 ? { limit: most, enough: most } : this.#room();
    if (this.#cost + next.cost <= limit) {
      this.#take(this.#waiting.pop()!);
      return;
    }
    const heading = this.#bestHeading(next);
    if (heading !== undefined) {
      this.#giveBack(heading);
      this.#flush();
    } else if (this.#cost >= enough || (next.whole && next.cost <= most && this.#cost > 0)) this.#flush();
    else if (!this.#split(next)) {
      // One character that is longer than a passage may be.
      if (this.#current.length === 0) this.#take(this.#waiting.pop()!);
      this.#flush();
    }
  }

  /**
   * How much the passage may hold, and from where on it may end at a paragraph. The rest of a section should not be a
   * scrap: the passage before leaves something for it.
   */
  #room(): { limit: number; enough: number } {
    const { most, enough, least } = this.#limits;
    let remaining = this.#cost;
    for (let i = this.#waiting.length - 1; i >= 0 && remaining < most + least; i--) {
      const { level, cost } = this.#waiting[i]!;
      if (level !== undefined) break;
      remaining += cost;
    }
    if (remaining <= most || remaining >= most + least) return { limit: most, enough };
    return { limit: Math.max(remaining - least, least), enough: Math.min(enough, Math.max(remaining - most, least)) };
  }

  /**
   * Where a passage that is full should have ended: before the highest heading that leaves enough, the last of its
   * level.
   */
  #bestHeading(next: Unit): number | undefined {
    let best: number | undefined;
    let bestLevel = Number.POSITIVE_INFINITY;
    let cost = 0;
    for (let i = 0; i <= this.#current.length; i++) {
      const unit = this.#current[i] ?? next;
      if (unit.level !== undefined && cost >= this.#limits.least && unit.level <= bestLevel) {
        best = i;
        bestLevel = unit.level;
      }
      cost += unit.cost;
    }
    return best;
  }

  /** Replaces the next unit by its parts where that helps; says whether it did. */
  #split(next: Unit): boolean {
    const { most, least } = this.#limits;
    let parts = next.whole ? (next.text.match(/[^\n]*\n|[^\n]+$/g) ?? []) : sentencesOf(next.text);
    if (parts.length < 2) {
      if (next.cost <= most || this.#cost >= least) return false;
      parts = piecesOf(next.text, most - this.#cost, most, this.#counter);
    }
    if (parts.length < 2) return false;
    this.#waiting.pop();
    for (let i = parts.length - 1; i >= 0; i--) {
      const { level, title } = next;
      const heading = i === 0 && level !== undefined ? { level, title: title! } : {};
      this.#waiting.push(this.#unit({ text: parts[i]!, ...heading }));
    }
    return true;
  }

  /** Ends the passage. Costs of parts do not quite add up: what is too much goes back. */
  #flush(): void {
    const { most } = this.#limits;
    for (;;) {
      const text = this.#current.map((unit) => unit.text).join("");
      const tokens = this.#counter.count(text);
      if (tokens <= most || this.#current.length <= 1) {
        if (text !== "") this.#packed.push({ text, tokens, units: this.#current });
        this.#current = [];
        this.#cost = 0;
        return;
      }
      let excess = tokens - most;
      let keep = this.#current.length;
      while (keep > 1 && excess > 0) excess -= this.#current[--keep]!.cost;
      this.#giveBack(keep);
    }
  }

  #unit(block: TextBlock): Unit {
    const { text } = block;
    const tooLong = text.length > longestCounted;
    return { ...block, cost: tooLong ? this.#limits.most + text.length : this.#counter.count(text) };
  }

  #take(unit: Unit): void {
    this.#current.push(unit);
    this.#cost += unit.cost;
  }

  #giveBack(from: number): void {
    while (this.#current.length > from) {
      const unit = this.#current.pop()!;
      this.#cost -= unit.cost;
      this.#waiting.push(unit);
    }
  }
}

function placed(packed: Packed[]): Passage[] {
  let start = 0;
  let line = 1;
  const above: { level: number; title: string }[] = [];
  return packed.map(({ text, tokens, units }) => {
    const passage: Passage = { text, start, tokens, startLine: line, endLine: line, path: [], titles: [] };
    let begun = false;
    for (const { level, title, text: part } of units) {
      if (level !== undefined) {
        while (above.length > 0 && above.at(-1)!.level >= level) above.pop();
        if (title !== "") {
          above.push({ level, title: title! });
          passage.titles.push(title!);
        }
      }
      if (!begun && /\S/.test(part)) {
        passage.path = above.map((heading) => heading.title);
        begun = true;
      }
    }
    if (!begun) passage.path = above.map((heading) => heading.title);
    line += lineEnds(text);
    start += text.length;
    passage.endLine = Math.max(passage.startLine, text.endsWith("\n") ? line - 1 : line);
    return passage;
  });
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

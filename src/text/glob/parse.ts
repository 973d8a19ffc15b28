/** The syntax tree of a glob. */
export type GlobNode =
  | { kind: "literal"; point: number }
  /** One character of a class; never a slash. */
  | { kind: "class"; has: (point: number) => boolean }
  /** Any number of characters but slashes; `least` is 1 where the star is a whole segment. */
  | { kind: "star"; least: 0 | 1 }
  /** `**` as a whole segment: with the slash behind it, with the one before it, or alone. */
  | { kind: "globstar"; slash: "after" | "before" | "none" }
  | { kind: "either"; choices: GlobNode[][] }
  /** `@(a|b)`, `?(a|b)`, `*(a|b)`, `+(a|b)`. */
  | { kind: "repeat"; mark: "@" | "?" | "*" | "+"; choices: GlobNode[][] };

/** Numbers in `{1..9}`: each of them is a choice. */
const mostNumbers = 1000;

export class GlobError extends Error {}

const slash = 47;

/** Parses a glob in one pass. An opening mark without a closing one is a literal. */
export function parseGlob(glob: string): GlobNode[] {
  return new GlobParser(glob).parse();
}

class GlobParser {
  readonly #points: string[];
  readonly #closings: ReadonlyMap<number, number>;

  constructor(glob: string) {
    // `**/**` says no more than `**`.
    this.#points = Array.from(glob.replace(/(^|\/)(?:\*\*\/)+(?=\*\*(?:\/|$))/g, "$1"));
    this.#closings = findClosings(this.#points);
  }

  parse(): GlobNode[] {
    return this.#sequence(0, this.#points.length);
  }

  #sequence(from: number, to: number): GlobNode[] {
    const nodes: GlobNode[] = [];
    let at = from;
    while (at < to) {
      const [read, next] = this.#one(at, from, to);
      nodes.push(...read);
      at = next;
    }
    return nodes;
  }

  #one(at: number, from: number, to: number): [nodes: GlobNode[], next: number] {
    const mark = this.#points[at]!;
    const closing = this.#closings.get(at + 1);
    if (this.#points[at + 1] === "(" && closing !== undefined && "@?*+!".includes(mark)) {
      if (mark === "!") throw new GlobError("!( ) is not supported; exclude with a pattern that begins with !");
      const choices = this.#split(at + 2, closing, "|").map(([start, end]) => this.#sequence(start, end));
      return [[{ kind: "repeat", mark: mark as "@", choices }], closing + 1];
    }
    if (mark === "\\" && at + 1 < to) return [[literal(this.#points[at + 1]!)], at + 2];
    if (mark === "*") return this.#stars(at, from, to);
    if (mark === "?") return [[{ kind: "class", has: () => true }], at + 1];
    // `docs/**` is the folder and all in it; `*/**` is only what is in folders.
    if (mark === "/" && this.#points[at + 1] === "*" && this.#points[at - 1] !== "*") {
      const end = this.#starsEnd(at + 1, to);
      if (end - at > 2 && end === to) return [[{ kind: "globstar", slash: "before" }], to];
    }
    if (mark === "[" && this.#closings.has(at))
      return [[this.#bracket(at, this.#closings.get(at)!)], this.#closings.get(at)! + 1];
    if (mark === "{" && this.#closings.has(at)) {
      const end = this.#closings.get(at)!;
      return [this.#braces(at + 1, end), end + 1];
    }
    return [[literal(mark)], at + 1];
  }

  #stars(at: number, from: number, to: number): [GlobNode[], number] {
    const end = this.#starsEnd(at, to);
    const starts = at === from ? this.#startsSegment(at) : this.#points[at - 1] === "/";
    const ends = end === to || this.#points[end] === "/";
    if (end - at > 1 && starts && ends) {
      if (end < to) return [[{ kind: "globstar", slash: "after" }], end + 1];
      return [[{ kind: "globstar", slash: "none" }], end];
    }
    return [[{ kind: "star", least: starts && ends ? 1 : 0 }], end];
  }

  /** A star that begins a choice begins a segment where the braces do. */
  #startsSegment(at: number): boolean {
    let before = at - 1;
    while (before >= 0 && "{,(|".includes(this.#points[before]!)) before--;
    return before < 0 || this.#points[before] === "/";
  }

  #starsEnd(at: number, to: number): number {
    let end = at;
    // The star of `*(a)` belongs to what follows it.
    while (end < to && this.#points[end] === "*" && !(this.#points[end + 1] === "(" && this.#closings.has(end + 1)))
      end++;
    return end;
  }

  #braces(from: number, to: number): GlobNode[] {
    const parts = this.#split(from, to, ",");
    if (parts.length > 1) return [{ kind: "either", choices: parts.map(([start, end]) => this.#sequence(start, end)) }];
    const range = rangeOf(this.#points.slice(from, to).join(""));
    if (range) return [range];
    // Braces without a choice are the characters themselves.
    return [literal("{"), ...this.#sequence(from, to), literal("}")];
  }

  /** Places between separators that are in no inner braces, brackets or parentheses. */
  #split(from: number, to: number, separator: string): [from: number, to: number][] {
    const parts: [number, number][] = [];
    let start = from;
    for (let at = from; at < to; at++) {
      if (this.#points[at] === "\\") at++;
      else if (this.#closings.has(at)) at = this.#closings.get(at)!;
      else if (this.#points[at] === separator) {
        parts.push([start, at]);
        start = at + 1;
      }
    }
    parts.push([start, to]);
    return parts;
  }

  /** `[a-z]`, or the same characters as literals, since many file names have brackets. */
  #bracket(from: number, to: number): GlobNode {
    const inner = this.#points.slice(from + 1, to);
    const negated = inner[0] === "!" || inner[0] === "^";
    const has = classOf(negated ? inner.slice(1) : inner);
    if (negated) return { kind: "class", has: (point) => !has(point) };
    const literals = this.#points.slice(from, to + 1).map(literal);
    return { kind: "either", choices: [[{ kind: "class", has }], literals] };
  }
}

function literal(character: string): GlobNode {
  return { kind: "literal", point: character.codePointAt(0)! };
}

/** Where each `{`, `[` and `(` is closed; those that never are have no entry. */
function findClosings(points: string[]): Map<number, number> {
  const closings = new Map<number, number>();
  const open: { mark: string; at: number }[] = [];
  // Once a bracket has no closing one, later ones have none either and are not searched for: one pass, however many
  // are open.
  let unclosed = Number.POSITIVE_INFINITY;
  for (let at = 0; at < points.length; at++) {
    const mark = points[at]!;
    if (mark === "\\") at++;
    else if (mark === "[" && at < unclosed) {
      const end = bracketEnd(points, at);
      if (end === undefined) unclosed = at;
      else {
        closings.set(at, end);
        at = end;
      }
    } else if (mark === "{" || mark === "(") open.push({ mark, at });
    else if ((mark === "}" || mark === ")") && open.length > 0) {
      if (open.at(-1)!.mark === (mark === "}" ? "{" : "(")) closings.set(open.pop()!.at, at);
    }
  }
  return closings;
}

function bracketEnd(points: string[], from: number): number | undefined {
  let at = from + 1;
  if (points[at] === "!" || points[at] === "^") at++;
  // The first one is a member of the class.
  if (points[at] === "]") at++;
  for (; at < points.length; at++) {
    if (points[at] === "\\") at++;
    else if (points[at] === "[" && points[at + 1] === ":") {
      const end = points.indexOf("]", at);
      if (end > 0 && points[end - 1] === ":") at = end;
    } else if (points[at] === "]") return at;
  }
  return undefined;
}

const posix: Record<string, RegExp> = {
  alnum: /^[a-zA-Z0-9]$/,
  alpha: /^[a-zA-Z]$/,
  digit: /^[0-9]$/,
  lower: /^[a-z]$/,
  upper: /^[A-Z]$/,
  space: /^\s$/,
  word: /^\w$/,
  xdigit: /^[A-Fa-f0-9]$/,
};

function classOf(inner: string[]): (point: number) => boolean {
  const ranges: [first: number, last: number][] = [];
  const posixClasses: RegExp[] = [];
  for (let at = 0; at < inner.length; at++) {
    const name = inner[at] === "[" && inner[at + 1] === ":" ? nameAt(inner, at + 2) : undefined;
    if (name !== undefined) {
      posixClasses.push(posix[name]!);
      at += name.length + 3;
      continue;
    }
    if (inner[at] === "\\" && at + 1 < inner.length) at++;
    const first = inner[at]!.codePointAt(0)!;
    if (inner[at + 1] === "-" && at + 2 < inner.length) {
      at += inner[at + 2] === "\\" && at + 3 < inner.length ? 3 : 2;
      ranges.push([first, inner[at]!.codePointAt(0)!]);
    } else ranges.push([first, first]);
  }
  return (point) =>
    ranges.some(([first, last]) => point >= first && point <= last) ||
    (posixClasses.length > 0 && posixClasses.some((each) => each.test(String.fromCodePoint(point))));
}

function nameAt(inner: string[], from: number): string | undefined {
  const name = inner
    .slice(from, from + 6)
    .join("")
    .split(":")[0]!;
  return Object.hasOwn(posix, name) && inner[from + name.length + 1] === "]" ? name : undefined;
}

/** `{a..f}` and `{1..12}`. */
function rangeOf(text: string): GlobNode | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})$/.exec(text);
  if (numbers) {
    const [first, last] = [Number(numbers[1]), Number(numbers[2])].sort((a, b) => a - b) as [number, number];
    if (last - first >= mostNumbers) throw new GlobError(`a range has at most ${mostNumbers} numbers`);
    const all = Array.from({ length: last - first + 1 }, (_, index) => Array.from(String(first + index), literal));
    return { kind: "either", choices: all };
  }
  const letters = /^([a-z])\.\.([a-z])$/i.exec(text);
  if (!letters) return undefined;
  const [first, last] = [letters[1]!.codePointAt(0)!, letters[2]!.codePointAt(0)!];
  return { kind: "class", has: (point) => point !== slash && point >= first && point <= last };
}

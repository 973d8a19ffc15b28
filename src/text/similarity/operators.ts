import type { TextReading } from "./read-words.ts";

type Operators = {
  /** Operators whose presence changes the meaning: `!=`, `&&`, `++`, a `!` before a name, a sign before a number. */
  strong: string;
  /** Operators that may be punctuation: `-`, `*`, `/`. They matter only when the other text has a different one. */
  weak: string;
};

const none: Operators = { strong: "", weak: "" };
const operatorRun = /\?\?|[-+*/%<>=!&|^~#–—]+/g;
// Marks at the start of a line (bullets, quotes, headings, comments) and arrows are layout.
const layout = /(?<=^|\n)[^\S\n]*(?:[-*+>#/|]+)(?=\s)|->|=>|<-|\/\/|\/\*|\*\//g;

/** The operators between two words. `before` and `after` say whether there is a word on that side. */
function operatorsOf(gap: string, before: boolean, after: boolean, number: boolean): Operators {
  if (gap === " " || gap === "" || !/[-+*/%<>=!&|^~?#–—]/.test(gap)) return none;
  // A gap in the middle of a text does not start a line.
  const text = (before ? `\0${gap}` : gap).replace(layout, " ").replace("\0", "");
  const strong: string[] = [];
  const weak: string[] = [];
  for (const { 0: run, index } of text.matchAll(operatorRun)) {
    const left = before && index === 0;
    const next = text[index + run.length];
    const right = after && next === undefined;
    if (run === "=" || /^[–—]+$/.test(run)) continue;
    if (run.endsWith("!") && !left && (right || next === "(")) strong.push(run);
    else if (run === "!" || /^!+$/.test(run)) continue;
    else if (run === "-" && right && number && !left) strong.push("sign");
    else if (run === "#") left && !right && strong.push(run);
    else if (/^\*+$/.test(run) && left !== right) continue;
    else if (/^-{2,}$/.test(run) && !left && !right) continue;
    else if (run.length > 1) strong.push(run);
    else weak.push(run);
  }
  return { strong: strong.join(" "), weak: weak.join(" ") };
}

/**
 * Whether two texts with the same words have the same operators: if both have one at the same place, they must be
 * equal.
 */
export function sameOperators(a: TextReading, b: TextReading): boolean {
  for (let i = 0; i <= a.words.length; i++) {
    const [left, right] = [gapAt(a, i), gapAt(b, i)];
    if (left === right) continue;
    const number = /^\d/.test(a.words[i]?.text ?? "");
    const one = operatorsOf(left, i > 0, i < a.words.length, number);
    const other = operatorsOf(right, i > 0, i < b.words.length, number);
    if (one.strong !== other.strong) return false;
    if (one.weak !== other.weak && one.weak !== "" && other.weak !== "") return false;
  }
  return true;
}

/** The operators that cannot be punctuation, in order: they must agree even when words differ. */
export function strongOperators(text: TextReading): string {
  const operators: string[] = [];
  for (let i = 0; i <= text.words.length; i++) {
    const number = /^\d/.test(text.words[i]?.text ?? "");
    const { strong } = operatorsOf(gapAt(text, i), i > 0, i < text.words.length, number);
    if (strong !== "") operators.push(strong);
  }
  return operators.join(" ");
}

function gapAt({ words, tail }: TextReading, i: number): string {
  return words[i]?.gap ?? tail;
}

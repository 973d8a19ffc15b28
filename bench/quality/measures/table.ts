import type { Figure } from "./bootstrap.ts";
import type { Line, Summary } from "./summary.ts";

const barLength = 20;
const widths = { name: 30, count: 6, figure: 22 };

/**
 * What a person reads, in points of 100: a line for each measure, a bar for the product and the baseline beside it;
 * then every group with product and baseline only.
 */
export function tableOf(summary: Summary): string {
  const { set, texts, questions, sample, remarks, lines } = summary;
  const all = lines.filter(({ group }) => group === undefined);
  const asked = `${grouped(questions)} questions${sample === undefined ? "" : " (a sample)"}`;
  const head = [
    "".padEnd(widths.name),
    "n".padStart(widths.count),
    "  ",
    "dossier".padEnd(barLength + 1 + widths.figure),
    "plain BM25".padEnd(widths.figure),
    "gain",
  ];
  return [
    `${set}: ${asked}, ${grouped(texts)} texts`,
    ...remarks,
    ...(all.length > 0 ? [head.join("").trimEnd(), ...all.map(lineOf)] : []),
    ...groupsOf(lines.filter(({ group }) => group !== undefined)),
    "",
  ].join("\n");
}

function lineOf({ measure, way, questions, dossier, bm25, gain }: Line): string {
  const figure = figureIn(measure);
  const parts = [
    (way === undefined ? measure : `${measure}, ${way}`).padEnd(widths.name),
    String(questions).padStart(widths.count),
    "  ",
    isCount(measure) ? " ".repeat(barLength) : bar(dossier.value),
    " ",
    figure(dossier).padEnd(widths.figure),
    (bm25 ? figure(bm25) : "-").padEnd(widths.figure),
    gain ? figure(gain, true) : "",
  ];
  return parts.join("").trimEnd();
}

/** A table of groups by measures: the product's value, and the baseline's after a slash. */
function groupsOf(lines: readonly Line[]): string[] {
  if (lines.length === 0) return [];
  const measures = [...new Set(lines.map(({ measure }) => measure))];
  const width = Math.max(13, ...measures.map((measure) => measure.length + 2));
  const rows = [...new Set(lines.map(({ group }) => group!))].map((group) => {
    const own = lines.filter((each) => each.group === group);
    const cells = measures.map((measure) => {
      const line = own.find((each) => each.measure === measure);
      return (line ? both(line) : "").padStart(width);
    });
    const count = Math.max(...own.map(({ questions }) => questions));
    return group.padEnd(widths.name) + String(count).padStart(widths.count) + cells.join("");
  });
  const head = "".padEnd(widths.name + widths.count) + measures.map((measure) => measure.padStart(width)).join("");
  return ["", head, ...rows];
}

function both({ measure, dossier, bm25 }: Line): string {
  const value = valueIn(measure);
  return bm25 ? `${value(dossier.value)} / ${value(bm25.value)}` : value(dossier.value);
}

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A share of 0..1 as a bar, to an eighth of a character. */
export function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barLength * 8);
  return ("█".repeat(filled >> 3) + eighths[filled & 7]!).padEnd(barLength, "·");
}

/** Tokens are counts; all other measures are shares. */
function isCount(measure: string): boolean {
  return measure.startsWith("tokens");
}

function figureIn(measure: string): (figure: Figure, signed?: boolean) => string {
  const value = valueIn(measure);
  return ({ value: middle, low, high }, signed = false) =>
    `${value(middle, signed)} [${value(low, signed)}, ${value(high, signed)}]`;
}

/** A share in points of 100, or a count as it is. */
function valueIn(measure: string): (value: number, signed?: boolean) => string {
  return (value, signed = false) => {
    const sign = signed && value >= 0 ? "+" : "";
    return sign + (isCount(measure) ? value.toFixed(0) : (value * 100).toFixed(1));
  };
}

function grouped(count: number): string {
  return count.toLocaleString("en");
}

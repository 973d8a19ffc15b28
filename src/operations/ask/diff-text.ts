import { paint } from "../terminal/colours.ts";
import { counted, grouped, plain } from "../terminal/phrases.ts";
import { isSame, type ResultDifference } from "./diff-compare.ts";

const longestName = 100;
const longestLine = 60;

/** "3 entered, 1 left, 2 moved; 10 are as before." */
export function summary(difference: ResultDifference): string {
  if (isSame(difference)) return "No difference.";
  const { entered, left, moved, changed, settings, unchanged } = difference;
  const counts: [number, string][] = [
    [entered.length, "entered"],
    [left.length, "left"],
    [moved.length, "moved"],
    [changed.length, "changed"],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${grouped(count)} ${what}`);
  if (parts.length === 0)
    parts.push(`Only ${settings.map(({ name }) => name).join(", ")} differ${settings.length === 1 ? "s" : ""}`);
  return `${parts.join(", ")}; ${counted(unchanged, "item is", "items are")} as before.`;
}

/**
 * One line for each difference: + entered, - left, ~ moved or changed. Texts of results are data, so control
 * characters are removed.
 */
export function differenceText(difference: ResultDifference, colour: boolean): string {
  const p = paint(colour);
  const { entered, left, moved, changed, settings } = difference;
  const lines = settings.map(
    ({ name, before, after }) => `${p.bold(name)}: ${valueText(before)} -> ${valueText(after)}`,
  );
  for (const { rank, name, id, score, reason } of entered) {
    lines.push(
      p.green(`+ ${rank}. ${label(name, id)}${rating(score)}${reason ? `, left out before: ${plain(reason)}` : ""}`),
    );
  }
  for (const { rank, name, id, score, reason } of left) {
    lines.push(
      p.red(`- ${rank}. ${label(name, id)}${rating(score)}${reason ? `, left out now: ${plain(reason)}` : ""}`),
    );
  }
  for (const { rank, name, id, parts } of linesOfKept(moved, changed)) {
    lines.push(p.yellow(`~ ${rank}. ${label(name, id)}: ${parts.join("; ")}`));
  }
  return [...lines, p.bold(summary(difference))].join("\n");
}

type Line = { rank: number; name: string; id: string; parts: string[] };

/** Moves and changes of one item are printed together, in the order of the later result. */
function linesOfKept(moved: ResultDifference["moved"], changed: ResultDifference["changed"]): Line[] {
  const lines = new Map<number, Line>();
  for (const { id, name, before, after } of moved) {
    lines.set(after, { rank: after, name, id, parts: [`was ${before}.`] });
  }
  for (const { rank, name, id, level, score, text } of changed) {
    const line = lines.get(rank) ?? { rank, name, id, parts: [] };
    lines.set(rank, line);
    if (level) line.parts.push(`${plain(level.before ?? "?")} -> ${plain(level.after ?? "?")}`);
    if (score) line.parts.push(`score ${rounded(score.before)} -> ${rounded(score.after)}`);
    if (text)
      line.parts.push(
        `text from line ${text.line} (${lineCounts(text)}): ${valueText(text.before)} -> ${valueText(text.after)}`,
      );
  }
  return [...lines.values()].sort((a, b) => a.rank - b.rank);
}

function lineCounts({ removed, added }: { removed: number; added: number }): string {
  return `${counted(removed, "line")} out, ${grouped(added)} in`;
}

function label(name: string, id: string): string {
  const words = cut(plain(name), longestName);
  return words === "" ? plain(id) : `${words} [${cut(plain(id), longestName)}]`;
}

function rating(score: number | undefined): string {
  return score === undefined ? "" : `, score ${rounded(score)}`;
}

function rounded(score: number | undefined): string {
  return score === undefined ? "none" : score.toFixed(3);
}

function valueText(value: string | number | undefined): string {
  if (value === undefined) return "nothing";
  return typeof value === "number" ? grouped(value) : JSON.stringify(cut(plain(value), longestLine));
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

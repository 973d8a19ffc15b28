/**
 * Lines of a commit's message that say nothing about the change: who signed it, what robots did, and steps of a squash
 * that only name a file.
 */

const trailer =
  /^\s*(?:co-authored-by|signed-off-by|reviewed-by|acked-by|tested-by|approved-by|reviewed-on|change-id|cc)\s*:/i;
const robot = /\bpre-commit(?:-ci|\.ci)\b|\[bot\]|^\s*\*?\s*auto fixes from\b/i;
const rule = /^\s*-{3,}\s*$/;
/** A whole step of a squash. A longer step may give a reason, so it is kept. */
const step =
  /^\s*[*-]\s+(?:updated? \S+\.\w+|merge (?:remote-tracking )?branch\b.*|(?:(?:fix(?:ed|es)?|more|minor|small|some|another) )*(?:typos?|lint(?:ing|er)?|nits?|style|format(?:ting)?|mypy|ci|tests?|docs?|docstrings?|whitespace|imports?|black|flake8|ruff|prettier)|wip|clean[- ]?up|(?:address|apply) (?:\w+ )?(?:reviews?|comments?|suggestions?|feedback)\b.*|(?:apply )?suggestions from code review)\s*\.?\s*$/i;

/** Fewest lines that are folded: folding one line saves nothing. */
const fewestFolded = 2;

/**
 * Indexes of the lines to print; all lines if too few would be folded. Blank lines that only separate hidden lines are
 * hidden too.
 */
export function tellingLines(lines: readonly string[]): number[] {
  const all = lines.map((_, index) => index);
  // The first paragraph is the subject and always printed.
  const body = lines.findIndex((line) => line.trim() === "");
  if (body < 0) return all;
  const telling = all.filter((index) => index < body || !isNoise(lines[index]!));
  if (lines.length - telling.length < fewestFolded) return all;
  const spaced = telling.filter((index, place) => !isBlank(lines, index) || !isBlank(lines, telling[place - 1]));
  while (isBlank(lines, spaced.at(-1))) spaced.pop();
  return spaced;
}

function isNoise(line: string): boolean {
  return trailer.test(line) || robot.test(line) || rule.test(line) || step.test(line);
}

function isBlank(lines: readonly string[], index: number | undefined): boolean {
  return index !== undefined && lines[index]!.trim() === "";
}

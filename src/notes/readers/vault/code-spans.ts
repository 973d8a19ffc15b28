/**
 * The end of the code span that begins at a run of backticks; undefined where none does. Positions must be passed in
 * ascending order.
 */
export type CodeSpans = (at: number) => number | undefined;

/**
 * A span ends at the next run of the same length. Runs are indexed by length once, so that text full of backticks stays
 * linear.
 */
export function codeSpans(text: string): CodeSpans {
  let byLength: Map<number, { at: number[]; next: number }> | undefined;
  return (at) => {
    byLength ??= runsOf(text);
    let length = 1;
    while (text[at + length] === "`") length++;
    const runs = byLength.get(length);
    if (!runs) return undefined;
    while (runs.next < runs.at.length && runs.at[runs.next]! <= at) runs.next++;
    const close = runs.at[runs.next];
    return close === undefined ? undefined : close + length;
  };
}

function runsOf(text: string): Map<number, { at: number[]; next: number }> {
  const runs = new Map<number, { at: number[]; next: number }>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const same = runs.get(run.length);
    if (same) same.at.push(index);
    else runs.set(run.length, { at: [index], next: 0 });
  }
  return runs;
}

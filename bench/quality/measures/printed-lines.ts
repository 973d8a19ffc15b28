/** `# ... 12 lines`, `… 12 lines: parse`: what stands for lines that were left out. */
const mark = /(?:\.\.\.|…) (\d+) lines?/;
/** What closes brackets and quotes at a cut is not a line of the file. */
const onlyClosing = /^[\s)\]}>"'`*/;,]*$/;

/**
 * Numbers of the lines of a file that a printed text really shows. `lines` are the file's, `startLine` to `endLine`
 * (from 1) what the text was made of: its lines in their order, some of them replaced by marks, some changed (secrets).
 * `dedented`: printed without the indentation of the file, as a signature by itself is.
 */
export function printedLines(
  { text, startLine, endLine }: { text: string; startLine: number; endLine: number },
  lines: readonly string[],
  { dedented = false }: { dedented?: boolean } = {},
): number[] {
  const shown: number[] = [];
  let at = startLine;
  const bare = (line: string | undefined) => (dedented ? line?.trim() : line?.trimEnd());
  const lineAt = (number: number) => bare(lines[number - 1]);
  for (const printed of text.split("\n")) {
    const line = bare(printed)!;
    if (at <= endLine && line === lineAt(at)) {
      shown.push(at++);
      continue;
    }
    const gap = mark.exec(line);
    if (gap) {
      at += Number(gap[1]);
      continue;
    }
    if (onlyClosing.test(line)) continue;
    for (let ahead = at; ahead <= endLine; ahead++) {
      if (line !== lineAt(ahead)) continue;
      shown.push(ahead);
      at = ahead + 1;
      break;
    }
  }
  return shown;
}

/**
 * The source of one cell. Every Jupyter tool writes one line of the file for each line of the cell. Lines are 1-based.
 */
export type NotebookCell = { isCode: boolean; startLine: number; endLine: number };

/**
 * Indexes of those notebook lines that are text of cells, without outputs, metadata and brackets. `lines` may begin
 * inside a cell.
 */
export function cellLines(lines: string[]): number[] {
  let begun = 0;
  while (begun < lines.length && isText(lines[begun]!) && !isKey(lines[begun]!)) begun++;
  const cells = readCells(lines).filter(({ startLine }) => startLine > begun);
  const spans = [{ startLine: 1, endLine: begun }, ...cells];
  return spans.flatMap(({ startLine, endLine }) =>
    Array.from({ length: endLine - startLine + 1 }, (_, i) => startLine - 1 + i),
  );
}

function isKey(line: string): boolean {
  return /^\s*"(?:[^"\\]|\\.)*": /.test(line);
}

export function readCells(lines: string[]): NotebookCell[] {
  const cells: NotebookCell[] = [];
  let indent: string | undefined;
  let isCode = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const type = /^(\s*)"cell_type": "(\w+)"/.exec(line);
    if (type) {
      indent ??= type[1]!;
      isCode = type[2] === "code";
    }
    const source = /^(\s*)"source": (\[|")(.*)$/.exec(line);
    // An output may have a key of the same name at a deeper indentation.
    if (!source || source[1] !== indent) continue;
    const isOneLine = source[2] === '"' || source[3]!.includes("]");
    const start = isOneLine ? at : at + 1;
    if (!isOneLine) while (at + 1 < lines.length && isText(lines[at + 1]!)) at++;
    if (at >= start && decodedLine(lines[start]!) !== "") cells.push({ isCode, startLine: start + 1, endLine: at + 1 });
  }
  return cells;
}

function isText(line: string): boolean {
  return /^\s*"/.test(line);
}

/** The text of a JSON line that consists of a string, or of a key and a string. */
export function decodedLine(line: string): string {
  const literal = /^\s*(?:"source": \[?)?("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
  if (literal === undefined) return "";
  try {
    return (JSON.parse(literal) as string).trimEnd();
  } catch (error) {
    // The line has a broken escape, so it is searched as written.
    if (error instanceof SyntaxError) return literal;
    throw error;
  }
}

/** Maps offsets in a text to line numbers. */
export type LineTable = { starts: number[]; count: number };

export function lineTable(text: string): LineTable {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  // A final line end does not begin another line.
  const count = starts.length > 1 && starts.at(-1) === text.length ? starts.length - 1 : starts.length;
  return { starts, count };
}

/** The 1-based line of an offset. */
export function lineAt(table: LineTable, at: number): number {
  let low = 0;
  let high = table.starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (table.starts[middle]! <= at) low = middle;
    else high = middle;
  }
  return Math.min(low + 1, table.count);
}

/**
 * Splits BLOBs that a statement joined by `CAST(group_concat(data, '') AS BLOB)`, by their lengths. A row of its own
 * for each takes longer than its bytes. SQLite joins them as they are, whatever text they would be.
 */
export function splitBytes(joined: Uint8Array | null, lengths: readonly number[]): Uint8Array[] {
  let end = 0;
  return lengths.map((length) => joined?.subarray(end, (end += length)) ?? new Uint8Array(0));
}

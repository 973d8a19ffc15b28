/**
 * Splits BLOBs that a statement joined by `CAST(group_concat(data, '') AS BLOB)`, by their lengths. Reading one row per
 * BLOB takes longer than its bytes. SQLite joins the bytes unchanged, even if they are not valid text.
 */
export function splitBytes(joined: Uint8Array | null, lengths: readonly number[]): Uint8Array[] {
  let end = 0;
  return lengths.map((length) => joined?.subarray(end, (end += length)) ?? new Uint8Array(0));
}

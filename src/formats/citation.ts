/** Hash characters that a citation shows when nothing collides. */
const shortest = 4;

/**
 * The short id that a model cites for each item id: `cod-1k3fx9...` -> `[cod-1k3f]`. If ids of one result share their
 * first four hash characters, they are lengthened until they differ. Every citation stays a prefix of its id.
 */
export function citationIds(ids: readonly string[]): Map<string, string> {
  const short = new Map<string, string>();
  let open = [...new Set(ids)];
  for (let length = shortest; open.length > 0; length++) {
    const byPrefix = new Map<string, string[]>();
    for (const id of open) {
      const prefix = id.slice(0, id.indexOf("-") + 1 + length);
      byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), id]);
    }
    open = [];
    for (const [prefix, sharing] of byPrefix) {
      if (sharing.length === 1) short.set(sharing[0]!, `[${prefix}]`);
      else open.push(...sharing);
    }
  }
  return short;
}

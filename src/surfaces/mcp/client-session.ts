/** Keys of `_meta` that clients tell their own session by, with or without a prefix of theirs. */
const key = /^(?:[^/]+\/)?session[_-]?id$/i;
const longest = 100;

/** The client's own session, where it says one with a call. What is no plain name is passed over: it is only a label. */
export function sessionIn(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const [name, value] of Object.entries(meta ?? {})) {
    if (key.test(name) && typeof value === "string" && /^[\w.:-]+$/.test(value) && value.length <= longest)
      return value;
  }
  return undefined;
}

/** Replaces NUL and lone surrogates, which survive neither SQLite's JSON nor PostgreSQL's texts; no real name has them. */
export function storable(text: string): string {
  return unstorable.test(text) ? text.replace(allUnstorable, "\ufffd") : text;
}

const unstorable = /[\0\ud800-\udfff]/u;
const allUnstorable = /[\0\ud800-\udfff]/gu;

/** The target of a Markdown link, and its end in the line. */
export type Destination = { end: number } & ({ page: string } | { block: string } | { file: string });

const longest = 1000;
const deepest = 8;
const inner = /\[\[([^\n]{1,300}?)\]\]\)|\(\(([0-9a-fA-F-]{36})\)\)\)/y;
const angled = /<([^<>\n]{0,1000})>/y;
const title = /[ \t]+(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\([^()\n]{0,300}\))?[ \t]*\)|\)/y;
/** Invalid Markdown that people write: a path with spaces. */
const withBlanks = /([^()<>\n]{1,300}?\.(?:md|markdown)(?:#[^()<>\n]{0,200}?)?)[ \t]*\)/iy;

/** Reads the destination after `](`, from its first character at `start`. */
export function readDestination(text: string, start: number): Destination | undefined {
  inner.lastIndex = start;
  const own = inner.exec(text);
  if (own) return own[1] ? { end: inner.lastIndex, page: own[1] } : { end: inner.lastIndex, block: own[2]! };
  angled.lastIndex = start;
  const quoted = angled.exec(text)?.[1];
  const end = quoted === undefined ? plainEnd(text, start) : angled.lastIndex;
  if (end !== undefined) {
    title.lastIndex = end;
    if (title.test(text)) return { end: title.lastIndex, file: quoted ?? text.slice(start, end) };
  }
  withBlanks.lastIndex = start;
  const loose = withBlanks.exec(text)?.[1];
  return loose === undefined ? undefined : { end: withBlanks.lastIndex, file: loose };
}

/** The end of a destination without spaces; parentheses in it are balanced. */
function plainEnd(text: string, start: number): number | undefined {
  let depth = 0;
  const limit = Math.min(text.length, start + longest);
  for (let at = start; at < limit; at++) {
    const character = text[at]!;
    if (character === "\\") at++;
    else if (character === " " || character === "\t") return depth === 0 ? at : undefined;
    else if (character === "(") {
      if (++depth > deepest) return undefined;
    } else if (character === ")" && depth-- === 0) return at;
  }
  return undefined;
}

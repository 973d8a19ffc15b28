import type { Scalar } from "./frontmatter.ts";

const escapes: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "",
  b: "",
  e: "",
  _: "\u00a0",
  N: "\n",
  L: "\n",
  P: "\n",
};

/**
 * The content of a quoted string that is the whole text, apart from a comment; undefined where it is not closed or more
 * text follows.
 */
export function readQuoted(text: string): string | undefined {
  const end = closingQuote(text, 0);
  if (end === undefined || withoutComment(text.slice(end + 1)).trim() !== "") return undefined;
  return unquoted(text.slice(0, end + 1));
}

/** The items of `[a, "b, c", [d]]`, or of braces; undefined where it is not closed. Nested lists stay text. */
export function splitFlow(text: string): Scalar[] | undefined {
  const items: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"' || (character === "'" && /[\s,[{:]/.test(text[at - 1] ?? ""))) {
      at = closingQuote(text, at) ?? at;
    } else if (character === "[" || character === "{") {
      depth++;
    } else if (character === "," && depth === 1) {
      items.push(text.slice(start, at));
      start = at + 1;
    } else if ((character === "]" || character === "}") && --depth === 0) {
      if (withoutComment(text.slice(at + 1)).trim() !== "") return undefined;
      return [...items, text.slice(start, at)].map((item) => scalar(item.trim()));
    }
  }
  return undefined;
}

function scalar(text: string): Scalar {
  const quoted = /^["']/.test(text) ? readQuoted(text) : undefined;
  return quoted === undefined ? { text, quoted: false } : { text: quoted, quoted: true };
}

/** ` # …` behind a value. */
export function withoutComment(text: string): string {
  const hash = text.search(/(?:^|\s)#(?:\s|$)/);
  return hash < 0 ? text : text.slice(0, hash).trimEnd();
}

function closingQuote(text: string, open: number): number | undefined {
  const quote = text[open]!;
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== "'") return at;
      at++;
    }
  }
  return undefined;
}

function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  if (text.startsWith("'")) return inner.replaceAll("''", "'");
  if (!inner.includes("\\")) return inner;
  return inner.replace(
    /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(.))/gs,
    (_, long?: string, short?: string, one?: string) => {
      const code = long ?? short;
      return code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[one!] ?? one!);
    },
  );
}

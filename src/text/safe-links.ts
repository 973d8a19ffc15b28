/** Links that run something instead of leading somewhere: `javascript:` and its like. */

const running = /^(?:javascript|vbscript|data):/i;
/** Possible beginnings of such a link, however it is written: most texts have none of them and need no further look. */
const suspect = /script|data|&(?:#|colon|tab|newline)/i;

/** Whether an address runs something. Blanks and control characters do not hide it, nor do character references. */
export function isRunning(address: string): boolean {
  if (address.length > 20_000) return isRunning(address.slice(0, 20_000));
  const plain = address
    .replace(/&(?:#x0*([0-9a-f]{1,6})|#0*(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    })
    .replace(/&colon;?/gi, ":")
    .replace(/&(?:tab|newline);?/gi, "");
  return running.test(plain.replace(/[\s\p{Cc}\\]+/gu, ""));
}

/** Fenced blocks, up to their end or the text's, and inline code: links in them are not links. */
const code = /(^[ \t]{0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]{0,3}\2[`~]*[ \t]*$|(?![\s\S]))|`[^`\n]+`)/m;

/** Markdown without links that run something: what they are called stays, where they lead to does not. */
export function withoutRunningLinks(markdown: string): string {
  if (!suspect.test(markdown)) return markdown;
  const pieces: string[] = [];
  // Split keeps both groups of the pattern: text, code, fence, text, …
  for (const [at, piece] of markdown.split(code).entries()) {
    if (at % 3 === 0) pieces.push(withoutHtml(withoutDefinitions(withoutTargets(piece))));
    else if (at % 3 === 1) pieces.push(piece);
  }
  return pieces.join("");
}

/** `[called](javascript:…)` and `![called](javascript:…)`, in one pass. */
function withoutTargets(text: string): string {
  const out: string[] = [];
  let from = 0;
  for (let at = text.indexOf("]("); at >= 0; at = text.indexOf("](", at + 2)) {
    if (at < from) continue;
    const begin = at + 2;
    // An address ends within its line and within this length.
    const head = text.slice(begin, begin + 200);
    if (!isRunning(head.replace(/^\s*</, ""))) continue;
    const opening = openingOf(text, from, at);
    if (opening < 0) continue;
    const end = endOfTarget(text, begin);
    const isImage = text[opening - 1] === "!";
    out.push(text.slice(from, isImage ? opening - 1 : opening), text.slice(opening + 1, at));
    from = end;
  }
  return out.length === 0 ? text : out.join("") + text.slice(from);
}

/** Characters of a link's text that are searched for its opening bracket. */
const longestCalled = 2000;

function openingOf(text: string, least: number, at: number): number {
  let open = 0;
  for (let index = at - 1; index >= Math.max(least, at - longestCalled); index--) {
    if (text[index] === "]") open++;
    else if (text[index] === "[" && open-- === 0) return index;
  }
  return -1;
}

/** Behind the bracket that closes the target; behind the line where none does. */
function endOfTarget(text: string, begin: number): number {
  let open = 1;
  for (let at = begin; at < text.length; at++) {
    if (text[at] === "\n") return at;
    if (text[at] === "(") open++;
    if (text[at] === ")" && --open === 0) return at + 1;
  }
  return text.length;
}

/** `[name]: javascript:…` and `<javascript:…>`. */
function withoutDefinitions(text: string): string {
  return text
    .replace(/^([ \t]{0,3}\[[^\]\n]{1,200}\]:)[ \t]*(\S[^\n]*)$/gm, (whole, name: string, address: string) =>
      isRunning(address.replace(/^</, "")) ? name : whole,
    )
    .replace(/<([a-z][^<>\s]{0,2000})>/gi, (whole, address: string) => (isRunning(address) ? address : whole));
}

/** Attributes of HTML that an application would follow. */
function withoutHtml(text: string): string {
  return text.replace(
    /(<[a-z][^<>]{0,2000}?)\s(?:href|src|xlink:href|action|formaction)\s*=\s*("[^"]*"|'[^']*'|[^\s>]+)/gi,
    (whole, before: string, value: string) => (isRunning(value.replace(/^["']/, "")) ? before : whole),
  );
}

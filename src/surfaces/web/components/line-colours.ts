/** Colours for the lines of a document: small, the same for every language, and never more than text. */

export type LineKind = "code" | "prose" | "heading" | "fence" | "markup";
export type Piece = { text: string; kind?: "comment" | "string" | "number" | "keyword" | "tag" | "citation" };

/** The kind of each line of a document, in one pass. */
export function lineKinds(lines: readonly string[], format: string): LineKind[] {
  if (format === "markdown") return markdownKinds(lines);
  if (format === "xml") return xmlKinds(lines);
  if (format === "json") return lines.map(() => "code");
  return lines.map((line) => (/^={3,}|^-{3,}/.test(line) ? "heading" : "code"));
}

function markdownKinds(lines: readonly string[]): LineKind[] {
  let fence: string | undefined;
  return lines.map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      if (mark === undefined) return /^#{1,6} /.test(line) ? "heading" : "prose";
      fence = mark;
      return "fence";
    }
    if (mark?.startsWith(fence) && line.trim() === mark) {
      fence = undefined;
      return "fence";
    }
    return /^@{2,}\d/.test(line) ? "fence" : "code";
  });
}

function xmlKinds(lines: readonly string[]): LineKind[] {
  let isData = false;
  return lines.map((line) => {
    const wasData = isData;
    const [opens, closes] = [line.lastIndexOf("<![CDATA["), line.lastIndexOf("]]>")];
    if (opens > closes) isData = true;
    else if (closes >= 0) isData = false;
    return wasData && !line.includes("]]>") ? "code" : "markup";
  });
}

const keywords =
  "abstract and as async await break case catch class const continue def default defer delete do elif else end enum export extends false final finally fn for from func function go if impl implements import in instanceof interface is lambda let match mod module mut new nil None not null of or package pass private protected public pub raise readonly require return self static struct super switch this throw trait true True False try type typeof undefined union unless until use using val var void when where while with yield";

const codePieces = new RegExp(
  [
    "(?<comment>//.*|^\\s*(?:#(?!!\\[)|--|/?\\*).*|/\\*.*?(?:\\*/|$))",
    "(?<string>\"(?:\\\\.|[^\"\\\\])*\"?|'(?:\\\\.|[^'\\\\\\n]){0,200}'|`(?:\\\\.|[^`\\\\])*`?)",
    "(?<number>\\b\\d[\\w.]*)",
    `(?<keyword>\\b(?:${keywords.split(" ").join("|")})\\b)`,
  ].join("|"),
  "gu",
);
const markupPieces = /(?<tag><\/?[\w:-]+|\/?>|<!\[CDATA\[|\]\]>)|(?<string>"[^"]*")/gu;
const prosePieces = /(?<citation>\[[a-z]{3}-[\w-]+\])|(?<string>`[^`]+`)/gu;

/** Longer lines are data: nobody reads their colours. */
const longestColoured = 2000;

export function piecesOf(line: string, kind: LineKind): Piece[] {
  if (line.length > longestColoured || kind === "fence") return [{ text: line }];
  const pattern = kind === "code" ? codePieces : kind === "markup" ? markupPieces : prosePieces;
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > end) pieces.push({ text: line.slice(end, match.index) });
    const name = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    pieces.push({ text: match[0], kind: name as Piece["kind"] });
    end = match.index + match[0].length;
  }
  if (end < line.length) pieces.push({ text: line.slice(end) });
  return pieces;
}

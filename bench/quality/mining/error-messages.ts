import { lineNumbers } from "./definitions.ts";
import type { SourceFile } from "./files.ts";
import type { LanguageName } from "./languages.ts";
import { type Literal, masked } from "./mask.ts";
import { filled, holes, type Piece } from "./message-template.ts";
import { roundRobin } from "./round-robin.ts";

/**
 * What a program printed, and where it may have come from. `first` to `last`: from the statement to the end of its
 * text.
 */
export type MessageCase = { query: string; sites: Site[] };
export type Site = { path: string; first: number; last: number };

/** Where errors are raised and messages are logged, up to the bracket or blank before the text. */
const sitePatterns: Record<LanguageName, RegExp> = {
  python: /\braise (?<type>\w+)\(|\b(?:warnings\.warn|(?:logger|logging|log)\.\w+)\(/g,
  javascript: /\bthrow new (?<type>\w+)\(|\bnew (?<error>\w*Error)\(|\b(?:deprecate|console\.\w+|debug)\(/g,
  typescript: /\bthrow new (?<type>\w+)\(|\bnew (?<error>\w*Error)\(|\bconsole\.\w+\(/g,
  go: /\b(?:fmt\.Errorf|errors\.New|panic|debugPrint|log\.\w+)\(/g,
  rust: /\b(?:panic|bail|anyhow|err_message|message|log::\w+|write|writeln|format)!\(/g,
  java: /\bthrow new (?<type>\w+)\(|\bnew (?<error>\w+Exception)\(/g,
  ruby: /\braise (?:(?<type>[A-Z][\w:]*),)?|\bwarn[ (]|\bfail /g,
  php: /\bnew (?<type>\w*Exception)\(|\btrigger_error\(/g,
  c: /\bf?printf\(/g,
};

const fewestWords = 4;

export function messagesOf(files: readonly SourceFile[], count: number): MessageCase[] {
  const byTemplate = new Map<string, { pieces: Piece[]; type: string | undefined; sites: Site[] }>();
  for (const { path, text, language, beside } of files) {
    if (beside) continue;
    for (const { pieces, type, ...lines } of sitesIn(text, language)) {
      const template = pieces.map((piece) => (typeof piece === "string" ? piece : "\0")).join("");
      const sameTemplate = byTemplate.get(template);
      if (sameTemplate) sameTemplate.sites.push({ path, ...lines });
      else byTemplate.set(template, { pieces, type, sites: [{ path, ...lines }] });
    }
  }
  const isFilled = (pieces: Piece[]) => pieces.some((piece) => typeof piece !== "string");
  return roundRobin([...byTemplate.values()], ({ pieces }) => String(isFilled(pieces)), count).map(
    ({ pieces, type, sites }, turn) => {
      const message = filled(pieces, turn);
      return { query: turn % 2 === 1 && type !== undefined ? `${type}: ${message}` : message, sites };
    },
  );
}

type Found = { pieces: Piece[]; type: string | undefined; first: number; last: number };

export function sitesIn(text: string, language: LanguageName): Found[] {
  const { code: all, literals } = masked(text, language);
  const tests = language === "rust" ? all.search(/^#\[cfg\(test\)\]\s+mod /m) : -1;
  const code = tests < 0 ? all : all.slice(0, tests);
  const lineOf = lineNumbers(code);
  return [...code.matchAll(sitePatterns[language])].flatMap((match): Found[] => {
    const start = match.index + match[0].length;
    const end = match[0].endsWith("(") ? closingOf(code, start) : endOfLine(code, start);
    const own = literals.filter((literal) => literal.start >= start && literal.end <= end);
    const read = readLiterals(text, code, own, end, language);
    if (!read || wordsOf(read.pieces) < fewestWords) return [];
    const type = match.groups?.type ?? match.groups?.error;
    return [{ pieces: read.pieces, type, first: lineOf(match.index), last: lineOf(read.end - 1) }];
  });
}

/** Literals that are joined to one text, and what is put between them; undefined where the text is no literal. */
function readLiterals(
  text: string,
  code: string,
  literals: readonly Literal[],
  end: number,
  language: LanguageName,
): { pieces: Piece[]; end: number } | undefined {
  const joint = language === "php" ? "." : "+";
  const pieces: Piece[] = [];
  let last = -1;
  const isFormatted = literals.length > 0 && /^\s*(?:%|\.format|,)/.test(code.slice(literals.at(-1)!.end, end + 1));
  for (const literal of literals) {
    if (last >= 0) {
      const gap = code
        .slice(last, literal.start)
        .replace(/^[fFrRbBuU]*$/, "")
        .trim();
      const isAdjacent = /^[\s\\+.fFrRbBuU]*$/.test(gap);
      const isJoined = gap.startsWith(joint) && gap.endsWith(joint);
      if (!isAdjacent && !isJoined) break;
      if (!isAdjacent) pieces.push({ expression: gap.slice(1, -1).trim() });
    }
    pieces.push(...holes(text, literal, language, isFormatted));
    last = literal.end;
  }
  if (last < 0) return undefined;
  const after = code.slice(last, end).trim();
  if (after.startsWith(joint)) pieces.push({ expression: after.slice(1).trim() });
  const hasRest = pieces.some((piece) => typeof piece === "string" && /[{}]|%[a-z(]|\$\{/.test(piece));
  return hasRest ? undefined : { pieces, end: last };
}

function wordsOf(pieces: readonly Piece[]): number {
  const literalText = pieces.map((piece) => (typeof piece === "string" ? piece : " ")).join("");
  return literalText.match(/[A-Za-z]{3,}/g)?.length ?? 0;
}

function closingOf(code: string, start: number): number {
  let depth = 1;
  for (let at = start; at < code.length; at++) {
    if ("([{".includes(code[at]!)) depth++;
    else if (")]}".includes(code[at]!) && --depth === 0) return at;
  }
  return code.length;
}

/** A statement of Ruby goes on after a comma, a joint or a backslash. */
function endOfLine(code: string, start: number): number {
  for (let at = code.indexOf("\n", start); at >= 0; at = code.indexOf("\n", at + 1)) {
    if (!/[,+\\]\s*$/.test(code.slice(start, at))) return at;
  }
  return code.length;
}

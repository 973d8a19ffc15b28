import type { LanguageName } from "./languages.ts";

/** A literal or comment: what begins it, as a sticky pattern that matches the whole of it. */
type Kind = { pattern: RegExp; literal: boolean };

const quoted = /"(?:[^"\\\n]|\\[\s\S])*"/y;
const apostrophed = /'(?:[^'\\\n]|\\[\s\S])*'/y;
const backticked = /`(?:[^`\\]|\\[\s\S])*`/y;
const slashComment = /\/\/[^\n]*/y;
const blockComment = /\/\*[\s\S]*?\*\//y;
const hashComment = /#[^\n]*/y;
const literal = (pattern: RegExp): Kind => ({ pattern, literal: true });
const comment = (pattern: RegExp): Kind => ({ pattern, literal: false });

const ofC = [comment(slashComment), comment(blockComment), literal(quoted), literal(apostrophed)];
/** A regular expression stands where a value may begin. */
const regularExpression = /(?<=[(=,:[!&|?{};]\s*|\breturn\s+)\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const ofScript = [...ofC, literal(backticked), literal(regularExpression)];

const kinds: Record<LanguageName, Kind[]> = {
  python: [literal(/"""[\s\S]*?"""|'''[\s\S]*?'''/y), comment(hashComment), literal(quoted), literal(apostrophed)],
  javascript: ofScript,
  typescript: ofScript,
  go: [...ofC, literal(/`[^`]*`/y)],
  // An apostrophe is a character only when it is closed at once; else it begins a lifetime.
  rust: [
    comment(slashComment),
    comment(blockComment),
    literal(/r(#*)"[\s\S]*?"\1/y),
    literal(/"(?:[^"\\]|\\[\s\S])*"/y),
    literal(/'(?:[^'\\\n]|\\[^\n]{1,8}?)'/y),
  ],
  java: [literal(/"""[\s\S]*?"""/y), ...ofC],
  ruby: [comment(/^=begin[\s\S]*?^=end/my), comment(/#(?!\{)[^\n]*/y), literal(quoted), literal(apostrophed)],
  php: [...ofC, comment(/#(?!\[)[^\n]*/y)],
  c: ofC,
};

export type Literal = { start: number; end: number };

/** The text without comments and with empty literals, of the same length and lines; and where the literals are. */
export function masked(text: string, language: LanguageName): { code: string; literals: Literal[] } {
  const literals: Literal[] = [];
  const pieces: string[] = [];
  let from = 0;
  const first = /["'`#/r=]/g;
  for (let at = 0; at < text.length; ) {
    first.lastIndex = at;
    const next = first.exec(text);
    if (!next) break;
    at = next.index;
    const kind = kinds[language].find(({ pattern }) => {
      pattern.lastIndex = at;
      return pattern.test(text);
    });
    if (!kind) {
      at++;
      continue;
    }
    const end = kind.pattern.lastIndex;
    const blank = text.slice(at, end).replace(/[^\n]/g, " ");
    pieces.push(text.slice(from, at), kind.literal && end - at > 1 ? `"${blank.slice(1, -1)}"` : blank);
    if (kind.literal) literals.push({ start: at, end });
    from = at = end;
  }
  return { code: pieces.join("") + text.slice(from), literals };
}

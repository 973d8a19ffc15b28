import { looksLikeIdentifier } from "../../text/analysis/analyse.ts";
import { fileEnding } from "../../text/analysis/query-paths.ts";
import { beginsCommand, type Command, commandInProse, readCommand } from "./commands.ts";
import { isProduct } from "./products.ts";

/** A part of the code base that a text mentions. */
export type CodeMention = {
  kind: "path" | "symbol" | "command";
  /** As written in the text, without quotes. */
  written: string;
  /**
   * The name that is looked up: a path with `/` and without a line, a symbol with dots and without parentheses, a
   * command without its arguments.
   */
  name: string;
  /** False for a name that may belong to something else. It is judged only if it is known to have existed. */
  sure: boolean;
  /** The sentence itself says that the name no longer exists, so no note is added. */
  past?: true;
  line?: number;
  command?: Command;
};

const mostMentions = 30;
/** A longer run of characters without a space is data. */
const longestToken = 300;

/** The rest of a longer text is a pasted dump. */
const longestText = 100_000;

export function mentionsOf(fullText: string): CodeMention[] {
  const text = fullText.slice(0, longestText);
  const mentions = new Map<string, CodeMention>();
  let inFence = false;
  let start = 0;
  while (start < text.length && mentions.size < mostMentions) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    if (/^\s{0,20}(```|~~~)/.test(line)) inFence = !inFence;
    else for (const mention of mentionsInLine(line, inFence)) add(mention, mentions);
    start = end + 1;
  }
  return [...mentions.values()].slice(0, mostMentions);
}

function add(mention: CodeMention, mentions: Map<string, CodeMention>): void {
  const key = `${mention.kind} ${mention.name}`;
  const existing = mentions.get(key);
  if (!existing) mentions.set(key, mention);
  else {
    if (mention.sure) existing.sure = true;
    if (mention.past) existing.past = true;
  }
}

function* mentionsInLine(line: string, inFence: boolean): Generator<CodeMention> {
  if (inFence) {
    const command = line.length <= longestToken ? commandsIn(line.trim().replace(/^\$\s+/, "")) : [];
    if (command.length > 0) yield* command;
    // Pasted code has names of its own: only those that are known to have existed matter.
    else
      for (const mention of mentionsInProse(line)) yield { ...mention, sure: mention.sure && mention.kind === "path" };
    return;
  }
  for (const { text, quoted, past } of piecesOf(line)) {
    for (const mention of quoted ? mentionsInQuote(text) : mentionsInProse(text)) {
      yield past ? { ...mention, past } : mention;
    }
  }
}

type Piece = { text: string; quoted: boolean; past?: true };

const longestQuote = 200;
// Not inside names: src/removed.ts, moved-to.
const saysPast =
  /(?<![\w/.-])(removed?|removes|removing|deleted?|deletes|deleting|renamed?|renames|renaming|replaced?|replaces|dropped|drops|gone|no longer|not any ?more|used to|formerly|previously|was called|were called|instead of|superseded|retired|obsolete|merged into|split into|moved)(?![\w/-]|\.\w)/i;

/** The sentences of a line, split into parts inside and outside back-ticks. */
function* piecesOf(line: string): Generator<Piece> {
  for (const sentence of sentencesOf(line)) {
    const past = saysPast.test(sentence.replace(/`[^`]*`/g, " ")) ? { past: true as const } : {};
    let at = 0;
    while (at < sentence.length) {
      const open = sentence.indexOf("`", at);
      const close = open < 0 ? -1 : sentence.indexOf("`", open + 1);
      if (close < 0) break;
      const isQuote = close - open - 1 <= longestQuote;
      if (open > at) yield { text: sentence.slice(at, open), quoted: false, ...past };
      const text = sentence.slice(open + 1, close);
      if (text !== "") yield { text, quoted: isQuote, ...past };
      at = close + 1;
    }
    if (at < sentence.length) yield { text: sentence.slice(at), quoted: false, ...past };
  }
}

/** A sentence ends at a full stop before a space, outside back-ticks. */
function sentencesOf(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let ticks = 0;
  for (let i = 0; i < line.length; i++) {
    const character = line[i];
    if (character === "`") ticks++;
    const stops = character === "." || character === "!" || character === "?" || character === ";";
    if (!stops || ticks % 2 === 1 || line[i + 1] !== " ") continue;
    sentences.push(line.slice(start, i + 1));
    start = i + 1;
  }
  sentences.push(line.slice(start));
  return sentences;
}

function mentionsInQuote(quote: string): CodeMention[] {
  const text = quote.trim();
  const commands = commandsIn(text);
  if (commands.length > 0) return commands;
  if (!/\s/.test(text)) return oneOf(text, true);
  const called = /^([\p{L}_$][\p{L}\p{N}_$.:#]*)\([^()]*\)$/u.exec(text)?.[1];
  if (called !== undefined) return symbolOf(`${called}()`, text, true);
  return [...mentionsInProse(text)].map((mention) => ({ ...mention, sure: mention.sure && mention.kind !== "symbol" }));
}

function commandsIn(text: string): CodeMention[] {
  const parts = text
    .split(/\s*(?:&&|\|\||[;|])\s*/)
    .map((part) => ({ part, command: readCommand(part.split(/\s+/).filter(Boolean)) }));
  if (parts[0]?.command === undefined) return [];
  return parts.flatMap(({ part, command }) => (command ? [commandMention(command, part)] : []));
}

function commandMention(command: Command, written: string): CodeMention {
  return { kind: "command", written, name: command.name, sure: command.sure, command };
}

function* mentionsInProse(text: string): Generator<CodeMention> {
  const words = tokensOf(text);
  for (let i = 0; i < words.length; i++) {
    const begins = beginsCommand(words[i]!);
    if (!begins && /^\p{L}?\p{Ll}*$/u.test(words[i]!)) continue;
    const inProse = begins ? commandInProse(words, i) : undefined;
    if (inProse) {
      yield commandMention(inProse.command, words.slice(i, i + inProse.length).join(" "));
      i += inProse.length - 1;
      continue;
    }
    yield* oneOf(words[i]!, false);
  }
}

/** Words without surrounding punctuation; URLs and too long words are left out. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const [run] of text.matchAll(/[^\s,|<>"“”‘]+/g)) {
    if (run.length > longestToken || run.includes("://") || /^www\.|.@[^/]*\./.test(run)) continue;
    const token = bare(run);
    if (token !== "") tokens.push(token);
  }
  return tokens;
}

function bare(run: string): string {
  let token = run.replace(/^[*'([{]+/, "").replace(/[*'’!?;:.\]}]+$/, "");
  if (/^_.*_$/.test(token)) token = token.slice(1, -1);
  token = token.replace(/['’]s$/, "");
  // An unmatched closing parenthesis belongs to the sentence.
  while (token.endsWith(")") && !token.includes("(")) token = token.slice(0, -1);
  return token.replace(/[.,;:!?]+$/, "");
}

function oneOf(token: string, quoted: boolean): CodeMention[] {
  const path = pathOf(token, quoted);
  return path ? [path] : symbolOf(token, token, quoted);
}

/** File endings of programs: a bare `a.ts` is a file, a bare `response.json` may be anything. */
const programEnding =
  /\.(py|pyi|jsx?|mjs|cjs|tsx?|mts|cts|go|rs|java|kt|kts|scala|cc|cpp|cxx|hpp|cs|rb|php|swift|dart|lua|sh|bash|ps1|vue|svelte|exs?|erl|hs|zig|sol)$/i;
const knownFile =
  /^(Makefile|Dockerfile|Jenkinsfile|Gemfile|Rakefile|Procfile|Vagrantfile|Brewfile|Justfile|CODEOWNERS|\.[a-z][\w-]*(rc|ignore|attributes|config)?)$/;

function pathOf(token: string, quoted: boolean): CodeMention | undefined {
  const [, place, first, second] = /^(.*?)(?::(\d+)(?::\d+)?|#L(\d+).*)?$/.exec(token)!;
  const line = first ?? second;
  const slashed = fromWindows(place!);
  if (slashed === undefined || !/^[\p{L}\p{N}_@.+\-/()[\]:~$]+$/u.test(slashed)) return undefined;
  const name = slashed.replace(/^(\.\/)+/, "").replace(/^@\//, "");
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.length === 0 || !segments.every(isSegment) || isProduct(name)) return undefined;
  const sure = isSurePath(slashed, name, segments, quoted);
  if (sure === undefined) return undefined;
  return { kind: "path", written: token, name, sure, ...(line ? { line: Number(line) } : {}) };
}

function fromWindows(place: string): string | undefined {
  if (!place.includes("\\")) return place;
  // `\d+\w` is a regular expression, `src\app\main.ts` a path.
  return /^([A-Za-z]:\\|\.{1,2}\\|[\w.@-]{2,}\\)/.test(place) ? place.replace(/\\+/g, "/") : undefined;
}

function isSegment(segment: string): boolean {
  return (
    segment === ".." ||
    (/\p{L}/u.test(segment) && !segment.includes("...") && (!segment.includes(":") || /^[A-Za-z]:$/.test(segment)))
  );
}

/** Undefined when it is not a path at all. */
function isSurePath(written: string, name: string, segments: string[], quoted: boolean): boolean | undefined {
  const inFolder = segments.length > 1;
  const isRelative = /^\.\.?\//.test(written);
  // Packages, aliases, home folders and variables: not from the root of this workspace.
  const elsewhere = /^[@~$]/.test(written) || written.includes("(");
  if (fileEnding.test(name)) return (inFolder || programEnding.test(name)) && !elsewhere;
  if (written.startsWith("/") || written.includes(":")) return undefined;
  if (name.endsWith("/")) {
    if (segments.some((segment) => segment.length < 2 && !isRelative)) return undefined;
    return (quoted || isRelative) && !elsewhere;
  }
  if (isRelative) return quoted && !elsewhere;
  if (!inFolder) return knownFile.test(name) && (quoted || !name.startsWith(".")) ? false : undefined;
  return quoted || segments.length > 2 ? false : undefined;
}

const separators = /::|->|#/g;
const identifiers = /^[\p{L}_$][\p{L}\p{N}_$]*(\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u;
const domains = /\.(com|org|net|io|dev|ai|app|co|uk|de|fr|eu|edu|gov|cloud|sh|me|info|xyz)$/i;
const longestName = 120;

function symbolOf(token: string, written: string, quoted: boolean): CodeMention[] {
  // In prose only empty parentheses make a call: "feat(deps)" is none.
  const called = quoted ? /\([^()]*\)$/.test(token) : token.endsWith("()");
  const name = token
    .replace(/\([^()]*\)$/, "")
    .replace(/<[^<>]*>$/, "")
    .replace(/^[@#&*]+/, "")
    .replace(separators, ".");
  if (name.length < 2 || name.length > longestName || !identifiers.test(name) || isProduct(name)) return [];
  if (!quoted && !called && !looksLikeIdentifier(name)) return [];
  const sure = isSureSymbol(name, called, quoted);
  return sure === undefined ? [] : [{ kind: "symbol", written, name, sure }];
}

/** Undefined when it is not a symbol at all. */
function isSureSymbol(name: string, called: boolean, quoted: boolean): boolean | undefined {
  const parts = name.split(".");
  if (parts.length > 1) {
    if (domains.test(name) && !called) return undefined;
    if (parts.some((part) => part.length < 2)) return quoted ? false : undefined;
    return called || parts.some((part) => isCompound(part, quoted));
  }
  // Acronyms with an English ending (APIs, SSHed), locales (en_US).
  if (/^\p{Lu}{2,}(s|ed|ing|ers?)$/u.test(name) || /^[a-z]{2}_[A-Z]{2}$/.test(name)) return undefined;
  // An environment variable need not be in any file.
  if (/^[\p{Lu}\p{N}_$]+$/u.test(name)) return quoted || name.includes("_") ? false : undefined;
  return (called && name.length > 2) || isCompound(name, quoted);
}

/** Compound of several words unlike English; with an initial capital it may be a brand, unless it is in back-ticks. */
function isCompound(part: string, quoted: boolean): boolean {
  if (/\p{L}\p{N}*_+\p{L}/u.test(part)) return !/^[\p{Lu}\p{N}_$]+$/u.test(part);
  if (/^[_$]*\p{Ll}{2}[\p{Ll}\p{N}]*\p{Lu}/u.test(part)) return true;
  return quoted && /^\p{Lu}[\p{L}\p{N}]*\p{Ll}[\p{L}\p{N}]*\p{Lu}/u.test(part);
}

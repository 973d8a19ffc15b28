import type { Role } from "../../item.ts";
import { analyse, looksLikeIdentifier } from "./analyse.ts";
import { hintedNames, hintedTerms, meantByHints } from "./hints.ts";
import { asksForHistory } from "./history-words.ts";
import { literalsOf, type QueryLiteral } from "./literals.ts";
import { type PastedMessage, pastedMessages } from "./pasted-messages.ts";
import { readZones, type Zone } from "./query-parts.ts";
import { findPaths, type QueryPath } from "./query-paths.ts";
import {
  askingFactor,
  asksForBehaviour,
  asksForDocuments,
  asksForTests,
  asksForUsage,
  isGeneric,
  rolesAskedFor,
} from "./question-words.ts";
import { type StackTrace, stackTrace } from "./stack-frames.ts";
import { type Alternative, alternativesOf } from "./synonyms.ts";

/** An analysed query: read by sources (to find) and by score (to rank). */
export type Query = {
  text: string;
  shape: QueryShape;
  /** Analysed terms with weights by zone, strongest first. */
  terms: QueryTerm[];
  /** Other names that the code may use for it, as guessed by the asker. */
  hints: string;
  /**
   * The terms of the hints, and synonyms for the terms of a short question; a long report says things in several ways
   * itself.
   */
  also: Alternative[];
  /** Names as written, case kept: `Outer.inner`, `process_payment`. */
  names: QueryName[];
  /** For a short query, the names that it is about: written as names, or all that it contains ("what does run do?"). */
  asked: string[];
  /** Names that one or two hints stand for. */
  meant: string[];
  /** True when the query contains only these names and question words. */
  onlyNames: boolean;
  /** Paths as written: `src/a.ts`, `a.ts:12`. */
  paths: QueryPath[];
  /** True when the query contains only these paths and question words. */
  onlyPaths: boolean;
  /** Terms of the first line alone, where the query has more than one line. */
  title: QueryTerm[];
  /** Terms of back-ticked or quoted names alone. */
  quoted: QueryTerm[];
  /** For a short query, texts that may occur verbatim in a file: settings, flags, quoted strings. */
  literals: QueryLiteral[];
  /** Lines that a program may have printed: the code that prints them is wanted. */
  messages: PastedMessage[];
  /** The stack trace in it, if there is one: the units that it runs through are wanted. */
  trace?: StackTrace;
  /** True when tests are asked for, and not only mentioned. */
  wantsTests: boolean;
  /**
   * True when documentation may answer as well as code: it is asked for, or the question is what something is, means or
   * permits.
   */
  wantsDocs: boolean;
  /** True when the question is how things came to be: who changed what, when and why. */
  wantsHistory: boolean;
  /** True when somebody wants to use or set up something. */
  wantsUsage: boolean;
  /** True when the question is what the project does and how. */
  wantsBehaviour: boolean;
  /** Roles it asks for besides the product's own code and documentation. */
  wantsRoles: Role[];
};

export type QueryShape = "identifier" | "path" | "stack-trace" | "question" | "issue";
export type QueryTerm = { term: string; weight: number };
/** `weight` is 1 for what is surely a name (back-ticked, snake_case, camelCase), less for a plain word. */
export type QueryName = {
  name: string;
  weight: number;
  /** With the mark that follows it, which in Ruby, Elixir and Rust is part of some names: `save!`, `valid?`. */
  marked?: string;
};

/** How much a word counts by where it stands: measured on issues (+5 points of Acc@1 over flat text). */
const zoneWeight: Record<Zone["kind"], number> = {
  title: 3,
  prose: 1,
  quoted: 1,
  code: 0.5,
  traceback: 0.3,
  url: 0.3,
  circumstance: 0.1,
};

/** Repetition saturates: a word said ten times does not outweigh ten words said once. */
const saturation = 3;

const plainNameWeight = 0.35;
const longQuestionWords = 40;

let last: Query | undefined;

/** Cached, since several parts of the program analyse the same question in turn. */
export function analyseQuery(text: string, hints = ""): Query {
  if (last?.text !== text || last.hints !== hints) last = analyseAnew(text, hints);
  return last;
}

function analyseAnew(text: string, hints: string): Query {
  const zones = readZones(text);
  const only = (kind: Zone["kind"]) => zones.filter((zone) => zone.kind === kind);
  const paths = findPaths(zones, text);
  const names = findNames(zones);
  const trace = stackTrace(text);
  const shape = trace?.alone ? "stack-trace" : shapeOf(text, zones, paths);
  const wantsBehaviour = shape === "question" && asksForBehaviour(text);
  const messages = shape === "identifier" || shape === "path" ? [] : pastedMessages(text);
  const terms = withLightError(weigh(zones), messages);
  const asked = askedNames(text, shape, names);
  const opening = zones[0]?.text ?? "";
  const ownTerms = terms.map(({ term }) => term);
  return {
    text,
    hints,
    shape,
    terms,
    also: [...(shape === "question" ? alternativesOf(ownTerms, text) : []), ...hintedTerms(hints, ownTerms)],
    names: hints === "" ? names : [...names, ...hintedNames(hints, names)],
    asked,
    meant: meantByHints(hints),
    onlyNames: asked.length > 0 && isOnly(terms, asked),
    paths,
    onlyPaths:
      (shape === "path" || shape === "question") &&
      paths.length > 0 &&
      isOnly(
        terms,
        paths.map(({ path }) => path),
      ),
    title: zones.some((zone) => zone.kind !== "title" && zone.kind !== "quoted") ? weigh(only("title")) : [],
    quoted: weigh(only("quoted")),
    wantsUsage: shape === "question" && asksForUsage(text),
    wantsBehaviour,
    wantsRoles: rolesAskedFor(shape === "question" ? text : opening),
    messages,
    literals:
      shape === "identifier" || shape === "question"
        ? literalsOf(
            zones,
            paths.map(({ path }) => path),
            terms.length,
          )
        : [],
    ...(trace && { trace }),
    wantsHistory: asksForHistory(opening),
    wantsDocs: asksForDocuments(opening),
    wantsTests: asksForTests(opening, terms.length),
  };
}

/** True when the question is what happened last. */
export function asksForNewest({ text }: Query): boolean {
  return /\b(?:recent|recently|lately|latest|newest|last|new)\b/i.test(text);
}

/** A question about how things came to be. A report that something was changed is none: it wants the code. */
export function isHistoryQuestion({ wantsHistory, shape }: Query): boolean {
  return wantsHistory && shape === "question";
}

function shapeOf(text: string, zones: Zone[], paths: QueryPath[]): QueryShape {
  const trimmed = text.trim();
  if (zones.some((zone) => zone.kind === "traceback")) return "stack-trace";
  if (!/\s/.test(trimmed)) return paths.length > 0 ? "path" : "identifier";
  const words = trimmed.split(/\s+/).length;
  return words > longQuestionWords || /\n\s*\n|```/.test(trimmed) ? "issue" : "question";
}

function weigh(zones: Zone[]): QueryTerm[] {
  const sums = new Map<string, number>();
  const add = (dropStopWords: boolean) => {
    for (const zone of zones) {
      for (const term of analyse(zone.text, { dropStopWords })) {
        sums.set(term, (sums.get(term) ?? 0) + zoneWeight[zone.kind]);
      }
    }
  };
  add(true);
  // "to be or not to be" is a query too: stop words are all it has.
  if (sums.size === 0) add(false);
  return [...sums]
    .map(([term, sum]) => ({ term, weight: sum / (sum + saturation) }))
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
}

/** Weight of the name of an error's class beside the words of the message. */
const errorFactor = 0.3;

/**
 * In `ReadTimeout: no answer from x`, the words of the class count less: classes and tests of that name contain them
 * more often than the code that prints the message.
 */
function withLightError(terms: QueryTerm[], messages: readonly PastedMessage[]): QueryTerm[] {
  const [message] = messages;
  if (!message?.alone || message.error === undefined) return terms;
  const said = new Set(analyse(message.text));
  const named = new Set(analyse(message.error).filter((term) => !said.has(term)));
  return terms
    .map(({ term, weight }) => ({ term, weight: named.has(term) ? weight * errorFactor : weight }))
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
}

/**
 * The query with question words weighted lower, for sources about what a project does and not about what somebody said.
 */
export function withLightAsking(query: Query): Query {
  if (!query.wantsBehaviour) return query;
  const { terms } = query;
  return {
    ...query,
    terms: terms.map(({ term, weight }) => ({ term, weight: weight * askingFactor(term, terms.length) })),
  };
}

/** If a question contains more names than this, it is about none of them. */
const mostAsked = 8;
const aboutOne =
  /^\s*(?:(?:what|where|how|who|when|which|show|explain|describe|find|define|definition|usages?|uses?|callers?|tests?|is|are|does|do|did|the|a|an|me|of|to|for|calls?|used|defined|implemented|declared|called|work|works|mean|code|source|function|method|class|field|constant|variable|symbol|in|from|here)\s+)*[`"']?([\p{L}_$][\p{L}\p{N}_$.:#]*)[!?]?(?:\(\))?[`"']?(?:\s+(?:do|does|work|works|for|mean|defined|implemented|declared|called|used|function|method|class|field|constant|variable|from|here))*\s*[?.!]?\s*$/iu;

function askedNames(text: string, shape: QueryShape, names: QueryName[]): string[] {
  if (shape !== "identifier" && shape !== "question") return [];
  const sure = names.filter(({ weight }) => weight >= 1).map(({ name }) => name);
  const [, subject] = aboutOne.exec(text.slice(0, longestAbout)) ?? [];
  const one = subject !== undefined && isConcept(text, subject) ? undefined : subject;
  const all = [...new Set([...(one ? [one.replace(/::|#/g, ".").replace(/\.$/, "")] : []), ...sure])];
  return all.length > mostAsked ? [] : all;
}

/** "what is a blueprint", "what are collections": a concept, not the name of something in the code. */
function isConcept(text: string, subject: string): boolean {
  return /^\s*what(?:(?:'s| is) an?| are)\s/i.test(text) && /^\p{Ll}+$/u.test(subject);
}

function isOnly(terms: readonly QueryTerm[], asked: readonly string[]): boolean {
  const nameTerms = new Set(asked.flatMap((name) => analyse(name)));
  return terms.every(({ term }) => nameTerms.has(term) || isGeneric(term));
}

/** Words besides the names, that something else can be chosen by. */
const leastWords = 2;

/**
 * Whether a query has words that say what about these names is asked: "when does HttpConnection drop the body of a
 * redirect".
 */
export function saysMoreThan({ terms }: Pick<Query, "terms">, names: readonly string[]): boolean {
  const ofNames = new Set(names.flatMap((name) => analyse(name)));
  return terms.filter(({ term }) => !ofNames.has(term) && !isGeneric(term)).length >= leastWords;
}

const longestAbout = 200;

/** The terms to search for, with their synonyms. */
export function searchedTerms({ terms, also }: Query): QueryTerm[] {
  if (also.length === 0) return terms;
  const weights = new Map(terms.map(({ term, weight }) => [term, weight]));
  const heaviest = heaviestOf(terms);
  const weightOf = (of: string | undefined) => (of === undefined ? heaviest : weights.get(of)!);
  return [...terms, ...also.map(({ term, of, share }) => ({ term, weight: share * weightOf(of) }))];
}

/** The weight of the heaviest term, which the weight of a hint is a share of. */
export function heaviestOf(terms: readonly QueryTerm[]): number {
  return terms.reduce((most, { weight }) => Math.max(most, weight), 0) || 1;
}

const word = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?/gu;

/** `composer.lock`, `Gemfile.lock`: files of package managers, and no member called `lock`. */
const lockFile =
  /^(?:bun|buf|cargo|chart|composer|deno|flake|gemfile|mix|pdm|pipfile|pixi|podfile|poetry|pubspec|rebar|uv|yarn)\.lock$/i;

function findNames(zones: Zone[]): QueryName[] {
  const weights = new Map<string, number>();
  const marks = new Map<string, string>();
  const add = (name: string, weight: number, mark = "") => {
    const bare = name.replace(/\(\)$/, "").replace(/::|#/g, ".");
    if (bare.length <= 1 || bare.length > 120) return;
    weights.set(bare, Math.max(weights.get(bare) ?? 0, weight));
    if (mark) marks.set(bare, mark);
  };
  const prose = zones.filter((zone) => zone.kind === "title" || zone.kind === "prose");
  const short = prose.reduce((sum, zone) => sum + zone.text.length, 0) < 200;
  for (const zone of zones) {
    if (zone.kind === "url" || zone.kind === "circumstance") continue;
    for (const { 0: token, index } of zone.text.matchAll(word)) {
      if (lockFile.test(token)) continue;
      const mark = markAfter(zone, index + token.length);
      if (zone.kind === "quoted" || looksLikeIdentifier(token)) {
        add(token, zone.kind === "code" || zone.kind === "traceback" ? 0.6 : 1, mark);
      } else if (short && token.length > 2 && analyse(token).length > 0) {
        // A capital inside a sentence is more likely a class than a common noun.
        const isCapital = /^\p{Lu}/u.test(token) && zone.text.trimStart().indexOf(token) > 0;
        add(token, isCapital ? 0.6 : plainNameWeight, mark);
      }
    }
  }
  return [...weights]
    .map(([name, weight]) => ({ name, weight, ...(marks.has(name) && { marked: name + marks.get(name) }) }))
    .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1))
    .slice(0, 40);
}

/** The `!` or `?` that a name may end with. At the end of a sentence it ends the sentence. */
function markAfter({ text }: Zone, end: number): string {
  const mark = text[end];
  if (mark !== "!" && mark !== "?") return "";
  const isSentence = mark === "?" && /\s/.test(text.trim()) && text.slice(end + 1).trim() === "";
  return isSentence ? "" : mark;
}

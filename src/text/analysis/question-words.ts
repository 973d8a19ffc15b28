import type { Role } from "../../item.ts";
import { stem } from "./stem.ts";
import { isTaskWord } from "./task-words.ts";

/**
 * 1 for a question of up to six terms, 0 from ten on. In a short one every term counts, so what it says in other words
 * than the code must be looked for; with seventeen terms the others tell enough, and any long function has most of
 * them.
 */
export function brevityOf(terms: number): number {
  return Math.min(1, Math.max(0, (10 - terms) / 4));
}

/** Words that are part of asking, not of the subject. */
const generic = `
purpose relationship mechanism implement implementation handle handling work working role responsible responsibility happen difference
significance reason interact interaction affect ensure specific design architecture architectural approach impact decision behavior behaviour
logic codebase framework code explain describe show tell way thing exactly actually during regarding involve involved provide
enable allow support achieve underlying overall between within across does using used use define definition defined declare declared call called
`;

let stems: Set<string> | undefined;

export function isGeneric(term: string): boolean {
  stems ??= new Set(generic.trim().split(/\s+/).map(stem));
  return stems.has(term);
}

/**
 * Weight factor of a term in a question about what the project does. Words for what happens, is given or taken say
 * little about it, but they are rare in code and would count most. Measured on 226 long questions: files and lines 72.8
 * instead of 72.2, the right file first in 73.0 % instead of 71.7 (at .3: 72.1). On 241 short ones a function that does
 * it is first in 39.4 % instead of 36.9. Words of any subject count fully in long questions: 71.9 otherwise.
 */
export function askingFactor(term: string, terms: number): number {
  if (isGeneric(term)) return askingWeight;
  return isTaskWord(term) ? 1 - (1 - askingWeight) * brevityOf(terms) : 1;
}

const askingWeight = 0.5;

/** Words by which a question asks for something besides the product's own code. */
const roleWords: Partial<Record<Role, RegExp>> = {
  example: /(?<!\bfor )\b(?:examples?|samples?|demos?|tutorials?|playgrounds?|snippets?|cookbook)\b/i,
  fixture: /\b(?:fixtures?|test[- ]?data|cassettes?)\b/i,
  benchmark: /\b(?:bench|benches|benchmark(?:s|ing|ed)?|performance tests?)\b/i,
  vendored: /\b(?:vendor(?:s|ed|ing)?|third[- ]party)\b/i,
  generated: /\b(?:(?:auto-?|machine[- ])?generated|codegen|code generation)\b/i,
  "build-output": /\b(?:dist|build output|bundles?|bundled|compiled|transpiled)\b/i,
  declaration:
    /\.d\.[cm]?ts\b|\.pyi\b|\b(?:d\.ts|types|typings?|type (?:declarations?|definitions?|stubs?|hints?)|declarations?|stubs?|typescript)\b/i,
  "old-version":
    /\b(?:(?:old|older|earlier|previous|legacy|past) (?:versions?|docs|documentation|releases?)|all versions)\b/i,
  translation:
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Greek}\p{Script=Thai}\p{Script=Devanagari}]|\b(?:translat(?:e|ed|es|ions?)|locali[sz]ations?|i18n|chinese|japanese|korean|german|french|spanish|portuguese|italian|russian|ukrainian|turkish|polish|dutch|vietnamese|indonesian|arabic|persian|hindi)\b/iu,
  project:
    /\b(?:licen[cs]\w*|copyright|warranty|contribut\w*|code of conduct|governance|codeowners|maintainers?|authors?|sponsors?|funding|security polic\w*|vulnerabilit\w*|report\w* (?:an? )?(?:bugs?|issues?)|(?:issue|pull request) templates?|pull requests?|ci|continuous integration|github|gitlab|travis|circleci|appveyor|azure|workflows?|release (?:process|checklist|procedure)|(?:make|cut|publish|tag) (?:an? |the )?(?:new )?(?:release|version)|lint\w*|code style|pre-?commit|dependabot|editorconfig|devcontainer|vs ?code|table of contents|mkdocs|read ?the ?docs|site navigation|docs? site)\b|\.(?:git|npm|docker|prettier|eslint)\w*/i,
  changelog:
    /\b(?:change ?logs?|release notes?|releases?|released|what'?s new|histor(?:y|ical)|changed|changes|deprecat\w*|upgrad\w*|migrat\w*|breaking|backwards?[- ]\w+|since (?:which|what|version))\b/i,
};

export function rolesAskedFor(text: string): Role[] {
  return (Object.keys(roleWords) as Role[]).filter((role) => roleWords[role]!.test(text));
}

const testWords = /\b(?:tests?|testing|tested|specs?|coverage|fixtures?)\b/i;
/** `--fail-hook-affected-tests`: a word in the name of a setting asks for nothing. */
const setting = /(?<![\w-])(?:--[a-z][\w-]{1,80}|[\p{L}\p{N}]{1,40}(?:[-_][\p{L}\p{N}]{1,40}){2,12})(?![\w-])/giu;
/** "cookie jar tests": in so few words, a word for tests is what is asked for. */
const fewWords = 6;
/** "how does the test client run the app": a question about a thing with "test" in its name. */
const aboutTestedThing =
  /\b(?:how|why|when|where|what|which)\b[^.?!]*\b(?:test|spec|fixture) (?!(?:for|of|cover\w*|exercis\w*|case|suite|data)\b)\p{L}+/iu;
const testRequests = [
  // "which tests …", "show me the unit tests …", "are there fixtures …"
  /\b(?:which|what|show(?: me)?|list|find|see|any|existing|write|add|are there)(?: (?:all|the|a|an|new|more|any))?(?: (?:unit|integration|regression|end-to-end|e2e))? (?:tests?|specs?|fixtures?)\b(?! (?:function|method|class|case|file|module|helper|client|server|runner|suite)\b)/i,
  /\b(?:tests?|specs?|test cases?) (?:for|of|cover\w*|exercis\w*)\b/i,
  /\b(?:is|are|was|were|gets?) (?:[\w-]+ ){0,12}?(?:tested|covered by tests?)\b/i,
  /\btest coverage\b/i,
  /\bhow (?:do|can|should|would) (?:i|we|you|one) (?:[\w-]+ )?test\b/i,
];

/**
 * True when tests are asked for. A long question that only describes a test ("the test function that verifies …") wants
 * the code that is tested: of 226 questions 54 mention tests, and with the tests first their files and lines were 56.6
 * %, with the code first 60.2 %.
 */
export function asksForTests(whole: string, words: number): boolean {
  const text = whole.replace(setting, " ");
  if (!testWords.test(text)) return false;
  return testRequests.some((request) => request.test(text)) || (words <= fewWords && !aboutTestedThing.test(text));
}

/** "how does it …", "where is …", "in which order are …", "what happens when …". */
const behaviour =
  /\b(?:how|where|when|why|which|what|who)\b[^.?!]{0,80}?\b(?:(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should|must|may|might)(?:n['’]t)?|gets?|happens?|goes|comes|takes?|makes?|decides?|determines?|chooses?|controls?|calls?|runs?)\b|\b(?:explain|describe|understand|walk (?:me|us) through)\b/i;
/**
 * "does it …", "are requests … again". A message ("must be a string") has no subject there; "can I …" asks how to use
 * it.
 */
const yesOrNo =
  /^\s*(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should|must|may|might)(?:n['’]t)? (?!(?:i|we|you|one|users?|someone|people|there|be|been|have|not|no|only|never)\b)\p{L}/iu;
/** "what if …", "what becomes of …", "what stops a …": before an article it is a verb, not a plural. */
const agent =
  /\bwhat (?:if|becomes of|\p{L}+s (?:an?|the|its?|this|that|these|those|all|any|each|every|one|two|my|our|your|their|them|me|us))\b/iu;
/**
 * "moving a file from one disk to another", "closing connections that …": an action in the form of a title. A user's
 * action is described in documentation.
 */
const gerund =
  /^\s*(?!(?:string|spring|\p{L}*thing|during|missing|warning|according|regarding|using|adding|creating|writing|getting|making|building|customi[sz]ing|extending|running|testing|debugging)\b)\p{L}{2,}ing (?:(?:an?|the|its?|all|any|each|every) )?\p{L}+ \p{L}+ \p{L}+/iu;
/** Words that only ask, in other languages. */
const foreignBehaviour =
  /(?<!\p{L})(?:cómo|por qué|dónde|cuándo|wie|warum|wieso|wann|pourquoi|comment (?:est|sont|le|la|les|un|une|fonctionne)|où|perché|dove|hoe|waarom|waar|wanneer|porquê|onde|как|почему|где|когда)(?!\p{L})|^como\s|如何|怎么|怎样|为什么|哪里|どうやって|なぜ|どこ|어떻게|왜/iu;
/** "how to read a file", "how do I …": a function is looked for by what it is good for. */
const purpose = /\bhow (?:to|(?:do|can|should|would|could|must) (?:i|we|you|one|users?|someone|people))\b/i;

/**
 * True when the question is what the project does and how. The code that does it should lead then, not what declares,
 * stores or describes it. Questions without "how" or "where" count too. Measured: 241 questions have it among the first
 * three in 54.4 % instead of 53.1, 80 others in 50.0 instead of 48.8. Of 30 such questions to other repositories 9 have
 * a better lead, 4 a worse one.
 */
export function asksForBehaviour(text: string): boolean {
  const isTitle = gerund.test(text) && !asksForUsage(text);
  const isAsked = (isTitle || [behaviour, yesOrNo, agent].some((form) => form.test(text))) && !purpose.test(text);
  return isAsked || foreignBehaviour.test(text);
}

/**
 * "how to …", "can I …", "where do users …": a user's question. "We" and "you" may be the authors, so the verb must
 * decide.
 */
const usageByOthers =
  /\bhow to (?!test\b)\p{L}|\b(?:do|can|could|should|would|must|may) (?:i|users?|someone|people|(?<=\bhow \w+ )one) (?!(?:find|locate|look|see|get back|test)\b)\p{L}/iu;
const usage =
  /\bhow (?:do|can|should|would|could|must) (?:we|you) (?:\w+ ){0,2}?(?:use|configure|install|set(?: ?up)?|enable|disable|run|start|deploy|upgrade|customi[sz]e|get started)\b|^\s*(?:install|set ?up|configur(?:e|ing)|deploy(?:ing)?|upgrad(?:e|ing)|migrat(?:e|ing))\b|\b(?:usage|getting started|get started|quick ?start|installation|installing|installed|setting up)\b/i;
/** "is HTTP/2 supported", "is there a way to …". */
const ability =
  /^\s*(?:is|are|does|do)\b[^.?!]*\b(?:support(?:ed|s)?|possible)\b|\bis there (?:a|an|any) (?:way|option|setting|support|example|flag|command|plugin)\b/i;

/** True when somebody wants to use or set up something, for which documentation is written. */
export function asksForUsage(text: string): boolean {
  return usage.test(text) || usageByOthers.test(text) || ability.test(text);
}

const howToTest = /\bhow (?:to|(?:do|can|should|would|could|must) (?:i|we|you|one|users?)) (?:[\w-]+ )?test\b/i;

/**
 * True when somebody wants to write a test: the project's documentation of testing explains it, its own tests show it.
 */
export function asksHowToTest(text: string): boolean {
  return howToTest.test(text);
}

const documented = [
  /\b(?:docs?|documentation|docstrings?|readme|changelog|tutorial|guide|manual)\b/i,
  // "which option sets …", "what does the setting x do"
  /\b(?:which|what) (?:[\w-]+ ){0,2}?(?:options?|settings?|flags?|parameters?|environment variables?)\b/i,
  /\b(?:options?|settings?|flags?|parameters?) (?:do|mean)\s*\??\s*$/i,
  // "what are safe modes", "what is the difference between …"
  /^\s*what(?:'s| is| are) (?:(?:an?|the) )?(?:[\w.@/`-]+ ?){1,3}\??\s*$/i,
  /^\s*what(?:'s| is| are) the differences? between\b/i,
  /\bexamples? (?:of|for|how)\b/i,
  // "can a file be watched", "are keys case sensitive"
  /^\s*(?:can|could|may|must) [^.?!]*\bbe \p{L}|^\s*(?:is|are) (?!there\b)(?:\S+ ){1,4}\S+\s*$/iu,
  howToTest,
];

/**
 * True when documentation may answer as well as code: it is asked for by name, or for what something is, means or
 * permits.
 */
export function asksForDocuments(text: string): boolean {
  return documented.some((each) => each.test(text));
}

import type { Role } from "../../item.ts";
import { stem } from "./stem.ts";

/** Words that people ask with rather than for. (Counting them less in the ranking gained nothing: 133 questions.) */
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
  changelog:
    /\b(?:change ?logs?|release notes?|releases?|released|what'?s new|histor(?:y|ical)|changed|changes|deprecat\w*|upgrad\w*|migrat\w*|breaking|backwards?[- ]\w+|since (?:which|what|version))\b/i,
};

export function rolesAskedFor(text: string): Role[] {
  return (Object.keys(roleWords) as Role[]).filter((role) => roleWords[role]!.test(text));
}

const usage =
  /\bhow (?:(?:do|can|should|would|could|must) (?:i|we|you|one|users?)|to) (?:\w+ ){0,2}?(?:use|configure|install|set(?: ?up)?|enable|disable|run|start|deploy|upgrade|customi[sz]e|get started)\b|\b(?:usage|getting started|get started|quick ?start|installation|installing|installed|setting up)\b/i;

/** True when somebody wants to use or set up something, which is what documentation is written for. */
export function asksForUsage(text: string): boolean {
  return usage.test(text);
}

import { splitMessage } from "../../sources/commits/commit-items.ts";
import { analyse } from "../../text/analysis/analyse.ts";

/** Turns a commit message into a question, without what only commits have. */

/** Longer messages are release notes or pasted logs: their beginning says what was done. */
const longestQuestion = 1500;
/** A message with fewer words names no subject: "fix build", "review". */
const fewestTerms = 3;

const bots = /\[bot\]|\b(?:dependabot|renovate|greenkeeper|snyk|github-actions|pre-commit-ci|semantic-release)\b/i;

/** Work that has no place in the code, by the type that many projects begin a subject with. */
const otherWork =
  /^(?:docs?|documentation|tests?|ci|build|chore|style|release|deps|dev|revert|bench|benchmarks?|typo|lint|examples?|website|changelog|readme|history|travis|license|meta|github)\b[^:]{0,40}:/i;
const otherSubject = new RegExp(
  [
    String.raw`^merge\b`,
    String.raw`^revert\b`,
    String.raw`^(?:re)?release\b`,
    String.raw`^(?:prepare|start|begin|cut|tag)\s+(?:for\s+)?(?:version|release|development|v?\d)`,
    String.raw`^(?:version\s+)?v?\d+(?:\.\d+)+\b`,
    String.raw`^(?:bump|upgrade|downgrade|pin|unpin|update|upd)\b.{0,60}(?:\bversions?\b|\bdependenc|\brequirements?\b|\bdeps?\b|\blibrary\b|\bpackages?\b|\bsubmodules?\b|\bactions?\b|\block ?file\b|@|\d+\.\d)`,
    "^(?:bump|upgrade)\\s+`?[\\w@/.-]+`?\\s*$",
    String.raw`^(?:fix(?:ed|es)?\s+)?(?:a\s+|some\s+|more\s+|another\s+)?(?:typos?|spelling|whitespace|indentation|formatting|grammar|lint(?:er|ing)?|style|pep-?8|flake8|gofmt|ci|build|tests?|docs?)\b`,
    String.raw`^(?:wip|tmp|temp|squash|fixup|cleanup|clean up|whitespace|formatting|initial commit|address(?:ed)? (?:review|comments?|feedback))\b`,
    String.raw`\b(?:tests?|specs?)\W*$`,
    String.raw`^(?:remove|delete|drop|rm)(?:e?d|s)?\s+(?:an?\s+|some\s+|the\s+|more\s+)?(?:unused|unneeded|unnecessary|dead|redundant|useless|extra|trailing|superfluous)\b`,
    String.raw`\b(?:change ?log|readme|copyright|licen[cs]e|history\.md|travis|circleci|appveyor|pre-commit|codecov|github actions?)\b`,
    String.raw`^(?:add|update|improve|remove|fix|more|refactor|extend)(?:e?d|s)?\s+(?:\w+\s+){0,3}(?:tests?|specs?|docs?|documentation|docstrings?|comments?|examples?)\b`,
  ].join("|"),
  "i",
);

/** The type of a subject that is about code, and what part of it. */
const workType = /^(?:feat|fix|refactor|perf|feature|bugfix|hotfix)(?:\(([^)]{1,60})\))?!?:\s*/i;

/** Changes for linters and formatters answer nobody's question. */
const tools =
  /\b(?:flake8|mypy|pyright|pylint|pyupgrade|ruff|isort|eslint|jshint|jslint|tslint|prettier|standardjs|golangci|golint|go vet|clippy|rustfmt|rubocop|checkstyle|codespell|tox|zizmor)\b/i;

/** Lines that git and its services add to what a person wrote, and lines that are only an address. */
const trailer =
  /^(?:(?:[A-Z][\w-]{0,40}-by|Cc|Change-Id|See-also|Refs?|Closes|Fixes|Fixed|Resolves|PR-URL|Issue|Bug|git-svn-id|cherry picked from)\b {0,4}[:#(]|(?:(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see):? )?https?:\/\/\S+$)/i;

/** The question in a message; undefined where the code could not answer it. */
export function questionOf(message: string, author: string): string | undefined {
  if (bots.test(author)) return undefined;
  const { subject, body } = splitMessage(message.slice(0, longestQuestion * 4));
  if (otherWork.test(subject)) return undefined;
  const title = withoutNumbers(subject.replace(workType, scoped));
  if (otherWork.test(title) || otherSubject.test(title) || tools.test(title)) return undefined;
  const rest = /^\s*(?:\* |- )?(?:squashed|co-authored)/i.test(body) ? "" : withoutNumbers(withoutTrailers(body));
  const question = `${title}\n\n${rest}`
    .slice(0, longestQuestion)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return new Set(analyse(title)).size < fewestTerms ? undefined : question;
}

/** The scope stays: people use it in questions too. */
function scoped(_: string, scope?: string): string {
  return scope === undefined ? "" : `${scope}: `;
}

/** Each line is matched by itself, trimmed: no pattern sees a long run of blanks. */
function withoutTrailers(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !trailer.test(line))
    .join("\n");
}

/** Numbers of issues and pull requests lead nowhere here. */
function withoutNumbers(text: string): string {
  return text
    .replace(
      / ?\(? ?(?:\b(?:closes|closed|fixes|fixed|resolves|refs?|see|gh|issue|ticket|pr)\b[ -]?)?#\d{1,9} ?\)?/gi,
      "",
    )
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** True when the question names the file: then finding it proves nothing. */
export function givesAway(question: string, paths: readonly string[]): boolean {
  const text = question.toLowerCase();
  return paths.some((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    return name.includes(".") && text.includes(name);
  });
}

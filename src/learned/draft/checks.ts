import { visible } from "../../text/invisible.ts";
import { oneLine } from "../../text/one-line.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { LoggedCommand } from "./session-events.ts";
import { failedByOutput, isTestRunner, programOf, simpleCommands } from "./test-runs.ts";

/** A run of tests, a build, a type check or a linter, and how it went. */
export type Check = {
  /** The command as a person would type it again. */
  label: string;
  /** The same for runs that differ only in how much they print. */
  key: string;
  purpose: Purpose;
  /** Unavailable: the command itself is not there, so nothing was checked. */
  outcome: "passed" | "failed" | "unavailable";
  output: string;
};

type Purpose = "tests" | "build" | "types" | "lint";

const purposes: readonly { purpose: Purpose; pattern: RegExp }[] = [
  {
    purpose: "types",
    pattern:
      /^(?:tsc|vue-tsc|mypy|pyright|pytype|flow|sorbet|srb|steep|phpstan|psalm)(?: |$)|^(?:npm|pnpm|yarn|bun|deno)(?: run)? [\w:.-]*(?:typecheck|type-check|types|tsc)(?: |$)|^cargo check(?: |$)/,
  },
  {
    purpose: "lint",
    pattern:
      /^(?:eslint|biome|oxlint|ruff|flake8|pylint|rubocop|golangci-lint|clippy|shellcheck|stylelint|ktlint|checkstyle|prettier|black)(?: |$)|^(?:npm|pnpm|yarn|bun|deno)(?: run)? [\w:.-]*lint(?:[:. ]|$)|^cargo clippy(?: |$)|^go vet(?: |$)|^(?:make|just|task|rake) [\w-]*lint(?: |$)/,
  },
  {
    purpose: "build",
    pattern:
      /^(?:npm|pnpm|yarn|bun|deno)(?: run)? [\w:.-]*(?:build|compile|bundle)(?:[:. ]|$)|^(?:cargo|go|dotnet|swift|zig|stack|cabal|bazel|mix|docker|hugo|next|vite|ng|nx|turbo)(?: compose)? (?:build|compile|install|publish)(?: |$)|^(?:make|ninja|webpack|rollup|esbuild|msbuild|javac|gcc|g\+\+|clang|xcodebuild)(?: |$)|^cmake --build(?: |$)|^(?:mvn|mvnw|gradle|gradlew|sbt|ant)(?: [^|]*)? :?(?:[\w-]+:)*(?:build|assemble|compile|package|install)(?: |$)/,
  },
];

function purposeOf(program: string): Purpose | undefined {
  if (isTestRunner(program)) return "tests";
  return purposes.find(({ pattern }) => pattern.test(program))?.purpose;
}

/** Flags that change how much is printed and in which form, but not what is checked. */
const silentFlags =
  /\s+(?:2>&1|&?>\s*\S+|-q{1,3}|-v{1,3}|-x|--(?:verbose|quiet|silent|bail|color|no-color|reporter|tb|pretty)(?:=\S+)?)(?=\s|$)/g;

/** The check that a command runs, if its outcome is known. */
export function checkOf({ command, status, output }: LoggedCommand): Check | undefined {
  const parts = simpleCommands(command);
  const checks = parts.filter((part) => purposeOf(programOf(part)) !== undefined);
  const last = checks.at(-1);
  if (last === undefined || checks.length > mostChecks) return undefined;
  const label = checks.map((part) => part.replace(/\s*(?:2>&1|&?>\s*\S+)(?=\s|$)/g, "")).join(" && ");
  if (label.length > longestLabel || redact(label).found > 0) return undefined;
  const outcome = outcomeOf(command, parts.indexOf(last), parts, status, output);
  if (outcome === undefined) return undefined;
  const folder = /(?:^|&&|;)\s*cd ([\w./-]+)\s*&&/.exec(command)?.[1];
  return {
    label: `"${label}"${folder === undefined || folder.startsWith("/") ? "" : ` in ${folder}`}`,
    key: `${folder ?? ""} ${label.replace(silentFlags, "")}`.trim(),
    purpose: purposeOf(programOf(last))!,
    outcome,
    output,
  };
}

const mostChecks = 3;
const longestLabel = 160;

/** The command or its script does not exist. */
const absent =
  /command not found|: not found$|missing script|no module named ['"]?(?:pytest|unittest|tox|nox|mypy|ruff|flake8|pylint|black)\b|could not determine executable|no rule to make target|unknown (?:sub)?command|no such (?:sub)?command|is not recognized as|command "[^"]*" not found|task '[^']*' not found/im;

const passing =
  /\b[1-9]\d* (?:passed|passing)\b|\b[1-9]\d* (?:examples?|tests?|assertions?|specs?), 0 (?:failures|failed)|^ok\s|test result: ok|no issues found|BUILD SUCCESS|All checks passed|\b0 errors\b|^OK\b|No fixes applied/m;

function outcomeOf(
  command: string,
  lastAt: number,
  parts: readonly string[],
  status: number,
  output: string,
): Check["outcome"] | undefined {
  if (status === 126 || status === 127) return "unavailable";
  // The exit status is that of the check if nothing but a change of folder comes with it.
  const isOwnStatus =
    lastAt === parts.length - 1 &&
    parts.every((part) => /^(?:cd|export|source|\.) /.test(part) || purposeOf(programOf(part)));
  const isMasked = !isOwnStatus || /\|\||\|/.test(command);
  if (status !== 0) {
    if (absent.test(output.slice(0, 2000))) return "unavailable";
    return !isMasked || failedByOutput(output) ? "failed" : undefined;
  }
  if (!isMasked) return "passed";
  const isFailing = failedByOutput(output) || compilerError.test(output);
  if (isFailing) return absent.test(output.slice(0, 2000)) ? "unavailable" : "failed";
  return passing.test(output) ? "passed" : undefined;
}

const compilerError = /^\S+[:(]\d+[,:)].{0,12}\berror\b|^error(?:\[\w+\])?: /m;

/** Lines that explain a failure, the most informative kind first. Colours and positions before them do not count. */
const telling: readonly RegExp[] = [
  /^(?:E +)?(?:[\w.]+(?:::\w+)*)?(?:Error|Exception|Panic)(?: \[\w+\])?: (?!Process completed|Command failed|Failed to compile)\S.+/,
  /\berror(?: [A-Z]{1,4}\d+|\[\w+\])?: (?!could not compile|aborting|build failed|Process completed|Command failed|Recipe)\S.+/,
  /^[\w./-]+_test\.go:\d+: .+/,
  /^(?:thread .+ )?panicked at .+|^panic: .+/,
  /^→ .+|^(?:Failure\/Error|failure): .+|^Failed asserting .+/,
  /command not found$|^npm (?:error|ERR!) Missing script.+|No module named .+/,
  /^(?:FAIL(?:ED)?|--- FAIL:?|not ok \d+ -|[×✗✕✘])\s*:?\s*\S.+/,
];

const noise =
  /^make(?:\[\d+\])?: \*\*\*|^npm (?:error|ERR!) (?:code|path|command|Lifecycle|A complete log)|exit(?:ed with)? (?:code|status)/;

/** The line of the output that states the failure; none if it holds a secret. */
export function reasonOf({ output }: Pick<Check, "output">): string | undefined {
  const lines = output
    .replace(/\u001b\[[\d;?]*[A-Za-z]/g, "")
    .split("\n")
    .map((line) => oneLine(visible(line.slice(0, longestLine))))
    .filter((line) => line !== "" && !noise.test(line));
  for (const pattern of telling) {
    const found = lines.map((line) => pattern.exec(line)?.[0]).find((line) => line !== undefined);
    if (found === undefined) continue;
    const line = found.replace(/^E +/, "").replace(/^→ /, "");
    if (redact(line).found > 0) return undefined;
    return line.length > longestReason ? `${line.slice(0, longestReason - 1)}…` : line;
  }
  return undefined;
}

const longestLine = 1000;
const longestReason = 160;

/** Whether a run of `one` also checks what `other` checks: the same, or a larger part of the project. */
export function covers(one: Check, other: Check): boolean {
  return one.purpose === other.purpose && (one.key === other.key || other.key.startsWith(`${one.key} `));
}

/**
 * Whether a command line ran tests, and whether they failed. Both texts are untrusted: they are truncated, inspected
 * and never run.
 */

const longestCommand = 4000;
/** Summaries stand at the end. */
const longestOutput = 20_000;

/** Test runners, as the beginning of a simple command. */
const runners: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun|deno)(?: run)? (?:t|tst|test|tests)(?:[:. ]|$)/,
  /^(?:npm|pnpm|yarn|bun) run [\w:.-]*test/,
  /^(?:vitest|jest|mocha|ava|tap|jasmine|karma|bats|phpunit|pest|rspec|minitest|nose2|pytest|py\.test|tox|nox|ctest|gotestsum)(?: |$)/,
  /^(?:playwright|cypress|ng|nx|lerna|turbo) (?:[\w-]+ )?(?:test|run|e2e)/,
  /^node (?:[^|]* )?--test(?: |$|-)/,
  /^python[\d.]* (?:[^|]* )?-m (?:pytest|unittest|nose2|tox)(?: |$)/,
  /^python[\d.]* (?:\S*\/)?(?:manage|setup|runtests)\.py(?: test| |$)/,
  /^(?:cargo|go|dotnet|swift|mix|dart|flutter|stack|cabal|bazel|bazelisk|lein|zig|ninja|make|just|task|rake|rails|artisan|xcodebuild)(?: [^|]*)? (?:test|tests|check|nextest|test[:_-][\w:-]+)(?: |$)/,
  /^(?:mvn|mvnw|gradle|gradlew|sbt|ant)(?: [^|]*)? :?(?:[\w-]+:)*(?:test|tests|check|verify|\w*Test)(?: |$)/,
];

/** Wrappers before a command that only run it. */
const wrappers =
  /^(?:(?:sudo|time|nice|exec|env|command|xvfb-run|npx|bunx|pnpx|dossier run|(?:npm|pnpm|yarn) (?:exec|dlx)|(?:uv|poetry|pipenv|rye|hatch|pdm) run|bundle exec|php|timeout \S+|\w+=\S*|--yes|-y|-w|--) )+/;

export function runsTests(command: string): boolean {
  return simpleCommands(command).some((simple) => isTestRunner(programOf(simple)));
}

/** Patterns for a simple command without its wrappers. */
export function isTestRunner(program: string): boolean {
  return runners.some((runner) => runner.test(program));
}

/** The simple commands of a command line, as far as they can be separated without a shell parser. */
export function simpleCommands(command: string): string[] {
  return command
    .slice(0, longestCommand)
    .split(/&&|\|\||[;|\n(){}]/)
    .map((part) => part.trim().replace(/\s+/g, " "))
    .filter((part) => part !== "");
}

/** A simple command without its wrappers and without the folder of its program. */
export function programOf(simple: string): string {
  return simple.replace(wrappers, "").replace(/^(?:\.{0,2}\/)?(?:[\w.-]+\/)*(?=[\w.-]+)/, "");
}

/** How a failed command ended: the first line of Claude Code's output. */
const exitLine = /^Exit code (\d+)/;
/** Not found, not executable, interrupted: no test has failed. */
const notTests = [126, 127, 130];

export function failedByStatus(error: string): boolean {
  const status = Number(exitLine.exec(error)?.[1] ?? 0);
  return status !== 0 && !notTests.includes(status);
}

/** Summaries of test runners that report a failure. */
const verdicts =
  /^(?:FAIL(?:ED)?\b|--- FAIL|not ok \d|# fail [1-9]|test result: FAILED|BUILD FAIL|\*\* TEST FAILED \*\*|Tests: +(?:\d+ \w+, )*[1-9]\d* failed|.{0,200}\b[1-9]\d* (?:failed|failing|failures?|errors?)\b)/m;

/** For commands that succeed whatever their tests did: `npm test | tail`. */
export function failedByOutput(output: string): boolean {
  // Colour codes would come between the number and the word.
  const plain = output.slice(-longestOutput).replace(/\u001b\[[\d;]*m/g, "");
  return plain.split("\n").some((line) => verdicts.test(line.trim()));
}

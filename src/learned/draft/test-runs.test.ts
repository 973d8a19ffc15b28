import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failedByOutput, failedByStatus, runsTests } from "./test-runs.ts";

describe("a command that runs tests", () => {
  it.each([
    "npm test",
    "npm t",
    "npm run test:unit -- --watch=false",
    "pnpm test 2>&1 | tail -20",
    "yarn test",
    "bun test src",
    "cd web && CI=1 npx vitest run src/a.test.ts",
    "npx --yes jest",
    "node --test tests/",
    "pytest -q",
    "python -m pytest tests",
    "python3.12 -W error -m unittest",
    "uv run pytest -x",
    "poetry run python manage.py test shop",
    "./venv/bin/pytest",
    "cargo test -p core",
    "cargo nextest run",
    "go test ./...",
    "make -C lib test",
    "./gradlew :app:test",
    "mvn -q verify",
    "dotnet test",
    "bundle exec rspec spec/a_spec.rb",
    "bin/rails test",
    "mix test",
    "timeout 60 ctest",
    "(cd x; npm test)",
    "dossier run -- npm test",
  ])("is %s", (command) => {
    expect(runsTests(command)).toBe(true);
  });

  it.each([
    "ls tests",
    "cat test.py",
    "git commit -m 'npm test passes'",
    "echo npm test",
    "grep -rn pytest .",
    "npm install jest",
    "npm run build",
    "python test.py.bak",
    "go build ./...",
    "make",
    "",
  ])("is not %s", (command) => {
    expect(runsTests(command)).toBe(false);
  });

  it("is looked for in any text, in time that grows with its length", () => {
    fc.assert(fc.property(fc.string({ maxLength: 500 }), (text) => typeof runsTests(text) === "boolean"));
    for (const part of ["npx ", "a=b ", "make ", "--test ", "x/", "&& ", "node a "]) {
      expect(runsTests(part.repeat(100_000))).toBe(false);
    }
  });
});

describe("a failure", () => {
  it("is told by the exit status, unless nothing was run", () => {
    expect(failedByStatus("Exit code 1\n2 failed")).toBe(true);
    expect(failedByStatus("Exit code 101")).toBe(true);
    expect(failedByStatus("Exit code 127\nnpm: not found")).toBe(false);
    expect(failedByStatus("Exit code 130")).toBe(false);
    expect(failedByStatus("The shell could not be started")).toBe(false);
    expect(failedByStatus("")).toBe(false);
  });

  it.each([
    " Tests  2 failed | 10 passed (12)",
    "Tests:       1 failed, 4 passed, 5 total",
    "=========== 1 failed, 3 passed in 0.12s ===========",
    "FAILED tests/test_a.py::test_b - assert 1 == 2",
    "--- FAIL: TestX (0.00s)",
    "FAIL\tgithub.com/x/y\t0.01s",
    "test result: FAILED. 1 passed; 1 failed",
    "  3 failing",
    "not ok 4 - adds",
    "# fail 2",
    "5 examples, 1 failure",
    "\u001b[31mTests:  \u001b[1m1 failed\u001b[22m, 2 total\u001b[39m",
  ])("is told by what a runner says: %j", (line) => {
    expect(failedByOutput(`all kinds of lines\n${line}\nDone.`)).toBe(true);
  });

  it.each([
    " Tests  12 passed (12)",
    "=========== 3 passed in 0.12s ===========",
    "ok  \tgithub.com/x/y\t0.01s",
    "test result: ok. 2 passed; 0 failed",
    "5 examples, 0 failures",
    "# fail 0",
    "",
  ])("is not told by %j", (line) => {
    expect(failedByOutput(`${line}\n`)).toBe(false);
  });

  it("is looked for at the end of a long output only", () => {
    const noise = "1 failed\n".concat("x".repeat(79).concat("\n").repeat(100_000));
    expect(failedByOutput(noise)).toBe(false);
    expect(failedByOutput(`${noise}1 failed`)).toBe(true);
  });
});

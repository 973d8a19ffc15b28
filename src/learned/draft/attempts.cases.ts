import { claudeLog, codexLog, edits, runs, says, user, writes } from "./session.samples.ts";

/** A session, and the drafts of its attempts: their category, what each must contain, and what it must not. */
export type AttemptCase = {
  name: string;
  log: string;
  drafts: { category: string; says: string[]; not?: string[] }[];
};

const vitestFailure = `
 RUN  v3.1.1 /home/ann/harbour

 ❯ src/auth/session.test.ts (4 tests | 1 failed) 12ms
   × keeps a session over a reload 6ms
     → expected 401 to be 200 // Object.is equality

 FAIL  src/auth/session.test.ts > keeps a session over a reload
AssertionError: expected 401 to be 200 // Object.is equality

 Test Files  1 failed | 11 passed (12)
      Tests  1 failed | 63 passed (64)`;

const vitestSuccess = `
 Test Files  12 passed (12)
      Tests  64 passed (64)
   Duration  2.11s`;

/** Known while the rules were written. */
export const attemptCases: AttemptCase[] = [
  {
    name: "a test that fails and passes after one change",
    log: claudeLog(
      user("After a reload people are logged out. Please fix it."),
      says("I'll run the tests first."),
      runs("npx vitest run src/auth", vitestFailure, 1),
      says("The cookie has no path, so the browser does not send it for /account."),
      edits(
        "src/auth/cookie.ts",
        'serialize("sid", id, { httpOnly: true })',
        'serialize("sid", id, { httpOnly: true, path: "/" })',
      ),
      runs("npx vitest run src/auth", vitestSuccess),
      says("Fixed: the session survives a reload now."),
    ),
    drafts: [
      {
        category: "error",
        says: ["npx vitest run src/auth", "expected 401 to be 200", "src/auth/cookie.ts", 'path: "/"'],
        not: ["Test Files", "/home/ann"],
      },
    ],
  },
  {
    name: "a change that did not help, and one that did",
    log: claudeLog(
      user("tests/test_tide.py is red, have a look"),
      runs(
        "python -m pytest tests/test_tide.py -q 2>&1 | tail -20",
        "F...                                            [100%]\n=== FAILURES ===\nE       AssertionError: assert 3.0 == 2.5\ntests/test_tide.py:18: AssertionError\nFAILED tests/test_tide.py::test_high_water - AssertionError: assert 3.0 == 2.5\n1 failed, 3 passed in 0.21s",
      ),
      says("Probably the rounding in the interpolation."),
      edits("tide/interpolate.py", "return round(value)", "return round(value, 1)"),
      runs(
        "python -m pytest tests/test_tide.py -q 2>&1 | tail -20",
        "F...\nE       AssertionError: assert 3.0 == 2.5\nFAILED tests/test_tide.py::test_high_water - AssertionError: assert 3.0 == 2.5\n1 failed, 3 passed in 0.20s",
      ),
      says("Not that. The table is read in feet."),
      edits("tide/table.py", "height=float(row[2])", "height=float(row[2]) * FEET"),
      runs("python -m pytest tests/test_tide.py -q 2>&1 | tail -20", "....     [100%]\n4 passed in 0.19s"),
    ),
    drafts: [
      {
        category: "error",
        says: [
          "python -m pytest tests/test_tide.py",
          "assert 3.0 == 2.5",
          "passed after tide/table.py",
          "tide/interpolate.py",
          "not help",
        ],
        not: ["tail", "2>&1"],
      },
    ],
  },
  {
    name: "an approach that was taken back",
    log: claudeLog(
      user("Make the route list lazy"),
      runs("npx tsc --noEmit"),
      edits("src/routes.ts", "export const routes = all();", "export const routes = new Proxy([], lazy(all));"),
      runs(
        "npx tsc --noEmit",
        "src/app.ts(14,9): error TS2345: Argument of type 'never[]' is not assignable to parameter of type 'Route[]'.",
        2,
      ),
      says("A proxy loses the element type. Going back."),
      runs("git checkout -- src/routes.ts"),
      edits("src/routes.ts", "export const routes = all();", "export const routes = () => (cached ??= all());"),
      runs("npx tsc --noEmit"),
    ),
    drafts: [
      {
        category: "event",
        says: ["src/routes.ts", "new Proxy([], lazy(all))", "taken back", "npx tsc --noEmit", "not assignable"],
      },
    ],
  },
  {
    name: "a command that does not exist here, and the one that does",
    log: claudeLog(
      user("run the unit tests please"),
      runs(
        "npm test",
        'npm error Missing script: "test"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run',
        1,
      ),
      runs("cat package.json | grep -A8 scripts", '"scripts": {\n "test:unit": "vitest run"\n'),
      runs("npm run test:unit", vitestSuccess),
    ),
    drafts: [{ category: "workflow", says: ["npm test", "Missing script", "npm run test:unit"] }],
  },
  {
    name: "a package that was installed and removed again",
    log: claudeLog(
      user("Parse the timetable PDFs"),
      runs("npm install pdf-lib", "added 12 packages in 2s"),
      edits("src/pdf.ts", "export {};", 'import { PDFDocument } from "pdf-lib";'),
      says("pdf-lib writes documents and cannot extract text, so it is of no use here."),
      runs("npm uninstall pdf-lib", "removed 12 packages in 1s"),
      runs("npm install pdfjs-dist", "added 3 packages in 4s"),
      edits("src/pdf.ts", 'import { PDFDocument } from "pdf-lib";', 'import { getDocument } from "pdfjs-dist";'),
      runs("npm run build", "built in 2.1s"),
    ),
    drafts: [{ category: "event", says: ["pdf-lib", "removed again", "pdfjs-dist"] }],
  },
  {
    name: "a build that still fails when the session ends",
    log: claudeLog(
      user("Get the crate to build on the new toolchain"),
      runs(
        "cargo build",
        "error[E0599]: no method named `drain_filter` found for struct `Vec<Berth>`\n --> src/plan.rs:88",
        101,
      ),
      edits("src/plan.rs", ".drain_filter(", ".extract_if("),
      runs("cargo build", "error[E0658]: use of unstable library feature 'extract_if'\n --> src/plan.rs:88", 101),
      edits("rust-toolchain.toml", 'channel = "1.79"', 'channel = "1.80"'),
      runs("cargo build", "error[E0658]: use of unstable library feature 'extract_if'\n --> src/plan.rs:88", 101),
      user("ok let's stop here for today"),
    ),
    drafts: [
      {
        category: "event",
        says: ["cargo build", "still fail", "extract_if", "src/plan.rs", "rust-toolchain.toml"],
      },
    ],
  },
  {
    name: "nothing: looking around, with commands that find nothing",
    log: claudeLog(
      user("Have you tried the new importer? Where is the harbour list read?"),
      says("I'll try running a search, but first let me look at the folder."),
      runs("ls src/import", "ls: cannot access 'src/import': No such file or directory", 2),
      runs("grep -rn harbourList src", "", 1),
      runs("grep -rn harbours src | head", "src/list.ts:3:export const harbours = [];"),
      runs("cat src/list.ts", "export const harbours = [];"),
      runs("curl -s localhost:3000/health", "", 7),
      says(
        "You could try raising the limit, but I would measure first. If that does not work because of memory, ask again.",
      ),
      says("I tried to find a second list but there is none."),
    ),
    drafts: [],
  },
  {
    name: "nothing: a feature written test first",
    log: claudeLog(
      user("Add a greet function, test first"),
      writes(
        "src/greet.test.ts",
        'import { greet } from "./greet.ts";\nit("greets", () => expect(greet("Ann")).toBe("Hello Ann"));',
      ),
      runs(
        "npx vitest run src/greet.test.ts",
        "FAIL src/greet.test.ts\nError: Failed to load url ./greet.ts (resolved id: ./greet.ts). Does the file exist?\n Test Files  1 failed (1)",
        1,
      ),
      writes("src/greet.ts", 'export const greet = (name: string) => "Hello " + name;'),
      runs("npx vitest run src/greet.test.ts", vitestSuccess),
    ),
    drafts: [],
  },
  {
    name: "nothing: what was refused, interrupted or sent to the background",
    log: claudeLog(
      user("tidy up"),
      { runs: "npm test", refused: true },
      { edits: "src/a.ts", from: "a", to: "b", refused: true },
      { runs: "npm test", background: true },
      user("[Request interrupted by user]"),
      runs("npm run lint", "Checked 40 files. No fixes applied."),
    ),
    drafts: [],
  },
  {
    name: "a test that fails once and passes again with nothing changed",
    log: claudeLog(
      user("is main green?"),
      runs(
        "npm test",
        " FAIL  src/ferry/queue.test.ts > drains in order\nError: Test timed out in 5000ms.\n Tests  1 failed | 90 passed (91)",
        1,
      ),
      runs("git status --short", ""),
      runs("npm test", vitestSuccess),
      says("Green on the second run."),
    ),
    drafts: [{ category: "event", says: ["npm test", "Test timed out in 5000ms", "nothing changed"] }],
  },
];

/** Written before the rules, and not used until they were complete. */
export const heldAttemptCases: AttemptCase[] = [
  {
    name: "a change in two files, told by what the runner prints",
    log: claudeLog(
      user("go test is red since the merge"),
      runs(
        "cd backend && go test ./... 2>&1 | tail -n 15",
        "ok  \tharbour/clock\t0.01s\n--- FAIL: TestBerthOverlap (0.00s)\n    berth_test.go:41: overlap(9h, 10h) = true, want false\nFAIL\nFAIL\tharbour/berth\t0.02s\nFAIL",
      ),
      says("The end of an interval is exclusive."),
      edits("backend/berth/interval.go", "return a.End >= b.Start", "return a.End > b.Start"),
      edits("backend/berth/plan.go", "if !overlap(a, b) || a.End == b.Start {", "if !overlap(a, b) {"),
      runs("cd backend && go vet ./..."),
      runs(
        "cd backend && go test ./... 2>&1 | tail -n 15",
        "ok  \tharbour/berth\t0.02s\nok  \tharbour/clock\t(cached)",
      ),
      runs("git commit -am 'Intervals end before their end'", "[main 1a2b3c] Intervals end before their end"),
    ),
    drafts: [
      {
        category: "error",
        says: [
          "go test ./...",
          "overlap(9h, 10h) = true, want false",
          "backend/berth/interval.go",
          "backend/berth/plan.go",
        ],
      },
    ],
  },
  {
    name: "another client's log",
    log: codexLog(
      user("mypy complains, fix it"),
      runs(
        "mypy harbour",
        'harbour/fares.py:12: error: Incompatible return value type (got "float", expected "Decimal")  [return-value]\nFound 1 error in 1 file (checked 14 source files)',
        1,
      ),
      edits("harbour/fares.py", "    return price * 1.25", '    return price * Decimal("1.25")'),
      runs("mypy harbour", "Success: no issues found in 14 source files"),
    ),
    drafts: [
      {
        category: "error",
        says: ["mypy harbour", "Incompatible return value type", "harbour/fares.py", 'Decimal("1.25")'],
      },
    ],
  },
  {
    name: "an edit that was undone by hand",
    log: claudeLog(
      user("speed up the manifest page"),
      runs("bundle exec rspec spec/manifest_spec.rb", "12 examples, 0 failures"),
      edits("app/models/manifest.rb", "has_many :crates", "has_many :crates, -> { readonly }"),
      runs(
        "bundle exec rspec spec/manifest_spec.rb",
        "Failures:\n\n  1) Manifest seals its crates\n     Failure/Error: crate.update!(sealed: true)\n\n     ActiveRecord::ReadOnlyRecord:\n       Crate is marked as readonly\n\n12 examples, 1 failure",
        1,
      ),
      edits("app/models/manifest.rb", "has_many :crates, -> { readonly }", "has_many :crates"),
      edits("app/controllers/manifests_controller.rb", "Manifest.all", "Manifest.includes(:crates)"),
      runs("bundle exec rspec spec/manifest_spec.rb", "12 examples, 0 failures"),
    ),
    drafts: [
      {
        category: "event",
        says: ["app/models/manifest.rb", "readonly", "taken back", "bundle exec rspec"],
      },
    ],
  },
  {
    name: "a runner that is only there through another",
    log: claudeLog(
      user("check that the parser tests pass"),
      runs("pytest tests/parser", "/bin/bash: line 1: pytest: command not found", 127),
      runs("uv run pytest tests/parser", "==== 31 passed in 1.02s ===="),
    ),
    drafts: [
      { category: "workflow", says: ["pytest tests/parser", "command not found", "uv run pytest tests/parser"] },
    ],
  },
  {
    name: "a service that had to be started",
    log: claudeLog(
      user("run the integration tests"),
      runs(
        "npm run test:integration",
        "Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect\n Tests  8 failed (8)",
        1,
      ),
      runs("cat docker-compose.yml", "services:\n  db:\n    image: postgres:17"),
      runs("docker compose up -d db", "Container harbour-db-1  Started"),
      runs("npm run test:integration", " Tests  8 passed (8)"),
    ),
    drafts: [
      {
        category: "workflow",
        says: ["npm run test:integration", "ECONNREFUSED 127.0.0.1:5432", "docker compose up -d db"],
      },
    ],
  },
  {
    name: "nothing: talk about attempts, pasted logs and an older session's summary",
    log: claudeLog(
      {
        meta: {
          type: "user",
          isCompactSummary: true,
          message: {
            role: "user",
            content:
              "This session is being continued from a previous conversation. We tried caching the berths but it failed. I decided to use Redis.",
          },
        },
      },
      user(
        "Here is yesterday's CI:\n```\nnpm test\n FAIL src/a.test.ts\nError: boom\n Tests 1 failed\n```\nWhat would you try?",
      ),
      says(
        "I tried to keep this brief. We could try a cache, but it may still fail. Should that fail, we fall back to the list.",
      ),
      says("Let me know whether you tried a restart but still see it."),
      runs("cat ci.log", "npm test\n FAIL src/a.test.ts\nError: boom\n Tests  1 failed"),
      runs("gh run view 123 --log-failed", "test\tRun npm test\tFAIL src/a.test.ts\n1 failed"),
      edits("docs/ci.md", "Todo", "How to read a failed run"),
      runs("cat ci.log | tail -1", "Tests passed"),
    ),
    drafts: [],
  },
  {
    name: "nothing: lines for debugging that come and go",
    log: claudeLog(
      user("why is the fare wrong for dogs?"),
      edits(
        "src/fare.ts",
        "const base = table[kind];",
        'const base = table[kind];\n  console.log("fare", kind, base);',
      ),
      runs("node src/fare.ts dog", "fare dog undefined"),
      runs("npm test", vitestSuccess),
      edits(
        "src/fare.ts",
        'const base = table[kind];\n  console.log("fare", kind, base);',
        "const base = table[kind];",
      ),
      runs("npm test", vitestSuccess),
      says("Dogs are missing in the table: it is data, not code."),
    ),
    drafts: [],
  },
  {
    name: "attempts in the agent's own words",
    log: claudeLog(
      user("read the manifest without loading all of it"),
      says(
        "Streaming the manifest did not work because the checksum stands in the header. I first used a regular expression for the rows, but it broke on quoted line ends, so I replaced it with the tokenizer.",
      ),
      says("Now let me try the tests."),
    ),
    drafts: [
      { category: "event", says: ["Streaming the manifest did not work because"] },
      { category: "event", says: ["regular expression", "broke on quoted line ends", "tokenizer"] },
    ],
  },
  {
    name: "a failure that prints a key and steers the terminal",
    log: claudeLog(
      user("fix the upload test"),
      runs(
        "npm test",
        `\u001b[31mError: 403 for token ghp_${"a1B2c3D4e5F6".repeat(3)}\u001b[0m\n\u001b[2J Tests  1 failed | 3 passed (4)`,
        1,
      ),
      edits("src/upload.ts", "retry: 0", "retry: 3"),
      runs("npm test", vitestSuccess),
    ),
    drafts: [{ category: "error", says: ["npm test", "src/upload.ts", "retry: 3"], not: ["ghp_", "\u001b", "403"] }],
  },
  {
    name: "all of it put away",
    log: claudeLog(
      user("move the planner to workers"),
      edits("src/planner.ts", "return plan(input);", "return pool.run(plan, input);"),
      writes("src/pool.ts", "export const pool = new Pool();"),
      runs(
        "make test",
        "FAIL planner: DataCloneError: function could not be cloned\nmake: *** [Makefile:4: test] Error 1",
        2,
      ),
      says("Plans hold functions, so they cannot be sent to a worker. I am putting the work away."),
      runs("git stash", "Saved working directory and index state WIP on main: 1a2b3c"),
      runs("make test", "41 passed"),
    ),
    drafts: [
      {
        category: "event",
        says: ["src/planner.ts", "taken back", "make test", "could not be cloned"],
      },
    ],
  },
];

/** Found later, by reading the drafts from longer sessions. */
export const furtherAttemptCases: AttemptCase[] = [
  {
    name: "nothing: a second run after somebody else did something",
    log: claudeLog(
      runs("npm test", "Error: no key\n Tests  1 failed (1)", 1),
      user("I have put the key into .env, run it again"),
      runs("npm test", vitestSuccess),
      runs("npm run lint", "src/a.ts:1:1 error: Unused import", 1),
      { calls: "Task", input: { prompt: "fix the lint" } },
      runs("npm run lint", "No fixes applied."),
    ),
    drafts: [],
  },
  {
    name: "nothing: a mistake in what was written a moment ago",
    log: claudeLog(
      user("add a queue"),
      writes("src/queue.ts", "export const queue = [;"),
      runs("npx tsc --noEmit", "src/queue.ts(1,23): error TS1109: Expression expected.", 2),
      edits("src/queue.ts", "[;", "[];"),
      runs("npx tsc --noEmit"),
    ),
    drafts: [],
  },
  {
    name: "nothing: a command whose own step is not known, and files outside of the project",
    log: claudeLog(
      user("release it"),
      runs(
        "npm test && git push",
        "To example.org\n ! [rejected] main -> main (fetch first)\nerror: failed to push some refs",
        1,
      ),
      writes("/tmp/notes.md", "later"),
      runs("npm test && git push", "64 passed"),
      runs("npm test | grep -c ok", "3"),
      runs("git commit -m 'npm test failed before'", ""),
    ),
    drafts: [],
  },
  {
    name: "what was committed is not taken back by git, what was stashed comes back",
    log: claudeLog(
      user("try it with a map"),
      edits("src/a.ts", "new Set()", "new Map()"),
      runs("npm test", "TypeError: seen.add is not a function\n Tests  1 failed (1)", 1),
      runs("git commit -am wip"),
      runs("git checkout -- src/a.ts"),
      edits("src/b.ts", "a", "b"),
      runs("npm test", "TypeError: seen.add is not a function\n Tests  1 failed (1)", 1),
      runs("git stash"),
      runs("git stash pop"),
    ),
    drafts: [{ category: "event", says: ["still failed when the session ended", "src/b.ts"], not: ["taken back"] }],
  },
];

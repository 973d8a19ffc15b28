import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands, commandsOf, nouns, verbs } from "../../src/operations/core/commands.ts";
import { operationNames } from "../../src/operations/core/registry.ts";
import { commandLineOnly } from "../parity/calls.ts";
import { type CommandRun, dossier, dossierInside, execute, folderWith } from "./run-cli.ts";

const files = {
  "src/session.py":
    '"""Sessions of users."""\nimport time\n\n\nclass Session:\n    """One login."""\n\n    def expire(self, now=None):\n        """Ends the session when its time is over."""\n        return (now or time.time()) > self.deadline\n\n\ndef log_in(user, password):\n    """Checks the password and opens a session."""\n    if not user.check_password(password):\n        raise PermissionError(user.name)\n    return Session()\n',
  "src/payment.ts":
    "import { charge } from './gateway';\n\n/** Charges a card, at most three times. */\nexport async function processPayment(card: Card, amount: number) {\n  for (let attempt = 0; attempt < 3; attempt++) {\n    if (await charge(card, amount)) return true;\n  }\n  return false;\n}\n",
  "README.md": "# Shop\n\n## Payments\n\nCards are charged by processPayment, which tries three times.\n",
};

const { folder, remove } = folderWith(files);

beforeAll(async () => {
  expect((await dossier(["index", folder])).status).toBe(0);
});
afterAll(remove);

const here = (...args: string[]) => dossier(["-C", folder, ...args]);
const inside = (...args: string[]) => dossierInside(["-C", folder, ...args]);

/** One sentence on standard error that says what is wrong and what to do, and no stack trace. */
function expectSentence(run: CommandRun, status: number, pattern: RegExp): void {
  expect(run.stderr).toMatch(pattern);
  expect(run.stderr).toMatch(/^error: [^\n]+[.!?)"][^\n]*\n$/);
  expect(run.stderr).not.toMatch(/^\s+at /m);
  expect(run.stdout).toBe("");
  expect(run.status).toBe(status);
}

describe("the command line", () => {
  it("answers a question without naming a command, with or without quotes", async () => {
    const [quoted, bare, named] = await Promise.all([
      here("how does a user log in?"),
      here("how", "does", "a", "user", "log", "in?"),
      here("context", "how does a user log in?"),
    ]);
    expect(quoted.status).toBe(0);
    expect(quoted.stdout).toContain("def log_in(user, password):");
    expect(bare.stdout).toBe(quoted.stdout);
    expect(named.stdout).toBe(quoted.stdout);
  });

  it("reads the question from standard input", async () => {
    const piped = await dossier(["-C", folder, "-"], { input: "processPayment fails\n" });
    expect(piped.stdout).toContain("export async function processPayment");
  });

  it("reads what is to be remembered from standard input", async () => {
    const own = folderWith(files);
    await dossierInside(["remember", "-", "-C", own.folder], { input: "Ropes are oiled monthly.\n" });
    expect((await dossierInside(["memories", "-C", own.folder])).stdout).toContain("Ropes are oiled monthly.");
    own.remove();
  });

  it("indexes a folder it has never seen, then answers", async () => {
    const fresh = folderWith(files);
    const { status, stdout, stderr } = await dossier(["processPayment"], { cwd: fresh.folder });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("export async function processPayment");
    expect(existsSync(join(fresh.folder, ".dossier"))).toBe(true);
    fresh.remove();
  });

  it("takes the folder's inside for the folder", async () => {
    const inside = await dossier(["status", "--json"], { cwd: join(folder, "src") });
    expect(JSON.parse(inside.stdout)).toMatchObject({ root: folder, files: 3 });
  });

  it("takes a noun with other words for the beginning of a question", async () => {
    const [bare, quoted, asked, literal] = await Promise.all([
      here("value", "of", "a", "login"),
      here("value of a login"),
      here("context", "value", "of", "a", "login"),
      here("--", "value", "of", "a", "login"),
    ]);
    expect(bare.stdout).toContain("class Session:");
    expect([quoted.stdout, asked.stdout, literal.stdout]).toEqual([bare.stdout, bare.stdout, bare.stdout]);
    const verb = await here("--", "memory", "list", "--json");
    expect(JSON.parse((await here("--json", "--", "memory", "list")).stdout)).toHaveProperty("items");
    expect(verb.status).toBe(0);
  });

  it("finds the command behind flags, too", async () => {
    const { stdout, status } = await here("--limit", "2", "search", "processPayment");
    expect(status).toBe(0);
    expect(stdout).toMatch(/processPayment/);
    const listed = await here("--limit", "2", "memory", "list", "--json");
    expect(JSON.parse(listed.stdout)).toHaveProperty("memories");
  });

  it("says which words are not found where nothing matches, and names what is near", async () => {
    const { status, stdout } = await here("zzyzx quux frobnicate", "--json");
    expect(status).toBe(0);
    const { items, warnings, tokens } = JSON.parse(stdout);
    expect(items.every(({ level }: { level: string }) => level === "pointer")).toBe(true);
    expect(warnings.join()).toContain("Nothing here matches. Not in this workspace: zzyzx, quux, frobnicate.");
    expect(tokens.used).toBeLessThanOrEqual(150);
  });

  it("prints JSON of every operation that parses, and nothing else on standard output, also by its name elsewhere", async () => {
    const bundle = await here("log_in", "--json");
    const id = JSON.parse(bundle.stdout).items[0].id;
    const remembered = await here("remember", "Logging in takes a name.", "--json");
    const memory = JSON.parse(remembered.stdout).memory.id;
    const home = folderWith({ "earlier.json": bundle.stdout, "notes/Ada.md": "# Ada\n\nKnows [[Grace]].\n" });
    const args: Record<string, string[]> = {
      diff: [join(home.folder, "earlier.json"), "-"],
      tana_context: ["Ada"],
      notes: [],
      lenses: [],
      connect: [join(home.folder, "notes"), "--name", "people"],
      disconnect: ["people"],
      workspaces: [],
      name_workspace: ["shop", folder],
      unname_workspace: ["shop"],
      assemble_context: ["log_in"],
      get_premortem_context: ["debugging"],
      remember: ["Payments are taken on Mondays."],
      memories: ["Mondays"],
      edit: [memory, "--importance", "0.9"],
      forget: [memory],
      restore: [memory],
      export: [],
      import: ["-"],
      memory: ["drafts"],
      capture: ["-"],
      documents: [],
      prime_context: ["what is there?"],
      context_stats: [],
      put_document: ["notes/plan.md", "-"],
      put_documents: ["-"],
      get_document: ["notes/plan.md"],
      move_document: ["notes/plan.md", "notes/later.md"],
      delete_document: ["notes/later.md"],
      restore_document: ["notes/later.md"],
      threads: [],
      thread: ["create", "--title", "Release"],
      say: ["Release", "When do we deploy?"],
      import_thread: ["-"],
      references: ["add", "Release", "notes/later.md"],
      mentions: ["@rel"],
      feedback: [memory, "--useful"],
      cited: ["-"],
      experience: [],
      experiences: [],
      clusters: [],
      value: ["propose", "clu-full-none"],
      values: [],
      run: ["--", process.execPath, "-e", ""],
      history: ["src"],
      authors: [],
      churn: [],
      context: ["log_in"],
      context_query: ["log_in"],
      search: ["log_in"],
      why: ["log_in", id],
      item: [id],
      open: [id],
      verify: ["-"],
      index: [],
      status: [],
      doctor: [],
      eval: ["--limit", "2"],
      eval_history: [],
      graph: ["log_in"],
      files: [],
      whoami: [],
      serve: ["--port", "0", "--quiet"],
      inspect: ["--port", "70000"],
      keys: [],
      engine: [],
      store: ["verify"],
      model: [],
      mcp: ["--install", "claude-code", "--print"],
      hook: ["prompt"],
    };
    // It serves until it is told to stop; its first line says that it has begun.
    const stop = (child: ChildProcess) => child.stdout!.once("data", () => child.kill("SIGTERM"));
    const answersAside = new Set(["run", "serve"]);
    // There are no clusters to propose a value for, outside git no commits, and no port has such a number.
    const refused: Record<string, number> = { value: 3, history: 3, inspect: 2 };
    const lines = '{"role":"user","content":"Refunds are paid on Fridays."}\n';
    const guides = '[{"document":"guides/refunds.md","content":"Refunds are paid on Fridays."}]';
    const pipedTo = (name: string) =>
      name.startsWith("import") ? lines : name === "put_documents" ? guides : bundle.stdout;
    for (const name of operationNames) {
      const words = [name, "--json", "-C", folder, ...args[name]!];
      const options = { input: pipedTo(name), env: { DOSSIER_HOME: home.folder } };
      // That the others are in the built program, too, is seen in tests/parity.
      const { stdout, stderr, status } =
        name in commandLineOnly
          ? await dossier(words, { ...options, ...(name === "serve" && { started: stop }) })
          : await dossierInside(words, options);
      expect({ name, status }).toEqual({ name, status: refused[name] ?? 0 });
      expect(JSON.parse(answersAside.has(name) ? stderr : stdout)).toBeTypeOf("object");
    }
    home.remove();
  }, 180_000);

  it("prints errors as JSON, too, when JSON is asked for", async () => {
    const { stdout, status } = await here("search", "--json", "");
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "empty-query", message: "The query is empty." } });
  });

  it("colours only where asked or on a terminal", async () => {
    const sequence = "\u001b[";
    expect((await here("status")).stdout).not.toContain(sequence);
    expect((await here("status", "--color")).stdout).toContain(sequence);
    expect((await dossier(["status", "-C", folder], { env: { FORCE_COLOR: "1" } })).stdout).toContain(sequence);
    expect(
      (await dossier(["status", "-C", folder], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).stdout,
    ).not.toContain(sequence);
    expect((await dossier(["status", "--no-color", "-C", folder], { env: { FORCE_COLOR: "1" } })).stdout).not.toContain(
      escape,
    );
  });

  it("ends quietly when its reader has enough", async () => {
    const script = `node=$1; shift; "$node" "$@" | head -c 1; echo "\${PIPESTATUS[0]}"`;
    const many = folderWith({ "big.py": `def big():\n${"    call_something(1, 2, 3)\n".repeat(20_000)}` });
    const args = ["dist/cli.js", "-C", many.folder, "big", "--json", "--max-tokens", "100000"];
    const { stdout, stderr } = await execute("bash", ["-c", script, "bash", process.execPath, ...args]);
    expect({ stdout, stderr }).toEqual({ stdout: "{0\n", stderr: "" });
    many.remove();
  });

  it.runIf(existsSync("/dev/full"))("says so when its output cannot be written", async () => {
    const { status, stderr } = await execute("bash", ["-c", `"$0" dist/cli.js --help > /dev/full`, process.execPath]);
    expect(stderr).toMatch(/^error: The disk is full\. [^\n]+\n$/);
    expect(status).toBe(7);
  });
});

describe("help", () => {
  it("fits one screen, alone and asked for, and names every verb and noun", async () => {
    const [alone, asked, word] = await Promise.all([dossier([]), dossier(["--help"]), dossier(["help"])]);
    expect(alone.status).toBe(0);
    expect(alone.stdout).toMatch(/^dossier: ask a question/);
    expect([asked.stdout, word.stdout]).toEqual([alone.stdout, alone.stdout]);
    const lines = alone.stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    for (const { words } of verbs) expect(alone.stdout).toMatch(new RegExp(`^  [A-Z].* ${words}(,|$)`, "m"));
    for (const noun of Object.keys(nouns)) expect(alone.stdout).toMatch(new RegExp(`^  ${noun} `, "m"));
  });

  it("has a page for every noun, and one for all commands", async () => {
    const { stdout: all } = await dossierInside(["help", "--all"]);
    for (const { words } of commands) expect(all).toMatch(new RegExp(`^  ${words}\\b`, "m"));
    for (const noun of Object.keys(nouns)) {
      const [page, same] = [await dossierInside([noun, "--help"]), await dossierInside(["help", noun])];
      expect(page.stdout).toBe(same.stdout);
      for (const { words } of commandsOf(noun))
        expect(page.stdout).toMatch(new RegExp(`^  ${words.slice(noun.length + 1)}\\b`, "m"));
    }
  });

  it("has a page for every verb, by whatever name it is called", async () => {
    const page = async (...words: string[]) => (await dossierInside(words)).stdout;
    const added = await page("help", "memory", "add");
    expect(added).toMatch(
      /Usage\n {2}dossier memory add <content> \[flags\]\n {2}dossier remember <content> \[flags\]/,
    );
    expect(await page("memory", "add", "--help")).toBe(added);
    expect(await page("remember", "-h")).toBe(added);
    const begun = await page("thread", "new", "-h");
    expect(begun).toMatch(/Usage\n {2}dossier thread new <title> \[flags\]/);
    expect(begun).not.toMatch(/--purge|create/);
    expect(await page("thread", "create", "-h")).toBe(begun);
    expect(await page("keys", "-h")).toBe(await page("key", "-h"));
  });

  it("knows every command, its flags, defaults and examples", async () => {
    const [first, second] = await Promise.all([
      dossierInside(["help", "context"]),
      dossierInside(["context", "x", "--bogus", "-h"]),
    ]);
    expect(first.stdout).toBe(second.stdout);
    expect(first.stdout).toMatch(/--max-tokens <number>\s+Hard ceiling .*\(from 64 to 1000000;\s+default: 4000\)/s);
    expect(first.stdout).toMatch(/--\[no-\]refresh/);
    expect(first.stdout).toMatch(/Examples\n {2}dossier/);
  });

  it("fits a terminal", async () => {
    const { stdout } = await dossierInside(["help", "context"]);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it("prints the version of the package", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    for (const flag of ["--version", "-V"]) expect((await dossier([flag])).stdout).toBe(`${version}\n`);
  });
});

describe("completion", () => {
  it.each([
    ["bash", "bash", ["-n"]],
    ["zsh", "zsh", ["-n"]],
    ["fish", "fish", ["--no-execute"]],
  ] as const)("for %s is a script that the shell can read", async (shell, command, args) => {
    const { stdout, status } = await dossierInside(["completion", shell]);
    expect(status).toBe(0);
    for (const { words } of commands) for (const word of words.split(" ")) expect(stdout).toContain(word);
    expect(stdout).not.toContain("put_document");
    expect(stdout).toContain("max-tokens");
    const present = await execute("sh", ["-c", `command -v ${command}`]);
    if (present.status !== 0) return;
    const script = folderWith({ script: stdout });
    const checked = await execute(command, [...args, join(script.folder, "script")]);
    expect({ status: checked.status, stderr: checked.stderr }).toEqual({ status: 0, stderr: "" });
    script.remove();
  });

  it("completes commands, flags and values in bash", async () => {
    const { stdout: script } = await dossierInside(["completion", "bash"]);
    const complete = async (...words: string[]) => {
      const line = words.map((word) => `'${word}'`).join(" ");
      const test = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _dossier; echo "\${COMPREPLY[@]}"`;
      return (await execute("bash", ["-c", test])).stdout.trim();
    };
    expect(await complete("dossier", "sta")).toBe("status");
    expect(await complete("dossier", "search", "--lim")).toBe("--limit");
    expect(await complete("dossier", "context", "--format", "x")).toBe("xml");
    expect(await complete("dossier", "--json", "index", "--reb")).toBe("--rebuild");
    expect(await complete("dossier", "completion", "z")).toBe("zsh");
    expect(await complete("dossier", "mem")).toBe("memory");
    expect(await complete("dossier", "memory", "fo")).toBe("forget");
    expect(await complete("dossier", "-C", "there", "memory", "--json", "forget", "--pur")).toBe("--purge");
    expect(await complete("dossier", "thread", "new", "--pur")).toBe("");
    expect(await complete("dossier", "help", "thr")).toBe("thread");
    expect(await complete("dossier", "key", "create", "--scope", "a")).toBe("admin");
  });
});

describe("bad input", () => {
  it.each<[string, string[], number, RegExp]>([
    ["an empty query", [""], 2, /The query is empty\. Give a question/],
    ["a blank query", ["search", "  "], 2, /The query is empty/],
    ["no query", ["context"], 2, /The query is empty/],
    ["a budget below the smallest", ["x", "--max-tokens", "10"], 2, /budget of 10 tokens .* 64\. Raise --max-tokens/],
    ["a budget that is no number", ["x", "--max-tokens", "lots"], 2, /--max-tokens takes a whole number .*not "lots"/],
    ["an unknown flag", ["x", "--max-token", "10"], 2, /no flag --max-token\. Did you mean --max-tokens\?/],
    ["a flag without its value", ["x", "--format"], 2, /--format needs a value/],
    ["an unknown format", ["x", "--format", "pdf"], 2, /--format takes one of markdown, xml, plain, json, not "pdf"/],
    ["an unknown type", ["x", "--types", "function,clas"], 2, /--types .*not "clas"\. Did you mean class\?/],
    ["a misspelled command", ["serach"], 2, /no command "serach"\. Did you mean search\?/],
    ["help for an unknown command", ["help", "serach"], 2, /no command "serach"\. Did you mean search\?/],
    ["a misspelled noun", ["memroy"], 2, /no command "memroy"\. Did you mean memory\?/],
    ["a misspelled noun with a verb", ["memroy", "list"], 2, /no command "memroy list"\. Did you mean memory list\?/],
    ["a misspelled verb", ["memory", "fogret"], 2, /no command "memory fogret"\. Did you mean memory forget\?/],
    ["help for an unknown verb", ["help", "doc", "putt"], 2, /no command "doc putt"\. Did you mean doc put\?/],
    ["a step without what it needs", ["thread", "rename", "x"], 2, /thread rename also needs <title>/],
    ["a flag of another step", ["thread", "new", "Plan", "--purge"], 2, /dossier thread new has no flag --purge/],
    ["words too many for a step", ["thread", "rm", "a", "b"], 2, /dossier thread rm takes <thread>; "b" is too much/],
    ["an unknown shell", ["completion", "tcsh"], 2, /takes one of bash, zsh, fish, not "tcsh"/],
    ["too many words", ["status", "now"], 2, /dossier status takes no words; "now" is too much/],
    ["a bundle that does not exist", ["verify", "nowhere.json"], 3, /There is no file nowhere\.json/],
    ["a missing bundle", ["verify"], 2, /<bundle> is missing/],
    ["a folder as bundle", ["verify", "src"], 2, /src is a folder; <bundle> takes a file, or - for standard input\./],
    [
      "an empty word as bundle",
      ["verify", ""],
      2,
      /<bundle> takes a file, or - for standard input, and here it is empty/,
    ],
    ["an item that does not exist", ["why", "log_in", "cod-nothing"], 3, /cod-nothing/],
  ])("%s is named", async (_what, args, status, pattern) => {
    expectSentence(await inside(...args), status, pattern);
  });

  it.each<[string, string, number, RegExp]>([
    ["empty", "", 2, /bundle is empty/],
    ["not JSON", "{nope", 2, /bundle is not JSON/],
    ["something else", "[1,2]", 2, /not a result of dossier context --json/],
    [
      "of wrong parts",
      '{"items":[{"citation":{"id":"x","path":"a","startLine":0,"endLine":1,"hash":"h"}}]}',
      2,
      /startLine/,
    ],
    [
      "upside down",
      '{"items":[{"citation":{"id":"x","path":"a","startLine":9,"endLine":1,"hash":"h"}}]}',
      2,
      /before startLine/,
    ],
    [
      "leading outside",
      '{"items":[{"citation":{"id":"x","path":"../../etc/passwd","startLine":1,"endLine":1,"hash":"h"}}]}',
      4,
      /"\.\.\/\.\.\/etc\/passwd", which is outside the workspace/,
    ],
    [
      "with an absolute path",
      '{"items":[{"citation":{"id":"x","path":"/etc/passwd","startLine":1,"endLine":1,"hash":"h"}}]}',
      4,
      /outside the workspace/,
    ],
  ])("a bundle that is %s is refused", async (_what, input, status, pattern) => {
    expectSentence(await dossierInside(["verify", "-", "-C", folder], { input }), status, pattern);
  });

  it("shows a stack trace for --debug only", async () => {
    const { stderr, status } = await inside("search", "", "--debug");
    expect(stderr).toMatch(/^\s+at /m);
    expect(status).toBe(2);
  });

  it("takes a word close to a command as a question when more words follow", async () => {
    const { status, stderr } = await inside("indexs", "of", "sessions");
    expect(status).toBe(0);
    expect(stderr).toMatch(/Taken as a question; the command is spelled index\./);
  });

  it("survives a bundle made to waste time", async () => {
    const citation = { id: "x", itemId: "x", path: "src/session.py", startLine: 1, endLine: 9e15, hash: "h" };
    const input = JSON.stringify({ items: Array.from({ length: 500 }, () => ({ citation })) });
    const { status, stdout } = await dossierInside(["verify", "-", "--json", "-C", folder], { input });
    expect(status).toBe(1);
    expect(JSON.parse(stdout).counts).toMatchObject({ same: 0, moved: 0 });
  });
});

describe("verify", () => {
  it("tells what is the same, moved, renamed, changed and gone", async () => {
    const own = folderWith({
      "same.py": "def same_one():\n    return 1\n",
      "moved.py": "def moved_one():\n    return 2\n",
      "renamed.py": "def renamed_one():\n    return 3\n",
      "changed.py": "def changed_one():\n    return 4\n",
      "gone.py": "def gone_one():\n    return 5\n",
    });
    const at = (...args: string[]) => dossierInside(["-C", own.folder, ...args]);
    const asked = await at(
      "same_one moved_one renamed_one changed_one gone_one",
      "--json",
      "--min-score",
      "0",
      "--types",
      "function",
    );
    expect(JSON.parse(asked.stdout).items.length).toBe(5);
    expect((await dossierInside(["verify", "-", "-C", own.folder], { input: asked.stdout })).status).toBe(0);

    writeFileSync(join(own.folder, "moved.py"), "import os\n\n\ndef moved_one():\n    return 2\n");
    await execute("mv", [join(own.folder, "renamed.py"), join(own.folder, "other.py")]);
    const harmless = await dossierInside(["verify", "-", "-C", own.folder], { input: asked.stdout });
    expect(harmless.status).toBe(0);
    expect(harmless.stdout).toMatch(/moved\.py:1-2 -> moved\.py:4-5/);
    expect(harmless.stdout).toMatch(/renamed\.py:1-2 -> other\.py:1-2/);

    writeFileSync(join(own.folder, "changed.py"), "\ndef changed_one():\n    return 40\n");
    await execute("rm", [join(own.folder, "gone.py")]);
    const broken = await dossierInside(["verify", "-", "--json", "-C", own.folder], { input: asked.stdout });
    expect(broken.status).toBe(1);
    const verdicts = JSON.parse(broken.stdout).citations.map((each: { path: string; verdict: string }) => [
      each.path,
      each.verdict,
    ]);
    expect(Object.fromEntries(verdicts)).toEqual({
      "same.py": "same",
      "moved.py": "moved",
      "renamed.py": "moved",
      "changed.py": "changed",
      "gone.py": "gone",
    });
    own.remove();
  });
});

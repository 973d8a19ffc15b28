import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { clientNames } from "../../src/setup/clients.ts";
import { type CommandRun, dossier, dossierInside, folderWith } from "../cli/run-cli.ts";

const files = {
  "shop/.git/HEAD": "ref: refs/heads/main\n",
  "shop/src/pay.ts": "/** Charges a card. */\nexport function chargeCard() {}\n",
};

/** A user's home with a workspace in it, where nothing was ever set up. */
function machine() {
  const { folder: home, remove } = folderWith(files);
  onTestFinished(remove);
  const shop = join(home, "shop");
  const env = {
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, "AppData"),
    LOCALAPPDATA: join(home, "Local"),
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    DOSSIER_HOME: join(home, ".cache/dossier"),
    CODEX_HOME: "",
    COPILOT_HOME: "",
    CLAUDE_PROJECT_DIR: "",
  };
  const run = (args: string[], input = ""): Promise<CommandRun> => dossier(args, { cwd: shop, env, input });
  return { home, shop, env, run, mcp: (...args: string[]) => dossierInside(["mcp", ...args], { cwd: shop, env }) };
}

const config: Record<(typeof clientNames)[number], string> = {
  "claude-code": "shop/.mcp.json",
  "claude-desktop": ".config/Claude/claude_desktop_config.json",
  cursor: "shop/.cursor/mcp.json",
  vscode: "shop/.vscode/mcp.json",
  codex: ".codex/config.toml",
  gemini: "shop/.gemini/settings.json",
  zed: "shop/.zed/settings.json",
  opencode: "shop/opencode.json",
  copilot: ".copilot/mcp-config.json",
  qwen: "shop/.qwen/settings.json",
  jetbrains: "shop/.junie/mcp/mcp.json",
  windsurf: ".codeium/windsurf/mcp_config.json",
};

/** What the client would run; TOML of our own making is near enough to JSON. */
function serverIn(path: string): { command: string; args: string[] } {
  const text = readFileSync(path, "utf8");
  if (path.endsWith(".toml")) {
    const value = (key: string) => JSON.parse(new RegExp(`^${key} = (.*)$`, "m").exec(text)![1]!);
    return { command: value("command"), args: value("args") };
  }
  const { mcpServers, servers, context_servers, mcp } = JSON.parse(text);
  const { command, args = [] } = (mcpServers ?? servers ?? context_servers ?? mcp).dossier;
  const [program, ...rest] = [command].flat();
  return { command: program, args: [...rest, ...args] };
}

/** Commands of configs, with the folder that they are run in, that have answered. */
const answering = new Set<string>();

describe.skipIf(process.platform !== "linux")("dossier mcp --install", () => {
  it.each([...clientNames])("%s writes a config whose command answers", async (client) => {
    const { home, shop, env, mcp } = machine();
    const file = join(home, config[client]);
    const shown = await mcp("--install", client, "--print");
    expect(shown).toMatchObject({ status: 0, stdout: expect.stringContaining(`creates ${file}:`) });
    expect(existsSync(file)).toBe(false);
    const done = await mcp("--install", client);
    expect(done.stdout).toContain(`to ${file}.\n`);
    expect(done.status).toBe(0);
    const text = readFileSync(file, "utf8");
    // What was shown is what was written.
    for (const line of text.trimEnd().split("\n")) expect(shown.stdout).toContain(`+ ${line}\n`);

    const { command, args } = serverIn(file);
    // What the client itself would put there.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the client replaces it
    const words = args.map((word) => word.replace("${workspaceFolder}", shop));
    const cwd = args.includes("--path") ? home : shop;
    // Most clients are given the same: that is tried once.
    const same = JSON.stringify([command, words, cwd]).replaceAll(home, "~");
    if (!answering.has(same)) {
      const agent = new Client({ name: "test", version: "1" });
      const transport = {
        command,
        args: words,
        cwd,
        env: { ...env, PATH: process.env.PATH! },
        stderr: "ignore" as const,
      };
      await agent.connect(new StdioClientTransport(transport));
      expect((await agent.listTools()).tools.map(({ name }) => name)).toContain("context_query");
      await agent.close();
      answering.add(same);
    }

    expect((await mcp("--install", client)).stdout).toContain(`is in ${file} already.`);
    expect(readFileSync(file, "utf8")).toBe(text);
    await mcp("--uninstall", client);
    expect(existsSync(file) ? readFileSync(file, "utf8") : "").not.toContain("dossier");
  });

  it("writes a config that answers for other clients too, which do not replace the folder's variable", async () => {
    const { home, shop, env, mcp } = machine();
    await mcp("--install", "cursor");
    const { command, args } = serverIn(join(home, config.cursor));
    const agent = new Client({ name: "test", version: "1" });
    const transport = { command, args, cwd: shop, env: { ...env, PATH: process.env.PATH! }, stderr: "ignore" as const };
    await agent.connect(new StdioClientTransport(transport));
    const answer = await agent.callTool({ name: "context_query", arguments: { query: "what is here?" } });
    expect(answer.isError, JSON.stringify(answer.content)).toBeUndefined();
    await agent.close();
  });

  it("refuses a damaged config with a sentence, what to paste, and a status", async () => {
    const { home, mcp } = machine();
    for (const client of ["vscode", "codex"] as const) {
      const file = join(home, config[client]);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '{ "servers": {');
      const { status, stdout } = await mcp("--install", client);
      expect(status).toBe(2);
      expect(stdout).toMatch(/, line 1, column \d+: it .*\. Nothing was changed\. Correct the file, or put this there/);
      expect(stdout).toMatch(/cli\.js",?\s+"mcp"/);
      expect(readFileSync(file, "utf8")).toBe('{ "servers": {');
    }
  });

  it("says what it does not understand", async () => {
    const { mcp } = machine();
    const [misspelt, hooks, none, both] = await Promise.all([
      mcp("--install", "cursr"),
      mcp("--install", "cursor", "--hooks"),
      mcp("--print"),
      mcp("--install", "zed", "--uninstall", "zed"),
    ]);
    expect(misspelt.stderr).toMatch(/--install takes one of .*Did you mean cursor\?/);
    expect(hooks.stderr).toMatch(/--hooks are for claude-code/);
    expect(none.stderr).toMatch(/Say either --install or --uninstall/);
    expect(both.stderr).toMatch(/Say either/);
  });

  it("does not write into the home folder itself", async () => {
    const { home, env } = machine();
    const { status, stderr } = await dossier(["mcp", "--install", "claude-code"], { cwd: home, env });
    expect(stderr).toMatch(/is your home folder/);
    expect(status).toBe(4);
    expect(existsSync(join(home, ".mcp.json"))).toBe(false);
  });
});

describe("the hooks of Claude Code", () => {
  const prompt = (text: string, session = "s") =>
    JSON.stringify({ session_id: session, hook_event_name: "UserPromptSubmit", prompt: text });
  const failure = (command: string, more: object, session = "s") =>
    JSON.stringify({ session_id: session, tool_name: "Bash", tool_input: { command }, ...more });
  const failed = { hook_event_name: "PostToolUseFailure", error: "Exit code 1\n1 failed" };

  it("add what fits the prompt, once, and nothing to small talk", async () => {
    const { run } = machine();
    await run(["index"]);
    const first = await run(["hook", "prompt"], prompt("where does chargeCard charge a card?"));
    const { hookSpecificOutput } = JSON.parse(first.stdout);
    expect(hookSpecificOutput.hookEventName).toBe("UserPromptSubmit");
    expect(hookSpecificOutput.additionalContext).toContain("export function chargeCard");
    expect(hookSpecificOutput.additionalContext.length).toBeLessThan(10_000);
    expect((await run(["hook", "prompt"], prompt("where does chargeCard charge a card?"))).stdout).toBe("");
    expect((await run(["hook", "prompt"], prompt("where does chargeCard charge a card?", "t"))).stdout).not.toBe("");
    const others = [
      "yes, please go on",
      "/compact",
      "zzyzx quux frobnicate",
      "ok",
      "Guten Morgen!",
      "谢谢",
      "commit and push",
    ];
    const answers = others.map((text) => run(["hook", "prompt"], prompt(text, "u")));
    for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ status: 0, stdout: "" });
  });

  it("add a little to a prompt that is hardly about the workspace, and say so", async () => {
    const { run } = machine();
    await run(["index"]);
    const text = "the penguins of the zoo waddle, dive, fish, molt and charge visitors in winter";
    const { hookSpecificOutput } = JSON.parse((await run(["hook", "prompt"], prompt(text))).stdout);
    expect(hookSpecificOutput.additionalContext).toContain("Little here is certain. Not in this workspace: penguins");
    expect(hookSpecificOutput.additionalContext).toContain("charge");
  });

  it("build no index, and say once how to get one", async () => {
    const { run, shop } = machine();
    const context = await run(["hook", "prompt"], prompt("where is the card charged?"));
    expect(JSON.parse(context.stdout)).toEqual({ systemMessage: expect.stringContaining("dossier index") });
    expect(await run(["hook", "prompt"], prompt("where is the card charged?"))).toMatchObject({
      status: 0,
      stdout: "",
    });
    expect(existsSync(join(shop, ".dossier"))).toBe(false);
  });

  it("never stand in the way, whatever they are given", async () => {
    const { run } = machine();
    const inputs = ["", "[]", '"x"', "{", '{"prompt": {"a": 1}, "session_id": 7}', "\u0000\ud800"];
    const hookRuns = inputs.map((input, at) => run(["hook", at % 2 === 0 ? "prompt" : "failure"], input));
    for (const answer of await Promise.all(hookRuns)) expect(answer).toMatchObject({ status: 0, stdout: "" });
    // Status 2 would take the user's prompt away.
    const wrong = [["hook"], ["hook", "nothing"], ["hook", "prompt", "--max-tokens", "1"], ["hook", "prompt", "--new"]];
    const answers = wrong.map((args) => run(args, prompt("where is the card charged?")));
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ status: 0, stdout: "", stderr: expect.stringMatching(/^error: /) });
    }
  });

  it("tell at a session's first failing test what went wrong before", async () => {
    const { run } = machine();
    await run(["index"]);
    expect((await run(["hook", "failure"], failure("npm test", failed))).stdout).toBe("");
    const recorded = await run([
      ...[
        "experience",
        "record",
        "--domain",
        "testing",
        "--strategy",
        "trial-and-error",
        "--goal",
        "Mend the flaky test",
      ],
      ...["--hypothesis", "A race in teardown", "--action", "Wait longer", "--prediction", "It passes"],
      ...["--status", "falsified", "--result", "It still fails", "--surprise", "The clock was frozen"],
      ...["--root-cause", "wrong-assumption", "--root-cause-description", "Fake timers were on"],
    ]);
    expect(recorded).toMatchObject({ status: 0 });
    // Neither what is no test nor what did not fail.
    for (const [command, more] of [
      ["ls", failed],
      ["npm test", { hook_event_name: "PostToolUse", tool_response: { stdout: "12 passed", stderr: "" } }],
      ["npm test", { ...failed, is_interrupt: true }],
    ] as const) {
      expect((await run(["hook", "failure"], failure(command, more))).stdout).toBe("");
    }
    const context = await run(["hook", "failure"], failure("npm test", failed));
    const { hookSpecificOutput } = JSON.parse(context.stdout);
    expect(hookSpecificOutput.hookEventName).toBe("PostToolUseFailure");
    expect(hookSpecificOutput.additionalContext).toContain("The clock was frozen");
    expect((await run(["hook", "failure"], failure("npm test", failed))).stdout).toBe("");
    const hidden = {
      hook_event_name: "PostToolUse",
      tool_response: { stdout: "Tests  1 failed | 2 passed", stderr: "" },
    };
    const other = await run(["hook", "failure"], failure("npm test | tail -3", hidden, "t"));
    expect(JSON.parse(other.stdout).hookSpecificOutput.hookEventName).toBe("PostToolUse");
  });
});

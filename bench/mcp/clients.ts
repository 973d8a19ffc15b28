import { spawn } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { tokenCounter } from "../../src/text/tokens/tokens.ts";
import { row } from "../shared/figures.ts";
import { type StandInModel, startModel } from "./stand-in-model.ts";

/**
 * Real clients against the built server, with a stand-in for their model on loopback: no account, and no traffic beyond this machine. Not for
 * CI. The clients are not dependencies; they are installed somewhere else first:
 *
 *   npm install --prefix ../clients @modelcontextprotocol/inspector @anthropic-ai/claude-code @openai/codex @google/gemini-cli
 *   npm run -s build && node scripts/run.mjs bench/mcp/clients.ts --clients ../clients --out clients.json
 *
 * For each: whether it lists the tools, calls one, and what the model receives for it, in tokens, beside the budget that was asked for.
 */
const { values } = parseArgs({ options: { clients: { type: "string" }, out: { type: "string" } } });
if (!values.clients) throw new Error("Say with --clients where they are installed.");
const bin = (name: string) => resolve(values.clients!, "node_modules/.bin", name);
const cli = resolve("dist/cli.js");
const { count } = tokenCounter("o200k_base");
const budget = 1200;
const callArguments = { query: "how are examples run?", max_tokens: budget };
const prompt = "How are examples run?";

type Outcome = { called: boolean; tokens?: number; structured?: boolean; note?: string };

/** A folder with a workspace and a home of its own: nobody's settings are read or changed. */
function machine(): { home: string; shop: string; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), "dossier-clients-"));
  const shop = join(home, "shop");
  mkdirSync(shop);
  cpSync("examples", join(shop, "examples"), { recursive: true });
  writeFileSync(join(shop, "README.md"), "# Shop\n\nEach example is run by the tests.\n");
  return { home, shop, remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }) };
}

type Run = { status: number | null; output: string };

function run(command: string, args: string[], cwd: string, env: Record<string, string>): Promise<Run> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH!, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    const timer = setTimeout(() => child.kill("SIGKILL"), 120_000);
    child.on("error", fail);
    child.on("close", (status) => {
      clearTimeout(timer);
      done({ status, output });
    });
  });
}

async function inspector(): Promise<Outcome> {
  const { home, shop, remove } = machine();
  const ask = async (...method: string[]) =>
    run(bin("mcp-inspector"), ["--cli", "node", cli, "mcp", ...method], shop, { HOME: home });
  try {
    const listed = await ask("--method", "tools/list");
    const args = Object.entries(callArguments).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
    const called = await ask("--method", "tools/call", "--tool-name", "context_query", ...args);
    const { content, structuredContent, isError } = JSON.parse(called.output) as {
      content: { text: string }[];
      structuredContent?: object;
      isError?: boolean;
    };
    const text = content.map((part) => part.text).join("\n");
    const toolCount = (JSON.parse(listed.output) as { tools: unknown[] }).tools.length;
    return {
      called: !isError,
      tokens: count(text),
      structured: structuredContent !== undefined,
      note: `${toolCount} tools`,
    };
  } finally {
    remove();
  }
}

/** A client that talks to the model by itself. */
async function withModel(work: (model: StandInModel, home: string, shop: string) => Promise<Run>): Promise<Outcome> {
  const { home, shop, remove } = machine();
  const model = await startModel({ tool: "context_query", given: callArguments });
  try {
    const { status, output } = await work(model, home, shop);
    const text = model.received.find((result) => result.includes("bundle: bun-"));
    if (text === undefined) {
      const tried = [...new Set(model.requests)].join(", ") || "no request";
      return { called: false, note: `status ${status}; ${tried}; ${output.trim().slice(-300)}` };
    }
    return { called: true, tokens: count(text), structured: /"(?:sources|results|tokenCount)"/.test(text) };
  } finally {
    await model.close();
    remove();
  }
}

const install = (client: string, home: string, shop: string) =>
  run(process.execPath, [cli, "mcp", "--install", client], shop, {
    HOME: home,
    DOSSIER_HOME: join(home, ".dossier-home"),
  });

const clients: Record<string, { program: string; drive: () => Promise<Outcome> }> = {
  "MCP inspector": { program: "mcp-inspector", drive: inspector },
  "Claude Code": {
    program: "claude",
    drive: () =>
      withModel(async ({ url }, home, shop) => {
        await install("claude-code", home, shop);
        const allowed = [
          "--mcp-config",
          ".mcp.json",
          "--strict-mcp-config",
          "--allowedTools",
          "mcp__dossier__context_query",
        ];
        return run(bin("claude"), ["-p", prompt, ...allowed], shop, {
          HOME: home,
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_API_KEY: "stand-in",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          DISABLE_AUTOUPDATER: "1",
          ENABLE_TOOL_SEARCH: "false",
        });
      }),
  },
  Codex: {
    program: "codex",
    drive: () =>
      withModel(async ({ url }, home, shop) => {
        mkdirSync(join(home, ".codex"));
        const provider = `[model_providers.stand-in]\nname = "stand-in"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`;
        const config = `model = "stand-in"\nmodel_provider = "stand-in"\n\n${provider}`;
        writeFileSync(join(home, ".codex/config.toml"), config);
        await install("codex", home, shop);
        // Codex asks its model after a second, with or without the servers. On a busy machine that would measure the
        // machine.
        appendFileSync(join(home, ".codex/config.toml"), "required = true\n");
        const args = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt];
        return run(bin("codex"), args, shop, { HOME: home, CODEX_HOME: join(home, ".codex") });
      }),
  },
  "Gemini CLI": {
    program: "gemini",
    drive: () =>
      withModel(async ({ url }, home, shop) => {
        mkdirSync(join(home, ".gemini"));
        const settings = {
          security: { auth: { selectedType: "gemini-api-key" } },
          privacy: { usageStatisticsEnabled: false },
        };
        writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings));
        await install("gemini", home, shop);
        return run(bin("gemini"), ["-p", prompt, "--yolo", "--model", "gemini-2.5-flash"], shop, {
          HOME: home,
          GEMINI_API_KEY: "stand-in",
          GEMINI_CLI_TRUST_WORKSPACE: "true",
          GOOGLE_GEMINI_BASE_URL: url,
        });
      }),
  },
};

const outcomes: Record<string, Outcome> = {};
for (const [name, { program, drive }] of Object.entries(clients)) {
  const outcome = existsSync(bin(program)) ? await drive() : { called: false, note: "not installed" };
  outcomes[name] = outcome;
  const { called, tokens, structured, note = "" } = outcome;
  const verdict = called ? `${tokens} of ${budget} tokens${structured ? ", as data" : ""}` : "no answer";
  row(name, verdict, note);
}
if (values.out) writeFileSync(values.out, `${JSON.stringify({ budget, outcomes }, null, 2)}\n`);

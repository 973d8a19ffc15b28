import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allOperations } from "../src/operations/core/registry.ts";
import { type ClientName, clientNames, clients } from "../src/setup/clients.ts";
import { hooksTarget, type Setup, serverTarget } from "../src/setup/install.ts";
import { prompts } from "../src/surfaces/mcp/prompts.ts";
import { listingOf } from "../src/surfaces/mcp/tools/listing.ts";

/** docs/mcp.md: what is set up is made by the code that sets it up, the tools come from the listing that agents get. */
export async function mcpPage(): Promise<string> {
  const listing = listingOf(await allOperations());
  const machine = exampleMachine();
  try {
    return `${[
      "# Agents (MCP)",
      "<!-- Made by `npm run docs`; edits here are lost. -->",
      introduction,
      "## Set up a client",
      setUp,
      ...clientNames.map((client) => clientSection(client, machine)),
      "## Hooks for Claude Code",
      hooksText,
      block("json", machine.shown(hooksTarget(machine.setup("claude-code")).snippet)),
      hooksRest,
      "## Tools",
      toolsText,
      table(
        ["tool", "what it is for", "inputs"],
        listing.default.map(({ name, description, inputSchema: { properties, required = [] } }) => [
          `\`${name}\``,
          description,
          Object.keys(properties)
            .filter((key) => !everyTool.includes(key))
            .map((key) => (required.includes(key) ? `**\`${key}\`**` : `\`${key}\``))
            .join(", "),
        ]),
      ),
      `With \`--tools all\` there are ${listing.all.length}: every command that may be called from afar, with all its inputs (see [cli.md](cli.md)).`,
      "## Only what is new",
      since,
      "## Resources and prompts",
      resources,
      table(
        ["prompt", "what it gives", "arguments"],
        prompts.prompts.map(({ name, description = "", arguments: takes = [] }) => [
          `\`${name}\``,
          description,
          takes.map((one) => (one.required ? `**\`${one.name}\`**` : `\`${one.name}\``)).join(", "),
        ]),
      ),
      "## Over HTTP",
      http,
      "## When something is wrong",
      troubles,
    ].join("\n\n")}\n`;
  } finally {
    machine.remove();
  }
}

/** Inputs that every tool has, which are told once. */
const everyTool = ["project", "cursor", "format"];

const introduction = `\`dossier mcp\` answers a coding agent by the Model Context Protocol: questions about the repository, its history, your notes and what earlier
sessions learned, as cited documents within a token budget. It serves the folder that it is started in, or those that the client names;
the first question builds the index and says how far it is. It is one process for each client, and several of them share one index.`;

const setUp = `One command in the workspace's folder writes the client's config:

\`\`\`sh
dossier mcp --install claude-code            # or: ${clientNames.slice(1).join(", ")}
dossier mcp --install claude-code --print    # shows the file and the change, and writes nothing
dossier mcp --uninstall claude-code          # takes it out again
\`\`\`

The config is merged: other servers, settings, comments and the way the file is written stay. A second run says that it is there already. A file
that cannot be read for certain is left alone, and you are shown what to paste. A link is followed, and a file that may not be written is not
replaced.

What is written is how you started Dossier: by name when it is installed (\`npm link\` in the clone, \`npm install -g\`), by \`npx\` when you
used that, and otherwise by its full path, which is of no use to others who share the file; you are told so. Add \`--tools all\` for every
tool. On Windows it is started through \`cmd /c\` where it must be.`;

const notes: Record<ClientName, string> = {
  "claude-code":
    "The file belongs into git: everyone who has Dossier gets the server. Claude Code asks once whether to trust it.",
  "claude-desktop": `The file is one for all workspaces: each has its own server in it, named after its folder from the second on. It is
\`~/Library/Application Support/Claude/claude_desktop_config.json\` on macOS, \`%APPDATA%\\Claude\\claude_desktop_config.json\` on Windows (or the
folder inside the package, where Claude Desktop was installed as one). An application has no PATH, so that places are written in full.`,
  cursor: `Cursor puts the folder of its window in place of \`\${workspaceFolder}\`. Another client that reads the file and does not know the word
is answered from the folder that it starts the server in.`,
  vscode: `VS Code, with Copilot's agent mode, puts its folder in place of \`\${workspaceFolder}\`. Comments in the file stay.`,
  codex: `The file is one for all workspaces (\`$CODEX_HOME\` is respected). Codex starts servers in the folder that it works in, so that one entry
serves every workspace; with \`--path ~/shop\` the entry is for that one alone.

Codex (0.169) asks its model after a second, whether its servers are there or not. Dossier lists its tools a tenth of a second after it was
started, but on a busy machine the first question of \`codex exec\` may go without them. \`required = true\` in the entry makes Codex wait; then it
does not start at all where the server does not.`,
  gemini: `Gemini CLI starts no server in a folder that is not trusted, and lists it as disabled. The dialog at the start asks once; where nobody can be
asked, \`GEMINI_CLI_TRUST_WORKSPACE=true\` says it.`,
  zed: "Zed asks once whether to trust the folder. Comments in the file stay.",
  opencode:
    "The command and its arguments are one list there. An `opencode.jsonc` that is there already is used, and its comments stay.",
  copilot: `The file is one for all workspaces (\`$COPILOT_HOME\` is respected): Copilot CLI starts servers in the folder that it works in. It asks once for each
folder whether you trust it, and starts nothing before. It also reads a repository's \`.mcp.json\`, the one of Claude Code: one of the two is enough.`,
  qwen: "With `security.folderTrust.enabled` Qwen Code ignores the settings of a folder until you trust it.",
  jetbrains: `This is Junie's file. AI Assistant has none: paste the same under Settings, Tools, AI Assistant, Model Context Protocol (MCP). The folder is written
out, so that the file is of no use to others.`,
  windsurf:
    "The file is one for all workspaces: each has its own server in it, named after its folder from the second on.",
};

function clientSection(client: ClientName, machine: ExampleMachine): string {
  const { title, format, afterwards } = clients[client];
  const { file, snippet } = serverTarget(machine.setup(client));
  const place = machine.shown(file).replace(`${exampleRoot}/`, "").replace(exampleHome, "~");
  return [
    `### ${title}`,
    block("sh", `dossier mcp --install ${client}`),
    `\`${place}\`:`,
    block(format, machine.shown(snippet)),
    [notes[client], afterwards].filter((text) => text !== "").join("\n\n"),
  ].join("\n\n");
}

const hooksText = `\`\`\`sh
dossier mcp --install claude-code --hooks
\`\`\`

adds hooks to \`.claude/settings.json\` as well, beside those that are there:`;

const hooksRest = `- **On every prompt** \`dossier hook prompt\` adds what the workspace has on it: at most 2,000 tokens (\`--max-tokens\` after the command changes that)
  and never more than the 10,000 characters that Claude Code takes. It adds nothing where nothing is relevant enough, nothing to small talk, and
  nothing that the session was given before. A task of 30 words or more gets what \`dossier brief\` gives: what is pinned, then what was learned,
  and the code. It does not build an index: where there is none, it says once that \`dossier index\` makes one. What takes
  too long is left out.
- **On the first failing test of a session** \`dossier hook failure\` adds what went wrong before in testing and debugging (the premortem). Claude Code
  reports a command that failed by \`PostToolUseFailure\`, and one that succeeded by \`PostToolUse\`: the latter counts when a test runner's summary
  says that something failed, as with \`npm test | tail\`.
- **When a session begins** \`dossier hook start\` adds what is pinned, the experience that is open and what changed since last time, in at most 600 tokens.
- **When it ends** \`dossier hook end\` reads the session's log and leaves drafts; nothing is remembered before \`dossier memory accept\`. Drafts are sentences that
  decide, forbid or explain, and what was seen to be tried: a check that failed and the change after which it passed (and changes that had not
  helped), a change that was taken back after a check failed on it, a check that still fails, one that passed again with nothing changed, a command that
  does not run here and the one that does, a package that was installed and removed. A mistake in what the session itself had just written is no draft.
  \`dossier memory capture log.jsonl\` does the same for other agents (logs of Claude Code and Codex).

Whatever goes wrong in a hook, it ends with status 0 and a note on standard error (\`claude --debug\` shows it): your prompt is never held up.
\`dossier mcp --uninstall claude-code --hooks\` takes out the hooks and leaves the server.`;

const toolsText = `Nine tools, whose listing costs an agent less than 1,500 tokens. Those in bold are required; every tool also takes \`project\` (the name or folder of
another workspace), \`cursor\` (the rest of an answer that was cut) and all inputs of its command. Answers have 4,000 tokens unless \`max_tokens\` says
otherwise, and never more than 20,000 at once. \`max_tokens\` is what the model receives: the document, its warnings and the bundle that ends it.

An answer is one text. There is no structured content and no output schema: clients that find one give the model the data instead of the document,
which costs more and says less. With \`format: "json"\` the whole text is JSON. Every printed part carries its lines on disk; \`line_numbers\` numbers
each of them, so that nothing has to be read again before an edit. \`open\` takes ids, \`path:lines\`, files, folders and symbols, several at once, and with \`show\`
tells \`callers\`, \`references\` or an \`outline\`. Wrong arguments are an answer that says what to correct, and numbers may be written as texts.`;

const since = `An agent that asks twice should not pay twice. With \`since: "start"\` an answer names a \`bundle\`; given as \`since\` with the next question, what the agent
has already is left out, whichever tool it came from. Lines are what is remembered: a line that was edited
meanwhile is new.

\`\`\`json
{ "query": "how is the session ended?", "since": "start" }
{ "query": "and who calls it?", "since": "bun-1k3f9q" }
\`\`\``;

const resources = `- \`dossier://item/<id>\` opens a citation in full: \`dossier://item/cod-1k3f\` for \`[cod-1k3f]\`.
- \`dossier://status\` says what the index holds and how current it is.`;

const http = `\`dossier serve\` answers agents at \`/mcp\` (streamable HTTP) with the same tools, resources and prompts, for clients on other machines. Keys are those of the
[HTTP service](http.md); what one may not do is not in its listing. \`/mcp?tools=all\` offers every tool.

\`\`\`sh
dossier key create agents --owner ada --scope write    # shown once
dossier serve --host 0.0.0.0 --allow-host dossier.example.org
\`\`\`

\`\`\`text
claude mcp add --transport http dossier https://dossier.example.org/mcp --header "Authorization: Bearer $DOSSIER_KEY"
\`\`\`

| client | entry |
| --- | --- |
| Claude Code (\`.mcp.json\`) | \`{ "type": "http", "url": "…/mcp", "headers": { "Authorization": "Bearer \${DOSSIER_KEY}" } }\` |
| Cursor, Zed | \`{ "url": "…/mcp", "headers": { "Authorization": "Bearer …" } }\` |
| VS Code | \`{ "type": "http", "url": "…/mcp", "headers": { "Authorization": "Bearer …" } }\` |
| Gemini CLI | \`{ "httpUrl": "…/mcp", "headers": { "Authorization": "Bearer …" } }\` |
| Codex | \`url = "…/mcp"\` and \`bearer_token_env_var = "DOSSIER_KEY"\` |

Until the first key exists only this machine is served. Put something that speaks TLS in front of it: keys travel in a header.`;

const troubles = `| what you see | what to do |
| --- | --- |
| the client does not list the server | Look whether it read the file: \`/mcp\` in Claude Code, Codex and Gemini CLI, MCP: List Servers in VS Code. Desktop applications must be quit altogether. |
| \`spawn dossier ENOENT\`, \`command not found\` | The client has another PATH than your shell. Run \`--install\` again as \`node /path/to/dossier/dist/cli.js mcp --install …\`: the place is written then. |
| the first answer takes long | It builds the index. \`dossier index\` beforehand does it once, with a progress bar. |
| "is your home folder" | The client started the server outside of a project. Open a folder, or write \`--path\` into the entry's arguments. |
| answers from the wrong folder | \`dossier://status\` names the folder. Clients that know roots say which is meant; others get the folder that they start servers in, or \`--path\`. |
| nothing is found | \`dossier "the same question"\` in the folder; \`dossier why\` explains what was left out; \`dossier doctor\` checks the index. |
| the hooks say nothing | \`echo '{"prompt": "…"}' \\| dossier hook prompt\` in the folder shows what they would. |
| the server's own words | They are on standard error, which clients keep in their logs: \`claude --debug\`, \`~/Library/Logs/Claude\`, Output: MCP in VS Code and Cursor. |`;

type ExampleMachine = { setup(client: ClientName): Setup; shown(text: string): string; remove(): void };

const exampleHome = "/home/ada";
const exampleRoot = `${exampleHome}/shop`;

/** A machine with Dossier installed for all, as most have it. */
function exampleMachine(): ExampleMachine {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dossier-docs-")));
  const script = join(root, "lib/node_modules/dossier/dist/cli.js");
  mkdirSync(join(root, "bin"));
  mkdirSync(join(script, ".."), { recursive: true });
  for (const file of [script, join(root, "node")]) writeFileSync(file, "");
  symlinkSync(script, join(root, "bin/dossier"));
  symlinkSync(join(root, "node"), join(root, "bin/node"));
  const environment = { PATH: join(root, "bin") };
  return {
    setup: (client) => ({
      client,
      place: { root: exampleRoot, home: exampleHome, platform: "linux", environment },
      start: { platform: "linux", node: join(root, "node"), script: join(root, "bin/dossier"), environment },
      pinned: false,
    }),
    shown: (text) => text.replaceAll(root, "/usr/local"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

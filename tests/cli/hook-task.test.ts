import { writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { ledger } from "../mcp/agent.ts";
import { folder } from "../workspace.ts";
import { dossierInside } from "./run-cli.ts";

let root: string;
const run = (words: string[]) => dossierInside(words, { cwd: root, env: { DOSSIER_HOME: `${root}/.home` } });

beforeEach(async () => {
  root = folder(ledger, { git: true });
  await run(["remember", "Answer in German", "--pin", "--category", "preference"]);
  await run(["remember", "Refunds over 500 euros wait in refund_requests until someone from finance approves them"]);
  await run(["remember", "Amounts are integers in the smallest unit of the currency"]);
  await run(["remember", "Dock staff wear gloves, so buttons are large"]);
  await run(["index", "--quiet"]);
});

async function prompted(prompt: string, session = "one"): Promise<string> {
  const payload = JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: session, cwd: root, prompt });
  const { stdout } = await run(["hook", "prompt", "--payload", payload]);
  return stdout === "" ? "" : JSON.parse(stdout).hookSpecificOutput.additionalContext;
}

const task =
  "Finance asks for a screen that lists all refunds of a month by line and currency, with who asked for each and who approved it. Large ones are handled by two people and " +
  "some are still waiting; these must be shown as open and their amounts must not be summed. It should not slow down selling in bookAmount.";

describe("hooks of a workspace whose records are damaged", () => {
  it("answer from what can be read, and tell the user once a session", async () => {
    writeFileSync(`${root}/.dossier/memory.db`, "this is no database at all, whatever its name says");
    const payload = JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: "one", cwd: root, prompt: task });
    const first = JSON.parse((await run(["hook", "prompt", "--payload", payload])).stdout);
    expect(first.systemMessage).toMatch(/memory\.db is not a database.*Put the file back from a backup/);
    expect(first.hookSpecificOutput.additionalContext).toContain("bookAmount");
    const again = await run(["hook", "start", "--payload", payload]);
    expect(again).toMatchObject({ status: 0, stdout: "" });
    const other = payload.replace('"one"', '"two"');
    const start = JSON.parse((await run(["hook", "start", "--payload", other])).stdout);
    expect(start.systemMessage).toContain("memory.db");
  });
});

describe("the hook for a prompt", () => {
  it("brings what was remembered for a task, the pinned first, and the code that it names", async () => {
    const context = await prompted(task);
    const places = ["Answer in German", "refund_requests", "smallest unit", "bookAmount("].map((words) =>
      context.indexOf(words),
    );
    expect(places).not.toContain(-1);
    expect(places[0]).toBe(Math.min(...places));
    // What it gave it does not give again in the same session.
    expect(await prompted(task)).not.toContain("refund_requests");
  });

  it("answers a question with the code, however long the question is", async () => {
    const question =
      "I read the ledger last week and could not find out where the rounding happens, since there are several places that handle money in cents here. How does bookAmount book an amount in cents?";
    expect(await prompted(question)).toContain("export function bookAmount");
    expect(await prompted(question, "two")).not.toContain("Answer in German");
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { dossier } from "../cli/run-cli.ts";
import { folder } from "../workspace.ts";
import { agent, ledger } from "./agent.ts";

let root: string;
beforeEach(async () => {
  root = folder(ledger, { git: true });
  await dossier(["index", "--quiet"], { cwd: root });
});

const home = () => ({ DOSSIER_HOME: `${root}/.home` });

async function prompted(prompt: string, session: string): Promise<string> {
  const payload = JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: session, cwd: root, prompt });
  return (await dossier(["hook", "prompt", "--payload", payload], { cwd: root, env: home() })).stdout;
}

async function asking(session: string) {
  const client = await agent({ cwd: root, env: { ...home(), CLAUDE_CODE_SESSION_ID: session } });
  return async (given: Record<string, unknown>) => {
    const { content } = await client.callTool({ name: "context_query", arguments: given });
    return (content as { text: string }[])[0]!.text;
  };
}

const query = "how does bookAmount book an amount in cents?";

describe("the hook and the server of one session", () => {
  it("do not give the same twice: what the hook gave, the server leaves out, unless all is asked for", async () => {
    expect(await prompted(query, "one")).toContain("export function bookAmount");
    const ask = await asking("one");
    expect(await ask({ query })).not.toContain("export function bookAmount");
    expect(await ask({ query, since: "start" })).toContain("export function bookAmount");
    const other = await asking("two");
    expect(await other({ query })).toContain("export function bookAmount");
    // Its own answers it gives again: an agent asks when they are gone from its context.
    expect(await other({ query })).toContain("export function bookAmount");
  });

  it("do not give the same twice: what the server gave, the hook leaves out", async () => {
    const ask = await asking("three");
    expect(await ask({ query })).toContain("export function bookAmount");
    expect(await prompted(query, "three")).not.toContain("export function bookAmount");
    expect(await prompted(query, "four")).toContain("export function bookAmount");
  });
});

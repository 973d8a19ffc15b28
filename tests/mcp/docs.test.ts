import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mcpPage } from "../../scripts/mcp-page.ts";
import { dossier, folderWith } from "../cli/run-cli.ts";

const page = readFileSync("docs/mcp.md", "utf8");

describe("docs/mcp.md", () => {
  it("shows what is set up and offered as it is (npm run docs rewrites)", async () => {
    expect(page).toBe(await mcpPage());
  });

  it("shows commands that do what they say", async () => {
    const { folder: home, remove } = folderWith({ "shop/a.md": "# Shop\n" });
    const env = {
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      CODEX_HOME: "",
      DOSSIER_HOME: home,
    };
    const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text!);
    const commands = blocks
      .flatMap((text) => text.split("\n"))
      .map((line) => line.replace(/#.*/, "").trim())
      // It would serve until it is stopped.
      .filter((line) => line.startsWith("dossier ") && !line.startsWith("dossier serve"));
    expect(commands.length).toBeGreaterThan(10);
    for (const command of commands) {
      const { status, stderr } = await dossier(command.split(/\s+/).slice(1), { cwd: join(home, "shop"), env });
      expect({ command, status, stderr: stderr.replace(/^warning: .*\n/gm, "") }).toEqual({
        command,
        status: 0,
        stderr: "",
      });
    }
    remove();
  });
});

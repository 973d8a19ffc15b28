import { createHash } from "node:crypto";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { bearer, post, type RunningServer, start } from "./http-server.ts";

let running: RunningServer | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("what a server keeps", () => {
  it.skipIf(process.platform === "win32")(
    "can be read by its user alone, also where an older version made it",
    async () => {
      running = await start();
      const { url, workspace, root } = running;
      await post(`${url}/v1/put_document`, { document: "a.md", content: "Ada's." });
      const folder = dirname(workspace.databasePath);
      const databases = () => readdirSync(folder).filter((name) => /\.db(?:-|$)/.test(name));
      const modes = () => [modeOf(folder), ...new Set(databases().map((name) => modeOf(join(folder, name))))];
      expect(databases().length).toBeGreaterThanOrEqual(2);
      expect(modes()).toEqual([0o700, 0o600]);
      chmodSync(folder, 0o755);
      for (const name of databases()) chmodSync(join(folder, name), 0o644);
      const again = await openWorkspace(root);
      await again.library();
      await again.close();
      expect(modes()).toEqual([0o700, 0o600]);
    },
  );

  it("names owners in its log by a hash that nobody can make without its key", async () => {
    running = await start();
    const { url, key, log } = running;
    const [ada, bob] = [bearer(await key("ada", "read")), bearer(await key("bob", "read"))];
    for (const who of [ada, bob, ada]) await post(`${url}/v1/lenses`, {}, who);
    const owners = log.filter(({ route }) => route === "/v1/lenses").map(({ owner }) => String(owner));
    expect(owners[0]).toBe(owners[2]);
    expect(new Set(owners).size).toBe(2);
    expect(owners[0]).toMatch(/^[0-9a-f]{12}$/);
    expect(createHash("sha256").update("ada").digest("hex")).not.toContain(owners[0]);
  });
});

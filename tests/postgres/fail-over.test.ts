import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { canStartClusters, startPrimary, startReplica } from "../../src/stores/postgres/replicas/cluster.samples.ts";
import { post } from "../http/http-server.ts";
import { ledger } from "../mcp/agent.ts";
import { folder } from "../workspace.ts";
import { serveProcess } from "./serve-process.ts";

describe.skipIf(!canStartClusters)("a service whose primary is killed", () => {
  it("answers again by itself once the replica is promoted, with all that it acknowledged", async () => {
    const home = mkdtempSync(join(tmpdir(), "dossier-home-"));
    const primary = await startPrimary();
    const root = folder(ledger);
    const environment = (url: string) => ({ DATABASE_URL: url, DOSSIER_HOME: home, DOSSIER_BACKGROUND: "off" });
    // Whoever opens the database first makes its schema, which the replica is a copy of.
    await post(`${(await serveProcess(root, environment(primary.url))).url}/v1/remember`, { content: "Before." });
    const replica = await startReplica(primary);
    try {
      primary.stop();
      primary.start({ synchronous_standby_names: "*", synchronous_commit: "on" });
      await vi.waitFor(
        () => expect(primary.sql("SELECT sync_state FROM pg_stat_replication")).toContain("sync"),
        15_000,
      );
      const both = primary.url.replace(/@([^/]*)/, (_, host) => `@${host},127.0.0.1:${replica.port}`);
      const { url } = await serveProcess(root, environment(both));
      const remember = (n: number) =>
        post(`${url}/v1/remember`, { content: `The clerk of ledger ${n} is number ${n * 7}.` });
      const acknowledged: number[] = [];
      let failed = 0;
      let isRunning = true;
      const writer = (async () => {
        for (let n = 1; isRunning; n++) {
          if ((await remember(n)).status === 200) acknowledged.push(n);
          else failed++;
          await sleep(50);
        }
      })();
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(5), 30_000);
      primary.kill();
      const killed = performance.now();
      await sleep(1000);
      replica.promote();
      const before = acknowledged.length;
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 5), 60_000);
      isRunning = false;
      await writer;
      const listed = (await post(`${url}/v1/memories`, { limit: 500 })).text;
      const lost = acknowledged.filter((n) => !listed.includes(`ledger ${n} is`));
      console.log(
        `${acknowledged.length} memories acknowledged, ${lost.length} lost, ${failed} refused; six were taken again ` +
          `${((performance.now() - killed) / 1000).toFixed(1)} s after the kill, 1 s of it before the promotion`,
      );
      expect(lost).toEqual([]);
      expect((await post(`${url}/v1/context`, { query: "clerk of ledger 1" })).status).toBe(200);
    } finally {
      replica.remove();
      primary.remove();
      rmSync(home, { recursive: true, force: true });
    }
  }, 180_000);
});

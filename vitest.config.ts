import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts", "bench/**/*.test.ts"],
    globalSetup: ["tests/setup.ts"],
    setupFiles: ["tests/seed.ts", "tests/unchanged-process.ts"],
    // No test leaves a process behind: one that wants an engine turns it on, in a folder of its own.
    // What tests keep for later is not kept where this user's own is.
    env: {
      DOSSIER_ENGINE: "off",
      XDG_CACHE_HOME: join(tmpdir(), "dossier-test-cache"),
      // Nor is what this user remembers for all workspaces part of any answer.
      XDG_DATA_HOME: join(tmpdir(), "dossier-test-data"),
      // Where scripts/postgres.ts unpacks servers.
      DOSSIER_TEST_POSTGRES: join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "dossier-postgres"),
    },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
    // Loading what it tests takes most files longer than testing it, so those of one process share it. tests/unchanged-process.ts sees to it
    // that each leaves the process as it was.
    isolate: false,
  },
});

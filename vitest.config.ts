import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts", "bench/**/*.test.ts"],
    globalSetup: ["tests/setup.ts"],
    setupFiles: ["tests/seed.ts"],
    // No test leaves a process behind: one that wants an engine turns it on, in a folder of its own.
    env: { DOSSIER_ENGINE: "off" },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});

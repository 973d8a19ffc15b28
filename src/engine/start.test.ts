import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { startEngine } from "./start.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "dossier-start-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { MALLOC_ARENA_MAX: _, ...others } = process.env;

async function variableOf(name: string, variables: NodeJS.ProcessEnv): Promise<string> {
  const file = join(folder, `${name}.txt`);
  const script = join(folder, `${name}.mjs`);
  const text = JSON.stringify(file);
  writeFileSync(
    script,
    `import { renameSync, writeFileSync } from "node:fs";
writeFileSync(${text} + ".part", process.argv.slice(2).join(" ") + " " + process.env.MALLOC_ARENA_MAX);
renameSync(${text} + ".part", ${text});`,
  );
  expect(startEngine(folder, script, { ...others, DOSSIER_HOME: folder, ...variables })).toBe(true);
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 20_000 });
  return readFileSync(file, "utf8");
}

it("starts an engine for the workspace, with one arena of memory unless the user wants others", async () => {
  expect(await variableOf("usual", {})).toBe(`engine run --path ${folder} 1`);
  expect(await variableOf("own", { MALLOC_ARENA_MAX: "4" })).toBe(`engine run --path ${folder} 4`);
});

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const run = promisify(execFile);
const compiler = resolve("node_modules/typescript/bin/tsc");

const program = `import { context, type Context } from "./types/index.js";
import { createClient } from "./types/client/client.js";

const { text, tokens }: Context = await context({ query: "how?", maxTokens: 500 });
const { owner } = await createClient({ url: "http://127.0.0.1:8137" }).whoami({});
export const shown: [string, number, string] = [text, tokens.used, owner];
// @ts-expect-error a number is no question
await context({ query: 5 });
`;

it("the types of the package need no types of Node in the program that uses them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dossier-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tsc = (...args: string[]) =>
    run(process.execPath, [compiler, ...args]).then(
      () => "",
      ({ stdout }: { stdout: string }) => stdout,
    );
  expect(await tsc("-p", "tsconfig.types.json", "--outDir", join(folder, "types"))).toBe("");
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const file = join(folder, "program.ts");
  writeFileSync(file, program);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2023", "--types", ""];
  for (const resolution of ["bundler", "nodenext"]) {
    const module = resolution === "bundler" ? "esnext" : resolution;
    const said = await tsc(...options, "--module", module, "--moduleResolution", resolution, "--ignoreConfig", file);
    expect(`${resolution}: ${said}`).toBe(`${resolution}: `);
  }
}, 120_000);

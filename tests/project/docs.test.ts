import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandPages, optionPages } from "../../scripts/pages.ts";
import { commandCalled, isNoun } from "../../src/operations/core/commands.ts";
import { ownCommands } from "../../src/surfaces/cli/route.ts";

const read = (path: string) => readFileSync(path, "utf8");

describe("the documents", () => {
  it("list the options as the schemas state them (npm run docs rewrites)", async () => {
    expect(read("docs/options.md")).toBe(await optionPages());
  });

  it("show the command line as it is (npm run docs rewrites)", async () => {
    expect(read("docs/cli.md")).toBe(await commandPages());
  });

  it("open with the two commands that must work on a fresh machine", () => {
    const commands = [...read("README.md").matchAll(/npm install[^\n`]*/g)].map(([command]) => command);
    expect(commands.slice(0, 2)).toEqual([
      'npm install && npm start -- "how is the token budget enforced?"',
      "npm install && npm test",
    ]);
    expect(read(".ci/run")).toContain(commands[1]);
  });

  it("name only commands that exist", () => {
    for (const page of ["README.md", "CONTRIBUTING.md"]) {
      const named = [...read(page).matchAll(/\bdossier ([a-z_]+)\b(?! is| are)/g)].map(([, name]) => name!);
      const isCommand = (name: string) =>
        isNoun(name) || commandCalled([name]) !== undefined || (ownCommands as readonly string[]).includes(name);
      expect(named.filter((name) => !isCommand(name))).toEqual([]);
    }
  });

  it("name only npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    for (const page of ["README.md", "CONTRIBUTING.md", ".ci/run"]) {
      const named = [...read(page).matchAll(/npm run (?:-s )?([a-z]+)/g)].map(([, name]) => name!);
      expect(named.filter((name) => !(name in scripts))).toEqual([]);
    }
  });

  it("link to files that exist", () => {
    const pages = readdirSync(".").filter((name) => name.endsWith(".md"));
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, target]) => join(dirname(page), target!))
        .filter((target) => !existsSync(target))
        .map((target) => `${page} -> ${target}`),
    );
    expect(broken).toEqual([]);
  });
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { commandPages, optionPages } from "../../scripts/pages.ts";
import { commandCalled, isNoun } from "../../src/operations/core/commands.ts";
import { ownCommands } from "../../src/surfaces/cli/route.ts";

const read = (path: string) => readFileSync(path, "utf8");

const tree = ["src", "bench"].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: "utf8" }).map((path) => `${room}/${path.split(sep).join("/")}`),
);

/** A path from the root, from src/, or the last part of one: in a walk the folder is that of the step before. */
function isInTree(path: string): boolean {
  if (existsSync(path) || existsSync(join("src", path))) return true;
  return tree.some((entry) => entry.replace(/\.tsx?$/, "").endsWith(`/${path.replace(/\.tsx?$/, "")}`));
}

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

  it.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("name only files and folders that exist: %s", (page) => {
    const missing = [...read(page).matchAll(/`([^`\n]+)`/g)]
      .map(([, code]) => code!.replace(/\/$/, ""))
      .filter((code) => /^(?!\.\.|dist)[\w.-]+(\/[\w.-]+)+$|^[\w-]+\.(ts|md)$/.test(code) && !isInTree(code));
    expect(missing).toEqual([]);
  });

  it("walk from the entry to the work in at most twelve steps, each a file or a folder", () => {
    const [, walks = ""] = read("ARCHITECTURE.md").split("\n## Walks\n");
    const all = walks
      .split("\n## ")[0]!
      .split(/(?=\*\*A(?:ny?)? )/)
      .filter((text) => text.startsWith("**"));
    expect(all.length).toBeGreaterThanOrEqual(6);
    expect(all.filter((walk) => walk.split("→").length > 12)).toEqual([]);
    const steps = all
      .flatMap((walk) => walk.split("→").slice(1))
      .flatMap((step) => /^\s*`([a-z][^`]*)`/.exec(step)?.[1] ?? []);
    expect(steps.length).toBeGreaterThan(30);
    expect(steps.filter((step) => !isInTree(step.replace(/\/$/, "")))).toEqual([]);
  });

  it("have a plan of the house that fits one page", () => {
    expect(read("ARCHITECTURE.md").split("\n").length).toBeLessThanOrEqual(130);
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

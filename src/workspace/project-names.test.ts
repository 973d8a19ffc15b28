import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { projectNames } from "./project-names.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "dossier-names-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it.each<[string, string, string[]]>([
  ["package.json", '{\n  "name": "@acme/parcel-monorepo"\n}', ["parcel-monorepo", "parcel"]],
  ["composer.json", '{\n  "name": "slim/slim"\n}', ["slim"]],
  ["pyproject.toml", '[project]\nname = "Flask"\n', ["flask"]],
  ["Cargo.toml", '[package]\nauthors = ["A"]\nname = "bat"\n[dependencies]\nname = "x"\n', ["bat"]],
  ["go.mod", "module github.com/caddyserver/caddy/v2\n\ngo 1.22\n", ["caddy"]],
  ["pom.xml", "<parent><artifactId>oss</artifactId></parent><artifactId>gson</artifactId>", ["gson"]],
  ["settings.gradle.kts", 'rootProject.name = "okhttp"\n', ["okhttp"]],
  ["CMakeLists.txt", "cmake_minimum_required(VERSION 3.1)\nproject(ninja CXX)\n", ["ninja"]],
  ["rack.gemspec", "", ["rack"]],
  ["README.md", "[![badge](x)](y)\n\n# [Jekyll](https://jekyllrb.com/)\n\n# Installing\n", ["jekyll"]],
  [".git/config", '[remote "origin"]\n\turl = git@example.org:owner/tmux.git\n', ["tmux"]],
])("reads the name in %s", (file, text, names) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  expect(projectNames(root)).toEqual(names);
});

it("takes the folder's name where nothing states one, and none that any project may have", () => {
  const folder = join(root, "lighthouse");
  mkdirSync(folder);
  expect(projectNames(folder)).toEqual(["lighthouse"]);
  writeFileSync(join(folder, "package.json"), '{ "name": "app" }');
  expect(projectNames(folder)).toEqual([]);
});

it("reads a README whose first heading is a sentence as nameless, and a folder that is not there as well", () => {
  writeFileSync(join(root, "README.md"), "# How to build it\n\n# Usage\n");
  writeFileSync(join(root, "package.json"), '{ "name": "lamp" }');
  expect(projectNames(root)).toEqual(["lamp"]);
  expect(() => projectNames(join(root, "gone"))).not.toThrow();
});

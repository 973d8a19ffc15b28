import { expect, it } from "vitest";
import { isDottedPath, nestedKeyLines } from "./nested-keys.ts";

const yaml =
  "# shop\nspring:\n  datasource:\n    url: jdbc:x\n    pool:\n      size: 3\nservices:\n  web:\n    ports:\n      - 80\n  url: no\n";

it("finds a nested key by its dotted path, in YAML, JSON, TOML and INI", () => {
  expect(nestedKeyLines(yaml.split("\n"), "yaml", "spring.datasource.url")).toEqual([4]);
  expect(nestedKeyLines(yaml.split("\n"), "yaml", "services.web.ports")).toEqual([9]);
  expect(nestedKeyLines(yaml.split("\n"), "yaml", "datasource.pool.size")).toEqual([6]);
  expect(nestedKeyLines(yaml.split("\n"), "yaml", "spring.url")).toEqual([]);
  const json = '{\n  "compilerOptions": {\n    "paths": {}\n  },\n  "paths": 1\n}';
  expect(nestedKeyLines(json.split("\n"), "json", "compilerOptions.paths")).toEqual([3]);
  const toml = '[tool.black]\nline-length = 88\n[[ tool . "mypy" ]]\nstrict = true\n';
  expect(nestedKeyLines(toml.split("\n"), "toml", "tool.black.line-length")).toEqual([2]);
  expect(nestedKeyLines(toml.split("\n"), "toml", "tool.mypy.strict")).toEqual([4]);
  expect(nestedKeyLines("[core]\neditor=vi\n".split("\n"), "ini", "core.editor")).toEqual([2]);
});

it("takes two words with a point between for a path, not a sentence or a version", () => {
  expect(["services.web.ports", "core.editor"].every(isDottedPath)).toBe(true);
  expect(["services", "a. b", ".env"].some(isDottedPath)).toBe(false);
});

it("finds a key below nine hundred others by the end of its path", () => {
  const lines = Array.from({ length: 900 }, (_, i) => `${" ".repeat(i)}key${i}:`);
  expect(nestedKeyLines(lines, "yaml", "key897.key898.key899")).toEqual([900]);
});

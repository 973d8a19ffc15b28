import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { operationNames } from "../../operations/core/registry.ts";
import { overview } from "./overview.ts";

/** The modules that are loaded with one, by its own words: types, and what is imported when needed, are not. */
function loadedWith(entry: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(entry)) return loaded;
  loaded.add(entry);
  const text = readFileSync(entry, "utf8");
  for (const [, clause, from] of text.matchAll(/^(?:import|export) ([^;]*?) from "([^"]+)";/gms)) {
    if (clause!.startsWith("type ")) continue;
    if (from!.startsWith(".")) loadedWith(join(dirname(entry), from!), loaded);
    else loaded.add(from!);
  }
  return loaded;
}

describe("the screen of help", () => {
  it("is the same in colours, without their codes", () => {
    expect(overview(true).replace(/\u001b\[\d+m/g, "")).toBe(overview(false));
  });

  it("shows no name with an underscore", () => {
    expect(overview(false)).not.toMatch(/_/);
    expect(operationNames.some((name) => name.includes("_"))).toBe(true);
  });

  it.each(["process.ts", "overview.ts"])("needs no operation and no schema: %s", (file) => {
    const loaded = [...loadedWith(join("src/surfaces/cli", file))];
    expect(loaded).not.toContain("zod");
    expect(
      loaded.filter((path) => / = operation\(\{/.test(path.endsWith(".ts") ? readFileSync(path, "utf8") : "")),
    ).toEqual([]);
    expect(loaded).toContain("src/operations/core/commands.ts");
  });
});

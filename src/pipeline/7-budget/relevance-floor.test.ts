import { expect, it } from "vitest";
import type { Request } from "../../options.ts";
import { code } from "../../recipes/code.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import type { Unique } from "../unique.ts";
import { chancesFor } from "./chance.ts";
import { byRelevanceFloor } from "./relevance-floor.ts";

const request = { maxTokens: 4000, tests: "auto" } as Request;

function unique(name: string, score: number, signals: Record<string, number>, distance = 0): Unique {
  const span = { startLine: 1, endLine: 12 };
  const path = `src/${name}.ts`;
  const item = { id: name, source: "code", kind: "function", name, qualifiedName: `${path}::${name}`, path, ...span };
  const lines = Array.from({ length: 12 }, (_, line) => `step${line}();`);
  return { item, citation: span, ...span, lines, score, signals, distance } as unknown as Unique;
}

const found = ["open", "parse", "close", "retry", "flush"].map((name) => unique(name, 0.55, {}));
const caller = unique("start", 0.55, {}, 1);

function likelyNames(all: Unique[], text: string): string[] {
  const query = analyseQuery(text);
  const { likely } = byRelevanceFloor(all, chancesFor(query, request), 1, query, request, code.look);
  return likely.map(({ item }) => item.name);
}

const message = "ERROR: cannot open store.db: it is locked by process 12";

it("prints little beside what surely prints a message, but what calls it", () => {
  const names = likelyNames([unique("lock", 0.99, { message: 0.9 }), ...found, caller], message);
  expect(names.slice(0, 1)).toEqual(["lock"]);
  expect(names).toContain("start");
  expect(names.length).toBeLessThan(4);
});

it("prints more where no place is certain", () => {
  expect(likelyNames([unique("lock", 0.6, { message: 0.3 }), ...found, caller], message).length).toBeGreaterThan(5);
  expect(likelyNames([unique("lock", 0.6, {}), ...found], "how is a store opened").length).toBeGreaterThan(4);
});

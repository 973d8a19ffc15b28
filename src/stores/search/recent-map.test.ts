import { describe, expect, it } from "vitest";
import { recentMap } from "./recent-map.ts";

describe("a map of what was asked for lately", () => {
  it("keeps the last entries, and those that are asked for", () => {
    const map = recentMap<number, string>(3);
    for (const key of [1, 2, 3]) map.set(key, `v${key}`);
    for (const key of [4, 5]) {
      map.set(key, `v${key}`);
      expect(map.get(1)).toBe("v1");
    }
    for (const key of [6, 7]) map.set(key, `v${key}`);
    expect([map.get(1), map.get(7), map.get(2), map.get(3)]).toEqual(["v1", "v7", undefined, undefined]);
  });

  it("never holds more than twice its size", () => {
    const map = recentMap<number, number>(10);
    for (let key = 0; key < 1000; key++) map.set(key, key);
    const remaining = Array.from({ length: 1000 }, (_, key) => map.get(key)).filter((value) => value !== undefined);
    expect(remaining.length).toBeGreaterThanOrEqual(10);
    expect(remaining.length).toBeLessThanOrEqual(20);
  });

  it("keeps null as it keeps any other value", () => {
    const map = recentMap<string, number | null>(1);
    map.set("a", null);
    map.set("b", 1);
    expect(map.get("a")).toBeNull();
  });
});

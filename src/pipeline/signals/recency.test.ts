import { describe, expect, it } from "vitest";
import { recorded } from "../../../tests/pipeline/evidence.ts";
import type { Scored } from "../../item.ts";
import { records } from "../../recipes/code.ts";
import { adjust, newestOf } from "./recency.ts";

const day = 24 * 60 * 60 * 1000;
const newest = 1000 * day;

function scored(source: "memory" | "experience" | "commit", signals: Record<string, number>, age = 0): Scored {
  const { item } = recorded({ source, id: `${source}-1`, text: "x" });
  return { item: { ...item, changed: newest - age * day }, signals, distance: 0, score: 0.6, because: { text: 0.6 } };
}

const scoreOf = (...args: Parameters<typeof scored>) => adjust(scored(...args), records, newest).score;

describe("what is known of a record besides its text", () => {
  it("lifts what is important above what is not", () => {
    expect(scoreOf("memory", { importance: 0.9 })).toBeGreaterThan(scoreOf("memory", { importance: 0.2 }));
  });

  it("trusts gold more than silver, silver more than bronze, bronze more than abandoned", () => {
    const tiers = [1, 0.8, 0.5, 0.2].map((tier) => scoreOf("experience", { tier }));
    expect(tiers).toEqual([...tiers].sort((a, b) => b - a));
    expect(new Set(tiers).size).toBe(4);
  });

  it("prefers recent commits and experiences, and lets memories be as old as they are", () => {
    expect(scoreOf("commit", {}, 1)).toBeGreaterThan(scoreOf("commit", {}, 400));
    expect(scoreOf("experience", { tier: 1 }, 1)).toBeGreaterThan(scoreOf("experience", { tier: 1 }, 400));
    expect(scoreOf("memory", { importance: 0.5 }, 1)).toBe(scoreOf("memory", { importance: 0.5 }, 400));
  });

  it("says in `because` what each took away: the parts add up to the score", () => {
    const { score, because } = adjust(scored("experience", { tier: 0.5 }, 90), records, newest);
    expect(Object.values(because).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 10);
    expect(because.tier).toBeLessThan(0);
    expect(because.recency).toBeLessThan(0);
  });

  it("counts ages from the newest candidate, not from a clock", () => {
    expect(newestOf([scored("commit", {}, 3), scored("commit", {}, 1)])).toBe(newest - day);
  });
});

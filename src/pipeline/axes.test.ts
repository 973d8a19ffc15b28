import { describe, expect, it } from "vitest";
import { recorded } from "../../tests/evidence.ts";
import type { Dropped, Enriched, Kind } from "../item.ts";
import { oneOfEach } from "./axes.ts";

function found(experience: number, kind: Kind, section: string | undefined, score: number): Enriched {
  const suffix = kind === "experience" ? "" : `-${kind}`;
  return recorded({
    source: "experience",
    id: `exp-${experience}${suffix}`,
    kind,
    text: `Goal: ${experience}`,
    score,
    ...(section ? { section } : {}),
  });
}

describe("an experience that is found on several axes", () => {
  it("is printed once, and the sections take turns so that none stays empty", () => {
    const ranked = [1, 2, 3].flatMap((experience) => [
      found(experience, "experience", "Common Failures", 0.9 - experience / 10),
      found(experience, "surprise", "Unexpected Outcomes", 0.8 - experience / 10),
      found(experience, "root_cause", "Root Causes to Watch", 0.7 - experience / 10),
    ]);
    const duplicates: Dropped[] = [];
    const kept = oneOfEach(ranked, duplicates);
    expect(kept.map(({ item }) => item.id)).toEqual(["exp-1", "exp-2-surprise", "exp-3-root_cause"]);
    expect(duplicates).toHaveLength(6);
    expect(kept[0]!.merged.map(({ why }) => why)).toEqual([
      "same experience (surprise)",
      "same experience (root_cause)",
    ]);
  });

  it("says why it failed where it stands for its root cause", () => {
    const cause = recorded({
      source: "experience",
      id: "exp-1-root_cause",
      kind: "root_cause",
      text: "Category: oversight\nDescription: nobody looked",
    });
    const [kept] = oneOfEach([found(1, "experience", undefined, 0.9), cause], []);
    expect(kept!.lines.at(-1)).toBe("Root cause: oversight - nobody looked");
  });

  it("is printed as the best of them where there are no sections", () => {
    const duplicates: Dropped[] = [];
    const kept = oneOfEach([found(1, "surprise", undefined, 0.9), found(1, "experience", undefined, 0.5)], duplicates);
    expect(kept.map(({ item }) => item.id)).toEqual(["exp-1-surprise"]);
    expect(duplicates.map(({ by }) => by)).toEqual(["exp-1-surprise"]);
  });
});

import { describe, expect, it } from "vitest";
import { recorded } from "../../../tests/pipeline/evidence.ts";
import type { Dropped } from "../../document.ts";
import type { Enriched, Kind } from "../../item.ts";
import { oneAxisPerSection } from "./axes.ts";

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
  it("is printed in every section with what that section is for, and says nothing twice", () => {
    const of = (kind: Kind, section: string, text: string) =>
      recorded({ source: "experience", id: `exp-1${kind === "experience" ? "" : `-${kind}`}`, kind, text, section });
    const kept = oneAxisPerSection(
      [
        of("experience", "Common Failures", "Goal: ship it\nOutcome: falsified - no\nSurprise: it was the clock"),
        of(
          "surprise",
          "Unexpected Outcomes",
          "Expected: yes\nSurprise: it was the clock\nRoot cause: oversight - zone",
        ),
        of("root_cause", "Root Causes to Watch", "Category: oversight\nDescription: zone"),
      ],
      [],
    );
    expect(kept.map(({ lines }) => lines)).toEqual([
      ["Goal: ship it", "Outcome: falsified - no"],
      ["Expected: yes", "Surprise: it was the clock"],
      ["Category: oversight", "Description: zone"],
    ]);
  });

  it("keeps what no other section says", () => {
    const text = "Expected: yes\nSurprise: it was the clock\nRoot cause: oversight - zone";
    const alone = recorded({
      source: "experience",
      id: "exp-1-surprise",
      kind: "surprise",
      text,
      section: "Unexpected",
    });
    expect(oneAxisPerSection([alone], [])[0]!.lines).toEqual(text.split("\n"));
  });

  it("says why it failed where it stands for its root cause", () => {
    const cause = recorded({
      source: "experience",
      id: "exp-1-root_cause",
      kind: "root_cause",
      text: "Category: oversight\nDescription: nobody looked",
    });
    const [kept] = oneAxisPerSection([found(1, "experience", undefined, 0.9), cause], []);
    expect(kept!.lines.at(-1)).toBe("Root cause: oversight - nobody looked");
  });

  it("is printed as the best of them where there are no sections", () => {
    const duplicates: Dropped[] = [];
    const kept = oneAxisPerSection(
      [found(1, "surprise", undefined, 0.9), found(1, "experience", undefined, 0.5)],
      duplicates,
    );
    expect(kept.map(({ item }) => item.id)).toEqual(["exp-1-surprise"]);
    expect(duplicates.map(({ by }) => by)).toEqual(["exp-1-surprise"]);
  });
});

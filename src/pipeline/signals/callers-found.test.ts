import { describe, expect, it } from "vitest";
import type { Candidate } from "../../item.ts";
import { calledByBest } from "./callers-found.ts";

const candidate = (id: string) => ({ item: { id }, signals: {}, distance: 0 }) as unknown as Candidate;

describe("called by the best", () => {
  const candidates = ["send", "resolve_redirects", "get_redirect_target"].map(candidate);

  it("gives each what the best of its callers is worth", () => {
    const callers = new Map([
      ["resolve_redirects", ["send", "get_redirect_target"]],
      ["get_redirect_target", ["resolve_redirects"]],
    ]);
    expect(calledByBest(candidates, [0.9, 0.5, 0.2], callers)).toEqual([0, 0.9, 0.5]);
  });

  it("counts only callers that were found, and nothing where none is known", () => {
    expect(calledByBest(candidates, [1, 1, 1], new Map([["send", ["elsewhere"]]]))).toEqual([0, 0, 0]);
    expect(calledByBest(candidates, [1, 1, 1], undefined)).toEqual([0, 0, 0]);
  });
});

import { describe, expect, it } from "vitest";
import { code } from "../recipes/code.ts";
import { fileSignals } from "../recipes/recipe.ts";
import type { Case } from "./case.ts";
import type { SignalMatrix } from "./signal-matrix.ts";
import { climb } from "./tune.ts";

/** Files `right` and `wrong` with what each signal says of them; a signal that is not given says nothing. */
function columns(scores: Partial<Record<(typeof fileSignals)[number], [right: number, wrong: number]>>): SignalMatrix {
  const files = Object.fromEntries(fileSignals.map((signal) => [signal, scores[signal] ?? [0, 0]]));
  const question = { expect: [{ place: "right", shown: "right" }] } as unknown as Case;
  const { signals } = code;
  const fileWeights = code.fileSignals.question;
  return {
    case: question,
    places: { keys: ["right", "wrong"], files, fileWeights, itemWeights: [signals.question, signals.question] },
  };
}

const many = (each: SignalMatrix) => Array.from({ length: 10 }, () => each);

describe("fitting weights", () => {
  it("takes the weight from a signal that misleads", () => {
    const { files } = climb(many(columns({ text: [1, 0.5], path: [0, 1] })));
    expect(files!.path).toBeLessThan(1);
  });

  it("finds what only two changes together can do", () => {
    const { files } = climb(many(columns({ text: [1, 0.1], path: [0, 1], title: [0, 1], symbol: [0, 1] })));
    expect([files!.path, files!.title, files!.symbol].filter((factor) => factor === 0).length).toBeGreaterThan(1);
  });

  it("changes nothing where everything is right, and never takes a tie for a hit", () => {
    expect(climb(many(columns({ text: [1, 0], path: [1, 0] })))).toEqual({ files: {}, items: {} });
    // Without any weight all files are alike, and the right one is first among them by no merit.
    const { files } = climb(many(columns({ text: [0.9, 1], path: [0.9, 1] })));
    expect([files!.text, files!.path]).not.toEqual([0, 0]);
  });
});

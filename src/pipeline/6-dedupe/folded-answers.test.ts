import { describe, expect, it } from "vitest";
import type { Dropped } from "../../document.ts";
import type { Enriched } from "../../item.ts";
import { explicitSection } from "../../recipes/chat.ts";
import { foldQuestions } from "./folded-answers.ts";

/** A message that ends with its own line, below that of the question it answers. */
function message(number: number, answers?: number, named = false): Enriched {
  const lines = [...(answers === undefined ? [] : [`line ${answers}`]), `line ${number}`];
  const span = { startLine: 1, endLine: lines.length };
  return {
    item: {
      id: `msg-${number}`,
      source: "message",
      kind: "message",
      name: `message ${number}`,
      qualifiedName: `message::thr-1/${number}`,
      path: "thr-1/000000",
      hash: "",
      ...span,
    },
    signals: named ? { asked: 1 } : {},
    ...(named ? { section: explicitSection } : {}),
    distance: 0,
    score: 0.5,
    because: {},
    lines,
    ...span,
    freshness: "current",
    imports: [],
    related: [],
    merged: [],
    citation: { id: `[msg-${number}]`, itemId: `msg-${number}`, path: `message:msg-${number}`, ...span, hash: "" },
    facts: { number, ...(answers === undefined ? {} : { answers: `msg-${answers}` }) },
  };
}

function printed(ranked: Enriched[]): { lines: string[]; dropped: string[] } {
  const duplicates: Dropped[] = [];
  const kept = foldQuestions(ranked, duplicates);
  return {
    lines: kept.map(({ lines, citation }) => lines.slice(citation.startLine - 1).join(" / ")),
    dropped: duplicates.map(({ id, by }) => `${id} by ${by}`),
  };
}

describe("a question and its answer", () => {
  it("are one, in the place of the better ranked", () => {
    expect(printed([message(7), message(1), message(9), message(2, 1)])).toEqual({
      lines: ["line 7", "line 1 / line 2", "line 9"],
      dropped: ["msg-1 by msg-2"],
    });
    expect(printed([message(2, 1), message(7), message(1)]).lines).toEqual(["line 1 / line 2", "line 7"]);
  });

  it("lose nothing where a question answers another", () => {
    expect(printed([message(1), message(2, 1), message(3, 2)])).toEqual({
      lines: ["line 1", "line 2 / line 3"],
      dropped: ["msg-2 by msg-3"],
    });
  });

  it("stay apart where the question was named", () => {
    expect(printed([message(1, undefined, true), message(2, 1)])).toEqual({ lines: ["line 1", "line 2"], dropped: [] });
  });

  it("are printed once where two branches answer", () => {
    const { lines } = printed([
      message(1),
      message(2, 1),
      { ...message(3, 1), facts: { number: 2, answers: "msg-1" } },
    ]);
    expect(lines.join(" / ").split("line 1")).toHaveLength(2);
    expect(lines.join(" / ")).toMatch(/line 2.*line 3|line 3.*line 2/);
  });

  it("are as they were where the other is not there", () => {
    const ranked = [message(2, 1), message(7)];
    expect(foldQuestions(ranked, [])).toBe(ranked);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attemptCases, furtherAttemptCases, heldAttemptCases } from "./attempts.cases.ts";
import { mostDrafts } from "./draft.ts";
import { draftsOf } from "./extract.ts";
import { claudeLog, codexLog, edits, runs, type SampleStep, says, user } from "./session.samples.ts";
import { readSessionLog } from "./session-log.ts";

const draftsIn = (log: string) => draftsOf(readSessionLog(log).events);

describe("what was tried in a session", () => {
  it.each([...attemptCases, ...heldAttemptCases, ...furtherAttemptCases])("$name", ({ log, drafts: expected }) => {
    const drafts = draftsIn(log);
    expect(drafts.map(({ category, content }) => [category, content])).toEqual(
      expected.map(({ category }) => [category, expect.any(String)]),
    );
    for (const [i, { says, not = [] }] of expected.entries()) {
      for (const part of says) expect(drafts[i]!.content).toContain(part);
      for (const part of not) expect(drafts[i]!.content).not.toContain(part);
    }
  });

  it("is told by nobody, and as unfinished where the session ended before it was decided", () => {
    const failing = [runs("cargo build", "error[E0599]: no method", 101), edits("src/a.rs", "a", "b")];
    const [draft] = draftsIn(claudeLog(...failing, ...failing));
    expect(draft).toMatchObject({ said: "nobody", unfinished: true });
    const [later] = draftsIn(claudeLog(...failing, ...failing, runs("cargo build", "Finished")));
    expect(later).toMatchObject({ said: "nobody", category: "error" });
    expect(later).not.toHaveProperty("unfinished");
  });

  it("is read from results that are told in lines, too", () => {
    const item = (payload: object) => JSON.stringify({ type: "response_item", payload });
    const ran = (id: string, output: string) => [
      item({ type: "function_call", name: "exec_command", arguments: '{"cmd":"npm test"}', call_id: id }),
      item({ type: "function_call_output", call_id: id, output }),
    ];
    const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+total(b)\n*** End Patch";
    const log = [
      ...ran(
        "1",
        "Chunk ID: 1\nWall time: 0.2 seconds\nProcess exited with code 1\nOutput:\nError: no total\n1 failed",
      ),
      item({ type: "custom_tool_call", name: "apply_patch", input: patch, call_id: "2" }),
      item({
        type: "custom_tool_call_output",
        call_id: "2",
        output: "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nDone",
      }),
      ...ran("3", "Exit code: 0\nWall time: 0.2 seconds\nOutput:\n3 passed"),
    ];
    const drafts = ['"npm test" failed: Error: no total. It passed after src/a.ts (total(b)) changed.'];
    expect(draftsIn(log.join("\n")).map(({ content }) => content)).toEqual(drafts);
    const withoutStatus = "Success. Updated the following files:\nM src/a.ts\n";
    log[3] = item({ type: "custom_tool_call_output", call_id: "2", output: withoutStatus });
    expect(draftsIn(log.join("\n")).map(({ content }) => content)).toEqual(drafts);
  });

  it("can be read from any log, and stays short and without secrets", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 200, unit: "binary" }),
      fc.constantFrom("npm test", "git stash", "git checkout -- a.ts", "npm i x", "npm rm x", "make", "1 failed"),
    );
    const step: fc.Arbitrary<SampleStep> = fc.oneof(
      fc.tuple(text, text, fc.constantFrom(0, 1, 127)).map((all) => runs(...all)),
      fc.tuple(fc.constantFrom("a.ts", "b.ts"), text, text).map((all) => edits(...all)),
      text.map(user),
      text.map(says),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.constantFrom(claudeLog, codexLog), (steps, log) => {
        const drafts = draftsIn(log(...steps));
        expect(drafts.length).toBeLessThanOrEqual(mostDrafts);
        for (const { content } of drafts) {
          expect(content.length).toBeLessThan(1200);
          expect(content).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        }
      }),
    );
  });

  it("is found in time that grows with the log", () => {
    const many = Array.from({ length: 20_000 }, (_, i) => runs(`npx vitest run src/${i}`, `Error: ${i}`, 1));
    expect(draftsIn(claudeLog(...many))).toEqual([]);
    for (const part of ["a:1", "error ", "x/", "1 failed ", "=", "npx ", "\u001b[", "E  "]) {
      const output = part.repeat(20_000);
      expect(draftsIn(claudeLog(runs("npm test", output, 1), edits("a", "b", output)))).toEqual([]);
    }
  });
});

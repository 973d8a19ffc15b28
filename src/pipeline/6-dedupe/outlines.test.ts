import { describe, expect, it } from "vitest";
import { evidence } from "../../../tests/pipeline/evidence.ts";
import { dedupe } from "./dedupe.ts";

const body = Array.from({ length: 60 }, (_, i) => `        step_${i}();`);
const method = ["    pub fn run(&self) {", ...body, "    }"];

/** What is kept of a container of these lines around a long method, which ranks above it. */
function kept(language: string, head: string[], between: string[] = []) {
  const filler = Array.from({ length: 80 }, (_, i) => `    fn other_${i}() {}`);
  const lines = [...head, ...between, ...method, ...filler, "}"];
  const first = head.length + between.length + 1;
  const last = first + method.length - 1;
  const parts = [
    { startLine: first, endLine: last, name: "run" },
    ...filler.map((_, i) => ({ startLine: last + 1 + i, endLine: last + 1 + i, name: `other_${i}` })),
  ];
  const item = { language, kind: "class" as const };
  const container = evidence({ path: "a", name: "Task", kind: "class", text: lines.join("\n"), item, score: 0.4 });
  const part = evidence({
    path: "a",
    kind: "method",
    name: "run",
    line: first,
    text: method.join("\n"),
    before: [...head, ...between].slice(-1),
    item: { language },
    score: 0.9,
  });
  const { unique } = dedupe([{ ...container, parts }, part]);
  return unique.map(({ item: { kind }, outline, startLine }) => `${kind} ${startLine}${outline ? " outline" : ""}`);
}

describe("the outline of a container whose parts are printed", () => {
  it("is left out where it says no more than their names do", () => {
    expect(kept("rust", ["impl<S> Task<S>", "where", "    S: Clone,", "{"])).toEqual(["method 4"]);
    expect(kept("cpp", ["class Task {"], [" public:"])).toEqual(["method 2"]);
  });

  it("stays where it has fields, a comment or a base, and its lines are not printed twice", () => {
    expect(kept("rust", ["impl Future for Task {"])).toEqual(["class 1 outline", "method 2"]);
    expect(kept("cpp", ["class Task : public Base {"])).toEqual(["class 1 outline", "method 2"]);
    expect(kept("cpp", ["class Task {"], ["  int count_;"])).toEqual(["class 1 outline", "method 3"]);
  });
});

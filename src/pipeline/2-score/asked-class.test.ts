import { describe, expect, it } from "vitest";
import type { Kind, Scored } from "../../item.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { withBestOfAskedClass } from "./asked-class.ts";

function scored(id: string, name: string, kind: Kind, [startLine, endLine]: [number, number], score: number): Scored {
  const item = {
    id,
    source: "code" as const,
    kind,
    name: name.split(".").at(-1)!,
    qualifiedName: `a.java::${name}`,
    path: "a.java",
    startLine,
    endLine,
    hash: id,
  };
  return { item, signals: {}, distance: 0, score, because: { text: score } } as Scored;
}

function named(each: Scored): Scored {
  const because = { ...each.because, named: 1 - each.score };
  return { ...each, score: 1, signals: { named: 1 }, because };
}

const whole = named(scored("class", "HttpConnection", "class", [1, 400], 0.6));
const constructed = named(scored("new", "HttpConnection.HttpConnection", "method", [10, 12], 0.7));
const getter = scored("getter", "HttpConnection.method", "method", [20, 22], 0.3);
const redirect = scored("redirect", "HttpConnection.redirectMethod", "method", [30, 60], 0.5);
const elsewhere = scored("elsewhere", "Executor.drop", "method", [410, 430], 0.8);
const all = [whole, constructed, getter, redirect, elsewhere];
const order = (ranked: Scored[]) => ranked.toSorted((a, b) => b.score - a.score).map(({ item }) => item.id);

describe("a long class that a question about behaviour names", () => {
  const question = analyseQuery("when does HttpConnection drop the body of a redirect");

  it("gives its place to its method that matches best, not to its constructor", () => {
    const ranked = withBestOfAskedClass(all, question);
    expect(order(ranked)).toEqual(["redirect", "elsewhere", "new", "class", "getter"]);
    const best = ranked.find(({ item }) => item.id === "redirect")!;
    expect(best).toMatchObject({ score: 1, signals: { named: 1 }, because: { named: expect.closeTo(0.5) } });
    for (const { score, because } of ranked)
      expect(Object.values(because).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score);
  });

  it("keeps it where nothing else is said, something in it is named too, or it is short", () => {
    expect(withBestOfAskedClass(all, analyseQuery("how does HttpConnection work"))).toEqual(all);
    expect(withBestOfAskedClass(all, analyseQuery("HttpConnection"))).toEqual(all);
    const both = [whole, named(getter), redirect];
    expect(withBestOfAskedClass(both, question)).toEqual(both);
    const short = [named(scored("class", "HttpConnection", "class", [1, 80], 0.6)), redirect];
    expect(withBestOfAskedClass(short, question)).toEqual(short);
  });
});

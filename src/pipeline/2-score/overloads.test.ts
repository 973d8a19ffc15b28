import { describe, expect, it } from "vitest";
import type { Kind, Scored } from "../../item.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { withLongestOverloads } from "./overloads.ts";

function scored(
  id: string,
  name: string,
  lines: number,
  score: number,
  more: Partial<Scored> = {},
  kind: Kind = "method",
): Scored {
  const item = {
    id,
    source: "code" as const,
    kind,
    name: name.split("::")[1]!,
    qualifiedName: name,
    path: name.split("::")[0]!,
    startLine: 10,
    endLine: 9 + lines,
    hash: id,
  };
  return { item, signals: {}, distance: 0, score, because: { text: score }, ...more } as Scored;
}

const question = analyseQuery("how is an adapter found for a type?");
const order = (all: Scored[]) => all.toSorted((a, b) => b.score - a.score).map(({ item }) => item.id);

describe("overloads", () => {
  const short = scored("short", "a.kt::Moshi.adapter", 2, 0.9);
  const shorter = scored("shorter", "a.kt::Moshi.adapter", 1, 0.8);
  const long = scored("long", "a.kt::Moshi.adapter", 40, 0.5);
  const other = scored("other", "a.kt::Moshi.add", 8, 0.85);

  it("lets the one that does the work lead, and what delegates to it follow", () => {
    const ranked = withLongestOverloads([short, shorter, other, long], question);
    expect(order(ranked)).toEqual(["long", "other", "short", "shorter"]);
    expect(ranked[3]).toMatchObject({ score: 0.9, because: { overload: expect.closeTo(0.4) } });
  });

  it("takes a short function that calls one of its name for a delegate", () => {
    const ofPackage = scored("package", "b.go::WatchConfig", 1, 0.9, {}, "function");
    const work = scored("work", "b.go::Viper.WatchConfig", 60, 0.7);
    const [first, second] = [ofPackage, work].map((each) => ({ ...each, item: { ...each.item, name: "WatchConfig" } }));
    const callers = new Map([["work", ["package"]]]);
    expect(order(withLongestOverloads([first!, second!], question, callers))).toEqual(["work", "package"]);
    expect(withLongestOverloads([first!, second!], question)).toEqual([first, second]);
  });

  it("leaves them as they are when they are asked for by name, and in other files", () => {
    const named = [short, long].map((each) => ({ ...each, signals: { named: 1 } }));
    expect(withLongestOverloads(named, question)).toEqual(named);
    const elsewhere = [short, scored("far", "b.kt::Moshi.adapter", 40, 0.5)];
    expect(withLongestOverloads(elsewhere, question)).toEqual(elsewhere);
    expect(withLongestOverloads([short, long], analyseQuery("adapter"))).toEqual([short, long]);
  });

  it("says in the reasons what each score became", () => {
    for (const { score, because } of withLongestOverloads([short, shorter, long], question)) {
      expect(Object.values(because).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score);
    }
  });
});

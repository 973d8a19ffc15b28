import { describe, expect, it } from "vitest";
import { alternatives, bases, code, codeLookalikes, lookalikes, prose, reworded } from "./similarity.cases.ts";
import { type Edit, edits } from "./similarity.edits.cases.ts";
import { nearDuplicates, similarity } from "./similarity.ts";

const same = 0.9;

type Pair = [one: string, other: string, kind: string];

const planted: Pair[] = [
  ...Object.entries(edits.any).flatMap(([kind, edit]) => pairs(bases, kind, edit)),
  ...Object.entries(edits.prose).flatMap(([kind, edit]) => pairs(prose, kind, edit)),
  ...Object.entries(edits.code).flatMap(([kind, edit]) => pairs(code, kind, edit)),
  ...reworded.map((line): Pair => [...alternatives(line), "reworded"]),
];
const shortOnes: Pair[] = lookalikes.map((line): Pair => [...alternatives(line), "lookalike"]);
const filler =
  " Background: this was agreed with the platform team after the outage of last winter, it is described in the handbook under the same title, and whoever changes it again should tell the people who take the pager.";
const long: Pair[] = shortOnes.map(([one, other]) => [one + filler, other + filler, "long lookalike"]);
const several: Pair[] = shortOnes.flatMap(([one, other], i): Pair[] => {
  const next = shortOnes[(i * 7 + 3) % shortOnes.length]!;
  const third = shortOnes[(i * 11 + 5) % shortOnes.length]!;
  return [
    [`${one}. ${next[0]}.`, `${other}. ${next[1]}.`, "two differences"],
    [`${one}. ${next[0]}. ${third[0]}`, `${other}. ${next[1]}. ${third[1]}`, "three differences"],
  ];
});
const different: Pair[] = [
  ...several,
  ...shortOnes,
  ...long,
  ...codeLookalikes.map(([text, one, other]): Pair => [text.replace("@", one), text.replace("@", other), "code"]),
];

function pairs(texts: readonly string[], kind: string, edit: Edit): Pair[] {
  return texts.flatMap((text, index): Pair[] => {
    const edited = edit(text, index);
    return edited === text ? [] : [[text, edited, kind]];
  });
}

describe("planted", () => {
  it("report", () => {
    const kinds = new Map<string, { n: number; hit: number; missed: string[] }>();
    for (const [a, b, kind] of planted) {
      const entry = kinds.get(kind) ?? { n: 0, hit: 0, missed: [] };
      kinds.set(kind, entry);
      entry.n++;
      const s = similarity(a, b);
      if (s >= same) entry.hit++;
      else entry.missed.push(`${s.toFixed(3)} ${a} | ${b}`);
    }
    let n = 0,
      h = 0;
    for (const [kind, e] of kinds) {
      n += e.n;
      h += e.hit;
      console.log(kind, e.hit, e.n, "\n  " + e.missed.slice(0, 12).join("\n  "));
    }
    console.log("total", h, n, h / n);
    for (const [a, b, kind] of different)
      if (similarity(a, b) >= same)
        console.log("MERGED", kind, similarity(a, b).toFixed(3), a.slice(0, 100), "|", b.slice(0, 100));
    console.log("different", different.length);
    expect(nearDuplicates(bases, same)).toEqual([]);
  });
});

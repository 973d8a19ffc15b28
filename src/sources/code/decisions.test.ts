import { expect, it } from "vitest";
import { extract } from "../extract.ts";
import { decisionsOf } from "./decisions.ts";

async function decisionsIn(path: string, text: string): Promise<Record<string, number>> {
  const { units } = await extract(path, text);
  const counts = decisionsOf(units);
  return Object.fromEntries(units.map(({ qualified }, i) => [qualified, counts[i]!]));
}

it("counts branches, loops, cases and short-circuit operators, and those of members with their class", async () => {
  const text = `
class Basket {
  /** If it is empty, or for tests. */
  get size() { return this.items.length; }
  total(rate: number) {
    let sum = 0;
    for (const item of this.items) if (item.price > 0 && !item.free) sum += item.price;
    return rate > 1 ? sum * rate : sum;
  }
}
`;
  expect(await decisionsIn("basket.ts", text)).toEqual({ Basket: 4, "Basket.size": 0, "Basket.total": 4 });
});

it("counts in no comment, string, key or member of that name", async () => {
  const text = `
export function choose(text: string) {
  // if it is there, or else
  const found = text.match(/x/);
  return { if: found, case: "for and while", when: 1 };
}
`;
  expect(await decisionsIn("choose.ts", text)).toEqual({ choose: 0 });
});

it("counts an inner function once for the outer one", async () => {
  const text = `
def outer(items):
    def inner(item):
        first = item[0]
        second = item[1]
        third = item[2]
        fourth = item[3]
        fifth = item[4]
        sixth = item[5]
        seventh = item[6]
        eighth = item[7]
        if first:
            return second + third + fourth + fifth + sixth + seventh + eighth
        raise ValueError(item)

    return [inner(item) for item in items if item]
`;
  const counts = await decisionsIn("outer.py", text);
  expect(counts).toEqual({ outer: 4, "outer.inner": 2 });
});

it.each([
  [
    "gate.py",
    "def f(a, b):\n    if a and b:\n        return a\n    try:\n        g()\n    except E:\n        raise\n",
    4,
  ],
  ["gate.rb", "def f(a)\n  return 1 unless a || b\n  case a\n  when 1 then 2\n  end\nend\n", 4],
  [
    "gate.go",
    "package p\nfunc f(a int) int {\n\tfor a > 0 && b {\n\t\tswitch a {\n\t\tcase 1:\n\t\t\treturn 1\n\t\t}\n\t}\n\treturn a\n}\n",
    4,
  ],
  [
    "gate.rs",
    "fn f(a: u8) -> u8 {\n    match a {\n        1 => 2,\n        _ if b || c => 3,\n        _ => panic!(),\n    }\n}\n",
    4,
  ],
  ["Gate.java", "class Gate {\n  int f(int a) {\n    return a > 1 || a < 0 ? 1 : 2;\n  }\n}\n", 2],
  ["gate.php", "<?php\nfunction f($a) {\n    foreach ($a as $b) { if ($b ?? false) throw new E(); }\n}\n", 4],
])("reads %s", async (path, text, expected) => {
  const counts = Object.values(await decisionsIn(path, text));
  expect(Math.max(...counts)).toBe(expected);
});

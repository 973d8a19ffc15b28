import { expect, it } from "vitest";
import { folder } from "../tests/workspace.ts";
import { context, why } from "./index.ts";

const definition = (name: string) => `int ${name}(int all) {\n  int rest = all - 1;\n  return rest;\n}\n`;

it("takes a name for its definition, whatever headers declare it", async () => {
  const path = folder({
    "refund.h": "int refund(int all);\n",
    "refund.c": `#include "refund.h"\n\n${definition("refund")}`,
  });
  expect((await why({ query: "how is a refund made?", item: "refund", path })).location).toMatch(/^refund\.c:/);
});

it("asks which one is meant where there are two definitions", async () => {
  const path = folder({ "a.c": definition("refund"), "b.c": definition("refund") });
  await expect(why({ query: "how is a refund made?", item: "refund", path })).rejects.toThrow("is not unique");
});

it("tells of a value that is printed since the leading function names it", async () => {
  const others = Array.from({ length: 60 }, (_, i) => `def part_${i}(order):\n    return order.of_${i}()\n`).join(
    "\n\n",
  );
  const path = folder({
    "queue.py": `${others}

def send_waiting(orders):
    """Sends waiting orders once the queue has too many of them."""
    if len(orders) > CEILING:
        return [order.send() for order in orders]
    return orders
`,
    "limits.py": `CEILING = 250\n\n\n${others}`,
  });
  const query = "when are waiting orders sent?";
  const { items } = await context({ query, path });
  const printed = items.find(({ title }) => title.includes("CEILING"));
  expect(printed).toBeDefined();
  const reason = await why({ query, item: "CEILING", path });
  expect(reason).toMatchObject({
    outcome: "included",
    level: "full",
    score: printed!.score,
    because: printed!.because,
  });
  expect(reason.via?.map(({ name }) => name)).toEqual(["send_waiting"]);
});

it("says of a copy why its text is not there, where what stands for it is left out too", async () => {
  const told = `# Money given back\n\n${"A refund is made by the till, and the clerk signs for it. ".repeat(12)}\n`;
  const steps = Array.from({ length: 60 }, (_, i) => `    refund_step_${i}(order, refund)`).join("\n");
  const path = folder({
    "refund.py": `def make_refund(order, refund):\n    """Makes the refund of an order."""\n${steps}\n`,
    "docs/money.md": told,
    "docs/old/money.md": told,
  });
  const ask = (query: string) =>
    Promise.all(["docs/money.md", "docs/old/money.md"].map((item) => why({ query, item, path })));
  for (const { outcome } of await ask("money given back by the till in a refund"))
    expect(["duplicate", "included"]).toContain(outcome);
  for (const each of await ask("make_refund how is a refund made?"))
    expect(each).toMatchObject({ outcome: "below-score", standsFor: expect.any(String) });
});

import { describe, expect, it } from "vitest";
import type { Dropped } from "../src/document.ts";
import type { Enriched } from "../src/item.ts";
import { formatNames, layoutNames } from "../src/options.ts";
import { dedupe } from "../src/pipeline/6-dedupe/dedupe.ts";
import { fitBudget } from "../src/pipeline/7-budget/fit-budget.ts";
import { render } from "../src/pipeline/8-result/result.ts";
import { code } from "../src/recipes/code.ts";
import { analyseQuery } from "../src/text/analysis/query.ts";
import { evidence, requestFor } from "./pipeline/evidence.ts";

/** One small result in every format and layout, kept as a file: a change of what users see shows in the difference. */

const extension = { markdown: "md", xml: "xml", plain: "txt", json: "json" } as const;

const payments = `export async function processPayment(order: Order): Promise<Receipt> {
  const total = priceOf(order);
  if (total <= 0) throw new PaymentError("nothing to pay");
  return charge(order.customer, total);
}`;

const refund = `  /** Gives the money back. */
  refund(receipt: Receipt): void {
    this.gateway.refund(receipt.id, receipt.total);
  }`;

const gateway = ["export class Gateway {", "  constructor(private readonly key: string) {}", "", refund, "}"].join(
  "\n",
);

const ledger = [
  "class Ledger:",
  '    """Every payment that was processed, in order."""',
  ...Array.from(
    { length: 24 },
    (_, i) => `    column_${i} = Column("column_${i}", nullable=${i % 2 === 0 ? "True" : "False"})`,
  ),
  "",
  "    def record(self, payment):",
  "        if payment.processed:",
  "            self.rows.append(payment)",
  ...Array.from({ length: 24 }, (_, i) => `        self.notify(listener_${i}, "changed")`),
].join("\n");

const guide = "## Payments\n\nA payment is processed in three steps:\n\n```sh\npay --order 12\n```";

const ranked: Enriched[] = [
  evidence({
    path: "src/payments.ts",
    name: "processPayment",
    line: 10,
    text: payments,
    before: ["", "/** Charges the customer of an order. */"],
    after: [""],
    score: 0.912,
    imports: ['import { charge } from "./gateway.ts";', 'import type { Order, Receipt } from "./orders.ts";'],
    related: ["charge", "priceOf"],
    item: { language: "typescript", signature: "export async function processPayment(order: Order): Promise<Receipt>" },
  }),
  evidence({
    path: "src/gateway.ts",
    kind: "method",
    name: "refund",
    line: 6,
    text: refund,
    before: ["export class Gateway {", "  constructor(private readonly key: string) {}", ""],
    after: ["}"],
    score: 0.8,
    imports: ['import type { Receipt } from "./orders.ts";'],
    item: { language: "typescript" },
  }),
  evidence({
    path: "src/gateway.ts",
    kind: "class",
    name: "Gateway",
    line: 3,
    text: gateway,
    score: 0.7,
    item: { language: "typescript", signature: "export class Gateway" },
  }),
  evidence({
    path: "billing/ledger.py",
    kind: "class",
    name: "Ledger",
    line: 1,
    text: ledger,
    score: 0.66,
    freshness: "moved",
    item: { language: "python", signature: "class Ledger:", doc: "Every payment that was processed, in order." },
  }),
  evidence({
    path: "docs/guide.md",
    kind: "section",
    name: "Payments",
    line: 20,
    text: guide,
    score: 0.6,
    item: { language: "markdown" },
  }),
  evidence({
    path: "src/old/pay [v1].ts",
    name: "pay\n`now`",
    line: 1,
    text: "export const pay = () => process(`]]>`);",
    score: 0.5,
    freshness: "stored",
    item: { language: "typescript" },
  }),
  evidence({
    path: "config/pay.yml",
    kind: "config",
    name: "pay.yml",
    text: `key: AKIA${"2E0A8F3B244C9986"}\nretries: 3`,
    score: 0.45,
    item: { language: "yaml", qualifiedName: "config/pay.yml" },
  }),
  ...Array.from({ length: 12 }, (_, i) =>
    evidence({
      path: `src/steps/step${i}.ts`,
      name: `step${i}`,
      line: 30,
      text: [
        `export function step${i}(order: Order) {`,
        ...Array.from({ length: 30 }, (_, j) => `  order.advance(${i}, ${j});`),
        "}",
      ].join("\n"),
      score: 0.4 - i / 100,
      distance: 1,
      item: {
        language: "typescript",
        signature: `export function step${i}(order: Order)`,
        doc: `Step ${i} of a payment.`,
      },
    }),
  ),
];

const below: Dropped = {
  id: "cod-0000000000000",
  title: "src/x.ts::x",
  source: "code",
  score: 0.1,
  reason: "below-score",
};

describe("a context", () => {
  const documents = layoutNames.flatMap((layout) => formatNames.map((format) => ({ layout, format })));

  it.each(documents)("in $format, by $layout, reads as it always did", async ({ layout, format }) => {
    // Filled, so that the pieces that rank low are seen too: a secret, a name with markup in it, a file that is gone.
    const request = requestFor({ format, layout, maxTokens: 1000, fill: true, query: "payments processed" });
    const { unique, duplicates } = dedupe(ranked);
    const fit = fitBudget(unique, [...duplicates, below], request, analyseQuery(request.query), code.look);
    const run = { confidence: 0.8, stats: { found: {}, milliseconds: {} }, filesRead: 8, warnings: [] };
    const { text, tokens } = render(fit, request, code, run);
    expect(tokens.used).toBeLessThanOrEqual(1000);
    await expect(text).toMatchFileSnapshot(`golden/${layout}.${extension[format]}`);
  });
});

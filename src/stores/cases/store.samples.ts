import type { Item, Kind, Link } from "../../item.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import { packTerms } from "../../text/analysis/terms.ts";
import { hashText } from "../../text/hash.ts";
import type { IndexedFile, IndexedItem, ItemTerms, WeightedTerm } from "../store.ts";

/** Small indexed files for tests, made from tiny texts with the product's own analyser. */

export type SampleUnit = {
  name: string;
  text: string;
  kind?: Kind;
  doc?: string;
  /** Name of the unit that contains it; without one, the file does. */
  inside?: string;
  links?: [kind: Link["kind"], name: string][];
  vector?: number[];
  item?: Partial<Item>;
};

export type SampleFile = {
  language?: string;
  kind?: Kind;
  /** Modules, each alone or with the names it brings: `["shop.basket", "total"]`. */
  imports?: (string | [module: string, ...names: string[]])[];
  modified?: number;
  vector?: number[];
  item?: Partial<Item>;
};

/** The id a sample item gets: of a unit, or of the whole file when no unit is named. */
export function idOf(path: string, qualified = ""): string {
  return `cod-${hashText(`${path}::${qualified}`)}`;
}

export function sampleFile(path: string, units: SampleUnit[], options: SampleFile = {}): IndexedFile {
  const text = `${units.map((unit) => unit.text).join("\n")}\n`;
  const base = path.slice(path.lastIndexOf("/") + 1);
  const language = options.language ?? "python";
  const imports = (options.imports ?? []).map((each) => (typeof each === "string" ? [each] : each));
  const qualified = (unit: SampleUnit) => (unit.inside ? `${unit.inside}.${unit.name}` : unit.name);
  const shared = { source: "code" as const, path, language };
  const whole: Item = {
    ...shared,
    id: idOf(path),
    kind: options.kind ?? "file",
    name: base,
    qualifiedName: path,
    startLine: 1,
    endLine: text.split("\n").length,
    hash: hashText(text),
    ...options.item,
  };
  const items: IndexedItem[] = [
    {
      item: whole,
      unit: itemTerms(base, path, "", ""),
      file: itemTerms(base, path, "", text),
      vector: options.vector && Int8Array.from(options.vector),
    },
  ];
  const links: Link[] = imports.map(([name]) => ({ from: whole.id, kind: "imports", name }));
  let line = 1;
  for (const unit of units) {
    const lines = unit.text.split("\n").length;
    const id = idOf(path, qualified(unit));
    const item: Item = {
      ...shared,
      id,
      kind: unit.kind ?? "function",
      name: unit.name,
      qualifiedName: `${path}::${qualified(unit)}`,
      startLine: line,
      endLine: line + lines - 1,
      signature: unit.text.split("\n")[0],
      hash: hashText(unit.text),
      parent: idOf(path, unit.inside),
      ...(unit.doc === undefined ? {} : { doc: unit.doc }),
      ...unit.item,
    };
    line += lines;
    items.push({
      item,
      ...(item.kind === "field" ? {} : { unit: itemTerms(unit.name, path, unit.doc ?? "", unit.text) }),
      vector: unit.vector && Int8Array.from(unit.vector),
    });
    for (const [kind, name] of unit.links ?? []) links.push({ from: item.id, kind, name });
  }
  return {
    path,
    hash: hashText(text),
    size: Buffer.byteLength(text),
    modified: options.modified ?? 1_700_000_000_000,
    language,
    text,
    imports: imports.map(([module = "", ...names], i) => ({ startLine: i + 1, endLine: i + 1, module, names })),
    items,
    links,
  };
}

function itemTerms(name: string, path: string, doc: string, body: string): ItemTerms {
  const terms = { name: analyse(name), path: analyse(path), doc: analyse(doc), code: analyse(body) };
  return {
    terms: packTerms(terms),
    length: Object.values(terms).flat().length,
  };
}

export function termsOf(text: string): WeightedTerm[] {
  return analyse(text).map((term) => ({ term, weight: 1 }));
}

/** A tiny shop: two packages, a class with methods, tests, a document. */
export function sampleShop(): IndexedFile[] {
  return [
    sampleFile(
      "shop/payment.py",
      [
        { name: "Gateway", kind: "class", text: "class Gateway:\n    timeout = 30", doc: "Talks to the bank." },
        {
          name: "charge",
          kind: "method",
          inside: "Gateway",
          text: "def charge(self, amount):\n    return self.send(amount)",
          doc: "Charges the customer's card.",
          links: [["calls", "self.send"]],
        },
        { name: "send", kind: "method", inside: "Gateway", text: "def send(self, amount):\n    return post(amount)" },
        {
          name: "processPayment",
          text: "def processPayment(order):\n    return Gateway().charge(total(order))",
          links: [
            ["calls", "Gateway"],
            ["calls", "Gateway.charge"],
            ["calls", "total"],
          ],
        },
      ],
      { imports: [["shop.basket", "total"]] },
    ),
    sampleFile("shop/basket.py", [
      {
        name: "total",
        text: "def total(order):\n    return sum(line.price for line in order)",
        doc: "The price of everything in the basket.",
      },
      { name: "Basket", kind: "class", text: "class Basket(list):\n    pass", links: [["extends", "list"]] },
    ]),
    sampleFile(
      "shop/tests/test_payment.py",
      [
        {
          name: "test_charge",
          text: "def test_charge():\n    assert processPayment([1, 2]) == 3",
          links: [["calls", "processPayment"]],
          item: { test: true },
        },
      ],
      { imports: [["..payment", "processPayment"]], item: { test: true } },
    ),
    sampleFile(
      "docs/guide.md",
      [{ name: "Refunds", kind: "section", text: "# Refunds\nA refund returns the money to the card." }],
      {
        language: "markdown",
        kind: "document",
      },
    ),
    sampleFile("web/cart.ts", [{ name: "total", text: "export function total(cart) { return cart.lines.length }" }], {
      language: "typescript",
      imports: ["./tax.js"],
    }),
    sampleFile(
      "web/tax.ts",
      [{ name: "addTax", text: "export const addTax = (price) => price * 1.2", kind: "constant" }],
      {
        language: "typescript",
      },
    ),
  ];
}

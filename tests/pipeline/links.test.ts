import { describe, expect, it, onTestFinished } from "vitest";
import { updateIndex } from "../../src/indexing/files/update.ts";
import type { Item, LinkKind } from "../../src/item.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { folder } from "../workspace.ts";

/**
 * All links of these kinds in a workspace of these files, as `caller -> target`, paths left out where a name is the
 * only one.
 */
async function linksOf(files: Record<string, string>, kinds: LinkKind[] = ["calls"]): Promise<string[]> {
  const root = folder(files);
  const workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
  await updateIndex(workspace, {});
  const { store, owner } = workspace;
  const items = (await Promise.all(Object.keys(files).map((path) => store.itemsOf(owner, path)))).flat();
  const byId = new Map(items.map((item) => [item.id, item]));
  const ids = items.map(({ id }) => id);
  const shown = (item: Item) => item.qualifiedName.replace("::", " ");
  const forward = await store.links(owner, ids, "from", kinds);
  const backward = await store.links(owner, ids, "to", kinds);
  const printed = (links: typeof forward) =>
    [...new Set(links.map(({ from, to }) => `${shown(byId.get(from)!)} -> ${shown(byId.get(to)!)}`))].sort();
  expect(printed(backward)).toEqual(printed(forward));
  return printed(forward);
}

describe("calls are linked through scope", () => {
  it("in TypeScript", async () => {
    expect(
      await linksOf({
        "src/gateway.ts": `import { Base } from "./base.ts";
export class Gateway extends Base {
  #count = 0;
  charge(amount: number) { this.#note(); this.send(amount); this.log("charged"); }
  #note() { this.#count++; return this.#count; }
  send(amount: number) { return fetch("/pay?" + amount); }
}
export function get(key: string) { return key; }
`,
        "src/base.ts": `export class Base {
  log(text: string) { console.log(text); }
}
`,
        "src/index.ts": `export { Gateway } from "./gateway.ts";
export * from "./prices.ts";
`,
        "src/prices.ts": `export function total(order: number[]) { return order.length; }
`,
        "src/other.ts": `export function total() { return 0; }
export class Mailer { send() {} get() {} log() {} }
`,
        "src/app.ts": `import { Gateway as Bank, total } from "./index.ts";
import * as prices from "./prices.ts";
import { readFile } from "node:fs";
const cache = new Map<string, number>();
export function pay(order: number[], gateway: Bank) {
  cache.get("x");
  readFile("x");
  gateway.send(prices.total(order));
  new Bank().charge(total(order));
}
`,
      }),
    ).toEqual([
      "src/app.ts pay -> src/gateway.ts Gateway",
      "src/app.ts pay -> src/gateway.ts Gateway.charge",
      "src/app.ts pay -> src/gateway.ts Gateway.send",
      "src/app.ts pay -> src/prices.ts total",
      "src/gateway.ts Gateway.charge -> src/base.ts Base.log",
      "src/gateway.ts Gateway.charge -> src/gateway.ts Gateway.note",
      "src/gateway.ts Gateway.charge -> src/gateway.ts Gateway.send",
    ]);
  });

  it("in Python", async () => {
    expect(
      await linksOf({
        "shop/__init__.py": "from .till import Till as Till\n",
        "shop/base.py": "class Base:\n    def log(self, text):\n        print(text)\n",
        "shop/till.py": `from . import prices
from .base import Base as Root

class Till(Root):
    def __init__(self):
        self.mailer = Mailer()

    def pay(self, order):
        self.log(prices.total(order))
        super().log("x")
        self.mailer.send_receipt()
        order.get("x")

class Mailer:
    def send_receipt(self):
        pass

    def get(self, key):
        pass
`,
        "shop/prices.py": "def total(order):\n    return sum(order)\n",
        "other/prices.py": "def total(order):\n    return 0\n\nclass Log:\n    def log(self):\n        pass\n",
        "main.py":
          "import shop\nfrom shop import Till\n\ndef main():\n    till = Till()\n    till.pay([])\n    shop.Till().pay([])\n    total([])\n",
      }),
    ).toEqual([
      "main.py main -> shop/till.py Till",
      "main.py main -> shop/till.py Till.pay",
      "shop/till.py Till.__init__ -> shop/till.py Mailer",
      "shop/till.py Till.pay -> shop/base.py Base.log",
      "shop/till.py Till.pay -> shop/prices.py total",
      "shop/till.py Till.pay -> shop/till.py Mailer.send_receipt",
    ]);
  });

  it("in Go", async () => {
    expect(
      await linksOf({
        "go.mod": "module example.org/me/shop\n",
        "till/till.go": `package till

import (
	"errors"
	"example.org/me/shop/prices"
)

type Till struct{ open bool }

func New() *Till { return &Till{} }

func (t *Till) Pay(order []int) error {
	t.log(prices.Total(order))
	helper()
	return errors.New("x")
}
`,
        "till/errors.go": "package till\n\nfunc helper() {}\n\nfunc (t *Till) log(n int) {}\n",
        "prices/prices.go": "package prices\n\nfunc Total(order []int) int { return len(order) }\n",
        "other/other.go":
          "package other\n\nfunc Total() int { return 0 }\nfunc helper() {}\n\ntype T struct{}\n\nfunc (t T) log() {}\n",
        "shop.go": "package shop\n\nfunc Open() {}\n",
        "cmd/shop/main.go": `package main

import "example.org/me/shop"

func main() { shop.Open() }
`,
        "main.go": `package main

import "example.org/me/shop/till"

func run(t *till.Till) {
	till.New().Pay(nil)
	t.Pay(nil)
}
`,
      }),
    ).toEqual([
      "cmd/shop/main.go main -> shop.go Open",
      "main.go run -> till/till.go New",
      "main.go run -> till/till.go Till.Pay",
      "till/till.go New -> till/till.go Till",
      "till/till.go Till.Pay -> prices/prices.go Total",
      "till/till.go Till.Pay -> till/errors.go Till.log",
      "till/till.go Till.Pay -> till/errors.go helper",
    ]);
  });

  it("in Java", async () => {
    expect(
      await linksOf({
        "src/main/java/shop/Till.java": `package shop;
import bank.Gateway;
import java.util.List;
public class Till extends Base {
  private final Gateway gateway = new Gateway();
  void pay(List<Integer> order) {
    log("x");
    gateway.charge(Prices.total(order));
    order.get(0);
    this.close();
  }
  void close() {}
}
`,
        "src/main/java/shop/Base.java": "package shop;\nclass Base {\n  void log(String text) {}\n}\n",
        "src/main/java/shop/Prices.java":
          "package shop;\nclass Prices {\n  static int total(Object o) { return 0; }\n}\n",
        "src/main/java/bank/Gateway.java":
          "package bank;\npublic class Gateway {\n  public void charge(int n) {}\n  public int get(int n) { return n; }\n}\n",
        "src/main/java/other/Prices.java":
          "package other;\nclass Prices {\n  static int total(Object o) { return 0; }\n  void log(String s) {}\n}\n",
      }),
    ).toEqual([
      "src/main/java/shop/Till.java Till -> src/main/java/bank/Gateway.java Gateway",
      "src/main/java/shop/Till.java Till.pay -> src/main/java/bank/Gateway.java Gateway.charge",
      "src/main/java/shop/Till.java Till.pay -> src/main/java/shop/Base.java Base.log",
      "src/main/java/shop/Till.java Till.pay -> src/main/java/shop/Prices.java Prices.total",
      "src/main/java/shop/Till.java Till.pay -> src/main/java/shop/Till.java Till.close",
    ]);
  });

  it("in Rust", async () => {
    expect(
      await linksOf({
        "src/lib.rs": "mod till;\nmod prices;\nmod other;\n",
        "src/prices.rs": "pub fn total(order: &[u32]) -> u32 { 0 }\npub fn tax(n: u32) -> u32 { n }\n",
        "src/other.rs":
          "pub fn total() -> u32 { 0 }\npub fn tax() {}\npub struct Log;\nimpl Log {\n    pub fn new() -> Self { Log }\n    pub fn note(&self) {}\n}\n",
        "src/till.rs": `use crate::prices::{self, tax};

pub struct Till {
    open: bool,
}

impl Till {
    pub fn new() -> Self {
        Till { open: true }
    }

    pub fn pay(&self, order: &[u32]) -> u32 {
        self.note();
        let n = Vec::new();
        crate::prices::total(order) + prices::total(order) + tax(1)
    }

    fn note(&self) {}
}

pub fn run() {
    let till = Till::new();
    till.pay(&[]);
}
`,
      }),
    ).toEqual([
      "src/till.rs Till.new -> src/till.rs Till",
      "src/till.rs Till.pay -> src/prices.rs tax",
      "src/till.rs Till.pay -> src/prices.rs total",
      "src/till.rs Till.pay -> src/till.rs Till.note",
      "src/till.rs run -> src/till.rs Till.new",
      "src/till.rs run -> src/till.rs Till.pay",
    ]);
  });

  it("in Ruby", async () => {
    expect(
      await linksOf({
        "lib/till.rb": `require_relative "prices"
require_relative "base"

class Till < Base
  def pay(order)
    log(order)
    self.close(1)
    Prices.total(order)
    order.map(1)
  end

  def close(n)
  end
end
`,
        "lib/base.rb": "class Base\n  def log(text)\n  end\nend\n",
        "lib/prices.rb": "module Prices\n  def self.total(order)\n    0\n  end\nend\n",
        "lib/other.rb":
          "class Other\n  def log(text)\n  end\n\n  def map(n)\n  end\n\n  def self.total(order)\n  end\nend\n",
        "bin/run.rb": 'require_relative "../../lib/till"\n\ndef run\n  till = Till.new(1)\n  till.pay(1)\nend\n',
      }),
    ).toEqual([
      "bin/run.rb run -> lib/till.rb Till.pay",
      "lib/till.rb Till.pay -> lib/base.rb Base.log",
      "lib/till.rb Till.pay -> lib/prices.rb Prices.total",
      "lib/till.rb Till.pay -> lib/till.rb Till.close",
    ]);
  });

  it("in PHP", async () => {
    expect(
      await linksOf({
        "src/Till.php": `<?php
namespace App;

use App\\Bank\\Gateway;

class Till extends Base
{
    public function __construct(private Gateway $gateway) {}

    public function pay(array $order): void
    {
        $this->log("x");
        parent::log("y");
        $this->gateway->charge(Prices::total($order));
        $order->get(1);
    }
}
`,
        "src/Base.php":
          "<?php\nnamespace App;\n\nclass Base\n{\n    protected function log(string $text): void {}\n}\n",
        "src/Prices.php":
          "<?php\nnamespace App;\n\nclass Prices\n{\n    public static function total(array $o): int { return 0; }\n}\n",
        "src/Bank/Gateway.php":
          "<?php\nnamespace App\\Bank;\n\nclass Gateway\n{\n    public function charge(int $n): void {}\n    public function get(int $n): void {}\n}\n",
        "src/Other/Prices.php":
          "<?php\nnamespace App\\Other;\n\nclass Prices\n{\n    public static function total(): int { return 0; }\n    public function log(): void {}\n    public function charge(): void {}\n}\n",
      }),
    ).toEqual([
      "src/Till.php Till.pay -> src/Bank/Gateway.php Gateway.charge",
      "src/Till.php Till.pay -> src/Base.php Base.log",
      "src/Till.php Till.pay -> src/Prices.php Prices.total",
    ]);
  });
});

it("costs one file to edit: links are looked up when they are read", async () => {
  const root = folder({
    "a.py": "from b import pay\n\ndef run():\n    pay()\n",
    "b.py": "def pay():\n    pass\n",
  });
  const workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
  await updateIndex(workspace, {});
  const { store, owner } = workspace;
  const run = (await store.itemsOf(owner, "a.py")).find(({ name }) => name === "run")!;
  expect(await store.links(owner, [run.id], "from", ["calls"])).toHaveLength(1);
  const { writeFileSync } = await import("node:fs");
  writeFileSync(`${root}/b.py`, "def collect():\n    pass\n");
  const { files } = await updateIndex(workspace, {});
  expect(files.indexed).toBe(1);
  expect(await store.links(owner, [run.id], "from", ["calls"])).toEqual([]);
});

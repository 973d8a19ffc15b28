import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { updateIndex } from "../../indexing/files/update.ts";
import type { UsageSite } from "../../item.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { withUses } from "./asked-uses.ts";
import { usesOf } from "./callers.ts";

async function indexed(files: Record<string, string>) {
  const root = folder(files);
  const workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
  await updateIndex(workspace, {});
  const uses = async (path: string, name: string, most = 10, nth = 0) => {
    const items = await workspace.store.itemsOf(workspace.owner, path);
    return usesOf(items.filter((item) => item.qualifiedName === `${path}::${name}`)[nth]!, workspace, most);
  };
  return { root, uses, workspace };
}

const shown = (places: UsageSite[]) => places.map(({ path, line, text, name }) => `${path}:${line} ${name} | ${text}`);

const shop = {
  "src/till.ts": `export class Till {
  pay(sum: number) { return sum; }
}
/** See pay(), which total() does not call. */
export function total(order: number[]) { return order.length; }
`,
  "src/app.ts": `import { Till, total } from "./till.ts";

export function checkout(order: number[], till: Till) {
  // total(order) is without tax
  const cache = new Map<string, number>();
  cache.get("total(x)");
  const sum =
    total(order);
  return till.pay(sum);
}
`,
  "examples/demo.ts": `import { total } from "../src/till.ts";
console.log(total([]));
`,
  "src/till.test.ts": `import { Till, total } from "./till.ts";
function test_total() {
  const other = make();
  other.total();
  check(total([1]));
}
`,
};

it("names the lines that call a function, product code first, and the tests apart", async () => {
  const { uses } = await indexed(shop);
  const { callers, tests } = await uses("src/till.ts", "total");
  expect(shown(callers)).toEqual([
    "src/app.ts:8 checkout | total(order);",
    "examples/demo.ts:2 demo.ts | console.log(total([]));",
  ]);
  expect(shown(tests)).toEqual(["src/till.test.ts:5 test_total | check(total([1]));"]);
});

it("finds calls of a method on a variable of its type, and uses of a class", async () => {
  const { uses } = await indexed(shop);
  expect(shown((await uses("src/till.ts", "Till.pay")).callers)).toEqual([
    "src/app.ts:9 checkout | return till.pay(sum);",
  ]);
  expect(shown((await uses("src/till.ts", "Till")).callers)).toEqual([
    "src/app.ts:3 checkout | export function checkout(order: number[], till: Till) {",
    "src/app.ts:9 checkout | return till.pay(sum);",
  ]);
});

it("shows lines as they are on disk now, and none of what is gone", async () => {
  const { root, uses } = await indexed(shop);
  writeFileSync(
    join(root, "src/app.ts"),
    `// New first line.\n${shop["src/app.ts"].replace("total(order);", "total(order.slice(1));")}`,
  );
  expect(shown((await uses("src/till.ts", "total")).callers)[0]).toBe("src/app.ts:9 checkout | total(order.slice(1));");
  writeFileSync(join(root, "src/app.ts"), shop["src/app.ts"].replace("    total(order);", "    count(order);"));
  unlinkSync(join(root, "examples/demo.ts"));
  expect((await uses("src/till.ts", "total")).callers).toEqual([]);
});

it("masks secrets, cuts long lines, and gives at most as many as asked", async () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7h8`;
  const { uses } = await indexed({
    "send.py": "def send(token, text):\n    pass\n",
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [
        `use${String(i).padStart(2, "0")}.py`,
        `from send import send\n\ndef run():\n    send("${token}", "${"long ".repeat(60)}")\n`,
      ]),
    ),
  });
  const { callers } = await uses("send.py", "send", 3);
  expect(callers.map(({ path }) => path)).toEqual(["use00.py", "use01.py", "use02.py"]);
  expect(callers[0]!.text).toMatch(/^send\("\[secret:[\w-]+:\w+\]", "long /);
  expect(callers[0]!.text).toMatch(/^.{100,119}…$/);
  expect(await uses("send.py", "send", 0)).toEqual({ callers: [], tests: [] });
});

it("names the innermost function of a line, each line once, and not a class's own methods", async () => {
  const { uses } = await indexed({
    "a.py": `def pay():
    pass


def outer():
    def inner():
        x = 1
        y = 2
        z = 3
        return pay()
    return inner


class Shop:
    def copy(self):
        return Shop()

    def pay(self):
        return pay()
`,
  });
  expect(shown((await uses("a.py", "pay")).callers)).toEqual([
    "a.py:10 inner | return pay()",
    "a.py:19 pay | return pay()",
  ]);
  expect((await uses("a.py", "Shop")).callers).toEqual([]);
});

it("names a test that is only named after the item by its declaration", async () => {
  const { uses } = await indexed({
    "shop.py": "class Till:\n    def charge(self):\n        pass\n",
    "tests/test_shop.py": "import shop\n\n\n@slow\ndef test_charge(till):\n    assert till\n",
  });
  expect(shown((await uses("shop.py", "Till.charge")).tests)).toEqual([
    "tests/test_shop.py:5 test_charge | def test_charge(till):",
  ]);
});

it("gives a private member the lines that call it, and none that call the public one of that name", async () => {
  const { uses } = await indexed({
    "src/slots.ts": `export class Slots {
  refresh(): number {
    return this.#refresh();
  }
  #refresh(): number {
    return 1;
  }
  renew(): number {
    return this.refresh() + this.#count();
  }
  #count(): number {
    return 2;
  }
}
`,
  });
  const [open, hidden] = await Promise.all([
    uses("src/slots.ts", "Slots.refresh"),
    uses("src/slots.ts", "Slots.refresh", 10, 1),
  ]);
  expect(shown(open.callers)).toEqual(["src/slots.ts:9 renew | return this.refresh() + this.#count();"]);
  expect(shown(hidden.callers)).toEqual(["src/slots.ts:3 refresh | return this.#refresh();"]);
  const { callers } = await uses("src/slots.ts", "Slots.count");
  expect(shown(callers)).toEqual(["src/slots.ts:9 renew | return this.refresh() + this.#count();"]);
});

it("lists a line that uses several definitions of one name once, with the first of them", async () => {
  const { workspace } = await indexed({
    "src/render.ts": `export function render(page: string): string;
export function render(page: number): string;
export function render(page: unknown): string {
  return String(page);
}
`,
    "src/app.ts": `import { render } from "./render.ts";
export function show() {
  return render("start");
}
`,
  });
  const items = (await workspace.store.itemsOf(workspace.owner, "src/render.ts")).filter(
    ({ name }) => name === "render",
  );
  const found = items.map((item) => ({ item, signals: { named: 1 }, distance: 0, score: 1, because: {} }));
  const used = await withUses(
    found,
    { maxTokens: 4000, tests: "auto" },
    { onlyNames: true, asked: ["render"], wantsTests: false },
    workspace,
  );
  expect(items.length).toBeGreaterThan(1);
  expect(used.flatMap(({ uses }) => shown(uses?.callers ?? []))).toEqual([
    'src/app.ts:3 show | return render("start");',
  ]);
  expect(used[0]!.uses).toBeDefined();
});

it("lists the lines that read a setting, of whichever of its fields is read", async () => {
  const holder = (name: string) => `pub struct ${name} {\n    max_size: Option<u64>,\n}\n`;
  const { workspace } = await indexed({
    "src/holders.rs": ["Alpha", "Beta", "Gamma", "Delta"].map(holder).join("\n"),
    "src/low.rs": "pub struct Low {\n    pub max_size: Option<u64>,\n}\n",
    "src/update.rs": "fn update(low: &mut Low, value: u64) {\n    low.max_size = Some(value);\n}\n",
  });
  const items = (
    await Promise.all(["src/holders.rs", "src/low.rs"].map((path) => workspace.store.itemsOf(workspace.owner, path)))
  )
    .flat()
    .filter(({ name }) => name === "max_size");
  const found = items.map((item) => ({ item, signals: { named: 1 }, distance: 0, score: 1, because: {} }));
  const asked = { onlyNames: true, asked: ["max_size"], wantsTests: false };
  const used = await withUses(found, { maxTokens: 4000, tests: "auto" }, asked, workspace);
  expect(used.flatMap(({ uses }) => shown(uses?.callers ?? []))).toEqual([
    "src/update.rs:2 update | low.max_size = Some(value);",
  ]);
});

it("lists tests for a name alone and where they are asked for, in no other question", async () => {
  const { workspace } = await indexed({
    "src/till.ts": `export function total(prices: number[]) {
  return prices.length;
}
`,
    "src/shop.ts": `import { total } from "./till.ts";
export function pay() {
  return total([1]);
}
`,
    "src/till.test.ts": `import { total } from "./till.ts";
test("total", () => {
  check(total([2]));
});
`,
  });
  const items = (await workspace.store.itemsOf(workspace.owner, "src/till.ts")).filter(({ name }) => name === "total");
  const found = items.map((item) => ({ item, signals: { named: 1 }, distance: 0, score: 1, because: {} }));
  const usesFor = async (text: string) =>
    (await withUses(found, { maxTokens: 4000, tests: "auto" }, analyseQuery(text), workspace))[0]!.uses;
  for (const text of ["total", "which tests cover `total`?"])
    expect((await usesFor(text))?.tests, text).toHaveLength(1);
  const explained = await usesFor("why does `total` ignore the prices that a customer has paid already?");
  expect(shown(explained!.callers)).toEqual(["src/shop.ts:3 pay | return total([1]);"]);
  expect(explained!.tests).toEqual([]);
});

it("lists the lines that read a constant or a field, which have no links", async () => {
  const { uses } = await indexed({
    "src/limits.py": `MAX_ROOMS = 10


class Plan:
    size = 3

    def fits(self, size):
        return size < MAX_ROOMS and self.size > 0
`,
    "src/app.py": `from limits import MAX_ROOMS

def check(rooms, plan):
    size = len(rooms)
    # MAX_ROOMS is not read here
    if size > MAX_ROOMS:
        return "MAX_ROOMS"
    return plan.size
`,
    "tests/test_app.py": "from src.limits import MAX_ROOMS\n\ndef test_rooms():\n    assert MAX_ROOMS == 10\n",
  });
  const rooms = await uses("src/limits.py", "MAX_ROOMS");
  expect(shown(rooms.callers)).toEqual([
    "src/app.py:6 check | if size > MAX_ROOMS:",
    "src/limits.py:8 fits | return size < MAX_ROOMS and self.size > 0",
  ]);
  expect(shown(rooms.tests)).toEqual(["tests/test_app.py:4 test_rooms | assert MAX_ROOMS == 10"]);
  expect(shown((await uses("src/limits.py", "Plan.size")).callers)).toEqual([
    "src/app.py:8 check | return plan.size",
    "src/limits.py:8 fits | return size < MAX_ROOMS and self.size > 0",
  ]);
});

it("lists of a name that several have only the uses that are surely its own", async () => {
  const { uses } = await indexed({
    "src/a.ts": "export class Mail {\n  static retries = 3;\n  send() {\n    return Mail.retries;\n  }\n}\n",
    "src/b.ts": "export class Call {\n  static retries = 5;\n  dial() {\n    return Call.retries;\n  }\n}\n",
    "src/c.ts":
      'import { Mail } from "./a.ts";\nexport function both(other) {\n  return Mail.retries + other.count;\n}\n',
  });
  expect(shown((await uses("src/a.ts", "Mail.retries")).callers)).toEqual([
    "src/a.ts:4 send | return Mail.retries;",
    "src/c.ts:3 both | return Mail.retries + other.count;",
  ]);
});

it("lists of a field that two types have what is read of a variable of its type", async () => {
  const { uses } = await indexed({
    "store.go": `package store

type Store struct {
	NoSync bool
}

type Options struct {
	NoSync bool
}

func Open(options *Options) *Store {
	store := &Store{}
	store.NoSync = options.NoSync
	return store
}

func (o *Options) String() string {
	return format(o.NoSync)
}
`,
    "commit.go": "package store\n\nfunc commit(tx *Tx) {\n\tif !tx.store.NoSync {\n\t\tflush()\n\t}\n}\n",
  });
  expect(shown((await uses("store.go", "Store.NoSync")).callers)).toEqual([
    "commit.go:4 commit | if !tx.store.NoSync {",
    "store.go:13 Open | store.NoSync = options.NoSync",
  ]);
  expect(shown((await uses("store.go", "Options.NoSync")).callers)).toEqual([
    "store.go:13 Open | store.NoSync = options.NoSync",
    "store.go:18 String | return format(o.NoSync)",
  ]);
});

it("lists the lines that read a setting by its name in quotes, and no text that mentions it", async () => {
  const { uses } = await indexed({
    "src/defaults.py": '__all__ = ["MAX_ROOMS"]\n\nMAX_ROOMS = 10\n',
    "src/hotel.py": `def open_hotel(settings, wanted):
    if wanted > settings.getint("MAX_ROOMS"):
        raise ValueError(f"MAX_ROOMS ({wanted} wanted) is reached")
`,
    "src/warn.py": `def warn(rooms):
    return f"see MAX_ROOMS ({rooms})"
`,
  });
  expect(shown((await uses("src/defaults.py", "MAX_ROOMS")).callers)).toEqual([
    'src/hotel.py:2 open_hotel | if wanted > settings.getint("MAX_ROOMS"):',
  ]);
});

it("lists the lines that raise an error before those that catch it, wherever they are", async () => {
  const catching = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [
      `src/a${String(i).padStart(2, "0")}.py`,
      "from shop.errors import SoldOut\n\ndef run():\n    try:\n        buy()\n    except SoldOut:\n        pass\n",
    ]),
  );
  const { uses } = await indexed({
    "shop/errors.py": "class ShopError(Exception):\n    pass\n\n\nclass SoldOut(ShopError):\n    pass\n",
    "shop/stock.py": `from shop.errors import SoldOut

def take(stock, count):
    if stock.count < count:
        raise SoldOut(stock)
    if stock.reserved:
        raise SoldOut("reserved")
`,
    ...catching,
  });
  const { callers } = await uses("shop/errors.py", "SoldOut", 3);
  expect(shown(callers)).toEqual([
    "shop/stock.py:5 take | raise SoldOut(stock)",
    'shop/stock.py:7 take | raise SoldOut("reserved")',
    "src/a00.py:6 run | except SoldOut:",
  ]);
});

it("lists, of a class, who calls its methods besides who makes one, and none of its own lines", async () => {
  const { uses } = await indexed({
    "go.mod": "module example.org/shop\n",
    "till/till.go":
      "package till\n\ntype Till struct {\n\tsum int\n}\n\nfunc New() *Till { return &Till{} }\n\nfunc (t *Till) Add(n int) { t.sum += n }\n\nfunc (t *Till) Total() int {\n\tt.Add(0)\n\treturn t.sum\n}\n",
    "till/more.go": "package till\n\nfunc (t *Till) Reset() { t.sum = 0 }\n",
    "app/app.go":
      'package app\n\nimport "example.org/shop/till"\n\ntype app struct {\n\ttill *till.Till\n}\n\nfunc (a *app) sell(n int) {\n\ta.till.Add(n)\n}\n\nfunc (a *app) show(other Other) int {\n\tother.Total()\n\treturn a.till.Total()\n}\n',
  });
  const { callers } = await uses("till/till.go", "Till");
  expect(shown(callers)).toEqual([
    "app/app.go:6 app | till *till.Till",
    "app/app.go:10 sell | a.till.Add(n)",
    "app/app.go:15 show | return a.till.Total()",
    "till/till.go:7 New | func New() *Till { return &Till{} }",
  ]);
});

it("lists who reads what a call made of a function, through the name of its module too", async () => {
  const { uses } = await indexed({
    "src/util.ts": `import { cached } from "./cached.ts";

export const allowsEval: { value: boolean } = /* @__PURE__ */ cached(() => {
  if (settings.strict) {
    return false;
  }
  try {
    new Function("");
    return true;
  } catch {
    return false;
  }
});
`,
    "src/cached.ts": "export function cached<T>(read: () => T): { value: T } {\n  return { value: read() };\n}\n",
    "src/schemas.ts": `import * as util from "./util.ts";

export function objectSchema(jit: boolean) {
  const fast = jit && util.allowsEval.value;
  return fast ? compiled() : plain();
}
`,
  });
  const { callers } = await uses("src/util.ts", "allowsEval");
  expect(shown(callers)).toEqual(["src/schemas.ts:4 objectSchema | const fast = jit && util.allowsEval.value;"]);
});

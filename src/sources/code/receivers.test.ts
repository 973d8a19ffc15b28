import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extract } from "../extract.ts";
import { receiverBefore } from "./receivers.ts";

/** Calls of the last unit with what they are called on. */
async function calls(path: string, text: string): Promise<string[]> {
  const { units } = await extract(path, text);
  return units
    .at(-1)!
    .references.filter(({ kind }) => kind === "calls")
    .map(({ name, receiver }) => (receiver === undefined ? name : `${receiver}.${name}`));
}

describe("a bare name in Ruby", () => {
  it("is a call, unless it is a parameter or a local variable", async () => {
    const text = `class A
  def work(interval = usual, key: other, *rest, &block)
    job = reserve
    a, (b, *c) = pair
    rest.each { |worker, (m, n)| worker; m; helper }
    ->(z) { z; done }
    for q in list do q end
    begin
      perform
    rescue Failure => e
      e
    end
    case job
    in {id:, kind: Integer => k, deep: [one, *two]}
      id; k; one; two
    end
    late
    late = interval
    "#{key} #{name}"; block; a; b; c; late
  end
end
`;
    expect(await calls("a.rb", text)).toEqual([
      ...["usual", "other", "reserve", "pair", "rest.each", "helper", "done", "list", "perform", "late", "name"],
    ]);
  });

  it("is none of another scope's variables, and no keyword of the language", async () => {
    const text = "class A\n  def a\n    job = 1\n  end\n  def b\n    list.each { job }\n    private\n  end\nend\n";
    expect(await calls("a.rb", text)).toEqual(["list.each", "list", "job"]);
  });
});

it("takes what Ruby mixes in for supertypes, and aliases for members", async () => {
  const { units } = await extract("a.rb", "class A\n  include Util, Foo::Bar\n  alias :store :redis\nend\n");
  expect(units[0]!.references.filter(({ kind }) => kind === "extends").map(({ name }) => name)).toEqual([
    "Util",
    "Bar",
  ]);
  expect(units.map(({ qualified }) => qualified)).toEqual(["A", "A.store"]);
});

describe("what a call is made on", () => {
  it.each([
    ["x", undefined],
    ["a.x", "a"],
    ["a.b.x", "a.b"],
    ["a?.b!.x", "a.b"],
    ["$this->x", "this"],
    ["$a?->x", "a"],
    ["A::B::x", "A.B"],
    ["\\App\\Shop::x", "App.Shop"],
    ["::x", undefined],
    ["\\x", undefined],
    ["f().x", "?"],
    ["f().a.x", "?.a"],
    ["list[0].x", "?"],
    ['"text".x', "?"],
    ["new Gate(f(1)).x", "Gate"],
    ["Gate(1).x", "Gate"],
    ["super().x", "super"],
    ["Vec::<u8>::x", "Vec"],
    ["Map<String, List<T>>::x", "Map"],
    ["a\n    .b\n    .x", "a.b"],
    ["0..x", undefined],
    ["...x", undefined],
    ["f . x", undefined],
    ["this.#x", "this"],
    ["this.#gate.x", "this.gate"],
  ])("%j", (text, expected) => {
    expect(receiverBefore(text, text.search(/#?x$/))).toBe(expected);
  });

  it("is kept in every language", async () => {
    expect(await calls("a.ts", "function f() { shop.basket.total(); this.pay(); go() }")).toEqual([
      "shop.basket.total",
      "this.pay",
      "go",
    ]);
    expect(await calls("a.py", "def f(self):\n    shop.basket.total()\n    self.pay()\n    go()\n")).toEqual([
      "shop.basket.total",
      "self.pay",
      "go",
    ]);
    expect(await calls("a.go", "package a\nfunc f() { basket.Total(); go1() }\n")).toEqual(["basket.Total", "go1"]);
    expect(await calls("a.rs", "fn f(&self) { crate::basket::total(); self.pay(); go(); }")).toEqual([
      "crate.basket.total",
      "self.pay",
      "go",
    ]);
    expect(await calls("A.java", "class A { void f() { Basket.total(); this.pay(); go(); } }")).toEqual([
      "Basket.total",
      "this.pay",
      "go",
    ]);
    expect(await calls("a.rb", "def f\n  Shop::Basket.total(1)\n  self.pay(2)\n  go(3)\nend\n")).toEqual([
      "Shop.Basket.total",
      "self.pay",
      "go",
    ]);
    expect(await calls("a.php", "<?php\nfunction f() { Basket::total(); $this->pay(); go(); }")).toEqual([
      "Basket.total",
      "this.pay",
      "go",
    ]);
    expect(await calls("a.cs", "class A { void F() { Basket.Total(); this.Pay(); Go(); } }")).toEqual([
      "Basket.Total",
      "this.Pay",
      "Go",
    ]);
    expect(await calls("a.cpp", "void f() { shop::total(); basket->pay(); go(); }")).toEqual([
      "shop.total",
      "basket.pay",
      "go",
    ]);
    expect(await calls("a.kt", "fun f() {\n  basket.total()\n  go()\n}\n")).toEqual(["basket.total", "go"]);
    expect(await calls("a.dart", "void f() { basket.total(); go(); }")).toEqual(["basket.total", "go"]);
    expect(await calls("a.swift", "func f() { basket.total(); go() }")).toEqual(["basket.total", "go"]);
  });

  it("is the type, where a declaration tells it", async () => {
    expect(
      await calls(
        "a.ts",
        "function f(gate: Gate, on?: ns.Bus) { const b = new Basket(); gate.pay(); on.emit(); b.sum() }",
      ),
    ).toEqual([":Gate.pay", ":ns.Bus.emit", ":Basket.sum", "Basket"].sort((a, b) => order(a) - order(b)));
    expect(
      await calls(
        "a.go",
        "package a\nfunc (g *Gate) f(b shop.Basket, n []int) { c := &Cart{}; g.Pay(); b.Sum(); c.Add() }\n",
      ),
    ).toEqual(["Cart", ":Gate.Pay", ":shop.Basket.Sum", ":Cart.Add"]);
    expect(
      await calls(
        "a.py",
        "def f(gate: Gate, other: 'Bus | None'):\n    b = Basket()\n    gate.pay()\n    other.emit()\n    b.sum()\n",
      ),
    ).toEqual(["Basket", ":Gate.pay", ":Bus.emit", ":Basket.sum"]);
    expect(
      await calls(
        "A.java",
        "class A { private final Gate gate; void f(Basket b) { Cart c = new Cart(); gate.pay(); b.sum(); c.add(); this.gate.close(); } }",
      ),
    ).toEqual(["Cart", ":Gate.pay", ":Basket.sum", ":Cart.add", ":Gate.close"]);
    expect(await calls("a.rs", "fn f(gate: &mut Gate) { let b = Basket::new(); gate.pay(); b.sum(); }")).toEqual([
      "Basket.new",
      ":Gate.pay",
      ":Basket.sum",
    ]);
    expect(await calls("a.rb", "def f\n  b = Basket.new(1)\n  b.sum(1)\nend\n")).toEqual(["Basket.new", ":Basket.sum"]);
    expect(
      await calls(
        "a.php",
        "<?php\nclass A { private Gate $gate; function f(Basket $b) { $c = new Cart(); $this->gate->pay(); $b->sum(); $c->add(); } }",
      ),
    ).toEqual(["Cart", ":Gate.pay", ":Basket.sum", ":Cart.add"]);
    expect(
      await calls(
        "a.cs",
        "class A { Gate gate; void F(Basket b) { var c = new Cart(); gate.Pay(); b.Sum(); c.Add(); } }",
      ),
    ).toEqual(["Cart", ":Gate.Pay", ":Basket.Sum", ":Cart.Add"]);
    expect(
      await calls(
        "b.py",
        "class A:\n    def __init__(self):\n        self.gate = Gate()\n\n    def f(self):\n        self.gate.pay()\n",
      ),
    ).toEqual([":Gate.pay"]);
  });

  it("is the type in Kotlin, Scala and Swift, of parameters, fields and what is made of a class", async () => {
    const expected = [":Gate.pay", ":Basket.sum", ":Cart.add", ":Room.enter"];
    for (const [path, text] of [
      [
        "a.kt",
        "class A(private val gate: Gate) {\n  val cart = Cart()\n  var room: Room? = null\n  fun f(b: Basket) { gate.pay(); b.sum(); this.cart.add(); room?.enter() }\n}",
      ],
      [
        "a.scala",
        "class A(gate: Gate) {\n  val cart = new Cart\n  var room: Room = null\n  def f(b: Basket): Unit = { gate.pay(); b.sum(); this.cart.add(); room.enter() }\n}",
      ],
      [
        "a.swift",
        "class A {\n  let gate: Gate\n  var cart = Cart()\n  var room: Room?\n  func f(_ b: Basket) { gate.pay(); b.sum(); self.cart.add(); room?.enter() }\n}",
      ],
    ] as const)
      expect([path, ...(await calls(path, text))]).toEqual([path, ...expected]);
  });

  it("keeps the fields behind the type of the variable that has them", async () => {
    const text =
      "class User(val context: Ctx, other: List<Ctx>) {\n  fun f() { context.parser.parse(1); this.context.next.go(); other.first.go() }\n}\n";
    expect(await calls("a.kt", text)).toEqual([":Ctx#parser.parse", ":Ctx#next.go", ":List#first.go"]);
    expect(await calls("a.ts", "function f(shop: Shop) { shop.basket.total() }")).toEqual([":Shop#basket.total"]);
  });

  it("is what a function returns where Go calls one", async () => {
    const text = "package a\nfunc f() { c := MakeCluster(); c.Close(); g := &Gate{}; g.Open() }\n";
    expect(await calls("a.go", text)).toEqual(["MakeCluster", ":MakeCluster.Close", "Gate", ":Gate.Open"]);
  });

  it("is the type of private fields, and their names are without the sign", async () => {
    const text =
      "class A {\n  #gate = new Gate();\n  #cart;\n  constructor() { this.#cart = new Cart(); }\n  f() { this.#gate.pay(); this.#cart.add(); this.#g(); }\n}";
    expect(await calls("a.js", text)).toEqual([":Gate.pay", ":Cart.add", "this.g"]);
  });

  it("is the type of a variable of the module, whatever unit its line belongs to", async () => {
    expect(await calls("a.ts", "const gate = new Gate();\n\nfunction f() { gate.pay(); }")).toEqual([":Gate.pay"]);
    expect(await calls("a.ts", "let gate = new Gate();\n\nfunction f() { gate.pay(); }")).toEqual([":Gate.pay"]);
    expect(await calls("a.py", "setup()\ngate = Gate()\n\ndef f():\n    gate.pay()\n")).toEqual([":Gate.pay"]);
  });

  it("is the type in C++ too, through pointers and references", async () => {
    const text =
      "void f(Gate* gate, const shop::Bus& bus) { Cart cart; auto b = new Basket(); gate->pay(); bus.emit(); cart.add(); b->sum(); }";
    expect(await calls("a.cpp", text)).toEqual(["Basket", ":Gate.pay", ":shop.Bus.emit", ":Cart.add", ":Basket.sum"]);
  });

  it("is names, dots and what is unknown, whatever the text", () => {
    const texts = fc.string({
      unit: fc.constantFrom("a", "B", ".", ":", "-", ">", "<", "(", ")", "?", "\\", "\n", " ", "$", "1", "#"),
    });
    fc.assert(
      fc.property(texts, (text) => {
        for (let at = 0; at <= text.length; at++) {
          const receiver = receiverBefore(text, at);
          if (receiver !== undefined) expect(receiver).toMatch(/^(?:[?]|[\p{L}\p{N}_$]+)(?:\.[\p{L}\p{N}_$]+)*$/u);
        }
      }),
    );
  });

  it("is a field of a type, whose own type is known where the type is", async () => {
    expect(
      await calls("a.go", "package a\nfunc (s *Server) f() { s.broker.Get(); b := s.broker; b.Put(); s.a.b.Do() }\n"),
    ).toEqual([":Server#broker.Get", ":Server#broker.Put", ":Server#a#b.Do"]);
    expect(
      await calls("a.ts", "class A extends B {\n  f() { this.gate.pay(); const g = this.gate; g.close() }\n}"),
    ).toEqual(["this.gate.pay", "this.gate.close"]);
    expect(
      await calls(
        "a.rs",
        "fn f(shared: &Arc<Mutex<State>>) { let mut state = shared.lock().unwrap(); state.add(); state.children.get(); task::run(); }",
      ),
    ).toEqual(["?.unwrap", ":State.lock", ":State.add", ":State#children.get", "task.run"]);
  });

  it("is what a function returns", async () => {
    expect(
      await calls(
        "a.go",
        "package a\nfunc f() { s, err := newServer(1); s.Run(); t := newServer(1).Start(); t.Run() }\n",
      ),
    ).toEqual(["newServer", ":newServer().Run", "?.Start", "t.Run"]);
    expect(await calls("a.rs", "fn f() { let s = open(1)?; s.run(); }")).toEqual(["open", ":open().run"]);
  });

  it("is what was declared last before the call, inside its function only", async () => {
    expect(
      await calls(
        "a.go",
        "package a\nfunc f(d *Screen) { d.A(); each(func(d *Row) { d.B() }); d.C(); d = other(); d.D(); d := load(); d.E() }\n",
      ),
    ).toEqual([":Screen.A", "each", ":Row.B", ":Screen.C", "other", ":Screen.D", "load", ":load().E"]);
    expect(await calls("a.go", "package a\nfunc f(d *Screen, rows []func(d *Row)) { d.A() }\n")).toEqual([":Screen.A"]);
  });

  it("is no field where a field needs its object, nor a parameter where the object is named", async () => {
    const text =
      "class A:\n    def __init__(self):\n        self.gate = Gate()\n\n    def f(self, gate):\n        gate.pay()\n        self.gate.pay()\n";
    expect(await calls("a.py", text)).toEqual(["gate.pay", ":Gate.pay"]);
    expect(
      await calls("a.ts", "class A {\n  gate = new Gate();\n  f(gate: Other) { this.gate.pay(); gate.pay() }\n}"),
    ).toEqual([":Gate.pay", ":Other.pay"]);
    const assigned =
      "class A:\n    def __init__(self, x):\n        self.gate = Gate()\n        if x:\n            self.gate = Door()\n\n    def f(self):\n        self.gate.pay()\n";
    expect(await calls("a.py", assigned)).toEqual(["self.gate.pay"]);
  });

  it("is told of a type: its fields, what it stands for, the methods an interface asks for, and of a function its result", async () => {
    const declared = async (path: string, text: string) =>
      (await extract(path, text)).units.flatMap(({ qualified, declares = [] }) =>
        declares.map((each) => `${qualified}: ${each}`),
      );
    expect(
      await declared(
        "a.go",
        "package a\n\ntype Server struct {\n\tbroker, spare base.Broker\n\ttick *time.Ticker\n}\n\ntype Broker interface {\n\tClose() error\n\tGet(name string) *Item\n}\n\nfunc open() (*Server, error) { return nil, nil }\n",
      ),
    ).toEqual([
      "Server: broker@base.Broker",
      "Server: spare@base.Broker",
      "Server: tick@time.Ticker",
      "Broker: Close@",
      "Broker: Get@",
      "open: @Server",
    ]);
    expect(
      await declared(
        "a.rs",
        "pub type Shared = Arc<Mutex<State>>;\npub type Guard<'a> = MutexGuard<'a, State>;\npub struct State {\n    pub children: Vec<Child>,\n    gate: Option<Box<dyn Gate + Send>>,\n}\nfn open() -> Result<State, Error> { x }\n",
      ),
    ).toEqual(["Shared: @State", "Guard: @State", "State: children@Vec", "State: gate@Gate", "open: @State"]);
    expect(
      await declared(
        "a.ts",
        "interface Shop {\n  gate: Gate;\n  close(): void;\n}\ntype Till = Shop;\nclass A {\n  constructor(private bus: Bus) {}\n}",
      ),
    ).toEqual(["Shop: gate@Gate", "Shop: close@", "Till: @Shop", "A: bus@Bus"]);
  });

  it("is not the type of a variable of the same name in another function", async () => {
    expect(await calls("a.ts", "function g(x: Gate) { x.pay() }\nfunction f(x) { x.pay() }")).toEqual(["x.pay"]);
  });
});

function order(call: string): number {
  return ["Basket", ":Gate.pay", ":ns.Bus.emit", ":Basket.sum"].indexOf(call);
}

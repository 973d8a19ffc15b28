import { expect, it } from "vitest";
import type { LinkKind } from "../../item.ts";
import type { ResolvedLink, Store } from "../store.ts";
import { idOf, sampleFile, sampleShop } from "./store.samples.ts";

/** How every engine must read links: targets given by name are looked up when they are read. */
export function linkCases(store: () => Store): void {
  const payment = (name?: string) => idOf("shop/payment.py", name);
  const write = () => store().write("me", { files: sampleShop(), removed: [] });
  const from = async (id: string, kinds?: LinkKind[]) =>
    (await store().links("me", [id], "from", kinds)).map(({ to }) => to).sort();
  const to = async (id: string, kinds?: LinkKind[]) =>
    (await store().links("me", [id], "to", kinds)).map((link) => link.from).sort();

  it("resolves a call to the definition in the same file first", async () => {
    await write();
    expect(await from(payment("Gateway.charge"), ["calls"])).toEqual([payment("Gateway.send")]);
  });

  it("resolves a call to a file that is imported before one that is not", async () => {
    await write();
    expect(await from(payment("processPayment"), ["calls"])).toEqual(
      [payment("Gateway"), payment("Gateway.charge"), idOf("shop/basket.py", "total")].sort(),
    );
  });

  it("reads links from the other end, resolved the same way", async () => {
    await write();
    expect(await to(idOf("shop/basket.py", "total"), ["calls"])).toEqual([payment("processPayment")]);
    expect(await to(idOf("web/cart.ts", "total"), ["calls"])).toEqual([]);
    expect(await to(payment("processPayment"), ["calls"])).toEqual([idOf("shop/tests/test_payment.py", "test_charge")]);
  });

  it("resolves imports to whole files, both ways", async () => {
    await write();
    expect(await from(payment(), ["imports"])).toEqual([idOf("shop/basket.py")]);
    expect(await from(idOf("web/cart.ts"), ["imports"])).toEqual([idOf("web/tax.ts")]);
    expect(await from(idOf("shop/tests/test_payment.py"), ["imports"])).toEqual([payment()]);
    expect(await to(payment(), ["imports"])).toEqual([idOf("shop/tests/test_payment.py")]);
    expect(await to(idOf("web/tax.ts"), ["imports"])).toEqual([idOf("web/cart.ts")]);
  });

  it("knows what contains what, from either end", async () => {
    await write();
    expect(await from(payment("Gateway"), ["contains"])).toEqual(
      [payment("Gateway.charge"), payment("Gateway.send")].sort(),
    );
    expect(await to(payment("Gateway.charge"), ["contains"])).toEqual([payment("Gateway")]);
    expect(await to(payment(), ["contains"])).toEqual([]);
  });

  it("follows a parent and a link by id into another file, also one that is written later", async () => {
    const child = sampleFile("child.py", [{ name: "inner", text: "i", item: { parent: idOf("parent.py", "Outer") } }]);
    child.links.push({ from: idOf("child.py", "inner"), kind: "tests", to: idOf("parent.py", "Outer") });
    await store().write("me", { files: [child], removed: [] });
    expect(await store().links("me", [idOf("child.py", "inner")], "from")).toEqual([]);
    await store().write("me", {
      files: [sampleFile("parent.py", [{ name: "Outer", kind: "class", text: "o" }])],
      removed: [],
    });
    const outer = idOf("parent.py", "Outer");
    const inner = idOf("child.py", "inner");
    expect(await store().links("me", [outer], "from")).toEqual([{ from: outer, to: inner, kind: "contains" }]);
    expect(await store().links("me", [inner], "to")).toEqual([{ from: outer, to: inner, kind: "contains" }]);
    expect(await store().links("me", [inner], "from")).toEqual([{ from: inner, to: outer, kind: "tests" }]);
    expect(await store().links("me", [outer], "to", ["tests"])).toEqual([{ from: inner, to: outer, kind: "tests" }]);
    expect((await store().items("me", [inner]))[0]!.parent).toBe(outer);
  });

  it("takes links of the asked kinds only, each once, never from an item to itself", async () => {
    const file = sampleFile("a.py", [
      {
        name: "f",
        text: "f",
        links: [
          ["calls", "f"],
          ["calls", "g"],
          ["calls", "g"],
          ["references", "g"],
        ],
      },
      { name: "g", text: "g" },
    ]);
    await store().write("me", { files: [file], removed: [] });
    const [f, g] = [idOf("a.py", "f"), idOf("a.py", "g")];
    expect(await store().links("me", [f, f], "from", ["calls"])).toEqual([
      { from: f, to: g, kind: "calls", texts: ["g"] },
    ]);
    expect(await store().links("me", [f], "from", ["calls", "references"])).toHaveLength(2);
    expect(await store().links("me", [f], "from", [])).toEqual([]);
    expect(await store().links("me", [], "from")).toEqual([]);
  });

  it("shares the limit between the items asked", async () => {
    const many = (name: string) => Array.from({ length: 30 }, (_, i) => ["calls", `${name}${i}`] as [LinkKind, string]);
    const targets = (name: string) => Array.from({ length: 30 }, (_, i) => ({ name: `${name}${i}`, text: "t" }));
    const file = sampleFile("a.py", [
      { name: "f", text: "f", links: many("x") },
      { name: "g", text: "g", links: many("y") },
      ...targets("x"),
      ...targets("y"),
    ]);
    await store().write("me", { files: [file], removed: [] });
    const [f, g] = [idOf("a.py", "f"), idOf("a.py", "g")];
    const count = (links: ResolvedLink[], id: string) => links.filter((link) => link.from === id).length;
    const links = await store().links("me", [f, g], "from", ["calls"], 10);
    expect([count(links, f), count(links, g)]).toEqual([5, 5]);
  });

  it("forgets links of files that are gone, and resolves anew when definitions move", async () => {
    await write();
    const mover = sampleFile("shop/prices.py", [{ name: "total", text: "def total(): pass" }]);
    await store().write("me", {
      files: [
        mover,
        sampleFile("shop/payment.py", [{ name: "pay", text: "p", links: [["calls", "total"]] }], {
          imports: [["shop.prices", "total"]],
        }),
      ],
      removed: ["shop/basket.py"],
    });
    expect(await from(idOf("shop/payment.py", "pay"))).toEqual([idOf("shop/prices.py", "total")]);
    expect(await to(idOf("shop/prices.py"), ["imports"])).toEqual([idOf("shop/payment.py")]);
    expect(await to(idOf("shop/tests/test_payment.py", "test_charge"), ["calls"])).toEqual([]);
  });
}

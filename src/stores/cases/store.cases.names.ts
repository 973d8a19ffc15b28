import { expect, it } from "vitest";
import type { Hit, NameSearch, Store } from "../store.ts";
import { idOf, sampleFile, termsOf } from "./store.samples.ts";

const names = (hits: Hit[]) => hits.map(({ item }) => item.name);
const paths = (hits: Hit[]) => hits.map(({ item }) => item.path);

/** What every engine must find by name, and what it must not find by text. */
export function nameCases(store: () => Store): void {
  const text = (query: string) => store().searchText("me", { scope: "unit", terms: termsOf(query), limit: 10 });
  const name = (query: string, mode: NameSearch["mode"]) => store().searchNames("me", { text: query, mode, limit: 10 });

  it("finds a field by its name only: its text counts nowhere", async () => {
    const field = { name: "timeoutSeconds", text: "zebra = 3", kind: "field" as const, inside: "Gateway" };
    const gateway = { name: "Gateway", text: "class Gateway", kind: "class" as const };
    await store().write("me", { files: [sampleFile("a.py", [gateway])], removed: [] });
    const before = await store().termStatistics("me", "unit", ["zebra"]);
    const file = sampleFile("a.py", [gateway, field]);
    await store().write("me", { files: [file], removed: [] });
    expect(names(await name("timeoutSeconds", "exact"))).toEqual(["timeoutSeconds"]);
    expect(names(await name("Gateway.timeoutSeconds", "suffix"))).toEqual(["timeoutSeconds"]);
    expect(names(await name("timeoutSecond", "fuzzy"))).toEqual(["timeoutSeconds"]);
    expect(await text("zebra")).toEqual([]);
    expect(await store().termStatistics("me", "unit", ["zebra"])).toEqual(before);
    expect(await store().terms("me", "unit", [idOf("a.py", "Gateway.timeoutSeconds")])).toEqual(new Map());
    expect((await store().outlines("me", ["a.py"])).get("a.py")!.spans).toHaveLength(1);
    await store().write("me", { files: [], removed: ["a.py"] });
    expect(await name("timeoutSeconds", "exact")).toEqual([]);
    expect((await store().termStatistics("me", "unit", [])).count).toBe(0);
  });

  it("finds what has a dotted name of its own by that name and by its end", async () => {
    const outer = { name: "Shop.Endpoint", text: "defmodule Shop.Endpoint", kind: "module" as const };
    const inner = {
      name: "Cache.Entry",
      text: "defmodule Cache.Entry",
      kind: "module" as const,
      inside: "Shop.Endpoint",
    };
    const other = { name: "Endpoint", text: "defmodule Endpoint", kind: "module" as const };
    await store().write("me", { files: [sampleFile("a.ex", [outer, inner, other])], removed: [] });
    expect(names(await name("Shop.Endpoint", "suffix"))).toEqual(["Shop.Endpoint"]);
    expect(names(await name("Shop::Endpoint", "suffix"))).toEqual(["Shop.Endpoint"]);
    expect(names(await name("shop.endpoint", "suffix"))).toEqual(["Shop.Endpoint"]);
    expect(names(await name("Endpoint.Cache.Entry", "suffix"))).toEqual(["Cache.Entry"]);
    expect(names(await name("Endpoint", "suffix"))).toEqual(["Endpoint"]);
  });

  it("gives a definition before its prototypes, those before fields, and no block by its name", async () => {
    const files = [
      sampleFile("a.c", [{ name: "refund", text: "refund(all)", kind: "block" }]),
      sampleFile("b.h", [{ name: "refund", text: "int refund(int);" }]),
      sampleFile("c.h", [{ name: "refund", text: "int refund;", kind: "field" }]),
      sampleFile("d.c", [{ name: "refund", text: "int refund(int all) {\n}" }]),
      sampleFile("e.h", [{ name: "refund", text: "int refund(int);" }]),
    ];
    await store().write("me", { files, removed: [] });
    const results = paths(await name("refund", "exact"));
    expect([results[0], new Set(results.slice(1, 3)), results.slice(3)]).toEqual([
      "d.c",
      new Set(["b.h", "e.h"]),
      ["c.h"],
    ]);
  });
}

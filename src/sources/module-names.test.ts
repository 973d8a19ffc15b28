import { expect, it } from "vitest";
import type { Item } from "../item.ts";
import { isInModule, withoutModules } from "./module-names.ts";

const item = (qualifiedName: string, source: "code" | "file" = "code") =>
  ({ source, kind: "method", path: qualifiedName.split("::")[0], qualifiedName }) as Item;
const isFound = (each: Item, name: string) => withoutModules(name).some((shorter) => isInModule(each, shorter));

it("finds code that is written without the package that its users put before it", () => {
  expect(isFound(item("os/src/ListOps.scala::walk.stream.attrs"), "os.walk.stream.attrs")).toBe(true);
  expect(isFound(item("os/src/FileOps.scala::copy"), "os.copy")).toBe(true);
  expect(isFound(item("lib/axios.js::create"), "axios.create")).toBe(true);
});

it("takes no other code of that name, and no text", () => {
  expect(isFound(item("core/src/FileOps.scala::copy"), "os.copy")).toBe(false);
  expect(isFound(item("os/src/ListOps.scala::list.stream.attrs"), "os.walk.stream.attrs")).toBe(false);
  expect(isFound(item("os/readme.md::copy", "file"), "os.copy")).toBe(false);
  expect(withoutModules("copy")).toEqual([]);
});

it("tries a few beginnings of a name of a thousand parts", () => {
  expect(withoutModules(Array.from({ length: 1000 }, (_, i) => `part${i}`).join(".")).length).toBeLessThan(10);
});

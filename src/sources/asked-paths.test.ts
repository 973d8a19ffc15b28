import { expect, it } from "vitest";
import type { Hit, NameSearch } from "../stores/store.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { filesAt } from "./asked-paths.ts";

const paths = ["shop/models/base.py", "shop/base.py", "lib/shop/models/base.py", "shop/Base.py"];

function workspace(searches: string[]): Workspace {
  const searchPaths = async (_: string, { text }: NameSearch): Promise<Hit[]> => {
    searches.push(text);
    const found = paths.filter((path) => path.toLowerCase().endsWith(`/${text.toLowerCase()}`));
    return found.map((path) => ({ item: { id: path, path, kind: "file" } as Hit["item"], score: 1 }));
  };
  return { owner: "local", store: { searchPaths } } as unknown as Workspace;
}

it("finds the longest known end of an installed path with one search", async () => {
  const searches: string[] = [];
  const found = async (path: string) => (await filesAt(path, workspace(searches))).map(({ item }) => item.path);
  expect(await found("/usr/lib/python3/site-packages/shop/models/base.py")).toEqual([
    "lib/shop/models/base.py",
    "shop/models/base.py",
  ]);
  expect(searches).toEqual(["base.py"]);
  expect(await found("shop/models/base.py")).toEqual(["shop/models/base.py"]);
  expect(await found("shop/base.py")).toEqual(["shop/base.py", "shop/Base.py"]);
  // The name alone says too little about an installed path.
  expect(await found("/usr/other/base.py")).toEqual([]);
});

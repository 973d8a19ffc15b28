import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { readIndexState } from "../../indexing/files/index-state.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { call } from "../core/call.ts";
import { loadOperation } from "../core/registry.ts";
import { buildInBackground } from "./background-build.ts";

const files = Object.fromEntries(
  Array.from({ length: 90 }, (_, i) => [`src/part${i}.py`, `def helper_${i}(value):\n    return value + ${i}\n`]),
);
const tree = { ...files, "src/basket.py": "def discount_of(basket):\n    return basket.discount\n" };

async function ask(path: string, input: object, later: (root: string) => void) {
  const context = await loadOperation("context");
  const { output } = await call(
    context,
    { query: "how is the discount of a basket made?", path, ...input },
    {
      later: ({ root }) => later(root),
    },
  );
  return output as { text: string; warnings: string[]; tokens: { used: number } };
}

describe("a first question", () => {
  it("is answered before all is indexed, says so in one line, and leaves the rest to be done", async () => {
    const path = folder(tree);
    const left: string[] = [];
    const { text, warnings } = await ask(path, {}, (root) => left.push(root));
    expect(text).toContain("def discount_of(basket)");
    expect(warnings.filter((warning) => /^Still being indexed: \d+ of 91 files\./.test(warning))).toHaveLength(1);
    expect(left).toHaveLength(1);
    // A model is given the document and not what is printed beside it.
    expect(text).toMatch(/^\*Still being indexed: \d+ of 91 files\. /);
  });

  it("says so in every format within the budget, and not in a document too small for it", async () => {
    for (const format of ["xml", "plain", "json"]) {
      const path = folder(tree);
      const { text, tokens } = await ask(path, { format, maxTokens: 256 }, () => undefined);
      expect(text.split("\n", 3).join("\n"), format).toContain("Still being indexed: ");
      expect(tokens.used).toBeLessThanOrEqual(256);
    }
    const { text, warnings } = await ask(folder(tree), { maxTokens: 128 }, () => undefined);
    expect(text).not.toContain("Still being indexed");
    expect(warnings.join()).toContain("Still being indexed");
  });

  it("waits for everything where that is wanted, and where nobody would do the rest", async () => {
    const left: string[] = [];
    const waited = await ask(folder(tree), { wait: true }, (root) => left.push(root));
    expect([waited.warnings, left]).toEqual([[], []]);
    const context = await loadOperation("context");
    const { output } = await call(context, { query: "discount", path: folder(tree) });
    expect((output as { warnings: string[] }).warnings).toEqual([]);
  });
});

describe("the rest of an index", () => {
  it("is completed by one process of its own, whoever asks meanwhile", async () => {
    const path = folder(tree);
    const workspace = await openWorkspace(path);
    const lock = join(path, ".dossier/completing");
    buildInBackground(workspace);
    const first = readFileSync(lock, "utf8");
    buildInBackground(workspace);
    expect(readFileSync(lock, "utf8")).toBe(first);
    const { store, owner } = workspace;
    while (!(await readIndexState(store, owner))?.checkedAt) await sleep(50);
    expect(await store.files(owner)).toHaveLength(91);
    while (existsSync(lock)) await sleep(50);
    await workspace.close();
  });

  it("is begun again where the process that was at it is gone", async () => {
    const path = folder(tree);
    const workspace = await openWorkspace(path);
    const lock = join(path, ".dossier/completing");
    writeFileSync(lock, "99999999");
    buildInBackground(workspace);
    expect(readFileSync(lock, "utf8")).not.toBe("99999999");
    while (existsSync(lock)) await sleep(50);
    await workspace.close();
  });
});

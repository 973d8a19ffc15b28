import { describe, expect, it } from "vitest";
import { extract } from "../extract.ts";

/** What is declared; statements between declarations are left out. */
async function units(path: string, text: string): Promise<string[]> {
  const declared = (await extract(path, text)).units.filter(({ kind }) => /^(?!block$)/.test(kind));
  return declared.map((unit) => `${unit.startLine}-${unit.endLine} ${unit.kind} ${unit.qualified}`);
}

describe("a Vue file", () => {
  it("is its template, scripts, styles and other blocks; what a script declares keeps its own name", async () => {
    const text =
      "<template>\n  <template #a><p/></template>\n</template>\n<script setup>\nconst f = () => 1;\n</script>\n<docs/>\n<style>\n</style>\n";
    expect(await units("a.vue", text)).toEqual([
      "1-3 module template",
      "4-6 module script setup",
      "5-5 function f",
      "7-7 module docs",
      "8-9 module style",
    ]);
  });

  it("may have `>` in the attributes of its script, types in it, and elements when it says so", async () => {
    const typed =
      '<script setup lang="ts" generic="T extends Map<string, number>">\nfunction f(x: T): T { return x; }\n</script>\n';
    expect(await units("a.vue", typed)).toEqual(["1-3 module script setup", "2-2 function f"]);
    const elements = '<script lang="tsx">\nfunction F() {\n  return <Abc b={1} />;\n}\n</script>\n';
    expect((await extract("a.vue", elements)).units[1]?.references).toEqual([{ kind: "calls", name: "Abc" }]);
  });

  it("refers to the components and functions its template uses", async () => {
    const text = '<template>\n  <ItemList :of="sorted(items)" @click="open" title="not(this)" />\n</template>\n';
    const { units: extracted } = await extract("a.vue", text);
    expect(extracted[0]?.references.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "calls ItemList",
      "calls sorted",
      "calls open",
    ]);
  });

  it("that is not closed or has no block is still read", async () => {
    expect(await units("a.vue", "<script>\nfunction f() {}\n")).toEqual(["1-2 module script", "2-2 function f"]);
    expect(await units("a.vue", "just text\n")).toEqual([]);
  });

  it("takes no script from a comment", async () => {
    expect(await units("a.vue", "<!-- <script> -->\n<script>\nfunction f() {}\n</script>\n")).toEqual([
      "2-4 module script",
      "3-3 function f",
    ]);
  });
});

describe("a Svelte file", () => {
  it("has a template wherever there is markup, and snippets are functions in it", async () => {
    const text =
      "<h1>a</h1>\n\n<script>\n  import a from 'a';\n</script>\n\n{#snippet row(x)}\n  <b>{x}</b>\n{/snippet}\n<p>b</p>\n";
    expect(await units("a.svelte", text)).toEqual([
      "1-1 module template",
      "3-5 module script",
      "7-10 module template",
      "7-9 function row",
    ]);
  });

  it("begins with what is said about it", async () => {
    const { doc } = await extract("a.svelte", "<!-- Shows a shop. -->\n\n<script>\n</script>\n\n<p>a</p>\n");
    expect(doc).toBe("Shows a shop.");
  });
});

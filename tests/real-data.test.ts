import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace, search } from "../src/index.ts";
import { folder } from "./workspace.ts";

/** Public data sets, where the folder named by DOSSIER_DATA has them; they are not part of the product. */
const data = process.env.DOSSIER_DATA ?? "";
const lines = <Row>(path: string): Row[] =>
  readFileSync(join(data, path), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

describe.runIf(existsSync(join(data, "cosqa", "corpus.jsonl")))("web questions about Python functions (CoSQA)", () => {
  it("finds the function that answers among a thousand, mostly among the first", async () => {
    const corpus = lines<{ id: number; code: string }>("cosqa/corpus.jsonl");
    const queries = lines<{ query: string; gold: number }>("cosqa/queries.jsonl").slice(0, 100);
    const wanted = new Set(queries.map(({ gold }) => gold));
    const chosen = corpus.filter(({ id }, at) => wanted.has(id) || at < 900);
    const root = folder(Object.fromEntries(chosen.map(({ id, code }) => [`f${id}.py`, `${code}\n`])));
    const workspace = await openWorkspace(root);
    let reciprocal = 0;
    try {
      for (const { query, gold } of queries) {
        const { results } = await search({ query, path: root, minScore: 0, limit: 50 }, { workspace });
        const files = [...new Set(results.map(({ path }) => path))];
        reciprocal += 1 / (files.indexOf(`f${gold}.py`) + 1 || Number.POSITIVE_INFINITY);
      }
    } finally {
      await workspace.close();
    }
    expect(reciprocal / queries.length).toBeGreaterThan(0.52);
  });
});

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { git } from "../../tests/workspace.ts";
import { mirrorsIn } from "./data/mirrors.ts";
import { figureOf, type Summary, summaryOf } from "./measures/summary.ts";
import type { QualitySet, Run } from "./set.ts";
import { absent } from "./sets/absent.ts";
import { briefs, scoresOfBrief } from "./sets/briefs.ts";
import { commits } from "./sets/commits.ts";
import { minedErrors } from "./sets/errors.ts";
import { locomo, timeOf } from "./sets/locomo.ts";
import { minedSet } from "./sets/mined-set.ts";
import { hiddenLinks, noteLinks } from "./sets/note-links.ts";
import { questions } from "./sets/questions.ts";
import { swe } from "./sets/swe.ts";
import { minedSymbols } from "./sets/symbols.ts";
import { cosqa, cranfield, scifact } from "./sets/text-sets.ts";

/** The harness end to end, over data small enough to know every answer. */
const fixture = fileURLToPath(new URL("./fixture", import.meta.url));

async function measure(set: QualitySet, run: Partial<Run> = {}): Promise<Summary> {
  return summaryOf(await set.measure({ data: fixture, ...run }));
}

describe("sets of texts", () => {
  it("find the function, and give the baseline beside it", async () => {
    const summary = await measure(cosqa);
    expect(summary).toMatchObject({ set: "cosqa", texts: 4, questions: 3 });
    expect(figureOf(summary, "MRR")).toMatchObject({ questions: 3, dossier: { value: 1 }, bm25: { value: 1 } });
  });

  it("ask the same of files and of documents", async () => {
    const summary = await measure(scifact);
    const ways = summary.lines.map(({ way, dossier }) => [way, dossier.value]);
    expect(ways).toEqual([
      [undefined, 1],
      ["as documents", 1],
    ]);
  });

  it("give the same bytes again from the cache, graded", async () => {
    const cache = mkdtempSync(join(tmpdir(), "dossier-quality-test-"));
    try {
      const first = await measure(cranfield, { cache });
      expect(readdirSync(cache).sort()).toEqual(["cranfield", "cranfield-documents"]);
      expect(JSON.stringify(await measure(cranfield, { cache }))).toBe(JSON.stringify(first));
      expect(figureOf(first, "nDCG@10").dossier.value).toBeGreaterThan(0.8);
    } finally {
      rmSync(cache, { recursive: true, force: true });
    }
  });
});

describe("conversations", () => {
  it("are asked in their own thread; questions without an answer are left out", async () => {
    const summary = await measure(locomo);
    expect(summary).toMatchObject({ texts: 6, questions: 2 });
    for (const name of ["@10", "turns within 500", "context within 500"]) {
      expect(figureOf(summary, name).dossier.value).toBe(1);
    }
    expect(figureOf(summary, "@5", "several turns").questions).toBe(1);
  });

  it("have times as their data writes them", () => {
    expect(timeOf("12:05 am on 8 May, 2023")).toBe("2023-05-08T00:05:00.000Z");
    expect(timeOf("1:56 pm on 8 May, 2023")).toBe("2023-05-08T13:56:00.000Z");
    expect(() => timeOf("tomorrow")).toThrow("no time");
  });
});

describe("notes", () => {
  it("are looked for by a sentence without its link", async () => {
    const page = { id: "a.md", title: "A", text: "tags:: [[B]]\n- Much is told of it in [[b]] today\n- [[B]]" };
    const pages = [page, { id: "b.md", title: "B", text: "" }];
    expect(hiddenLinks(pages, [{ from: "a.md", to: "b.md" }])).toMatchObject([
      { sentence: "Much is told of it in  today", line: "- Much is told of it in [[b]] today" },
    ]);
    const summary = await measure(noteLinks);
    expect(summary.questions).toBe(1);
    expect(figureOf(summary, "MRR")).toMatchObject({ dossier: { value: 1 }, bm25: { value: 1 } });
    expect(new Set(summary.lines.map(({ way }) => way))).toEqual(new Set([undefined, "without links", "as files"]));
  });
});

describe("issues", () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), "dossier-quality-swe-"));
    cpSync(fixture, join(home, "data"), { recursive: true });
    const mirror = join(home, "repos", "acme+shop");
    mkdirSync(mirror, { recursive: true });
    git(mirror, "init", "-q", "-b", "main");
    const cart =
      "class Cart:\n    def total(self, prices):\n        return sum(prices)\n\n    def clear(self):\n        pass\n";
    writeFileSync(join(mirror, "cart.py"), cart);
    writeFileSync(join(mirror, "mail.py"), "def send_receipt(address):\n    print(address)\n");
    git(mirror, "add", ".");
    git(mirror, "commit", "-q", "-m", "A shop");
    const base = git(mirror, "rev-parse", "HEAD").trim();
    writeFileSync(join(mirror, "discount.py"), "def discounted_total(prices):\n    return sum(prices) * 0.9\n");
    git(mirror, "add", ".");
    git(mirror, "commit", "-q", "-m", "The total of a cart forgets the discount: fixed");
    const issue = {
      id: "acme__shop-1",
      repo: "acme/shop",
      base_commit: base,
      created_at: "2024-01-01T00:00:00Z",
      query: "The total of a cart forgets the discount\nCart.total only sums the prices.",
      gold_files: ["cart.py"],
      gold_functions: [{ file: "cart.py", name: "Cart.total", kind: "function" }],
      gold_lines: [{ file: "cart.py", deleted_or_changed: [[3, 3]], insert_before: [] }],
    };
    mkdirSync(join(home, "data", "swe"));
    writeFileSync(join(home, "data", "swe", "dev.jsonl"), `${JSON.stringify(issue)}\n`);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it("are asked of the tree before their change, with no history after it", async () => {
    const places = { data: join(home, "data"), cache: join(home, "cache") };
    const unprepared = await measure(swe, places);
    expect(unprepared).toMatchObject({ questions: 0, remarks: [expect.stringContaining("1 of 1 issues")] });

    const summary = await measure(swe, { ...places, repos: join(home, "repos") });
    for (const name of ["file Acc@1", "one file Acc@5", "function Acc@5", "lines within 4k"]) {
      expect(figureOf(summary, name).dossier.value).toBe(1);
    }
    expect(summary.texts).toBe(2);
    const tree = join(home, "cache", "acme__shop-1");
    expect(readdirSync(tree)).not.toContain("discount.py");
    expect(git(tree, "log", "--all", "--format=%s").trim()).toBe("A shop");

    // Prepared once, it needs no mirror any more.
    expect(JSON.stringify(await measure(swe, places))).toBe(JSON.stringify(summary));
  });

  it("are mined from any mirror: the files that a commit of that message changed", async () => {
    expect(mirrorsIn(join(home, "repos"))).toEqual(["acme/shop"]);
    const summary = await measure(commits, { data: home, repos: join(home, "repos"), cache: join(home, "cache") });
    expect(summary.texts).toBe(3);
    expect(commits.lacks({ data: home })).toBe("no --repos are given");
    expect(swe.lacks({ data: home })).toBe("the data has no swe/dev.jsonl");
    expect(swe.lacks({ data: join(home, "data") })).toContain("no --repos");
  });

  it("and papers know nothing of each other", async () => {
    const summary = await measure(absent, { data: join(home, "data"), cache: join(home, "cache") });
    const groups = new Set(summary.lines.flatMap(({ group }) => group ?? []));
    expect(groups).toEqual(new Set(["cosqa", "scifact", "cranfield", "shop"]));
    expect(figureOf(summary, "told apart").dossier.value).toBeGreaterThan(0.7);
    expect(figureOf(summary, "sure").dossier.value).toBeGreaterThan(0.5);
  });
});

describe("repositories", () => {
  let home: string;
  let revision: { repo: string; commit: string; part: "tuning" };
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), "dossier-quality-repositories-"));
    const mirror = join(home, "repos", "acme+shop");
    mkdirSync(mirror, { recursive: true });
    git(mirror, "init", "-q", "-b", "main");
    const cart = [
      "LARGEST_ORDER = 50",
      "",
      "",
      "class Cart:",
      "    def add_article(self, article, count):",
      "        if count > LARGEST_ORDER:",
      '            raise ValueError(f"Nobody may order {count} pieces of {article} at once")',
      "        self.articles = {**self.articles, article: count}",
      "",
    ];
    writeFileSync(join(mirror, "cart.py"), cart.join("\n"));
    writeFileSync(join(mirror, "mail.py"), "def send_receipt(address):\n    print(address)\n");
    git(mirror, "add", ".");
    git(mirror, "commit", "-q", "-m", "A shop");
    revision = { repo: "acme/shop", commit: git(mirror, "rev-parse", "HEAD").trim(), part: "tuning" };
    mkdirSync(join(home, "data", "sweqa"), { recursive: true });
    const question = {
      id: "shop-1",
      repo: "acme/shop",
      base_commit: revision.commit,
      query: "What happens when a cart gets more articles than the largest order allows?",
      gold_files: ["cart.py"],
      gold_lines: [
        ["cart.py", 1, 1],
        ["cart.py", 6, 7],
      ],
    };
    writeFileSync(join(home, "data", "sweqa", "shop.jsonl"), `${JSON.stringify(question)}\n`);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const places = () => ({ data: join(home, "data"), repos: join(home, "repos"), cache: join(home, "cache") });

  it("are asked how they work, within several budgets, with what the tokens were spent on", async () => {
    const summary = await measure(questions, { ...places(), minScore: 0 });
    expect(summary).toMatchObject({ questions: 1, texts: 2 });
    for (const name of ["files", "first file"]) {
      expect(figureOf(summary, name)).toMatchObject({ dossier: { value: 1 }, bm25: { value: 1 } });
    }
    expect(figureOf(summary, "lines").dossier.value).toBeGreaterThanOrEqual(2 / 3);
    expect(figureOf(summary, "refused").dossier.value).toBe(0);
    expect(figureOf(summary, "tokens").dossier.value).toBeGreaterThan(10);
    const parts = ["content", "marks", "headings", "uses", "records", "pointers", "frame"];
    const shares = parts.map((name) => figureOf(summary, name).dossier.value);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 1);
    const ways = ["500 tokens", "1000 tokens", "2000 tokens", "8000 tokens"];
    expect(new Set(summary.lines.map(({ way }) => way))).toEqual(new Set([undefined, ...ways]));
    expect(figureOf(summary, "files", "tuning").questions).toBe(1);

    // Prepared once, they need no mirror any more; a part without questions has no figures.
    const { repos: _, ...kept } = places();
    const again = await measure(questions, { ...kept, budgets: [1000], only: ["shop"] });
    expect(again).toMatchObject({ questions: 1 });
    expect((await measure(questions, { ...kept, only: ["held"] })).questions).toBe(0);
    expect(questions.lacks({ data: home })).toBe("the data has no sweqa");
    expect(questions.lacks({ data: join(home, "data") })).toContain("no --repos");
  });

  it("are asked for the names and messages that are mined from them", async () => {
    const names = await measure(minedSet(minedSymbols, [revision]), { ...places(), minScore: 0 });
    expect(names.questions).toBe(5);
    expect(figureOf(names, "definition printed").bm25!.value).toBe(1);
    expect(figureOf(names, "whole").dossier.value).toBeGreaterThan(0.5);
    const messages = await measure(minedSet(minedErrors, [revision]), { ...places(), minScore: 0 });
    expect(messages.questions).toBe(1);
    expect(figureOf(messages, "first three items")).toMatchObject({ dossier: { value: 1 }, bm25: { value: 1 } });
  });
});

describe("briefs", () => {
  it("are asked of the records that were written for them", async () => {
    const summary = await measure(briefs, { sample: 3, budgets: [4000], minScore: 0 });
    expect(summary).toMatchObject({ texts: 176, questions: 3 });
    expect(figureOf(summary, "relevant").bm25!.value).toBeGreaterThan(0.5);
    expect(figureOf(summary, "tokens").dossier.value).toBeLessThanOrEqual(4000);
  });

  it("of a project that is held aside are asked of that project's records only", async () => {
    const { asked } = await briefs.measure({ data: fixture, only: ["library"], budgets: [4000], sample: 2 });
    expect(asked.map(({ group, part }) => [group, part])).toEqual([
      ["library", "held"],
      ["library", "held"],
    ]);
    expect(asked.every(({ dossier }) => dossier.refused === 0)).toBe(true);
  });

  it("are worth the share of relevant records, and of those that five places have room for", () => {
    const relevant = ["a", "b", "c", "d", "e", "f"];
    const scores = scoresOfBrief({ records: ["a", "b", "x", "c", "d", "e"], used: 9 }, { relevant });
    expect(scores).toEqual({ relevant: 5 / 6, "among the first five": 0.8, precision: 5 / 6, tokens: 9 });
  });
});

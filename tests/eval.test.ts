import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { rank } from "../src/assemble.ts";
import { rankCase, searchOf } from "../src/evaluation/ask.ts";
import { baseline } from "../src/evaluation/baseline.ts";
import type { Case } from "../src/evaluation/case.ts";
import { mine } from "../src/evaluation/mining/mine.ts";
import { builtInRecipe } from "../src/evaluation/recipe.ts";
import { columnsOf, rescored } from "../src/evaluation/signal-matrix.ts";
import { split } from "../src/evaluation/tune.ts";
import { evalHistory, evaluate } from "../src/index.ts";
import { ensureFresh } from "../src/indexing/files/fresh.ts";
import { refreshHistory } from "../src/indexing/history/history.ts";
import { evalText } from "../src/operations/eval/text.ts";
import { type Weights, withWeights } from "../src/recipes/weights.ts";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { folder, git } from "./workspace.ts";

const subjects = ["invoices", "refunds", "shipping", "passwords", "newsletters", "discounts", "warehouses", "returns"];

type Step = { message: string; files: Record<string, string> };

/**
 * A repository with these commits, one a day, made by one process: a hundred calls of git would take most of the test.
 */
function repository(steps: readonly Step[]): string {
  const root = folder({}, { git: true });
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commits = steps.map(({ message, files }, day) => {
    const who = `Test <test@example.org> ${Date.UTC(2026, 0, 1 + day) / 1000} +0000\n`;
    const changes = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`);
    return `commit refs/heads/main\nauthor ${who}committer ${who}${data(message)}${changes.join("")}`;
  });
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: `${commits.join("")}done\n` });
  git(root, "reset", "-q", "--hard");
  return root;
}

/** A shop whose modules were changed again and again, each for reasons of its own. */
function shop(rounds: number): string {
  const numbers = ["one", "two", "three", "four", "five", "six"].slice(0, rounds);
  return repository(
    numbers.flatMap((number, round) =>
      subjects.map((subject) => ({
        message: `Handle ${subject} of late orders in round ${number}`,
        files: {
          [`${subject}.py`]: `# ${subject}\n\ndef handle_${subject}(order):\n    """Handles ${subject} of an order, step ${round}."""\n    return order + ${round}\n`,
        },
      })),
    ),
  );
}

async function opened(root: string): Promise<Workspace> {
  const workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
  await ensureFresh(workspace, {});
  await refreshHistory(workspace);
  return workspace;
}

describe("a commit as a question", () => {
  it("is not answered by itself, nor by what came later", async () => {
    // Nothing in the files says what the commits say: only history can know.
    const root = repository([
      {
        message: "Begin with the three",
        files: { "alpha.py": "a = 1\n", "beta.py": "b = 1\n", "gamma.py": "c = 1\n" },
      },
      { message: "Teach the flux capacitor to hum", files: { "alpha.py": "a = 2\n" } },
      { message: "Let the flux capacitor hum louder", files: { "beta.py": "b = 2\n" } },
      { message: "The flux capacitor must hum louder still", files: { "gamma.py": "c = 2\n" } },
    ]);
    const workspace = await opened(root);
    const { cases } = await mine(workspace, ["commit"], undefined, { limit: 10, seed: 1 });
    const asked = cases.find(({ query }) => query === "Let the flux capacitor hum louder")!;
    expect(asked.expect).toMatchObject([{ place: "beta.py" }]);
    const recipe = await builtInRecipe(workspace);
    const ranked = await rankCase(asked, recipe, workspace);
    expect(ranked.places).toEqual(["alpha.py"]);
    // The same question without the date is answered by the commit itself: that is what must not be measured.
    const { before: _, ...undated } = asked.limits;
    expect((await rankCase({ ...asked, limits: undated }, recipe, workspace)).places[0]).toBe("beta.py");
  });
});

describe("measuring", () => {
  it("gives every measure with its interval, beside plain BM25, and says what could not be mined", async () => {
    const stages = new Set<string>();
    const progress = ({ stage }: { stage: string }) => void stages.add(stage);
    const output = await evaluate({ path: shop(3), limit: 20, misses: 3 }, { progress });
    expect(output.cases).toEqual([
      { kind: "commit", cases: 20, found: 24 },
      { kind: "test", cases: 0, found: 0, why: "There are no tests." },
      { kind: "note", cases: 0, found: 0, why: "No notes are connected." },
      { kind: "thread", cases: 0, found: 0, why: "There are no threads." },
    ]);
    const names = output.figures.map(({ measure }) => measure);
    expect(names).toEqual(expect.arrayContaining(["acc@1", "acc@3", "acc@5", "acc@10", "recall@5", "mrr", "within"]));
    for (const { dossier, bm25, difference } of output.figures) {
      expect(dossier.count).toBe(20);
      expect(dossier.low).toBeLessThanOrEqual(dossier.mean);
      expect(dossier.high).toBeGreaterThanOrEqual(dossier.mean);
      expect(difference.mean).toBeCloseTo(dossier.mean - bm25.mean, 9);
    }
    // Every subject is a word of its own file only.
    expect(output.figures.find(({ measure }) => measure === "acc@1")).toMatchObject({
      dossier: { mean: 1 },
      bm25: { mean: 1 },
    });
    expect(output.misses).toEqual([]);
    expect([...stages]).toEqual(expect.arrayContaining(["mining", "asking"]));
    const text = evalText(output, false);
    expect(text).toContain("commit message -> source files it changed, 20 cases of 24 looked at");
    expect(text).toMatch(/acc@1 +█{20} +100\.0 \(100 to 100\) +100\.0/);
    expect(text).toContain("The files are those of today");
  });

  it("is the same for the same seed, and draws others for another one", async () => {
    const here = shop(2);
    const ask = (seed: number) => evaluate({ path: here, limit: 5, seed, list: true });
    const [one, again, other] = [await ask(1), await ask(1), await ask(2)];
    expect(again).toEqual(one);
    expect(other.lines).not.toEqual(one.lines);
    expect(one.figures).toEqual([]);
    // What is listed is what --cases takes.
    const own = await evaluate({ path: here, kinds: ["own"], cases: one.lines! });
    expect(own.cases).toEqual([{ kind: "own", cases: 5, found: 5 }]);
    expect(own.warnings).toEqual([]);
    // And it is asked the same way: a commit that is listed may not be answered by itself, either.
    const listed = JSON.parse(one.lines!.split("\n")[0]!);
    expect(listed).toMatchObject({ code: true, kind: "commit", before: expect.stringMatching(/^2026-01-/) });
    const [asked] = (await mine(await opened(here), ["own"], one.lines, { limit: 1, seed: 1 })).cases;
    expect(asked!.limits).toEqual({ code: true, before: Date.parse(listed.before) });
  });

  it("lists what was missed, with what came instead and a command that a shell takes as it is", async () => {
    const here = folder({
      "walrus.py": "def walrus():\n    return 'walrus walrus'\n",
      "otter.py": "def otter():\n    return 1\n",
    });
    const cases = JSON.stringify({ query: "where's the walrus $(rm -rf /)\nnow", expect: ["otter.py"] });
    const { misses, figures } = await evaluate({ path: here, kinds: ["own"], cases });
    expect(misses).toMatchObject([{ expected: ["otter.py"], instead: ["walrus.py"], from: "line 1" }]);
    expect(misses[0]!.look).toBe(`dossier why 'where'\\''s the walrus $(rm -rf /) now' 'otter.py'`);
    expect(figures.find(({ measure }) => measure === "within")!.dossier.mean).toBe(0);
  });

  it("is kept for whoever measured, and nothing is kept where nothing was", async () => {
    const path = folder({ "src/rates.ts": "export function rates(): number {\n  return 2;\n}\n" });
    const own = { path, kinds: ["own" as const], cases: '{"query":"rates","expect":["src/rates.ts"]}\n' };
    await evaluate({ ...own, list: true });
    expect((await evalHistory({ path })).measurements).toEqual([]);
    const { figures } = await evaluate(own);
    await evaluate({ ...own, maxTokens: 500 });
    const { measurements } = await evalHistory({ path });
    expect(measurements.map(({ maxTokens, files }) => [maxTokens, files])).toEqual([
      [4000, 1],
      [500, 1],
    ]);
    const mrr = figures.find(({ measure }) => measure === "mrr")!;
    expect(measurements[0]!.figures.find(({ measure }) => measure === "mrr")).toMatchObject({
      cases: 1,
      dossier: { mean: mrr.dossier.mean },
      bm25: mrr.bm25.mean,
    });
    expect((await evalHistory({ path, limit: 1 })).measurements).toEqual(measurements.slice(-1));
    expect((await evalHistory({ path }, { owner: "someone else" })).measurements).toEqual([]);
    // A line that was cut short by a full disk does not hide the others.
    appendFileSync(join(path, ".dossier", "eval-history.jsonl"), '{"at": "2026-');
    expect((await evalHistory({ path })).measurements).toEqual(measurements);
  });

  it("works on an empty folder, and stops when it is told to", async () => {
    const empty = await evaluate({ path: folder({}) });
    expect(empty.figures).toEqual([]);
    expect(empty.cases.every(({ cases, why }) => cases === 0 && why !== undefined)).toBe(true);
    expect(evalText(empty, false)).toContain("Nothing could be asked.");
    const abort = new AbortController();
    const progress = ({ stage }: { stage: string }) => stage === "asking" && abort.abort();
    await expect(evaluate({ path: shop(1) }, { signal: abort.signal, progress })).rejects.toThrow();
  });

  it("survives commits whose messages are meant to break it", async () => {
    const hostile = [
      `Say \u001b[31mred\u001b[0m and \u202eback to the reader`,
      `${"very ".repeat(30_000)}long message about payments`,
      `'; DROP TABLE items; -- payments of customers`,
      `[[[(((***???{{{ payments of all customers`,
      `{"query": "payments of customers", "expect": []}`,
    ];
    const here = repository(hostile.map((message, day) => ({ message, files: { "a.py": `x = ${day}\n` } })));
    const result = await evaluate({ path: here, kinds: ["commit"] });
    expect(result.cases[0]!.cases).toBeGreaterThan(2);
    expect(evalText({ ...result, misses: [] }, false)).not.toContain("\u001b");
  });
});

describe("plain BM25", () => {
  it("knows no field and leaves out what a case may not use", async () => {
    const workspace = await opened(
      folder({
        "a.py": "def walrus():\n    return 1\n",
        "b.py": "def other():\n    # walrus walrus walrus\n    return 1\n",
        "tests/test_a.py": "def test_walrus():\n    # walrus walrus walrus walrus\n    walrus()\n",
      }),
    );
    const asked: Case = { id: "1", kind: "own", query: "the walrus", expect: [], from: "", limits: {}, hidden: [] };
    const plain = await baseline(workspace, [asked]);
    const { places } = await plain.ask(asked, 4000);
    // Three times in a comment is more than once in a name.
    expect(places.indexOf("b.py")).toBeLessThan(places.indexOf("a.py"));
    expect(places).toContain("tests/test_a.py");
    const ofCode = { ...asked, limits: { code: true } };
    expect((await plain.ask(ofCode, 4000)).places).toEqual(["b.py", "a.py"]);
    // Nothing fits into eight tokens.
    expect((await plain.ask({ ...asked, expect: [{ place: "a.py", shown: "a.py" }] }, 8)).held).toEqual([false]);
  });
});

describe("tuning", () => {
  it("tries weights in memory with the numbers that the pipeline would rank by", async () => {
    const workspace = await opened(shop(2));
    const recipe = await builtInRecipe(workspace);
    const { cases } = await mine(workspace, ["commit"], undefined, { limit: 6, seed: 1 });
    const trials: Weights[] = [{}, { files: { path: 0, history: 2 } }, { items: { file: 0, text: 2, similar: 0.5 } }];
    for (const each of cases) {
      for (const weights of trials) {
        const asked = withWeights(recipe, weights);
        const columns = await columnsOf(each, recipe, workspace);
        await expectSameOrder(columns.places, weights, (await rank(workspace, searchOf(each, "files"), asked)).ordered);
        const anything = { ...each, limits: { before: each.time! } };
        const mixed = await columnsOf(anything, recipe, workspace);
        const files = { ...asked, asks: asked.asks.filter(({ source }) => source === "files") };
        const { ordered } = await rank(workspace, searchOf(anything, "anything"), files);
        await expectSameOrder({ ...mixed.places }, weights, ordered);
      }
    }
  });

  async function expectSameOrder(
    table: Awaited<ReturnType<typeof columnsOf>>["places"],
    weights: Weights,
    ordered: Awaited<ReturnType<typeof rank>>["ordered"],
  ) {
    const scores = rescored(table, weights);
    const best = Math.max(...scores);
    const first = ordered[0]!.score || 1;
    const ours = scores.map((score, i) => `${table.keys[i]} ${(score / best).toFixed(6)}`).sort();
    const theirs = ordered.map(({ item, score }) => `${item.path} ${((score / first) ** 2).toFixed(6)}`).sort();
    expect(ours).toEqual(theirs);
  }

  it("fits on the older half and reports on the newer one", () => {
    const dated = Array.from({ length: 10 }, (_, i) => ({ kind: "commit", id: `c${i}`, time: (i * 7) % 10 }) as Case);
    const undated = Array.from({ length: 40 }, (_, i) => ({ kind: "test", id: `t${i}` }) as Case);
    const { fit, report } = split([...dated, ...undated], 1);
    const times = (cases: Case[]) => cases.flatMap(({ time }) => time ?? []);
    expect(Math.max(...times(fit))).toBeLessThan(Math.min(...times(report)));
    expect(times(fit)).toHaveLength(5);
    expect(new Set([...fit, ...report]).size).toBe(50);
    expect(fit.length).toBeGreaterThan(15);
    expect(report.length).toBeGreaterThan(15);
  });

  it("keeps the defaults where they cannot be beaten, and writes nothing", async () => {
    const root = shop(6);
    const { tuning } = await evaluate({ path: root, tune: true, write: true, limit: 48 });
    expect(tuning).toMatchObject({ fitted: 24, reported: 24, better: false, written: false });
    expect(tuning!.why).toContain("the defaults are kept");
    expect(existsSync(join(root, "dossier.json"))).toBe(false);
  });

  it("writes what is significantly better, measures with it, and takes it back", async () => {
    // The path misleads: every file is called after the subject of another one, and only the text is right.
    const names = Array.from({ length: 48 }, (_, i) => `${subjects[i % 8]}${"abcdef"[Math.floor(i / 8)]}`);
    const root = repository(
      names.map((name, i) => ({
        message: `The matter of ${name} gets better`,
        files: { [`${names[(i + 1) % names.length]}.py`]: `# ${name}\n`.repeat(12) },
      })),
    );
    const first = await evaluate({ path: root, tune: true, write: true, limit: 48 });
    expect(first.tuning).toMatchObject({ better: true, written: true });
    expect(first.tuning!.difference.low).toBeGreaterThan(0);
    expect(first.weights).toBeUndefined();
    const config = JSON.parse(readFileSync(join(root, "dossier.json"), "utf8"));
    expect(config.weights).toMatchObject(first.tuning!.weights);
    expect(config.weights.from).toContain("dossier eval --tune");

    const second = await evaluate({ path: root, limit: 48 });
    expect(second.weights).toEqual(first.tuning!.weights);
    const mrr = ({ figures }: typeof first) => figures.find(({ measure }) => measure === "mrr")!.dossier.mean;
    expect(mrr(second)).toBeGreaterThan(mrr(first));

    expect((await evaluate({ path: root, reset: true })).reset).toBe(true);
    expect((await evaluate({ path: root, reset: true })).reset).toBe(false);
    const third = await evaluate({ path: root, limit: 48 });
    expect(mrr(third)).toBeCloseTo(mrr(first), 6);
  });

  it("says how many cases it takes", async () => {
    const { tuning } = await evaluate({ path: shop(1), tune: true });
    expect(tuning).toMatchObject({ better: false, written: false });
    expect(tuning!.why).toBe("Fitting takes at least 20 cases in each half, and there are 4 and 4.");
  });
});

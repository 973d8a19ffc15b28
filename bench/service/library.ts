import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkspace, primeContext, search } from "../../src/index.ts";
import type { NewMessage } from "../../src/stores/library.ts";
import { machine, percentile, row } from "../shared/figures.ts";
import { random } from "../shared/random.ts";
import { areas, nouns, verbs } from "../shared/words.ts";
import { writeFigures } from "../shared/write-figures.ts";
import { measureLoad } from "./load.ts";

/**
 * Documents and threads at the size that the targets are stated for: one owner with 10,000 documents and 100,000
 * messages among 100 owners. `npm run bench -- --library`; `--seconds 60` for the load over HTTP at its end (0 for
 * none). The workspace is made once and kept.
 */
const size = { documents: 10_000, messages: 100_000, threads: 200, owners: 100 };
const targets = { p50: 40, p95: 120, search: 60, score: 5, budget: 5 };
const owner = "local";
const format = 1;
const start = Date.UTC(2026, 0, 1);
const minute = 60_000;

export async function measureLibrary(options: { out?: string; seconds?: string }): Promise<void> {
  const { folder, threads } = await generated();
  console.log(`${size.documents} documents, ${size.messages} messages, ${size.owners} owners on ${machine()}\n`);
  const figures: Record<string, number> = { loadBefore: loadavg()[0]! };
  const workspace = await openWorkspace(folder);
  try {
    const began = performance.now();
    await primeContext({ message: "warm up", path: folder }, { workspace });
    figures.firstSeconds = (performance.now() - began) / 1000;
    row("first question, indexing what is new", `${figures.firstSeconds.toFixed(1)} s`, "0 once it is indexed");
    const chance = random(7);
    const questions = Array.from({ length: 100 }, () => ({
      message: `${sentence(chance, 6)}?`,
      thread: threads[chance.between(0, threads.length - 1)]!,
    }));
    for (const question of questions.slice(0, 40)) await primeContext({ ...question, path: folder }, { workspace });
    const times: number[] = [];
    const stages: Record<string, number[]> = {};
    for (const question of questions.slice(40)) {
      const at = performance.now();
      const { milliseconds, cached } = await primeContext({ ...question, path: folder }, { workspace });
      if (cached) throw new Error("A question came twice.");
      times.push(performance.now() - at);
      for (const [stage, time] of Object.entries(milliseconds)) (stages[stage] ??= []).push(time);
    }
    figures.buildP50 = percentile(times, 0.5);
    figures.buildP95 = percentile(times, 0.95);
    row(
      "build",
      `${figures.buildP50.toFixed(0)} ms`,
      `p95 ${figures.buildP95.toFixed(0)} ms; targets ${targets.p50} and ${targets.p95}`,
    );
    for (const [stage, list] of Object.entries(stages)) {
      figures[`${stage}P50`] = percentile(list, 0.5);
      const target = stage === "score" || stage === "budget" ? `; target ${targets[stage]} for 100 items` : "";
      row(
        `  ${stage}`,
        `${percentile(list, 0.5).toFixed(1)} ms`,
        `p95 ${percentile(list, 0.95).toFixed(1)} ms${target}`,
      );
    }
    const positions: number[] = [];
    for (const { message } of questions) {
      const at = performance.now();
      await search({ query: message, path: folder, sources: ["document"] }, { workspace });
      positions.push(performance.now() - at);
    }
    figures.searchP95 = percentile(positions, 0.95);
    row(
      "search",
      `${percentile(positions, 0.5).toFixed(0)} ms`,
      `p95 ${figures.searchP95.toFixed(0)} ms; target ${targets.search}`,
    );
  } finally {
    await workspace.close();
  }
  const seconds = Number(options.seconds ?? 60);
  if (seconds > 0) {
    const chance = random(11);
    const ask = () => ({
      path: "/context/build",
      body: { message: `${sentence(chance, 6)}?`, thread: threads[chance.between(0, threads.length - 1)]! },
    });
    Object.assign(figures, await measureLoad({ folder, ask, seconds }));
  }
  figures.loadAfter = loadavg()[0]!;
  writeFigures("library", { machine: machine(), size, ...figures }, options.out);
}

function sentence(chance: ReturnType<typeof random>, words: number): string {
  return Array.from({ length: words }, (_, i) => chance.common([verbs, areas, nouns][i % 3]!)).join(" ");
}

async function generated(): Promise<{ folder: string; threads: string[] }> {
  const folder = join(tmpdir(), "dossier-bench-library");
  const marker = join(folder, "..", "dossier-bench-library.json");
  const made = existsSync(marker) ? JSON.parse(readFileSync(marker, "utf8")) : {};
  if (made.key === JSON.stringify({ format, size }) && existsSync(folder)) return { folder, threads: made.threads };
  console.log(`making ${folder} (kept for the next run)`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const chance = random(1);
  const workspace = await openWorkspace(folder);
  const library = await workspace.library();
  const text = (words: number) =>
    Array.from({ length: Math.ceil(words / 12) }, () => `${sentence(chance, 12)}.`).join(" ");
  for (let i = 0; i < size.documents; i++) {
    const sections = Array.from({ length: 3 }, (_, n) => `## ${sentence(chance, 3)} ${n}\n\n${text(180)}\n`);
    const path = `${chance.pick(areas)}/${chance.pick(nouns)}-${i}.md`;
    await library.putDocument(owner, { path, content: `# ${path}\n\n${sections.join("\n")}`, at: start + i * minute });
  }
  const threads: string[] = [];
  const each = size.messages / size.threads;
  for (let t = 0; t < size.threads; t++) {
    const { id } = await library.createThread(owner, { title: sentence(chance, 4), at: start });
    threads.push(id);
    const messages = Array.from(
      { length: each },
      (_, i): NewMessage => ({
        role: i % 2 === 0 ? "user" : "assistant",
        blocks: [{ type: "text", text: `${sentence(chance, chance.between(8, 40))}${i % 2 === 0 ? "?" : "."}` }],
        at: start + (t * each + i) * minute,
      }),
    );
    await library.addMessages(owner, id, messages);
  }
  for (let o = 1; o < size.owners; o++) {
    for (let i = 0; i < 10; i++) {
      await library.putDocument(`owner-${o}`, { path: `a-${i}.md`, content: text(300), at: start });
    }
  }
  await workspace.close();
  writeFileSync(marker, JSON.stringify({ key: JSON.stringify({ format, size }), threads }));
  return { folder, threads };
}

import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openWorkspace, tanaContext } from "../../src/index.ts";
import { machine, percentile, row, seconds } from "../shared/figures.ts";
import { timeCommand } from "../shared/time-command.ts";
import { writeFigures } from "../shared/write-figures.ts";
import { type GeneratedNotes, writeNotesExport } from "./notes-export.ts";

/**
 * A notes graph at the size that the targets are stated for: `npm run bench -- --notes`. The export is made once and
 * kept; its index is made anew in every run. `--size 10000` for a smaller one.
 */
const targets = { p50: 40, p95: 100, secondsPer20k: 3, megabytes: 600 };
const questions = 60;
const format = 3;

export async function measureNotes(options: { out?: string; size?: string }): Promise<void> {
  const size = Number(options.size ?? 100_000);
  const { folder, made } = await generated(size);
  const megabytes = (statSync(join(folder, "..", "export.json")).size / 1e6).toFixed(0);
  console.log(`${made.notes} notes, ${made.edges} edges (${megabytes} MB export) on ${machine()}\n`);
  const figures: Record<string, number> = { notes: made.notes, edges: made.edges, loadBefore: loadavg()[0]! };

  rmSync(join(folder, ".dossier"), { recursive: true, force: true });
  const cli = resolve("dist/cli.js");
  const cold = await timeCommand("node", [cli, "index", "--json", "--path", folder], { cwd: folder });
  figures.importSeconds = cold.milliseconds / 1000;
  figures.secondsPer20k = (figures.importSeconds * 20_000) / made.notes;
  figures.importMegabytes = cold.peakMegabytes;
  row(
    "import",
    seconds(cold.milliseconds),
    `${figures.secondsPer20k.toFixed(2)} s per 20k notes, target ${targets.secondsPer20k}`,
  );
  row("  peak of the process", `${cold.peakMegabytes} MB`, `target ${targets.megabytes}`);
  const again = await timeCommand("node", [cli, "index", "--json", "--path", folder], { cwd: folder });
  row("import, nothing changed", seconds(again.milliseconds), "");
  figures.againSeconds = again.milliseconds / 1000;

  const workspace = await openWorkspace(folder);
  try {
    const topics = made.topics.slice(0, questions / 2);
    const ids = made.ids.slice(-questions / 2);
    const asked = [...topics, ...ids];
    for (const query of asked) await tanaContext({ query, path: folder }, { workspace });
    for (const [name, list] of Object.entries({ topics, ids, all: asked })) {
      const times: number[] = [];
      const nodes: number[] = [];
      for (const query of list) {
        const start = performance.now();
        const { meta } = await tanaContext({ query, path: folder }, { workspace });
        times.push(performance.now() - start);
        nodes.push(meta.tokens.nodesIncluded + meta.tokens.nodesSummarized);
      }
      figures[`${name}P50`] = percentile(times, 0.5);
      figures[`${name}P95`] = percentile(times, 0.95);
      const printed = Math.round(nodes.reduce((sum, each) => sum + each, 0) / nodes.length);
      row(
        `context, depth 2, ${name}`,
        `${percentile(times, 0.5).toFixed(0)} ms`,
        `p95 ${percentile(times, 0.95).toFixed(0)} ms; targets ${targets.p50} and ${targets.p95}; ${printed} notes printed`,
      );
    }
  } finally {
    await workspace.close();
  }
  const fresh = await timeCommand("node", [cli, "tana_context", made.topics[0]!, "--path", folder], { cwd: folder });
  figures.newProcess = fresh.milliseconds;
  row("context, new process", `${fresh.milliseconds.toFixed(0)} ms`, "");
  figures.indexMegabytes = statSync(join(folder, ".dossier", "index.db")).size / 1e6;
  row("index size", `${figures.indexMegabytes.toFixed(0)} MB`, "");
  figures.loadAfter = loadavg()[0]!;
  writeFigures("notes", { machine: machine(), ...figures }, options.out);
}

async function generated(size: number): Promise<{ folder: string; made: GeneratedNotes }> {
  const home = join(tmpdir(), `dossier-bench-notes-${size}`);
  const folder = join(home, "workspace");
  const marker = join(home, "marker.json");
  const earlier = existsSync(marker) ? JSON.parse(readFileSync(marker, "utf8")) : {};
  if (earlier.format === format) return { folder, made: earlier.made };
  rmSync(home, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const made = await writeNotesExport(join(home, "export.json"), size, 20260101);
  writeFileSync(join(folder, "dossier.json"), JSON.stringify({ notes: [{ name: "main", from: "../export.json" }] }));
  writeFileSync(marker, JSON.stringify({ format, made }));
  return { folder, made };
}

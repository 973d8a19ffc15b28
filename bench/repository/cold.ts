import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** Seconds by the clock, and seconds of processor time: on a shared machine only the second can be compared. */
type Spent = { wall: number; processor: number };

/**
 * What indexing costs as a process: a checkout never seen, with and without its history. `--against "codegraph init
 * -y"` measures another program in the same run. `--refs main,stable` switches between two branches: there, back, there
 * again.
 */
export function measureCold({ repos, against, refs }: { repos: string[]; against?: string; refs?: string }): void {
  for (const repo of repos) {
    const folder = mkdtempSync(join(tmpdir(), "dossier-cold-"));
    try {
      measureOne(resolve(repo), folder, { against, refs });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function measureOne(repo: string, folder: string, { against, refs }: { against?: string; refs?: string }): void {
  const name = basename(repo);
  const [whole, shallow] = [join(folder, "whole"), join(folder, "shallow")];
  git(["clone", "-q", repo, whole]);
  git(["clone", "-q", "--depth", "1", `file://${whole}`, shallow]);
  const home = (of: string) => join(folder, `home-${of}`);
  const peer = against ? spent(against.split(" "), shallow, home("peer")) : undefined;
  print(`${name}: ${against ?? ""}`, peer);
  print(`${name}: cold, without history`, spent(index, shallow, home("shallow")), peer);
  print(`${name}: cold, with history`, spent(index, whole, home("whole")), peer);
  const [one, other] = refs?.split(",") ?? [];
  if (one === undefined || other === undefined) return;
  for (const [what, ref] of [
    ["at first", one],
    ["to another branch", other],
    ["back", one],
    ["there again", other],
  ] as const) {
    git(["-C", whole, "checkout", "-q", "--detach", git(["-C", repo, "rev-parse", ref]).trim()]);
    print(`${name}: ${what}`, spent(index, whole, home("whole")));
  }
}

const index = [process.execPath, cli, "index", "-q"];

function git(args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" });
}

/** The shell reports the processor time of its children; Node does not. */
function spent(command: string[], cwd: string, home: string): Spent {
  const began = performance.now();
  const env = { ...process.env, DOSSIER_ENGINE: "off", DOSSIER_HOME: home };
  const script = '"$@" >/dev/null 2>&1 </dev/null || echo failed; times';
  const { stdout } = spawnSync("sh", ["-c", script, "sh", ...command], { cwd, env, encoding: "utf8" });
  if (stdout.includes("failed")) throw new Error(`${command.join(" ")} failed`);
  const ofChildren = stdout.trim().split("\n").at(-1)!;
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, rest]) => +minutes! * 60 + +rest!);
  return { wall: (performance.now() - began) / 1000, processor: seconds.reduce((sum, each) => sum + each, 0) };
}

function print(what: string, it: Spent | undefined, peer?: Spent): void {
  if (!it) return;
  const of = peer ? `, ${(it.processor / peer.processor).toFixed(2)} x and ${(it.wall / peer.wall).toFixed(2)} x` : "";
  console.log(`${what}: ${it.processor.toFixed(1)} s of the processor, ${it.wall.toFixed(1)} s by the clock${of}`);
}

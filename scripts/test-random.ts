import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { seedOf } from "../tests/seed.ts";
import { propertyTests } from "./property-tests.ts";

/**
 * Runs the property tests with new seeds: `npm run test:random -- [part of a path]… [--rounds=4]
 * [--option=of-vitest]…`. A test says itself how many cases it draws, and costly ones how many of them `npm test`
 * takes: all are taken here, and more of them by several rounds, each with its own seed. DOSSIER_SEED=<n> repeats the
 * round of that seed.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const defaultRounds = 4;

const words = process.argv.slice(2);
const options = words.filter((each) => each.startsWith("-") && !each.startsWith("--rounds"));
const parts = words.filter((each) => !each.startsWith("-"));
const rounds = Number(words.find((each) => each.startsWith("--rounds="))?.slice("--rounds=".length) ?? defaultRounds);
const files = propertyTests(root).filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));

if (!Number.isInteger(rounds) || rounds < 1 || words.includes("--rounds"))
  refuse("--rounds=<n> takes a number from 1.");
if (files.length === 0) refuse(`No property test has ${parts.map((part) => `"${part}"`).join(" or ")} in its path.`);

const repeated = process.env.DOSSIER_SEED;
const seeds = repeated ? [givenSeed(repeated)] : Array.from({ length: rounds }, () => randomInt(-(2 ** 31), 2 ** 31));
const again = (seed: number) =>
  `DOSSIER_SEED=${seed} npm run test:random${words.length > 0 ? ` -- ${words.join(" ")}` : ""}`;

const failed: number[] = [];
let status = 0;
for (const [i, seed] of seeds.entries()) {
  console.log(`\nRound ${i + 1} of ${seeds.length}, seed ${seed}, test files with properties: ${files.length}`);
  const vitest = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...options, ...files];
  const run = spawnSync(process.execPath, vitest, {
    cwd: root,
    stdio: "inherit",
    env: { DOSSIER_RUNS: "all", ...process.env, DOSSIER_SEED: String(seed) },
  });
  if (run.error) throw run.error;
  if (run.signal) process.kill(process.pid, run.signal);
  if (run.status === 0) continue;
  failed.push(seed);
  status ||= run.status ?? 1;
  console.error(`Seed ${seed} failed. To repeat: ${again(seed)}`);
}
console.log(`\nSeeds ${seeds.join(", ")}: ${failed.length === 0 ? "all passed" : `failed with ${failed.join(", ")}`}.`);
process.exitCode = status;

function givenSeed(text: string): number {
  try {
    return seedOf(text);
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

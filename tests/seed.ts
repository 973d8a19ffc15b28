import fc from "fast-check";

/**
 * Runs before every test file. Properties draw the same cases at every run, so the tests of a change fail for the
 * change and not by chance. `npm run test:random` sets other seeds, and a test's own `numRuns`, `examples` or `seed`
 * are kept.
 */
export const fixedSeed = 14;

export function seedOf(given: string | undefined): number {
  if (given === undefined || given === "") return fixedSeed;
  const seed = Number(given);
  // fast-check's seeds have 32 bits and a sign.
  if (!Number.isInteger(seed) || seed !== (seed | 0)) {
    throw new Error(`DOSSIER_SEED takes a whole number of 32 bits, as test:random prints it, not "${given}".`);
  }
  return seed;
}

/**
 * How many cases a costly property takes: `usual` ones in `npm test`, which are the same at every run, and `all` in
 * `npm run test:random`, where they are others each time.
 */
export function runs(all: number, usual: number): number {
  return process.env.DOSSIER_RUNS === "all" ? all : usual;
}

fc.configureGlobal({ seed: seedOf(process.env.DOSSIER_SEED) });

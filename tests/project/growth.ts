/**
 * How much more processor time `run` takes on `large` than on `small`: about the ratio of their sizes when it is
 * linear, its square when it is quadratic. The best of several rounds, because other processes share the machine.
 */
export function growth<Input>(run: (input: Input) => unknown, small: Input, large: Input): number {
  run(small);
  run(large);
  let [fastSmall, fastLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 8; round++) {
    fastSmall = Math.min(fastSmall, processorTime(run, small));
    fastLarge = Math.min(fastLarge, processorTime(run, large));
  }
  return fastLarge / fastSmall;
}

/** Milliseconds for one run, averaged over enough runs to be measurable. */
function processorTime<Input>(run: (input: Input) => unknown, input: Input): number {
  const start = process.cpuUsage();
  for (let runs = 1; ; runs++) {
    run(input);
    const { user, system } = process.cpuUsage(start);
    if (user + system > 10_000) return (user + system) / 1000 / runs;
  }
}

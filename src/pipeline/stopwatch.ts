/** Milliseconds by stage. `timed("score", () => ...)` runs the work, keeps its time and returns its result. */
export type Stopwatch = {
  <T>(stage: string, work: () => T): T;
  milliseconds: Record<string, number>;
};

export function stopwatch(): Stopwatch {
  const milliseconds: Record<string, number> = {};
  const timed = <T>(stage: string, work: () => T): T => {
    const start = performance.now();
    const record = () => {
      milliseconds[stage] = performance.now() - start;
    };
    const result = work();
    if (result instanceof Promise) return result.finally(record) as T;
    record();
    return result;
  };
  return Object.assign(timed, { milliseconds });
}

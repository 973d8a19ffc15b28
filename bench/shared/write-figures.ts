import { mkdirSync, writeFileSync } from "node:fs";

/** Writes what was measured to `bench/runs/<name>.json`, or to `out`; numbers with three decimals. */
export function writeFigures(name: string, figures: Record<string, unknown>, out = `bench/runs/${name}.json`): void {
  mkdirSync("bench/runs", { recursive: true });
  writeFileSync(out, `${JSON.stringify(figures, rounded, 2)}\n`);
  console.log(`\nwritten to ${out}`);
}

function rounded(_name: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1000) / 1000 : value;
}

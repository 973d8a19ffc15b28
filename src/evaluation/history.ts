import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Workspace } from "../workspace/workspace.ts";
import type { CaseKind } from "./case.ts";
import type { MeasureName } from "./measures.ts";

/** The figures of a measurement, stored for comparison with the next one. */
export type Measurement = {
  /** A time in ISO 8601. */
  at: string;
  version: string;
  maxTokens: number;
  /** Files that were indexed then. */
  files: number;
  /** True if the weights of dossier.json were used. */
  weighted: boolean;
  figures: Figure[];
};

type Figure = { kind: CaseKind; measure: MeasureName; cases: number; dossier: Range; bm25: number };
type Range = { mean: number; low: number; high: number };

/** Most measures that are kept for comparison; all others can be measured again. */
const keptMeasures: readonly MeasureName[] = ["mrr", "acc@1", "recall@10", "within"];
const fileName = "eval-history.jsonl";
/** Older measurements are ignored. */
const mostRead = 1000;

type Line = Measurement & { owner: string };

type Estimate = Range & { count: number };
type Measured = { kind: CaseKind; measure: MeasureName; dossier: Estimate; bm25: Estimate };

/** Beside the databases: it survives when the index is made again. */
function placeOf({ databasePath }: Pick<Workspace, "databasePath">): string {
  return join(dirname(databasePath), fileName);
}

export function keepMeasurement(
  workspace: Workspace,
  measured: Omit<Measurement, "figures"> & { figures: readonly Measured[] },
): void {
  const figures = measured.figures
    .filter(({ measure }) => keptMeasures.includes(measure))
    .map(({ kind, measure, dossier, bm25 }): Figure => {
      const { mean, low, high, count } = dossier;
      return { kind, measure, cases: count, dossier: { mean, low, high }, bm25: bm25.mean };
    });
  const line: Line = { owner: workspace.owner, ...measured, figures };
  appendFileSync(placeOf(workspace), `${JSON.stringify(line)}\n`);
}

/** The measurements of an owner, oldest first. A line that cannot be read is skipped: the next ones are complete. */
export function readMeasurements(workspace: Workspace): Measurement[] {
  const place = placeOf(workspace);
  if (!existsSync(place)) return [];
  const lines = readFileSync(place, "utf8").split("\n");
  const measured = lines.flatMap((text): Measurement[] => {
    const line = parsed(text);
    if (line?.owner !== workspace.owner || !Array.isArray(line.figures)) return [];
    const { owner: _, ...measurement } = line;
    return [measurement];
  });
  return measured.slice(-mostRead);
}

function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

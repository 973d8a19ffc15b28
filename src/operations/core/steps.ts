import { DossierError } from "../../errors.ts";
import type { Environment } from "./operation.ts";

/** The steps of an operation, each with the inputs it needs and those it may have besides. */
export type Steps<Step extends string> = Record<Step, { needs: string[]; may: string[] }>;

type StepOptions = Pick<Environment, "nameOf" | "command"> & {
  /** How missing inputs are listed: by their names, or with what they take. */
  listMissing?: (keys: string[]) => string;
};

/** Refuses inputs that a step would ignore, and names those it still needs. */
export function checkStep<Step extends string>(
  operation: string,
  takes: Steps<Step>,
  input: Record<string, unknown> & { step: Step },
  { nameOf = (key) => key, command = `${operation} ${input.step}`, listMissing }: StepOptions,
): void {
  const { needs, may } = takes[input.step];
  const isGiven = (key: string) => input[key] !== undefined;
  const usable = [...needs, ...may, "step", "path"];
  const unused = Object.keys(input).find((key) => isGiven(key) && !usable.includes(key));
  if (unused) throw new DossierError("bad-input", `${command} takes no ${nameOf(unused)}.`);
  const missing = needs.filter((key) => !isGiven(key));
  if (missing.length > 0) {
    const names = listMissing?.(missing) ?? missing.map(nameOf).join(" and ");
    throw new DossierError("bad-input", `${command} also needs ${names}.`);
  }
}

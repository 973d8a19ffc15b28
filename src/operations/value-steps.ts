import { DossierError } from "../errors.ts";

/** The steps of `dossier value`, each with the inputs it needs and those it may have besides. */
export const valueSteps = ["propose", "check", "add", "show", "revalidate", "forget"] as const;
export type ValueStep = (typeof valueSteps)[number];

const takes: Record<ValueStep, { needs: string[]; may: string[] }> = {
  propose: { needs: ["id"], may: ["axis"] },
  check: { needs: ["id", "text"], may: ["axis"] },
  add: { needs: ["id", "text"], may: ["axis"] },
  show: { needs: ["id"], may: [] },
  revalidate: { needs: [], may: ["id"] },
  forget: { needs: ["id"], may: [] },
};

/** Refuses inputs that a step would ignore, and names those it still needs. */
export function checkValueStep(
  step: ValueStep,
  input: Record<string, unknown>,
  nameOf: (key: string) => string = (key) => key,
): void {
  const { needs, may } = takes[step];
  const given = (key: string) => input[key] !== undefined;
  const usable = [...needs, ...may, "step", "path"];
  const unused = Object.keys(input).find((key) => given(key) && !usable.includes(key));
  if (unused) throw new DossierError("bad-input", `value ${step} takes no ${nameOf(unused)}.`);
  const missing = needs.filter((key) => !given(key));
  if (missing.length > 0) {
    throw new DossierError("bad-input", `value ${step} also needs ${missing.map(nameOf).join(" and ")}.`);
  }
}

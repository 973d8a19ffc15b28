import type { Steps } from "../core/steps.ts";

/** The steps of a value, each with the inputs it needs and those it may have besides. */
export const valueSteps = ["propose", "check", "add", "show", "revalidate", "forget"] as const;
export type ValueStep = (typeof valueSteps)[number];

export const valueTakes: Steps<ValueStep> = {
  propose: { needs: ["id"], may: ["axis"] },
  check: { needs: ["id", "text"], may: ["axis"] },
  add: { needs: ["id", "text"], may: ["axis"] },
  show: { needs: ["id"], may: [] },
  revalidate: { needs: [], may: ["id"] },
  forget: { needs: ["id"], may: [] },
};

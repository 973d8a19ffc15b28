import type { Anchor } from "./memory.ts";

/** A record of what an agent tried: goal, hypothesis, action, prediction, and the outcome (GHAP). */
export const domains = [
  "debugging",
  "refactoring",
  "feature",
  "testing",
  "configuration",
  "documentation",
  "performance",
  "security",
  "integration",
] as const;
export type Domain = (typeof domains)[number];

export const experienceStrategies = [
  "systematic-elimination",
  "trial-and-error",
  "research-first",
  "divide-and-conquer",
  "root-cause-analysis",
  "copy-from-similar",
  "check-assumptions",
  "read-the-error",
  "ask-user",
] as const;
export type Strategy = (typeof experienceStrategies)[number];

export const outcomes = ["confirmed", "falsified", "abandoned"] as const;
export type OutcomeStatus = (typeof outcomes)[number];

export const rootCauses = [
  "wrong-assumption",
  "missing-knowledge",
  "oversight",
  "environment-issue",
  "misleading-symptom",
  "incomplete-fix",
  "wrong-scope",
  "test-isolation",
  "timing-issue",
] as const;
export type RootCauseCategory = (typeof rootCauses)[number];

/**
 * How well a result is known. gold: decided by a command. silver: stated by hand. bronze: stated by hand without a
 * result or after the fact. abandoned: given up.
 */
export const tiers = ["gold", "silver", "bronze", "abandoned"] as const;
export type Tier = (typeof tiers)[number];
export const tierWeights: Record<Tier, number> = { gold: 1, silver: 0.8, bronze: 0.5, abandoned: 0.2 };

/**
 * The axes on which experiences are searched; the last two exist only for falsified ones. Each is an item kind (`full`
 * is `experience`).
 */
export const axes = ["full", "strategy", "surprise", "root_cause"] as const;
export type Axis = (typeof axes)[number];

export const longestStatement = 1000;
export const longestRemark = 2000;

/** One attempt: belief, action, expectation; earlier ones make the history. */
export type Attempt = { hypothesis: string; action: string; prediction: string; strategy: Strategy };

export type ExperienceOutcome = {
  status: OutcomeStatus;
  result?: string;
  /** Milliseconds since 1970. */
  capturedAt: number;
  /** True when a command's exit status decided it. */
  autoCaptured: boolean;
  command?: string;
};

/** The body of a record of type `experience`. */
export type Experience = Attempt & {
  session: string;
  domain: Domain;
  goal: string;
  /** Earlier attempts, oldest first, each with what was observed when it ended. */
  history: (Attempt & { until: number; observed?: string })[];
  /** 1 for the first attempt, one more for each update. */
  iterations: number;
  outcome?: ExperienceOutcome;
  surprise?: string;
  rootCause?: { category: RootCauseCategory; description: string };
  lesson?: { whatWorked: string; takeaway?: string };
  /** Assigned when it is resolved. */
  tier?: Tier;
  notes: { at: number; text: string }[];
  anchors?: Anchor[];
};

/** True until it is resolved: a captured failure waits for its surprise and root cause. */
export function isActive(experience: Experience): boolean {
  return experience.tier === undefined;
}

/** Prefix of the slots of all active experiences. */
export const activeSlots = "active:";

/** The slot that a session's active experience holds. */
export function activeSlot(session: string): string {
  return `${activeSlots}${session}`;
}

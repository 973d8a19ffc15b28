import type { Domain, Experience, Strategy, Tier } from "../experience.ts";
import { domains, experienceStrategies, rootCauses } from "../experience.ts";
import { type Subject, topics, unrelated } from "./planted-subjects.samples.ts";

/**
 * Experiences of known topics, worded as agents word them: sentences of a topic's own things, symptoms, causes and
 * remedies in frames that all topics share, and unrelated ones of which each has a subject of its own. The same seed
 * gives the same experiences.
 */
export type Planted = {
  id: string;
  created: number;
  experience: Experience /** -1 for an unrelated one. */;
  topic: number;
};

const goals = [
  "Find out why {thing} {symptom}",
  "Fix {thing}: it {symptom}",
  "{thing} {symptom}; make it stop",
  "Get to the bottom of it: {thing} {symptom} since the last release",
];
const hypotheses = ["I think {cause}", "Probably {cause}", "My guess is that {cause}", "It looks as if {cause}"];
const actions = [
  "Try to {remedy}",
  "{remedy} and run it again",
  "Change one thing: {remedy}",
  "First {remedy}, then look",
];
const predictions = [
  "Then {thing} no longer {symptom}",
  "The error should be gone when I {remedy}",
  "After that the problem does not come back",
];
const confirmations = ["as predicted, {thing} works now", "confirmed by running it ten times", "it was so: {cause}"];
const failures = [
  "no change, {thing} still {symptom}",
  "another error, and it still {symptom}",
  "it got worse at first",
];
const surprises = ["In fact {cause}", "I did not expect that {cause}", "{thing} was innocent; {cause}"];
const lessons = [
  "{remedy}",
  "what helped was to {remedy}",
  "look whether {cause} before anything else",
  "{remedy} first",
];
const takeaways = ["When {thing} {symptom}, {remedy}.", "Check whether {cause}.", "Always {remedy}."];

export type PlantOptions = {
  topics: number;
  perTopic: number;
  unrelated: number;
  seed?: number /** Topics to use, instead of the first. */;
  from?: number;
};

/** One experience of each topic in turn, with the unrelated ones between them. */
export function plant(options: PlantOptions): Planted[] {
  const random = generator(options.seed ?? 1);
  const planted: Planted[] = [];
  const add = (topic: number, subject: Subject, domain: Domain) => {
    const n = planted.length;
    const id = `exp-${String(options.seed ?? 1).padStart(3, "0")}${String(n).padStart(5, "0")}`;
    planted.push({
      id,
      created: 1_700_000_000_000 + n * 60_000,
      topic,
      experience: plantedExperience(subject, domain, random),
    });
  };
  const rounds = options.perTopic;
  let others = 0;
  for (let round = 0; round < rounds; round++) {
    for (let t = 0; t < options.topics; t++) {
      const topic = (options.from ?? 0) + t;
      add(topic, topics[topic]!, pick([topics[topic]!.domain, topics[topic]!.domain, ...domains], random));
    }
    for (; others < (options.unrelated * (round + 1)) / rounds - 0.5; others++) {
      const [thing, symptom, cause, remedy] = unrelated[others % unrelated.length]!;
      add(-1, { things: [thing], symptoms: [symptom], causes: [cause], remedies: [remedy] }, pick(domains, random));
    }
  }
  return planted;
}

function plantedExperience(subject: Subject, domain: Domain, random: () => number): Experience {
  const say = (frames: string[]) => {
    const words: Record<string, string> = {
      thing: pick(subject.things, random),
      symptom: pick(subject.symptoms, random),
      cause: pick(subject.causes, random),
      remedy: pick(subject.remedies, random),
    };
    const text = pick(frames, random).replace(/\{(\w+)\}/g, (_, slot: string) => words[slot]!);
    return text[0]!.toUpperCase() + text.slice(1);
  };
  const falsified = random() < 0.4;
  const tier: Tier = pick(["gold", "silver", "silver", "bronze"], random);
  const strategy: Strategy = pick(experienceStrategies, random);
  return {
    session: "planted",
    domain,
    strategy,
    goal: say(goals),
    hypothesis: say(hypotheses),
    action: say(actions),
    prediction: say(predictions),
    history: [],
    iterations: 1 + Math.floor(random() * 3),
    outcome: {
      status: falsified ? "falsified" : "confirmed",
      result: say(falsified ? failures : confirmations),
      capturedAt: 1_700_000_000_000,
      autoCaptured: tier === "gold",
    },
    ...(falsified
      ? { surprise: say(surprises), rootCause: { category: pick(rootCauses, random), description: say(["{cause}"]) } }
      : {}),
    lesson: random() < 0.5 ? { whatWorked: say(lessons) } : { whatWorked: say(lessons), takeaway: say(takeaways) },
    tier,
    notes: [],
  };
}

function pick<Choice>(choices: readonly Choice[], random: () => number): Choice {
  return choices[Math.floor(random() * choices.length)]!;
}

/** Numbers in 0..1 by xorshift32. */
function generator(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

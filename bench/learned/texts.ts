import { type Random, random, shuffled } from "../shared/random.ts";
import { adjectives, areas, nouns, reasons, syllables, verbs } from "../shared/words.ts";

/** Words of one subject, each list in the order of how often the subject uses them. */
export type Topic = { area: string; nouns: string[]; verbs: string[]; names: string[] };

/** Names that are no words, as every project has them: the long tail that search lives on. */
const nameCount = 6000;
const namesPerTopic = 120;

export function topics(seed: number): Topic[] {
  const chance = random(seed);
  const names = projectNames(chance);
  return areas.map((area) => ({
    area,
    nouns: shuffled(nouns, chance),
    verbs: shuffled(verbs, chance),
    names: Array.from({ length: namesPerTopic }, () => chance.pick(names)),
  }));
}

function projectNames(chance: Random): string[] {
  const names = new Set<string>();
  while (names.size < nameCount) {
    names.add(Array.from({ length: chance.between(2, 4) }, () => chance.pick(syllables)).join(""));
  }
  return [...names];
}

/** A sentence about a topic; half of its words are those that every topic uses. */
export function sentence(topic: Topic, chance: Random): string {
  const noun = () => (chance.chance(0.12) ? chance.common(topic.names) : word(topic.nouns, nouns, chance));
  const verb = () => word(topic.verbs, verbs, chance);
  const thing = () => (chance.chance(0.4) ? `${chance.common(adjectives)} ${noun()}` : `${noun()} ${noun()}`);
  const shapes = [
    () => `the ${topic.area} ${noun()} must ${verb()} the ${thing()} before it can ${verb()} the ${noun()}`,
    () => `when the ${thing()} is ${chance.common(adjectives)}, ${verb()} the ${topic.area} ${noun()} first`,
    () => `${verb()} the ${thing()} of the ${topic.area} ${chance.common(reasons)}`,
    () => `each ${noun()} of the ${topic.area} has a ${thing()} that the ${noun()} does not ${verb()}`,
    () => `never ${verb()} a ${thing()} in the ${topic.area} without a ${thing()}`,
    () => `the ${thing()} is ${chance.between(2, 900)} for the ${topic.area} ${noun()} ${chance.common(reasons)}`,
  ];
  const text = chance.pick(shapes)();
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

function word(own: readonly string[], everyones: readonly string[], chance: Random): string {
  return chance.common(chance.chance(0.5) ? own : everyones);
}

export function sentences(count: number, topic: Topic, chance: Random): string {
  return Array.from({ length: count }, () => `${sentence(topic, chance)}.`).join(" ");
}

/** A commit's message: a subject, and in every second one up to seven lines that explain it. */
export function message(topic: Topic, moduleName: string, chance: Random): string {
  const verb = chance.common(verbs);
  const thing = `${chance.common(adjectives)} ${word(topic.nouns, nouns, chance)}`;
  const why = chance.chance(0.3) ? ` ${chance.common(reasons)}` : "";
  const subject = `${verb[0]!.toUpperCase()}${verb.slice(1)} ${thing} in ${moduleName}${why}`;
  if (chance.chance(0.5)) return `${subject}\n`;
  const lines = Array.from({ length: chance.between(1, 6) }, () => `${sentence(topic, chance)}.`);
  return `${subject}\n\n${lines.join("\n")}\n`;
}

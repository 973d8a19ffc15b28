import { random } from "../shared/random.ts";
import { reasons } from "../shared/words.ts";
import type { Names } from "./history.ts";
import { message, sentence, sentences, topics } from "./texts.ts";
import { seed } from "./workspace.ts";

/** Questions of every shape that agents ask, always the same: tasks, symptoms, reasons, names, paths, single words. */
export function learnedQueries(count: number, names: Names): string[] {
  const chance = random(seed + 2);
  const all = topics(seed);
  const topic = () => chance.common(all);
  const noun = () => chance.common(topic().nouns);
  const shapes: (() => string)[] = [
    () => `how does the ${topic().area} ${noun()} ${chance.common(topic().verbs)} the ${noun()}?`,
    () => sentence(topic(), chance),
    () => `why was the ${topic().area} ${noun()} changed ${chance.common(reasons)}`,
    () => message(topic(), chance.pick(names.symbols), chance).split("\n")[0]!,
    () => chance.pick(names.symbols),
    () => `add a ${noun()} to ${chance.pick(names.paths)}`,
    () => `${topic().area} ${noun()}`,
    () => sentences(3, topic(), chance),
    () => `${chance.pick(names.goneSymbols)} is not defined`,
    () => chance.common(topic().names),
  ];
  return Array.from({ length: count }, (_, i) => shapes[i % shapes.length]!());
}

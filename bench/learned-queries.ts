import type { Names } from "./learned-history.ts";
import { random } from "./learned-random.ts";
import { message, sentence, sentences, topics } from "./learned-texts.ts";
import { reasons } from "./learned-words.ts";
import { seed } from "./learned-workspace.ts";

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

import { type Random, random } from "../shared/random.ts";
import { parts, people } from "../shared/words.ts";
import { type Module, makeFunction, makeModule, symbolOf, textOf } from "./modules.ts";
import { message, type Topic, topics } from "./texts.ts";

/** What records and queries can speak of. */
export type Names = {
  /** Existing files, a symbol of each beside it. */
  paths: string[];
  symbols: string[];
  gonePaths: string[];
  goneSymbols: string[];
};

export type HistorySize = { files: number; commits: number };

/** One module in so many is deleted, and one renamed, some time after it was added. */
const oneIn = 21;
const renamedSymbols = 0.005;
/** Seconds since 1970: the last commit, and how long before it the first one was. */
export const lastCommit = Date.UTC(2026, 0, 1) / 1000;
const span = 4 * 365 * 24 * 3600;

/**
 * A repository that grows and changes, as a stream for `git fast-import`. A fifth of the files comes in the first
 * commits and the rest over time; a commit touches one to six files of one area.
 */
export function* historyStream(size: HistorySize, names: Names, seed: number): Generator<string> {
  const chance = random(seed);
  const all = topics(seed);
  const living: Module[] = [];
  const everyone: Module[] = [];
  const byTopic = new Map<Topic, Module[]>(all.map((topic) => [topic, []]));
  const due = new Map<number, (() => string)[]>();
  const planned = Math.round((size.files * oneIn) / (oneIn - 1));
  const bornAt = birthPlan(planned, size.commits);

  for (let commit = 0; commit < size.commits; commit++) {
    const changes = new Map<string, string>();
    let subject: Module | undefined;
    const wanted = Math.min(chance.between(1, 6), chance.between(1, 6) + 1);
    for (; bornAt[everyone.length] === commit; ) {
      const number = everyone.length;
      const module = makeModule(number, everyone, all, chance);
      everyone.push(module);
      living.push(module);
      byTopic.get(module.topic)!.push(module);
      subject = module;
      changes.set(module.path, modified(module));
      const after = Math.min(size.commits - 1, commit + Math.ceil(size.commits / oneIn));
      if (number % oneIn === 7) add(due, after, () => remove(module, living, byTopic, names));
      if (number % oneIn === 11) add(due, after, () => rename(module, number, names, chance));
    }
    for (const change of due.get(commit) ?? []) changes.set(`due ${changes.size}`, change());
    subject ??= chance.common(living);
    const fellows = byTopic.get(subject.topic)!;
    for (let tries = 0; changes.size < wanted && tries < wanted; tries++) {
      const module = tries === 0 && living.includes(subject) ? subject : fellows[chance.between(0, fellows.length - 1)];
      if (!module || changes.has(module.path)) continue;
      edit(module, names, chance);
      changes.set(module.path, modified(module));
    }
    yield header(commit, size, message(subject.topic, subject.name, chance), chance) + [...changes.values()].join("");
  }
  for (const { path, language, functions } of living) {
    names.paths.push(path);
    names.symbols.push(symbolOf(chance.pick(functions).name, language));
  }
}

/** The commit that each module is added in; the last tenth of the history adds none. */
function birthPlan(modules: number, commits: number): number[] {
  const first = Math.floor(modules / 5);
  const beginning = Math.floor(commits / 100);
  return Array.from({ length: modules }, (_, number) =>
    number < first
      ? Math.floor((number * beginning) / first)
      : beginning + Math.floor(((number - first) * (commits * 0.9 - beginning)) / (modules - first)),
  );
}

function add(due: Map<number, (() => string)[]>, commit: number, change: () => string): void {
  due.set(commit, [...(due.get(commit) ?? []), change]);
}

function remove(module: Module, living: Module[], byTopic: Map<Topic, Module[]>, names: Names): string {
  for (const list of [living, byTopic.get(module.topic)!]) list.splice(list.indexOf(module), 1);
  names.gonePaths.push(module.path);
  return `D ${module.path}\n`;
}

function rename(module: Module, number: number, names: Names, chance: Random): string {
  const before = module.path;
  names.gonePaths.push(before);
  module.path = before.replace(/[^/]*(\.\w+)$/, `${module.topic.area}_${chance.pick(parts)}_${number}$1`);
  return `D ${before}\n${modified(module)}`;
}

function edit(module: Module, names: Names, chance: Random): void {
  const one = chance.pick(module.functions);
  const kind = chance.next();
  if (kind < renamedSymbols) {
    names.goneSymbols.push(symbolOf(one.name, module.language));
    one.name = makeFunction(module.topic, chance).name;
  } else if (kind < 0.05 && module.functions.length < 9) module.functions.push(makeFunction(module.topic, chance));
  else if (kind < 0.3) Object.assign(one, { ...makeFunction(module.topic, chance), name: one.name });
  else one.number = chance.between(1, 900);
}

function modified(module: Module): string {
  return `M 100644 inline ${module.path}\n${data(textOf(module))}\n`;
}

function header(commit: number, size: HistorySize, text: string, chance: Random): string {
  const person = chance.common(people);
  const time = Math.floor(lastCommit - span + (span * (commit + 1)) / size.commits);
  return `commit refs/heads/main\ncommitter ${person} <${person}@example.com> ${time} +0000\n${data(text)}`;
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}

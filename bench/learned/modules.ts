import type { Random } from "../shared/random.ts";
import { nouns, parts, verbs } from "../shared/words.ts";
import { sentence, type Topic } from "./texts.ts";

/** A small source file that changes over time. */
export type Module = {
  path: string;
  language: Language;
  topic: Topic;
  /** As messages and other files call it. */
  name: string;
  doc: string;
  imports: Module[];
  functions: { name: string; doc: string; noun: string; steps: string[]; number: number }[];
};

export type Language = "ts" | "py" | "go";

const languages: readonly Language[] = ["ts", "ts", "py", "py", "go"];

/** The `number`th module; the number keeps paths apart where the words are the same. */
export function makeModule(number: number, earlier: readonly Module[], all: readonly Topic[], chance: Random): Module {
  const topic = chance.pick(all);
  const language = chance.pick(languages);
  const part = chance.common(parts);
  const name = `${topic.area}-${chance.common(topic.nouns)}-${part}`;
  const folder = `${language === "go" ? "internal" : language === "py" ? "services" : "src"}/${topic.area}`;
  const file = language === "ts" ? name : name.replaceAll("-", "_");
  const taken = earlier.some((module) => module.path === `${folder}/${file}.${language}`);
  const fellows = earlier.filter((module) => module.language === language).slice(-200);
  const count = fellows.length === 0 ? 0 : chance.between(0, 3);
  return {
    path: `${folder}/${taken ? `${file}${number}` : file}.${language}`,
    language,
    topic,
    name: taken ? `${name}${number}` : name,
    doc: sentence(topic, chance),
    imports: [...new Set(Array.from({ length: count }, () => chance.pick(fellows)))],
    functions: Array.from({ length: chance.between(2, 6) }, () => makeFunction(topic, chance)),
  };
}

export function makeFunction(topic: Topic, chance: Random): Module["functions"][number] {
  const [verb, noun] = [chance.common(topic.verbs), chance.common(topic.nouns)];
  const tail = chance.chance(0.5) ? chance.common(topic.names) : chance.common(nouns);
  return {
    name: `${verb}${capital(noun)}${capital(tail)}`,
    doc: sentence(topic, chance),
    noun,
    steps: Array.from(
      { length: chance.between(1, 4) },
      () => `${chance.common(verbs)}${capital(chance.common(nouns))}`,
    ),
    number: chance.between(1, 900),
  };
}

/** A function's name as its language writes it. */
export function symbolOf(name: string, language: Language): string {
  if (language === "py") return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return language === "go" ? capital(name) : name;
}

export function textOf(module: Module): string {
  return writers[module.language](module);
}

const writers: Record<Language, (module: Module) => string> = {
  ts: ({ path, doc, imports, functions }) =>
    [
      ...imports.map((other) => `import { ${other.functions[0]!.name} } from "${relative(path, other.path)}";`),
      `\n/** ${doc}. */`,
      ...functions.map(({ name, doc, noun, steps, number }) =>
        [
          `\n/** ${doc}. */`,
          `export function ${name}(${noun}: string, limit = ${number}): string[] {`,
          ...steps.map((step) => `  const ${step} = ${noun}.slice(0, limit);`),
          ...imports.slice(0, 1).map((other) => `  if (limit > 1) ${other.functions[0]!.name}(${noun}, limit - 1);`),
          `  return [${[noun, ...new Set(steps)].join(", ")}];`,
          "}",
        ].join("\n"),
      ),
      "",
    ].join("\n"),
  py: ({ doc, imports, functions }) =>
    [
      `"""${doc}."""`,
      ...imports.map((other) => `from ${dotted(other.path)} import ${symbolOf(other.functions[0]!.name, "py")}`),
      ...functions.map(({ name, doc, noun, steps, number }) =>
        [
          `\n\ndef ${symbolOf(name, "py")}(${noun}_value, limit=${number}):`,
          `    """${doc}."""`,
          ...steps.map((step) => `    ${symbolOf(step, "py")} = ${noun}_value[:limit]`),
          ...imports
            .slice(0, 1)
            .map((other) => `    ${symbolOf(other.functions[0]!.name, "py")}(${noun}_value, limit - 1)`),
          `    return [${noun}_value, ${steps.map((step) => symbolOf(step, "py")).join(", ")}]`,
        ].join("\n"),
      ),
      "",
    ].join("\n"),
  go: ({ topic, doc, imports, functions }) =>
    [
      `// Package ${topic.area}: ${doc}.`,
      `package ${topic.area}`,
      ...[...new Set(imports.map((other) => `\nimport "example.com/shop/internal/${other.topic.area}"`))],
      ...functions.map(({ name, doc, noun, steps, number }) =>
        [
          `\n// ${symbolOf(name, "go")}: ${doc}.`,
          `func ${symbolOf(name, "go")}(${noun}Value string) []string {`,
          `\tlimit := ${number}`,
          ...[...new Set(steps)].map((step) => `\t${step} := ${noun}Value[:limit]`),
          ...imports
            .slice(0, 1)
            .map((other) => `\t${other.topic.area}.${symbolOf(other.functions[0]!.name, "go")}(${noun}Value)`),
          `\treturn []string{${[...new Set(steps)].join(", ")}}`,
          "}",
        ].join("\n"),
      ),
      "",
    ].join("\n"),
};

function relative(from: string, to: string): string {
  const [folder, other] = [from.split("/")[1], to.split("/")[1]];
  return folder === other ? `./${to.split("/")[2]}` : `../${other}/${to.split("/")[2]}`;
}

function dotted(path: string): string {
  return path.replace(/\.py$/, "").replaceAll("/", ".");
}

function capital(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}

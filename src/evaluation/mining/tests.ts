import type { Item } from "../../item.ts";
import { testedName } from "../../sources/code/test-paths.ts";
import { wholeFileId } from "../../sources/links.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Case, type Mined, type Mining, placeOf } from "../case.ts";
import { Draw, lot } from "../sample.ts";
import { shared, spaced, stemsOf } from "./phrases.ts";

/** A test as a question: its title, the words of its name, and the item whose calls lead to the answer. */
type TestQuestion = {
  key: string;
  query: string;
  about: Set<string>;
  caller: Item;
  /** Only units with this name count: a sentence has many words that happen to be names. */
  naming?: string;
};

/** Many tests cannot be matched to a unit by name, so more are read than are wanted. */
const drawnFrom = 6;
const titlesPerFile = 4;
const fewestTerms = 2;
/** A unit with a hundred tests would be most of the measurement. */
const mostPerUnit = 3;
const batchSize = 200;
const mostLinks = 400;

/**
 * A test's name -> the unit that it calls and is named after. Tests are left out of the answer. Calls are known by
 * name only, so a unit counts only when no other of its name fits as well.
 */
export async function mineTests(workspace: Workspace, { limit, seed, signal }: Mining): Promise<Mined> {
  const { store, owner } = workspace;
  const draw = new Draw<TestQuestion>(limit * drawnFrom, seed);
  let files = 0;
  const paths = (await store.files(owner)).map(({ path }) => path);
  for (let from = 0; from < paths.length; from += batchSize) {
    signal?.throwIfAborted();
    const wholeFiles = await store.items(owner, paths.slice(from, from + batchSize).map(wholeFileId));
    for (const whole of wholeFiles.filter(({ source, test }) => source === "code" && test)) {
      files++;
      for (const question of await testsOf(workspace, whole, seed)) draw.add(question.key, question);
    }
  }
  const cases: Case[] = [];
  const queries = new Set<string>();
  const perUnit = new Map<string, number>();
  for (const question of draw.values()) {
    if (cases.length >= limit) break;
    signal?.throwIfAborted();
    if (queries.has(question.query)) continue;
    queries.add(question.query);
    const unit = await testedBy(workspace, question);
    const before = unit ? (perUnit.get(unit.id) ?? 0) : mostPerUnit;
    if (!unit || before >= mostPerUnit) continue;
    perUnit.set(unit.id, before + 1);
    cases.push(caseOf(question, unit));
  }
  if (files === 0) return { cases, found: 0, why: "There are no tests." };
  const none = `None of ${draw.seen} tests calls something that it is named after.`;
  return { cases, found: draw.seen, ...(cases.length === 0 ? { why: none } : {}) };
}

function caseOf({ key, query }: TestQuestion, unit: Item): Case {
  return {
    id: `test ${key}`,
    kind: "test",
    query,
    expect: [{ place: placeOf(unit), unit: unit.id, shown: unit.qualifiedName }],
    from: key,
    limits: { code: true },
    hidden: [],
  };
}

const testName = /^(?:test|benchmark|should|it|spec|fuzz|example)(?=[_\p{Lu}\p{N}]|$)|^test/u;
const testWord = /^(?:tests?|benchmark|fuzz|it|spec|example)\s+/i;
const scripts = new Set(["javascript", "typescript", "tsx", "jsx"]);

async function testsOf(workspace: Workspace, whole: Item, seed: number): Promise<TestQuestion[]> {
  const { store, owner } = workspace;
  const functions = (await store.itemsOf(owner, whole.path)).filter(
    ({ kind, name }) =>
      (kind === "function" || kind === "method") && // `it parses dates` is a title, and titles are read from the text.
      !/\s/.test(name) &&
      testName.test(lowerFirst(name)),
  );
  if (functions.length > 0) return functions.flatMap((item) => questionFromFunction(item) ?? []);
  if (!scripts.has(whole.language ?? "")) return [];
  const text = (await store.file(owner, whole.path))?.text ?? "";
  return testTitles(text)
    .flatMap((title) => questionFromTitle(title, whole) ?? [])
    .sort((a, b) => lot(seed, a.key) - lot(seed, b.key) || (a.key < b.key ? -1 : 1))
    .slice(0, titlesPerFile);
}

/** `TestBind` and `Benchmark…` are tests as `test_bind` is. */
function lowerFirst(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

function questionFromFunction(caller: Item): TestQuestion | undefined {
  const words = spaced(caller.name).replace(testWord, "");
  const doc = sentenceOf(caller);
  const about = stemsOf(words);
  if (about.size < fewestTerms) return undefined;
  return { key: caller.qualifiedName, query: [words.toLowerCase(), doc].filter(Boolean).join("\n"), about, caller };
}

/** The first sentence of its description, without its own name and what only programmers' tools read. */
function sentenceOf({ name, doc = "" }: Item): string {
  const [first = ""] = /^[^\n]*?[.!?](?=\s|$)|^[^\n]*/.exec(doc.trim()) ?? [];
  return /^(?:todo|fixme|nolint|see|https?:)/i.test(first) ? "" : first.replace(name, "").trim();
}

function questionFromTitle({ groups, title }: TestTitle, caller: Item): TestQuestion | undefined {
  const query = [...groups, title].join(" ");
  if (stemsOf(query).size < fewestTerms) return undefined;
  const stem = caller.name.replace(/\.\w+$/, "").replace(/[.-](?:tests?|spec)$/, "");
  const about = stemsOf(`${stem} ${groups.join(" ")}`);
  return { key: `${caller.path}: ${query}`, query, about, caller, naming: query };
}

/** Which share of a unit's own name a test must be named after. */
const leastOfName = 0.6;

/** The called unit that fits the name best; undefined where two fit alike. */
async function testedBy(
  { store, owner }: Workspace,
  { about, caller, naming }: TestQuestion,
): Promise<Item | undefined> {
  // Tests that are calls with a title are units of their file; the calls inside them belong to them.
  const callers = naming === undefined ? [caller] : await store.itemsOf(owner, caller.path);
  const ids = [...new Set([caller, ...callers].map(({ id }) => id))];
  const links = await store.links(owner, ids, "from", ["calls", "tests"], mostLinks);
  const callees = await store.items(owner, [...new Set(links.map(({ to }) => to))]);
  const units = callees.filter((item) => item.source === "code" && !item.test && item.kind !== "file");
  const namesakes = new Map<string, number>();
  for (const { name } of units) namesakes.set(name, (namesakes.get(name) ?? 0) + 1);
  const fits = units
    .map((item) => ({ item, ...fitOf(item, about) }))
    .filter(({ item, ofName, ofAll }) => ofName >= leastOfName && (namesakes.get(item.name) === 1 || ofAll === 1))
    .filter(({ item, words }) => words > 1 || hasTestedName(item.path, caller.path))
    .filter(({ item }) => naming === undefined || isNamed(item.name, naming))
    .sort((a, b) => b.words - a.words || b.ofAll - a.ofAll || (a.item.id < b.item.id ? -1 : 1));
  const [best, next] = fits;
  if (!best || (next && next.words === best.words && next.ofAll === best.ofAll)) return undefined;
  return best.item;
}

/**
 * `words`: number of words of the qualified name that the test mentions. `ofName`, `ofAll`: as shares of the name's
 * words and of all.
 */
function fitOf({ name, qualifiedName }: Item, about: ReadonlySet<string>) {
  const nameStems = stemsOf(name);
  const all = stemsOf(qualifiedName.slice(qualifiedName.indexOf("::") + 2));
  const words = shared(all, about);
  return {
    words,
    ofName: shared(nameStems, about) / Math.max(1, nameStems.size),
    ofAll: words / Math.max(1, all.size),
  };
}

/** A single word is weak evidence: then the test's file must be named after the file or a folder of the unit. */
function hasTestedName(path: string, test: string): boolean {
  const stem = (name: string) => name.replace(/\.\w+$/, "");
  const file = stem(test.slice(test.lastIndexOf("/") + 1));
  return path
    .split("/")
    .map(stem)
    .includes(testedName(file) ?? file);
}

/** True when the last part of a name stands in the text as it is written. */
function isNamed(name: string, text: string): boolean {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return text.split(/[^\p{L}\p{N}_$]+/u).includes(last);
}

/**
 * Titles of tests that are calls with a sentence, as in JavaScript: `describe("res", …)`, `it("should end the
 * response", …)`.
 */
type TestTitle = {
  /** Titles of the enclosing groups, outermost first. */
  groups: string[];
  title: string;
};

const group = /^(?:describe|context|suite)(?:\.\w+)?$/;
// The title is a literal as the first argument; computed titles are skipped.
const call =
  /^([ \t]*)(?:x|f)?(describe|context|suite|it|test|specify)(?:\.\w+)?\s*\(\s*(["'`])((?:\\.|(?!\3)[^\\\n]){1,300})\3\s*,/gm;

/** A generated file may have any number of tests. */
const mostTitles = 2000;

/** Groups are recognised by indentation, without a parser: a strangely indented test only loses its group. */
export function testTitles(text: string): TestTitle[] {
  const open: { indent: number; title: string }[] = [];
  const titles: TestTitle[] = [];
  for (const [, blanks, name, , written] of text.matchAll(call)) {
    const indent = blanks!.length;
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
    const title = written!.replace(/\\(.)/g, "$1").replace(/\s+/g, " ").trim();
    if (group.test(name!)) open.push({ indent, title });
    else titles.push({ groups: open.map((each) => each.title), title });
    if (titles.length >= mostTitles) break;
  }
  return titles;
}

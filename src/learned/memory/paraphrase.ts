import { editDistance } from "../../text/similarity/levenshtein.ts";
import { strongOperators } from "../../text/similarity/operators.ts";
import { looksLikeCode, readWords, type TextReading, type Word } from "../../text/similarity/read-words.ts";
import { baseForms } from "../../text/similarity/spelling.ts";
import { contrast, isConnecting, isDecisive, isValue } from "../../text/similarity/words.ts";

/**
 * How alike two memories are that differ only by a word added, dropped, moved or replaced. 0 where they differ in more,
 * or in a number, a name, a negation or a value. The score only suggests a duplicate: nothing is merged by it.
 */
export function paraphraseScore(a: string, b: string): number {
  if (a.length > longest || b.length > longest || looksLikeCode(a) || looksLikeCode(b)) return 0;
  const [left, right] = [readWords(a), readWords(b)];
  const size = Math.max(left.words.length, right.words.length);
  if (size < fewest || Math.abs(left.words.length - right.words.length) > 1) return 0;
  if (exactOf(left) !== exactOf(right) || strongOperators(left) !== strongOperators(right)) return 0;
  const { from, lefts, rights } = middle(left.words, right.words);
  // The same words may still differ in punctuation, which is not judged here.
  if (lefts.length + rights.length === 0 || !isHarmless(lefts, rights)) return 0;
  const score = isMove(lefts, rights) ? moved : charactersAlike(left, right, { from, lefts, rights });
  return score >= least ? score : 0;
}

/** Limit of characters, which are compared one by one. */
const longest = 2000;
/** In a shorter text every word matters. */
const fewest = 5;
const least = 0.88;
/** Score of the same words with one moved. */
const moved = 0.98;

/**
 * Numbers, names and the like, in order. A capital alone proves no name: a word put before a sentence takes its
 * beginning away.
 */
function exactOf({ words }: TextReading): string {
  return words
    .filter(({ exact }) => exact)
    .map(({ text }) => text)
    .join(" ");
}

type Middle = { from: number; lefts: readonly Word[]; rights: readonly Word[] };

/** The part between the common beginning and the common end. */
function middle(a: readonly Word[], b: readonly Word[]): Middle {
  const shorter = Math.min(a.length, b.length);
  let from = 0;
  while (from < shorter && a[from]!.text === b[from]!.text) from++;
  let end = 0;
  while (end < shorter - from && a[a.length - 1 - end]!.text === b[b.length - 1 - end]!.text) end++;
  return { from, lefts: a.slice(from, a.length - end), rights: b.slice(from, b.length - end) };
}

function isHarmless(lefts: readonly Word[], rights: readonly Word[]): boolean {
  if (lefts.length === 0 || rights.length === 0) return [...lefts, ...rights].every(mayComeAndGo);
  // An article changes with its noun.
  const [one, other] = [lefts, rights].map((words) => words.filter(({ light }) => light !== 0)) as [Word[], Word[]];
  if (one.length === 1 && other.length === 1) return isSynonym(one[0]!, other[0]!);
  return isMove(lefts, rights);
}

/** A word that adds detail without changing the subject. */
function mayComeAndGo({ text, exact, proper }: Word): boolean {
  if (exact || proper || isDecisive(text) || changing.has(text)) return false;
  return !baseForms(text).some((form) => isValue(form));
}

/** Words that reverse or restrict a statement wherever they are inserted. */
const changing = new Set(
  "non un anti hardly barely rarely seldom almost nearly partly fails failed fail stop stopped former formerly old previous deprecated than".split(
    " ",
  ),
);

function isSynonym(a: Word, b: Word): boolean {
  if (a.exact || b.exact || a.proper || b.proper) return false;
  const [one, other] = [formsOf(a.text), formsOf(b.text)];
  if (one.some((form) => other.includes(form))) return true;
  if (one.some((form) => other.some((word) => synonymGroups.some((group) => group.has(form) && group.has(word)))))
    return true;
  if (isDecisive(a.text) || isDecisive(b.text) || contrast(one, other)) return false;
  return a.light >= 0 && b.light >= 0 && a.light === b.light;
}

/** The same words with one moved: to a neighbouring position, or a word that may stand anywhere. */
function isMove(lefts: readonly Word[], rights: readonly Word[]): boolean {
  if (lefts.length !== rights.length || lefts.length < 2) return false;
  const texts = (words: readonly Word[]) => words.map(({ text }) => text);
  const [one, other] = [texts(lefts), texts(rights)];
  const forwards = [...one.slice(1), one[0]!].join(" ") === other.join(" ");
  const backwards = [one.at(-1)!, ...one.slice(0, -1)].join(" ") === other.join(" ");
  if (!forwards && !backwards) return false;
  const mover = forwards ? lefts[0]! : lefts.at(-1)!;
  const others = forwards ? lefts.slice(1) : lefts.slice(0, -1);
  if ([mover, ...others].some(({ text, exact, proper }) => isDecisive(text) || exact || proper)) return false;
  if (others.some(({ text }) => contrast(baseForms(text), baseForms(mover.text)))) return false;
  return others.length === 1 || isConnecting(mover.text) || mover.text.endsWith("ly") || roaming.has(mover.text);
}

/** Adverbs of time or manner, which may stand anywhere in a sentence. */
const roaming = new Set(
  "now today again often usually also already still later soon together there here once".split(" "),
);

/** The share of equal characters, ignoring punctuation and case. */
function charactersAlike(a: TextReading, b: TextReading, { lefts, rights }: Middle): number {
  const joined = (words: readonly Word[]) => words.map(({ text }) => text).join(" ");
  const length = Math.max(joined(a.words).length, joined(b.words).length);
  const space = Number(lefts.length === 0 || rights.length === 0);
  return 1 - (editDistance(joined(lefts), joined(rights)) + space) / length;
}

/** With the verb that an irregular form is of. */
function formsOf(word: string): string[] {
  const verb = irregularForms.get(word);
  return verb === undefined ? baseForms(word) : [...baseForms(word), verb];
}

const irregularForms = new Map(
  (
    "be: is are was were been; begin: began begun; break: broke broken; bring: brought; build: built; buy: bought; choose: chose chosen; come: came; do: did done; " +
    "fall: fell fallen; find: found; get: got gotten; give: gave given; go: went gone; hold: held; keep: kept; know: knew known; lead: led; leave: left; lose: lost; " +
    "make: made; mean: meant; meet: met; pay: paid; rise: rose risen; run: ran; say: said; see: saw seen; sell: sold; send: sent; show: shown showed; speak: spoke spoken; " +
    "spend: spent; stand: stood; take: took taken; teach: taught; tell: told; think: thought; understand: understood; wear: wore worn; write: wrote written"
  )
    .split("; ")
    .flatMap((line) => {
      const [verb, forms] = line.split(": ") as [string, string];
      return forms.split(" ").map((form) => [form, verb] as const);
    }),
);

/** The words of a line are synonyms in a sentence about work. Base forms. */
const synonymGroups = `
store save; compute calculate; verify check confirm validate; shorten abbreviate; replace substitute; connect link; ensure guarantee; estimate guess; prevent avoid;
skip omit; watch observe monitor; sort arrange; search seek; combine unite; repeat redo; decide determine; agree consent; say state mention; contact reach; invoice bill;
meeting appointment; colleague coworker; staff personnel employees; guide manual handbook; goal aim objective; reason cause; result outcome; issue problem trouble;
part piece portion; kind type; way manner method; place location; beginning start; difference distinction; example instance; limit cap ceiling; amount quantity; fee charge;
nightly overnight; yearly annually; everybody everyone; anybody anyone; somebody someone; mostly mainly largely primarily chiefly; unusual uncommon rare; typical common;
empty blank; strange odd weird; ready prepared; certain sure; likely probable; obvious evident clear; exact precise; broad wide; careful cautious; costly expensive;
cheap inexpensive; further additional extra; several multiple various; via through; within inside; although though; whereas while; until till;
use utilize utilise employ apply; big large huge; small little tiny; fast quick rapid; fix mend repair; show display; start begin launch; make create build;
need require; keep retain preserve; get obtain receive; buy purchase; help assist; send transmit; find locate discover; tell inform notify; about roughly
approximately around; each every; also too additionally; stop halt cease; change modify alter edit; choose pick select; allow permit let; deny refuse reject decline;
delete remove erase; broken faulty defective; error mistake fault; often frequently; usually normally generally; happen occur; look check inspect examine; try attempt;
end finish complete conclude; job task; person people; car vehicle; phone telephone; picture image; mail email; website site; folder directory; computer machine;
developer engineer programmer; customer client; boss manager; salary wage; gather collect; answer reply respond; ask request; explain describe; forbid prohibit ban;
improve enhance; speed accelerate; total overall whole entire; wrong incorrect; right correct; necessary needed required; enough sufficient; because since as;
therefore so hence thus; however but yet; before prior; later afterwards; currently now presently; immediately instantly; quickly rapidly swiftly fast; slowly gradually;
automatically itself; manually hand; simple easy; hard difficult; important essential crucial vital; main principal chief; separate distinct; live reside; come arrive;
go travel; give provide supply; put place; hold contain; run execute; read peruse; write author; speak talk; wish want desire; like enjoy; prefer favour favor
`
  .trim()
  .split(/;\s*/)
  .map((group) => new Set(group.split(/\s+/)));

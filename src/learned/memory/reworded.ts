import { editDistance } from "../../text/similarity/levenshtein.ts";
import { strongOperators } from "../../text/similarity/operators.ts";
import { looksLikeCode, readWords, type TextReading, type Word } from "../../text/similarity/read-words.ts";
import { baseForms } from "../../text/similarity/spelling.ts";
import { contrast, isConnecting, isDecisive, isValue } from "../../text/similarity/words.ts";

/**
 * Whether one memory is another with a word added, dropped, moved or put in other words: worth asking whether they are the same. It only ever
 * offers: nothing is merged by it. What differs in a number, a name, a negation or a value is never the same, however alike it looks.
 */
export function reworded(a: string, b: string): number {
  if (a.length > longest || b.length > longest || looksLikeCode(a) || looksLikeCode(b)) return 0;
  const [left, right] = [readWords(a), readWords(b)];
  const size = Math.max(left.words.length, right.words.length);
  if (size < fewest || Math.abs(left.words.length - right.words.length) > 1) return 0;
  if (exactOf(left) !== exactOf(right) || strongOperators(left) !== strongOperators(right)) return 0;
  const { from, lefts, rights } = middle(left.words, right.words);
  // The same words are told apart, if at all, by what stands between them: that is not for here to say.
  if (lefts.length + rights.length === 0 || !isHarmless(lefts, rights)) return 0;
  const alike = isMove(lefts, rights) ? moved : charactersAlike(left, right, { from, lefts, rights });
  return alike >= least ? alike : 0;
}

/** As many characters as are compared one by one. */
const longest = 2000;
/** Of fewer words every one is the message. */
const fewest = 5;
const least = 0.88;
/** The same words, one of them elsewhere. */
const moved = 0.98;

/** Numbers, names and what is written like them, in their order. */
function exactOf({ words }: TextReading): string {
  return words
    .filter(({ exact, proper }) => exact || proper)
    .map(({ text }) => text)
    .join(" ");
}

type Middle = { from: number; lefts: readonly Word[]; rights: readonly Word[] };

/** What stands between the words that both begin and end with. */
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

/** A word that says more of the same thing, not another thing. */
function mayComeAndGo({ text, exact, proper }: Word): boolean {
  if (exact || proper || isDecisive(text) || changing.has(text)) return false;
  return !baseForms(text).some((form) => isValue(form));
}

/** Turn what is said round, or narrow it down, wherever they come in. */
const changing = new Set(
  "non un anti hardly barely rarely seldom almost nearly partly fails failed fail stop stopped former formerly old previous deprecated than".split(
    " ",
  ),
);

function isSynonym(a: Word, b: Word): boolean {
  if (a.exact || b.exact || a.proper || b.proper) return false;
  const [one, other] = [baseForms(a.text), baseForms(b.text)];
  if (one.some((form) => other.includes(form))) return true;
  if (one.some((form) => other.some((word) => synonymGroups.some((group) => group.has(form) && group.has(word)))))
    return true;
  if (isDecisive(a.text) || isDecisive(b.text) || contrast(one, other)) return false;
  return a.light >= 0 && b.light >= 0 && a.light === b.light;
}

/** The same words with one of them moved: next to where it was, or a word that may stand anywhere. */
function isMove(lefts: readonly Word[], rights: readonly Word[]): boolean {
  if (lefts.length !== rights.length || lefts.length < 2) return false;
  const texts = (words: readonly Word[]) => words.map(({ text }) => text);
  const [one, other] = [texts(lefts), texts(rights)];
  const forwards = [...one.slice(1), one[0]!].join(" ") === other.join(" ");
  const backwards = [one.at(-1)!, ...one.slice(0, -1)].join(" ") === other.join(" ");
  if (!forwards && !backwards) return false;
  const mover = forwards ? lefts[0]! : lefts.at(-1)!;
  const passed = forwards ? lefts.slice(1) : lefts.slice(0, -1);
  if ([mover, ...passed].some(({ text, exact, proper }) => isDecisive(text) || exact || proper)) return false;
  if (passed.some(({ text }) => contrast(baseForms(text), baseForms(mover.text)))) return false;
  return passed.length === 1 || isConnecting(mover.text) || mover.text.endsWith("ly") || roaming.has(mover.text);
}

/** Say when or how, from any place in a sentence. */
const roaming = new Set(
  "now today again often usually also already still later soon together there here once".split(" "),
);

/** The share of characters that are the same, punctuation and case apart. */
function charactersAlike(a: TextReading, b: TextReading, { lefts, rights }: Middle): number {
  const written = (words: readonly Word[]) => words.map(({ text }) => text).join(" ");
  const length = Math.max(written(a.words).length, written(b.words).length);
  const space = Number(lefts.length === 0 || rights.length === 0);
  return 1 - (editDistance(written(lefts), written(rights)) + space) / length;
}

/** Words of one line say the same in a sentence about work. Base forms. */
const synonymGroups = `
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

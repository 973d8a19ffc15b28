/** Word lists by their role in a statement. Kept small: a word in none of them is compared literally. */

const words = (list: string) => new Set(list.split(" "));

/** Words without meaning for the statement. */
export const fillers = words(
  "the a an our my your we i you us currently now just also please always still really simply generally must should shall will ought have-to need-to do does did s there then so and too yet already actually both here",
);
/** Kept, because they relate a value to its subject, but no subject by themselves. */
export const relations = words(
  "be of for on in with to at after before every per between from by within as into onto via under over using can may might could would about than if when unless while until only except through during against across not or",
);
export const copulas = words("is are be am equals equal : lives live located resides reside sits stays remains");
/** After a copula these only mean "is": is called, is set to. */
export const namings = words("called named set configured defined specified");
export const negators = words("not never no cannot without nor neither none");
/** Pronouns whose antecedent is in another sentence. */
export const pronouns = words("he she it they him them his her hers its their theirs this that these those");
/** Nouns that are definite after `this`. */
export const ownNouns = words(
  "project repo repository codebase workspace app application team package library product monorepo",
);
/** With these a statement and its denial can both be true. */
export const quantifiers = words(
  "some most many few several sometimes often usually rarely occasionally partly mostly all any each half",
);
/** Words that one of two statements may add without changing the subject. */
export const generic = words(
  "server service system project repo repository app application codebase code value setting option user team name size file",
);
/** Nouns followed by a number that is a name, not a value. */
export const numbered = words(
  "issue pr ticket bug step chapter section line phase case task milestone sprint figure page row column commit",
);
/** Verbs and nouns that allow several values at once. */
export const additive = words(
  "support supports handle handles know knows fail fails break breaks crash crashes happen happens work works depend depends read reads import imports export exports speak speaks play plays visit visited include includes contain contains tested see sees find finds hit hits reproduce reproduces return returns send sends add adds ask asks press learn learns cover covers explain explains describe describes flaky like likes love loves enjoy enjoys have has try tries contribute contributes implement implements exist exists throw throws emit emits accept accepts parse parses show shows affect affects block blocks fix fixes cause causes integrate integrates provide provides offer offers",
);
/** The same for numbers. */
export const additiveNumbers = words(
  "support supports handle handles know knows fail fails break breaks crash crashes work works depend depends see sees find finds hit hits reproduce reproduces return returns send sends ask asks press learn learns cover covers explain explains flaky throw throws fix fixes cause causes block blocks affect affects tested",
);
/** Verbs that take a value without a preposition. */
export const verbs =
  /^(prefer|use|want|need|require|run|take|have|has|indent|write|store|put|keep|build|deploy|target|call|retry|wait|sleep|set|sort|format|open|close|expire|last|cost|hold|allow|accept|start|begin|end|follow|serve|default|limit|change|weigh|measure|contain|consume|pay|earn|proof|bake|heat|cool|wake|sleep|get|choose|pick|install|upload|resize|round|truncate|pad|wrap|encode|publish|schedule|poll|refresh|rotate|cap|like|make|add|give|drink|eat)(e?s|d|ed|ing)?$/;
/** Adjectives that allow one value at a time. */
export const single = words("default favourite favorite preferred main primary current only official canonical");
/** Purposes for which several things are used. */
export const broadRoles = words(
  "development develop testing test work project production deployment deploy build builds monitoring it everything this that automation ci scripts tooling example examples",
);
export const inexact = words("about around roughly approximately approx circa nearly almost ~ ca some");
export const comparing = words("than over under above below least most");

/** The words of a line exclude each other. Synonyms are joined with `/`. */
const exclusiveLines = `
tabs/tab spaces/space
single double backtick
on/enabled/active/enable off/disabled/inactive/disable
true false
allowed/permitted/fine/allow/permit forbidden/prohibited/disallowed/banned/forbid/prohibit/disallow
required/mandatory/obligatory optional/voluntary forbidden/prohibited/disallowed/banned
public private internal
sync/synchronous async/asynchronous
ascending descending
light dark
lowercase uppercase
camelcase snake_case kebab-case pascalcase
squash rebase
hourly daily nightly weekly biweekly monthly quarterly yearly/annually
monday/mondays tuesday/tuesdays wednesday/wednesdays thursday/thursdays friday/fridays saturday/saturdays sunday/sundays
debug info warning error trace fatal
left right
horizontal vertical
manual/manually automatic/automatically
short/brief/terse/concise long/verbose/detailed/lengthy
formal informal
strict lenient loose
eager/eagerly lazy/lazily
mutable immutable
relative absolute
inclusive exclusive
metric imperial
british american
monolith microservices
red green blue yellow orange purple black white
opt-in opt-out
increase decrease
merge-commit fast-forward
local remote
stateful stateless
open closed
safe unsafe
supported unsupported
encrypted unencrypted/plaintext
cached uncached
signed unsigned
wet dry
hot cold
odd even
north south east west
german english french spanish italian portuguese dutch polish danish swedish japanese chinese korean russian turkish
`;

type Exclusive = { set: number; member: number };

const places = new Map<string, Exclusive[]>();
for (const [set, line] of exclusiveLines.trim().split("\n").entries()) {
  for (const [member, same] of line.split(" ").entries()) {
    for (const word of same.split("/")) places.set(word, [...(places.get(word) ?? []), { set, member }]);
  }
}

/** The relation of two words: they exclude each other, mean the same, or neither is known. */
export function compareWords(a: string, b: string): "exclusive" | "same" | undefined {
  for (const one of places.get(a) ?? []) {
    const other = places.get(b)?.find(({ set }) => set === one.set);
    if (other) return one.member === other.member ? "same" : "exclusive";
  }
  return undefined;
}

/** Instructions that undo each other. */
export const opposites = new Map(
  "enable:disable allow:forbid increase:decrease show:hide keep:drop include:exclude accept:reject start:stop lock:unlock open:close enter:leave encourage:discourage permit:prohibit pin:unpin trust:distrust love:hate like:dislike"
    .split(" ")
    .flatMap((pair) => {
      const [one, other] = pair.split(":") as [string, string];
      return [
        [one, other],
        [other, one],
      ];
    }),
);

/** Different words for the same thing. */
export const synonyms = new Map(
  "licence:license colour:color favourite:favorite k8s:kubernetes postgres:postgresql js:javascript ts:typescript repo:repository maximum:max minimum:min config:configuration directory:folder prod:production dev:development db:database doc:docs utilise:use utilize:use authentication:auth parameter:argument"
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

export const numberWords = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, value) => [word, value]),
);

/** Irregular past forms. */
export const pastForms = words(
  "was were had ran took went met bought got made saw said told broke began became grew fell rose came gave left lost won wrote built found spent sold paid held kept sent hit cut felt thought knew chose woke ate drank drove flew",
);
export const months =
  /^(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)$/;
export const moments = words("yesterday today tonight tomorrow ago last recently earlier");

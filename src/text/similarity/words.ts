/**
 * Word lists for comparing two texts. They are English, as most records are; words of other languages are in no list
 * and so must be equal.
 */

/** Words that may be added or removed without a change of meaning. The last ones are common typos of the others. */
const free = words(
  "a an the this that these those its our your their my is are was were be been being am has have had do does did will " +
    "please also just so very really quite simply basically actually currently already there here which " +
    "teh hte taht thsi adn",
);

/**
 * Words that may be added or removed, but not replaced by each other: `wait for`, `wait to`. Words of one group may
 * replace each other.
 */
const linking = ["in on at within", "of", "to", "for", "and", "i", "we", "you", "it", "they"].map(words);

/** Words that change the meaning of a sentence at any place. */
const decisive = new Set(
  words(
    "not no never none nothing nobody nor neither without except unless only always sometimes must may should shall might " +
      "can could would before after until since all any every more less most least or if instead unlike but",
  ),
);

/** Function words that hold a sentence together; a name never replaces them. */
const connecting = new Set(
  words(
    "with from into onto than then when where while what who whose whom how why each both such same other another because through " +
      "between about against among over under again them",
  ),
);

/** Contractions and their full forms. */
const contractions = new Map(
  Object.entries({
    dont: "do not",
    doesnt: "does not",
    didnt: "did not",
    isnt: "is not",
    arent: "are not",
    wasnt: "was not",
    werent: "were not",
    hasnt: "has not",
    havent: "have not",
    hadnt: "had not",
    wont: "will not",
    cant: "can not",
    cannot: "can not",
    couldnt: "could not",
    shouldnt: "should not",
    wouldnt: "would not",
    mustnt: "must not",
    neednt: "need not",
    ive: "i have",
    weve: "we have",
    youve: "you have",
    theyve: "they have",
    youre: "you are",
    theyre: "they are",
    im: "i am",
    thats: "that is",
    theres: "there is",
  }).map(([word, meaning]) => [word, words(meaning)] as const),
);

/** Words of one line are about the same subject but differ in meaning. Base forms. */
const contrasts = [
  "enable disable",
  "allow deny forbid permit block reject accept",
  "add remove delete append prepend insert drop",
  "increase decrease raise lower reduce grow shrink",
  "before after",
  "start stop restart pause resume begin end finish",
  "open close reopen",
  "lock unlock",
  "read write",
  "get set put post patch delete",
  "push pull fetch",
  "upload download",
  "import export",
  "encode decode",
  "encrypt decrypt",
  "compress decompress",
  "serialize deserialize",
  "install uninstall",
  "mount unmount",
  "attach detach",
  "connect disconnect",
  "subscribe unsubscribe",
  "include exclude",
  "show hide",
  "split join merge",
  "create destroy",
  "pass fail succeed",
  "win lose",
  "first last second third next previous final",
  "minimum maximum min max average median mean",
  "left right",
  "top bottom middle",
  "up down",
  "inner outer",
  "internal external",
  "public private protected",
  "local remote global",
  "input output",
  "prefix suffix infix",
  "upper lower",
  "ascending descending asc desc",
  "forward backward",
  "inbound outbound incoming outgoing",
  "client server proxy",
  "frontend backend",
  "sender receiver recipient",
  "source target destination",
  "parent child sibling",
  "user admin guest root owner member viewer editor",
  "dev development test testing staging prod production qa",
  "tab space",
  "true false null undefined",
  "yes no",
  "on off",
  "sync async synchronous asynchronous",
  "static dynamic",
  "stateful stateless",
  "mutable immutable",
  "optional required mandatory",
  "valid invalid",
  "safe unsafe",
  "known unknown",
  "success failure error warning info debug trace",
  "fast slow",
  "old new",
  "high low medium",
  "large small",
  "long short",
  "early late",
  "strong weak",
  "strict loose lenient",
  "hard soft",
  "hot cold warm",
  "single double triple multiple",
  "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty hundred thousand million billion",
  "once twice",
  "half quarter",
  "nanosecond microsecond millisecond second minute hour day week month year quarter",
  "hourly daily weekly monthly yearly nightly",
  "byte kilobyte megabyte gigabyte terabyte bit",
  "monday tuesday wednesday thursday friday saturday sunday",
  "january february march april may june july august september october november december",
  "spring summer autumn winter",
  "morning afternoon evening night noon midnight",
  "north south east west",
  "red green blue yellow black white orange purple grey gray",
  "row column",
  "width height depth",
  "horizontal vertical",
  "header footer body",
  "request response",
  "http https",
  "tcp udp",
  "ssh ssl tls",
  "cpu gpu ram disk memory",
  "json yaml yml toml xml csv html markdown",
  "mysql mssql postgres postgresql sqlite mariadb oracle mongodb redis memcached cassandra",
  "linux windows macos unix android ios darwin ubuntu debian alpine fedora",
  "python ruby java javascript typescript go golang rust kotlin swift scala perl php elixir erlang haskell",
  "npm pnpm yarn bun pip poetry cargo maven gradle",
  "jest vitest mocha pytest unittest junit cypress playwright",
  "next nuxt nest react redux preact vue angular svelte remix",
  "eslint biome prettier black ruff flake pylint mypy",
  "docker podman kubernetes nomad",
  "aws azure gcp heroku",
  "github gitlab bitbucket",
  "kafka rabbitmq nats sqs",
  "main master develop trunk",
  "major minor patch",
  "commit branch tag",
  "unit integration",
  "mean sum total count",
  "list tuple array map dictionary queue stack heap tree",
  "int integer float double string boolean char",
  "signed unsigned",
  "soft hard",
  "primary secondary replica leader follower",
  "blue green canary",
].map(words);

/** Words that only look like plurals: `windows` is not a plural of `window`. */
export const notPlural = new Set(["windows", "https", "news", "rails", "always", "redis", "alias", "canvas", "series"]);

function words(line: string): string[] {
  return line.trim().split(/\s+/);
}

const lightClasses = new Map<string, number>([
  ...free.map((word) => [word, 0] as const),
  ...linking.flatMap((group, index) => group.map((word) => [word, index + 1] as const)),
]);

/**
 * 0 for a word that may be added or removed; a positive group number for a linking word, which may only be replaced by
 * a word of its group; -1 for all others.
 */
export function lightClass(word: string): number {
  return lightClasses.get(word) ?? -1;
}

export const lightWords: readonly string[] = [...lightClasses.keys()];

export function isDecisive(word: string): boolean {
  return decisive.has(word);
}

export function isConnecting(word: string): boolean {
  return connecting.has(word) || decisive.has(word) || lightClasses.has(word);
}

/** `dont` as `do`, `not`; undefined for other words. */
export function contractionOf(word: string): readonly string[] | undefined {
  return contractions.get(word);
}

/** All contractions and the words of their full forms. */
export const contractedWords: readonly string[] = [...new Set([...contractions].flat(2))];

const groupsOf = new Map<string, Set<number>>();
for (const [index, group] of contrasts.entries())
  for (const word of group) groupsOf.set(word, (groupsOf.get(word) ?? new Set()).add(index));

/** Whether a word is one of a set of alternatives: a colour, a weekday, an environment. */
export function isValue(word: string): boolean {
  return [...(groupsOf.get(word) ?? [])].some((group) => group >= firstOfValues);
}

/** The groups before this index are verbs: a sentence that lacks one is incomplete, but not another sentence. */
const firstOfValues = contrasts.findIndex(([word]) => word === "first");

/** Whether two different words (in any of their base forms) are in one line of the contrasts. */
export function contrast(a: readonly string[], b: readonly string[]): boolean {
  for (const left of a) {
    const groups = groupsOf.get(left);
    if (groups === undefined) continue;
    for (const right of b) {
      if (left === right) continue;
      for (const group of groupsOf.get(right) ?? []) if (groups.has(group)) return true;
    }
  }
  return false;
}

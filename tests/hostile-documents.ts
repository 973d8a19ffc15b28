import { type Random, random as seededRandom } from "../bench/shared/random.ts";
import type { Enriched, Kind } from "../src/item.ts";
import { kinds } from "../src/item.ts";
import type { Request } from "../src/options.ts";
import { evidence, requestFor } from "./pipeline/evidence.ts";

/**
 * Random ranked items whose text, names and paths try to break out of every format. The same seed gives the same items.
 */

export type Hostile = { ranked: Enriched[]; request: Request };

/** One document in this many has a line of a million characters. */
const rareGiant = 2000;

export function hostileDocument(seed: number): Hostile {
  const random = seededRandom(seed);
  const giant = seed % rareGiant === rareGiant - 1;
  const large = random.chance(0.1);
  const files = Array.from({ length: random.between(1, large ? 4 : 2) }, (_, i) => file(random, i, large, giant));
  const ranked: Enriched[] = [];
  for (const one of files) {
    for (let i = random.between(1, large ? 6 : 3); i > 0; i--) ranked.push(piece(random, one, ranked.length));
  }
  ranked.sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1));
  return { ranked, request: requestFor(options(random)) };
}

function options(random: Random): Partial<Request> {
  return {
    maxTokens: Math.round(64 * 32 ** random.next()),
    includeImports: random.chance(0.8),
    includeSources: random.chance(0.8),
    includeCodeContent: random.chance(0.95),
    includeRelated: random.chance(0.8),
    groupByType: random.chance(0.8),
    truncation: random.pick(["signature-first", "bookend", "head"] as const),
    ...(random.chance(0.1) ? { expandTokens: random.between(0, 299) } : {}),
  };
}

type File = {
  path: string;
  lines: string[];
  language: string | undefined;
  freshness: Enriched["freshness"];
  source: "code" | "file";
};

function file(random: Random, index: number, large: boolean, giant: boolean): File {
  const lines = Array.from({ length: random.between(1, large ? 200 : 24) }, () => line(random));
  if (giant)
    lines[random.between(0, lines.length - 1)] = random
      .pick(["a", "é", "= ", "]]>", "```", "漢字", "f(x);", "\ud83d"])
      .repeat(1_000_000)
      .slice(0, 1_000_000);
  return {
    path: `${random.pick(["src/pay.ts", "lib/a b.py", "docs/x.md", "we\"ird'<&>.go", "new\nline.rs", "a`b`[c].ts", "\ud800.c", "深/い.rb", "a*b_c.js"])}${index}`,
    lines,
    language: random.pick([undefined, "python", "typescript", "markdown", "go", "html", "no such ``` language"]),
    freshness: random.pick(["current", "current", "moved", "stored"] as const),
    source: random.chance(0.1) ? "file" : "code",
  };
}

function piece(random: Random, { path, lines, language, freshness, source }: File, count: number): Enriched {
  const whole = random.chance(0.1);
  const start = whole ? 0 : random.between(0, lines.length - 1);
  const end = whole ? lines.length : Math.min(lines.length, start + random.between(1, 25));
  const context = whole ? 0 : random.between(0, 3);
  const kind: Kind = whole
    ? random.pick(["file", "document", "config"] as const)
    : random.pick(kinds.filter((kind) => kind !== "file"));
  return evidence({
    path,
    kind,
    name: `${random.pick(names)}${random.chance(0.05) ? "long ".repeat(200) : ""}`,
    line: start + 1,
    text: lines.slice(start, end).join("\n"),
    before: lines.slice(Math.max(0, start - context), start),
    after: lines.slice(end, end + context),
    score: Math.round(random.next() * 1000) / 1000,
    distance: random.chance(0.2) ? 1 : 0,
    freshness,
    imports: Array.from(
      { length: random.between(0, 3) },
      (_, i) =>
        `${random.pick(["import x from 'pay'", "from a import b", "use ]]>;", "import `y`", "#include </context>"])}${i}`,
    ),
    related: Array.from({ length: random.between(0, 3) }, () => random.pick(names)),
    item: {
      id: `cod-${random
        .between(0, 36 ** 3 - 1)
        .toString(36)
        .padStart(4, "0")}${count.toString(36).padStart(4, "0")}`,
      source,
      ...(language ? { language } : {}),
      ...(random.chance(0.5) ? { signature: lines[start]! } : {}),
      ...(random.chance(0.3) ? { doc: `${line(random)}. ${line(random)}` } : {}),
    },
  });
}

function line(random: Random): string {
  const indent = random.pick(["", "", "  ", "    ", "\t"]);
  return (
    indent +
    Array.from({ length: random.between(0, 5) }, () => random.pick(fragments)).join(random.pick([" ", "", ", "]))
  );
}

const names = [
  "processPayment",
  "__init__",
  'say"hi"',
  "two\nlines",
  "`tick`",
  "[cod-1k3f]",
  "a<b>&c",
  "]]>",
  "名前",
  "=== end ===",
  "\ud800half",
  "",
  "😀",
  "### x",
];

const fragments = [
  ..."payment process function return const if (a && b) { } => x.y() == != // /* */ # def class: 'text' \"quoted\" 12345 0xff".split(
    " ",
  ),
  "```",
  "````js",
  "~~~",
  "]]>",
  "<![CDATA[",
  "</code></entity></context>",
  "<|endoftext|>",
  "<|im_start|>system",
  "### function: fake [cod-0000]",
  "=== function: fake [cod-0000] ===",
  "@@12-13 [cod-0000] in Fake",
  "====",
  "---",
  "**Sources:**",
  '"}],"items":[',
  "\\",
  "\\u0000",
  "&amp;",
  "<!--",
  "-->",
  "\u0000",
  "\u0007",
  "\u001b[31m",
  "\ufeff",
  "\u2028",
  "\u0085",
  "\r",
  "\v",
  "\ud800",
  "\udc00",
  "\ufffe",
  "😀",
  "👩‍👩‍👧",
  "🇩🇪",
  "漢字仮名",
  "한국어",
  "ไทย",
  "e\u0301\u0301",
  "مرحبا",
  " ".repeat(40),
  "a".repeat(60),
  "/",
  "//",
  "password = 'hunter2'",
  "AKIAIOSFODNN7EXAMPLE",
  "payments are processed here",
];

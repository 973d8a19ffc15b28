import { type Candidate, type Item, isProse, sourceTraits } from "../../item.ts";
import type { Query } from "../../text/analysis/query.ts";

/**
 * A language, or several that one product is written in together: the ids of their files, and how a question names
 * them.
 */
type Family = { languages: readonly string[]; named: RegExp };

// Names that are also everyday words or letters count only in phrases that leave no doubt: "in Go", "the C library".
const families: readonly Family[] = [
  { languages: ["python"], named: /\bpython3?\b/i },
  {
    languages: ["typescript", "tsx", "javascript", "jsx", "vue", "svelte"],
    named: /\b(?:type|java)script\b|\bnode\.?js\b|\bnode (?=client|sdk|worker|library|package|version|implementation)/i,
  },
  {
    languages: ["go"],
    named:
      /\bgolang\b|\bin Go\b|\bthe Go (?=client|code|sdk|worker|library|package|version|implementation|server|binding)/,
  },
  { languages: ["java"], named: /\bjava\b/i },
  { languages: ["kotlin"], named: /\bkotlin\b/i },
  { languages: ["scala"], named: /\bscala\b/i },
  { languages: ["rust"], named: /\b(?:in|the) rust\b|\bRust\b/ },
  { languages: ["ruby"], named: /\bruby\b/i },
  { languages: ["php"], named: /\bphp\b/i },
  { languages: ["swift"], named: /\b(?:in|the) Swift\b/ },
  { languages: ["dart"], named: /\b(?:in|the) Dart\b/ },
  { languages: ["elixir"], named: /\belixir\b/i },
  { languages: ["lua"], named: /\blua\b/i },
  { languages: ["csharp"], named: /(?<!\w)c#(?!\w)|\bcsharp\b|\bdotnet\b|(?<!\w)\.net\b/i },
  { languages: ["cpp"], named: /(?<!\w)c\+\+(?!\w)|\bcpp\b/i },
  {
    languages: ["c"],
    named: /\bin C\b(?![+#])|\bthe C (?=client|code|library|version|implementation|binding|extension|api)/i,
  },
];

/**
 * Factor for code in another language than the one that the question names, in a workspace that is written in several.
 */
const otherLanguage = 0.6;
/**
 * The least share of the found code that must be in the named language: below it, the question is about the language
 * itself.
 */
const leastShare = 0.1;

/**
 * "How does the Python worker extend locks", in a product that is written in several languages: each has the same
 * functions with the same words, and only one of them is meant. A file whose path names the language is about it,
 * whatever it is written in.
 */
export function languageFactor(candidates: readonly Candidate[], { text, shape }: Query): (item: Item) => number {
  const named = shape === "question" ? families.filter((family) => family.named.test(text)) : [];
  if (named.length === 0) return () => 1;
  const meant = new Set(named.flatMap(({ languages }) => languages));
  const isMeant = ({ language = "" }: Item) => meant.has(language);
  const own = candidates.filter(({ item }) => isOwnCode(item));
  const share = own.filter(({ item }) => isMeant(item)).length / Math.max(1, own.length);
  if (share < leastShare) return () => 1;
  const isAbout = ({ path }: Item) => {
    const words = path.replace(/[/_.-]+/g, " ");
    return named.some((family) => family.named.test(words));
  };
  return (item) => (!isCode(item) || isMeant(item) || isAbout(item) ? 1 : otherLanguage);
}

function isCode(item: Item): boolean {
  return sourceTraits[item.source].lines === "code" && !isProse(item);
}

function isOwnCode(item: Item): boolean {
  return isCode(item) && !item.test && item.role === undefined;
}

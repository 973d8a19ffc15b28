import { extractComponent } from "./code/components.ts";
import type { Extraction } from "./code/extraction.ts";
import { extractGeneric } from "./code/generic.ts";
import { expectGrammars, loadGrammar } from "./code/grammars.ts";
import { rulesOf } from "./code/languages/all.ts";
import { detectLanguage, type Grammar, grammarOf, type LanguageId } from "./code/languages.ts";
import { extractSyntax } from "./code/syntax.ts";
import { configLanguage, extractConfig } from "./file/config.ts";
import { extractManual, looksManual } from "./file/manual.ts";
import { extractMarkdown } from "./file/markdown.ts";
import {
  extractAsciidoc,
  extractHtml,
  extractLatex,
  extractOrg,
  extractPlain,
  extractRdoc,
  extractRestructured,
  looksRestructured,
} from "./file/markup.ts";
import { extractNotebook } from "./file/notebook.ts";
import { extractPerl, extractPod } from "./file/pod.ts";

type TextReader = (path: string, text: string) => Extraction;

const documents: Record<string, TextReader> = {
  ".md": extractMarkdown,
  ".markdown": extractMarkdown,
  ".mdx": extractMarkdown,
  ".mkd": extractMarkdown,
  ".rmd": extractMarkdown,
  ".qmd": extractMarkdown,
  ".rst": extractRestructured,
  ".rest": extractRestructured,
  ".adoc": extractAsciidoc,
  ".asciidoc": extractAsciidoc,
  ".asc": extractAsciidoc,
  ".org": extractOrg,
  ".rdoc": extractRdoc,
  ".pod": extractPod,
  ".tex": extractLatex,
  ".html": extractHtml,
  ".htm": extractHtml,
  ".xhtml": extractHtml,
  ".txt": extractText,
  ".text": extractText,
  "": extractText,
};

/** Extensions of manual pages: the number of their chapter. Old log files have the same extensions. */
const manualName = /\.(?:[1-8][a-z]{0,2}|man|mdoc|roff)$/;

function extractText(path: string, text: string): Extraction {
  if (manualName.test(path) && looksManual(text)) return extractManual(path, text);
  if (looksRestructured(text)) return extractRestructured(path, text);
  return extractPlain(path, text);
}

function extensionOf(path: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = file.lastIndexOf(".");
  return dot > 0 ? file.slice(dot) : "";
}

/** True when the name decides how the file is read; other files are plain text. */
export function extractable(path: string): boolean {
  return (
    configLanguage(path) !== undefined ||
    Object.hasOwn(documents, extensionOf(path)) ||
    detectLanguage(path) !== undefined
  );
}

/**
 * Fewest files of a grammar for which it is loaded in advance: with fewer, this thread may not need it, since other
 * threads read files too.
 */
const fewestOfGrammar = 4;

/** Bytes of a language from which an optimised grammar saves more time than optimising it takes. */
const muchForGrammar = 1024 * 1024;

type GrammarUse = { grammar: Grammar; files: number; bytes: number; isMuch: boolean };

/** How many files and bytes each grammar will read, the grammar with the most bytes first. */
export function grammarUses(files: readonly { path: string; size: number }[]): GrammarUse[] {
  const uses = new Map<Grammar, GrammarUse>();
  for (const { path, size } of files) {
    const language = detectLanguage(path);
    const grammar = language && rulesOf[language] && grammarOf(language, path);
    if (!grammar) continue;
    const before = uses.get(grammar);
    const bytes = (before?.bytes ?? 0) + size;
    uses.set(grammar, { grammar, files: (before?.files ?? 0) + 1, bytes, isMuch: bytes >= muchForGrammar });
  }
  return [...uses.values()].sort((a, b) => b.bytes - a.bytes);
}

/** Begins to load the grammars that many of these files need, so that they are compiled while other files are read. */
export function prepareGrammars(files: readonly { path: string; size: number }[]): void {
  const uses = grammarUses(files);
  expectGrammars(uses.filter(({ isMuch }) => isMuch).map(({ grammar }) => grammar));
  // Grammars with the most bytes come first, because threads share compiled grammars, and while a grammar is loaded
  // without optimisation no thread may compile an optimised one.
  for (const { grammar, files } of uses) {
    // The error is reported to the caller that parses with the grammar.
    if (files >= fewestOfGrammar) loadGrammar(grammar).catch(() => undefined);
  }
}

/** Reads one file of any kind. Never throws because of the text. */
export async function extract(path: string, text: string): Promise<Extraction> {
  if (configLanguage(path) !== undefined) {
    const notebook = extensionOf(path) === ".ipynb" ? extractNotebook(path, text) : undefined;
    return notebook ?? extractConfig(path, text);
  }
  const language = sharpened(detectLanguage(path, firstLine(text)), text);
  if (language === undefined) return (documents[extensionOf(path)] ?? extractText)(path, text);
  const rules = rulesOf[language];
  const grammar = grammarOf(language, path);
  if (language === "vue" || language === "svelte")
    return (await extractComponent(language, text)) ?? extractGeneric(language, text);
  if (language === "perl") return extractPerl(path, text, (code) => extractGeneric(language, code));
  return (
    (rules && grammar && (await extractSyntax(language, rules, grammar, text, path))) ?? extractGeneric(language, text)
  );
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return text.slice(0, end === -1 || end > 200 ? 200 : end).trimEnd();
}

/** If two languages share an extension, the text decides. */
function sharpened(language: LanguageId | undefined, text: string): LanguageId | undefined {
  if (
    language === "c" &&
    /^[ \t]*(?:class\s+\w+|namespace\b|template\s*<|using\s+namespace|public:|private:)|\bstd::/m.test(text)
  )
    return "cpp";
  if (language === "c" && /^[ \t]*@(?:interface|implementation|protocol|class|import)\b/m.test(text))
    return "objectivec";
  if (language === "matlab" && /^[ \t]*(?:@interface|@implementation|@protocol|#import|#include)\b/m.test(text))
    return "objectivec";
  if (language === "typescript" && text.startsWith("<?xml")) return undefined;
  return language;
}

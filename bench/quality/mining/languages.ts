/**
 * What the miners know of a language. They use no grammar and nothing of the product's extraction, so that a mistake
 * there is seen.
 */
export type LanguageName = "python" | "javascript" | "typescript" | "go" | "rust" | "java" | "ruby" | "php" | "c";

const byExtension: Record<string, LanguageName> = {
  py: "python",
  js: "javascript",
  mjs: "javascript",
  ts: "typescript",
  go: "go",
  rs: "rust",
  java: "java",
  rb: "ruby",
  php: "php",
  c: "c",
};

export function languageOf(path: string): LanguageName | undefined {
  if (path.endsWith(".d.ts")) return undefined;
  return byExtension[path.slice(path.lastIndexOf(".") + 1)];
}

/** Tests, examples and what others wrote: a question about the product's own code is not meant for them. */
const besideFolder =
  /(^|\/)(tests?|testing|specs?|__tests__|testdata|test_.*|fixtures?|examples?|bench(marks?|es)?|perf|fuzz(ing)?|docs?|vendor|node_modules|dist|build|runtime-tests|unity|scripts)\//i;
const besideFile =
  /((^|\/)test_[^/]*|_test\.\w+|[._-](test|spec|bench)\.\w+|(Test|Tests|TestCase)\.\w+|(^|\/)(conftest\.py|test\.\w+))$/;

export function isBeside(path: string): boolean {
  return besideFolder.test(path) || besideFile.test(path);
}

/** Where a newline ends a statement. */
export function endsAtNewline(language: LanguageName): boolean {
  return language === "go" || language === "javascript" || language === "typescript" || language === "python";
}

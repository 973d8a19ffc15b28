import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isBeside, type LanguageName, languageOf } from "./languages.ts";

/** A file of code as it is in the tree. `beside`: a test, an example, or what others wrote. */
export type SourceFile = { path: string; language: LanguageName; text: string; beside: boolean };

export function sourceFiles(folder: string): SourceFile[] {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 });
  return listed
    .split("\0")
    .sort()
    .flatMap((path): SourceFile[] => {
      const language = languageOf(path);
      if (path === "" || !language) return [];
      return [{ path, language, text: readFileSync(join(folder, path), "utf8"), beside: isBeside(path) }];
    });
}

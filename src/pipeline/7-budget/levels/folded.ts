import { shortName } from "../../../formats/characters.ts";
import { memoizeRecent } from "../../../text/memoize.ts";
import { type Elided, elide } from "../../../text/truncation/elide.ts";
import { type LineStructure, lineStructure } from "../../../text/truncation/line-structure.ts";
import type { PrintLevel } from "../../layout/print-level.ts";
import { ownSpan, type Span, type Unique } from "../../unique.ts";
import { outermost } from "./kept-lines.ts";

const structures = memoizeRecent((key) => {
  const [language] = key.split("\0", 1) as [string];
  return lineStructure(key.slice(language.length + 1).split("\n"), language === "" ? undefined : language);
}, 2_000_000);

const byLines = new WeakMap<readonly string[], LineStructure>();

/**
 * How the lines of an item depend on each other. Memoised: many cuts of the same lines are tried, and the next
 * questions often print the same texts.
 */
export function structureOf({ item }: Unique, lines: readonly string[]): LineStructure {
  let structure = byLines.get(lines);
  if (!structure) byLines.set(lines, (structure = structures(`${item.language ?? ""}\0${lines.join("\n")}`)));
  return structure;
}

/**
 * For a requested file: begins with one of its lines, and puts the fold of the lines above at the end. A fold at the
 * beginning does not show what the text is.
 */
function withLinesFirst({ lines, origins }: Elided): Elided {
  const [mark = "", ...others] = lines;
  if (origins[0] !== undefined || others.length === 0) return { lines, origins };
  const above = mark.trimStart().replace(/(\.\.\. [\d,]+ lines?)/, "$1 above");
  if (above === "") return { lines: others, origins: origins.slice(1) };
  return { lines: [...others, above], origins: [...origins.slice(1), undefined] };
}

/** Blocks of statements that declare nothing are named after their first word, which no query means. */
const statement =
  /^(?:comment|block|if|ifdef|ifndef|elif|else|endif|undef|define|include|pragma|line|error|template|struct|typedef|static|extern|const|using|namespace|pub|use|try|for|while|with|return)$/;

/** The kept lines; each fold names the units it hides. */
export function folded(
  unique: Unique,
  lines: string[],
  keep: ReadonlySet<number>,
  importsOf: (lines: readonly (number | undefined)[]) => string[],
  utility: number,
): PrintLevel {
  const first = ownSpan(unique).startLine;
  const hidden = (start: number, end: number) => {
    const inside = (part: Span) => part.startLine >= first + start && part.endLine < first + end;
    const names = outermost((unique.parts ?? []).filter(inside)).map(({ name }) => shortName(name));
    return [...new Set(names)].filter((name) => /[^\s\p{C}"'`]/u.test(name) && !statement.test(name));
  };
  const { isInText } = structureOf(unique, lines);
  const all = elide(lines, (line) => keep.has(line), unique.item.language, hidden, isInText);
  const elided = unique.askedWhole ? withLinesFirst(all) : all;
  const text = elided.lines.join("\n");
  return { level: "elided", text, lines: elided.origins, imports: importsOf(elided.origins), utility };
}

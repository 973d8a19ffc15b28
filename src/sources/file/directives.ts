import type { OwnText, Unit } from "../code/extraction.ts";

/** A shorter file is one item. In a longer one, directives are items of their own, up to a limit. */
const shortestDivided = 60;
const mostDirectives = 400;
/** Directives that follow each other without a comment are one item up to this many lines. */
const longestRun = 40;

const head = /^\s*\[([^\]]{1,80})\]\s*$/;
const comment = /^\s*[#;]/;
const directive = /^\s*(?:export\s+)?([\p{L}_][\p{L}\p{N}_.-]*)\s*(?:[=:]|\s|$)/u;
/** A directive that is commented out: `# maxmemory-policy noeviction`, `#port = 5432`. */
const switchedOff = /^\s*[#;]\s?([\p{L}_][\p{L}\p{N}_.-]*)(?:\s*=.*|(?:\s+[^\s,]+){0,4})\s*$/u;

type Block = { name: string | undefined; section: string | undefined; start: number; end: number; keys: number };

/**
 * The directives of a configuration file without much structure, each with the comment above it, named after its key.
 * Lines are 1-based.
 */
export function directivesOf(lines: readonly string[]): Unit[] {
  if (lines.length < shortestDivided) return [];
  return blocksOf(lines)
    .filter(({ name }) => name !== undefined)
    .slice(0, mostDirectives)
    .map(({ name, section, start, end }): Unit => {
      const qualified = section === undefined ? name! : `${section} > ${name}`;
      return {
        kind: "section",
        name: name!,
        qualified,
        startLine: start,
        endLine: end,
        own: ownText(lines.slice(start - 1, end)),
        references: [],
      };
    });
}

/**
 * Splits the lines into blocks of a comment and the directives below it: a comment after a directive begins the next
 * block.
 */
function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let section: string | undefined;
  let open: Block | undefined;
  const close = () => {
    if (open) blocks.push(open);
    open = undefined;
  };
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (line.trim() === "") continue;
    const named = head.exec(line)?.[1];
    if (named !== undefined) {
      close();
      section = named;
      continue;
    }
    const isComment = comment.test(line);
    const key = isComment ? keySwitchedOff(lines, index) : directive.exec(line)?.[1];
    const isNext =
      open !== undefined && open.name !== undefined && ((isComment && key === undefined) || open.keys >= longestRun);
    // After a blank line, a directive does not continue the run above.
    const isAlone = open !== undefined && open.name !== undefined && open.end < number - 1;
    if (isNext || isAlone) close();
    open ??= { name: undefined, section, start: number, end: number, keys: 0 };
    open.end = number;
    if (key !== undefined) {
      open.name ??= key;
      open.keys++;
    }
  }
  close();
  return blocks;
}

/** The key of a directive that is commented out. It is the only or the last line of a comment, and not a sentence. */
function keySwitchedOff(lines: readonly string[], index: number): string | undefined {
  const [line, before, after] = [lines[index]!, lines[index - 1] ?? "", lines[index + 1] ?? ""];
  const key = switchedOff.exec(line)?.[1];
  if (key === undefined || /[.:!?]\s*$/.test(line)) return undefined;
  if (/=/.test(line) || /[-_.]/.test(key))
    return isBlank(before) || isBlank(after) || switchedOff.test(before) ? key : undefined;
  return isBlank(before) && isBlank(after) ? key : undefined;
}

/** Empty, or a comment without words. */
function isBlank(line: string): boolean {
  return /^[\s#;*=~-]*$/.test(line);
}

function ownText(lines: readonly string[]): OwnText {
  const said: string[] = [];
  const code: string[] = [];
  for (const line of lines) (comment.test(line) ? said : code).push(line);
  return { comment: said.join("\n"), string: "", code: code.join("\n") };
}

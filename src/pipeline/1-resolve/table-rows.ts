import { type Candidate, isProse } from "../../item.ts";
import { bringsLines, type SourceSearch } from "../../sources/source.ts";
import type { Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Finding } from "../finding.ts";
import { openFile } from "../open-file.ts";

/** Sections whose tables are read. */
const mostSections = 40;
/** As for definitions in documents: below code of that name, unless documents may answer the question. */
const besideCode = 0.99;

/**
 * Marks sections as named if they have a table with a row for the option in question; the row and the table's head are
 * what is kept of them.
 */
export async function withTableRows(finding: Finding, search: SourceSearch, workspace: Workspace): Promise<Finding> {
  const { query, candidates, source } = finding;
  const names = optionNames(query);
  if (names.length === 0 || !bringsLines(source) || !search.strategies.includes("name")) return finding;
  const sections = candidates.filter(({ item }) => isProse(item) && item.kind !== "config").slice(0, mostSections);
  const isDefined = candidates.some(({ item, signals }) => signals.named !== undefined && !isProse(item));
  const share = isDefined && !query.wantsDocs && !query.wantsUsage ? besideCode : 1;
  const found = new Map<string, Candidate["focus"]>();
  for (const { item } of sections) {
    const { lines } = await openFile(item.path, undefined, workspace);
    const rows = rowsOf(lines.slice(item.startLine - 1, item.endLine), names);
    if (rows.length > 0) {
      found.set(
        item.id,
        rows.map(({ start, end }) => ({ startLine: item.startLine + start, endLine: item.startLine + end })),
      );
    }
  }
  if (found.size === 0) return finding;
  const inSection = [...found.keys()].some((id) =>
    candidates.some(({ item }) => item.id === id && item.kind === "section"),
  );
  return {
    ...finding,
    candidates: candidates.map((candidate) => {
      const focus = found.get(candidate.item.id);
      // A whole document is named only where no section of it has the row.
      if (!focus || (inSection && candidate.item.kind !== "section")) return candidate;
      const named = Math.max(share, candidate.signals.named ?? 0);
      return { ...candidate, signals: { ...candidate.signals, named, row: 1 }, focus };
    }),
  };
}

/** The names that a short question asks for, in the spelling of options: `--max-tokens`, `idle-timeout`, `gcTime`. */
function optionNames({ shape, asked, text, messages }: Query): string[] {
  if (shape !== "question" && shape !== "identifier") return [];
  // What a program printed asks for no option.
  if (messages.some(({ alone, likely }) => alone && likely)) return [];
  const written =
    text.match(/(?<![\p{L}\p{N}_/.-])(?:--?)?[a-z][\w]*(?:[-.][\w]+)+(?![\w/])|(?<![\w-])--[a-z]\w+/giu) ?? [];
  const names = [...asked, ...written.filter((name) => !standard.test(name))];
  return [...new Set(names.map(bare))].filter((name) => name.length > 2);
}

/** `UTF-8`, `SHA-256`, `ISO-8859-1` are no options. */
const standard = /^[A-Z]{2,}-\d/;

type Rows = { start: number; end: number };

const separator = /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** The rows whose first cell is one of these names, each with the head of its table. Lines are counted from 0. */
function rowsOf(lines: readonly string[], names: readonly string[]): Rows[] {
  const rows: Rows[] = [];
  let head: number | undefined;
  lines.forEach((line, at) => {
    if (!line.includes("|")) head = undefined;
    else if (separator.test(line)) head = at - 1;
    else if (head !== undefined && firstCell(line).some((cell) => names.includes(cell)))
      rows.push({ start: at, end: at }, { start: head, end: head + 1 });
  });
  return rows;
}

/** The names in the first cell of a row: `--port <n>`, `-p` are two; their values are left out. */
function firstCell(line: string): string[] {
  const cell = /^\s*\|?((?:\\\||[^|])*)/.exec(line)![1]!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return cell.split(/,|\s\/\s|<br\s*\/?>/).map((name) => bare(name.replace(/[`*]/g, "").trim().split(/[\s=]/)[0]!));
}

function bare(name: string): string {
  return name.replace(/^--?/, "").replace(/\(\)$/, "").toLowerCase();
}

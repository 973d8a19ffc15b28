import { type Candidate, type Item, sourceTraits } from "../../item.ts";
import { familyOf, superWord } from "../../stores/scope/visibility.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openFile } from "../open-file.ts";

/** Longer definitions, in lines with their doc comment, are not read. */
const mostLines = 40;
/**
 * Most statements of a body that only delegates to a function of its name, and of one that adds something to its
 * parent's method.
 */
const mostStatements = { delegate: 2, override: 5 };
/** Less than the step between definitions and declarations, but enough to rank after every other definition. */
const delegateStep = 0.001;

/**
 * Of several definitions of the name that was asked for, those that only delegate come after the ones that do the work.
 * Django has four methods `get_or_create`: three overrides of related managers were printed before the documented one
 * that all of them call.
 */
export async function withDelegatesLast(candidates: Candidate[], workspace: Workspace): Promise<Candidate[]> {
  const named = candidates.filter(({ item, signals }) => signals.named !== undefined && isFunction(item));
  const byName = new Map<string, Item[]>();
  for (const { item } of named) byName.set(item.name, [...(byName.get(item.name) ?? []), item]);
  const delegates = new Set<string>();
  for (const [name, items] of byName) {
    const longest = Math.max(...items.map(sizeOf));
    const short = items.filter((item) => sizeOf(item) < Math.min(longest, mostLines + 1));
    for (const item of short) {
      const { lines } = await openFile(item.path, undefined, workspace);
      if (isDelegate(lines.slice(item.startLine - 1, item.endLine), name, item)) delegates.add(item.id);
    }
  }
  if (delegates.size === 0) return candidates;
  return candidates.map((candidate) => {
    const { item, signals } = candidate;
    if (!delegates.has(item.id)) return candidate;
    return { ...candidate, signals: { ...signals, named: signals.named! - delegateStep } };
  });
}

function isFunction({ source, kind }: Item): boolean {
  return sourceTraits[source].lines === "code" && (kind === "function" || kind === "method");
}

function sizeOf({ startLine, endLine }: Item): number {
  return endLine - startLine + 1;
}

/**
 * Whether a function only calls one of its own name: in a body of one or two statements, or its parent's method in a
 * body of a few.
 */
export function isDelegate(
  lines: readonly string[],
  name: string,
  { signature, language }: Pick<Item, "signature" | "language">,
): boolean {
  const statements = statementsOf(bodyOf(lines, signature));
  const calls = statements.filter((statement) => callsName(statement, name));
  if (statements.length <= mostStatements.delegate && calls.length > 0) return true;
  const parentWord = superWord(familyOf(language));
  const isOfParent = (statement: string) =>
    parentWord !== "" && statement.split(/[^\p{L}\p{N}_]+/u).includes(parentWord);
  const ofParent = language === "ruby" ? statements.filter(isOfParent) : calls.filter(isOfParent);
  return statements.length <= mostStatements.override && ofParent.length > 0;
}

function callsName(statement: string, name: string): boolean {
  for (let at = statement.indexOf(name); at !== -1; at = statement.indexOf(name, at + 1)) {
    const isWord = !/[\p{L}\p{N}_$]/u.test(statement[at - 1] ?? "");
    if (isWord && /^(?:<[^()]{0,80}>)?\s?\(/.test(statement.slice(at + name.length))) return true;
  }
  return false;
}

/** The text after the signature. */
function bodyOf(lines: readonly string[], signature = ""): string {
  const written = signature.split("\n").map((line) => line.trim());
  const first = lines.findIndex((line) => line.trim().startsWith(written[0]!));
  if (first < 0) return "";
  const [head = "", ...others] = lines.slice(first + written.length - 1);
  const last = written.at(-1)!;
  return [head.slice(head.indexOf(last) + last.length), ...others].join("\n");
}

/**
 * The statements of a body, roughly: comments, doc strings and lines without a word do not count, and brackets hold a
 * statement together.
 */
function statementsOf(body: string): string[] {
  const code = body.replace(/("""|''')[\s\S]*?\1/g, "").replace(/^\s*(?:#|\/\/|\/?\*).*$/gm, "");
  const statements: string[] = [];
  let [statement, depth] = ["", 0];
  for (const character of code) {
    if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    if (depth <= 0 && (character === "\n" || character === ";")) {
      statements.push(statement);
      statement = "";
    } else statement += character;
  }
  statements.push(statement);
  return statements.filter((each) => /\p{L}/u.test(each) && each.trim() !== "end");
}

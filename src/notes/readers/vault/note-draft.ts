/** A note while its page is being parsed. */
export type NoteDraft = {
  kind: "page" | "section" | "item" | "paragraph";
  /** Its first line, from 0. */
  line: number;
  /**
   * The line of its name, without heading or list marks. Absent where the text has no first line that can be a name.
   */
  head?: string;
  /** Level of a heading. */
  level: number;
  /** Its own lines below the head, dedented. */
  body: BodyLine[];
  parent?: NoteDraft;
  done?: boolean;
  /** Obsidian's `^id`s. */
  blockIds: string[];
};

export type BodyLine = { line: number; text: string };

export function draft(
  kind: NoteDraft["kind"],
  line: number,
  parent: NoteDraft | undefined,
  head?: string,
  level = 0,
): NoteDraft {
  return { kind, line, level, body: [], blockIds: [], ...(parent && { parent }), ...(head !== undefined && { head }) };
}

const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;

/** `## Heading ##`. */
export function headingOf(line: string): { level: number; text: string } | undefined {
  if (!line.includes("#")) return undefined;
  const match = heading.exec(line);
  if (!match) return undefined;
  const text = (match[2] ?? "").trim();
  // Drops the closing hashes, unless they are the whole text or end a word: `C#`.
  const closed = /(?:^|[ \t])#{1,40}$/.exec(text);
  return { level: match[1]!.length, text: closed ? text.slice(0, closed.index).trim() : text };
}

/** `[x] task` -> done, "task". */
export function checkboxOf(text: string): { done: boolean; text: string } | undefined {
  const match = /^\[(.)\](?:[ \t]+(.*))?$/u.exec(text);
  return match ? { done: /[xX]/.test(match[1]!), text: (match[2] ?? "").trim() } : undefined;
}

/** `text ^id` -> "text", "id". */
export function blockIdOf(text: string): { id: string; text: string } | undefined {
  if (!text.includes("^")) return undefined;
  const at = text.lastIndexOf("^");
  if (at > 0 && !/\s/.test(text[at - 1]!) && !text.endsWith("]]", at)) return undefined;
  const id = text.slice(at + 1).trimEnd();
  return /^[A-Za-z0-9][A-Za-z0-9-]{0,100}$/.test(id) ? { id, text: text.slice(0, at).trimEnd() } : undefined;
}

/** Removes up to this many columns of indentation; a tab advances to the next tab stop. */
export function dedent(line: string, columns: number): string {
  let column = 0;
  let at = 0;
  for (; at < line.length && column < columns; at++) {
    if (line[at] === " ") column++;
    else if (line[at] === "\t") column += tabStop - (column % tabStop);
    else break;
  }
  return line.slice(at);
}

const tabStop = 4;

/** Columns of indentation. */
export function columnsOf(line: string): number {
  let column = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === " ") column++;
    else if (line[at] === "\t") column += tabStop - (column % tabStop);
    else break;
  }
  return column;
}

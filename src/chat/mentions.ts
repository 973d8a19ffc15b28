/** What a message points at with `@`: `@plan.md`, `@notes/`, `@release-plan`, `@"Release plan"`. */
export type Mention = {
  /** What is named, without the sign and the quotes. */
  name: string;
  /** Of the whole mention in the text, its sign included; after its last character. */
  start: number;
  end: number;
  /** Ends in a slash: a folder is meant. */
  folder: boolean;
  /** Its form says that it is one: quoted, a path, a file's ending. What is not (`@Override`, `@ann`) is one only if there is such a thing. */
  sure: boolean;
};

/** A path may be that long. */
const longestName = 1000;

// Runs are taken as a whole and judged afterwards, so that no text is looked at twice.
const opening =
  /@(?:"([^"\n]{1,1000})"|“([^”\n]{1,1000})”|'([^'\n]{1,1000})'|([\p{L}\p{N}\p{M}_.~/\\-][\p{L}\p{N}\p{M}_.~+#=%&()[\]:/\\@-]*))/gu;

/** What ends a sentence, or a bracket around the mention, rather than a name. */
const trailing = ".,;:!?)]}'\"&=#%+-";

/** Every possible mention in a text, in order. E-mail addresses and the like are none: before the sign there is nothing or a gap. */
export function findMentions(text: string): Mention[] {
  const found: Mention[] = [];
  for (const match of text.matchAll(opening)) {
    const start = match.index;
    if (start > 0 && /[\p{L}\p{N}\p{M}_.+%@/\\-]/u.test(text[start - 1]!)) continue;
    const quoted = match[1] ?? match[2] ?? match[3];
    if (quoted !== undefined) {
      const name = quoted.trim();
      if (name !== "") {
        found.push({ name: bare(name), start, end: start + match[0].length, folder: isFolder(name), sure: true });
      }
      continue;
    }
    const name = unquoted(match[4]!);
    if (name === "" || name.length > longestName) continue;
    found.push({ name: bare(name), start, end: start + 1 + name.length, folder: isFolder(name), sure: isPath(name) });
  }
  return found.filter(({ name }) => name !== "");
}

/** Without what belongs to the sentence: closing brackets that were opened inside stay. */
function unquoted(run: string): string {
  let name = run;
  for (;;) {
    const end = trailingOf(name);
    if (end === "") return name;
    if (/^[)\]]/.test(end) && isOpened(name, name.length - end.length)) {
      return name.slice(0, name.length - end.length + 1);
    }
    name = name.slice(0, name.length - end.length);
  }
}

/** From the end backwards: a pattern that must end there would begin anew at each of many such characters. */
function trailingOf(name: string): string {
  let from = name.length;
  while (from > 0 && trailing.includes(name[from - 1]!)) from--;
  return name.slice(from);
}

function isOpened(name: string, at: number): boolean {
  const open = name[at] === ")" ? "(" : "[";
  return name.lastIndexOf(open, at) >= 0;
}

function isFolder(name: string): boolean {
  return /[\\/]$/.test(name);
}

function bare(name: string): string {
  return name
    .normalize("NFC")
    .replace(/\\/g, "/")
    .replace(/^(?:\.?\/)+/, "")
    .replace(/\/+$/, "");
}

function isPath(name: string): boolean {
  return /[\\/]/.test(name) || /[^.]\.[\p{L}\p{N}]{1,10}$/u.test(name);
}

/** How a mention of this name is written: in quotes where it would end too early. */
export function mentionOf(name: string): string {
  const plain = `@${name}`;
  const [read] = findMentions(plain);
  if (read && read.end === plain.length && `${read.name}${read.folder ? "/" : ""}` === name) return plain;
  if (!name.includes('"')) return `@"${name}"`;
  return name.includes("'") ? `@“${name}”` : `@'${name}'`;
}

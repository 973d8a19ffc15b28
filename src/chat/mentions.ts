/** A reference in a message, written with `@`: `@plan.md`, `@notes/`, `@release-plan`, `@"Release plan"`. */
export type Mention = {
  /** The name without the sign and the quotes. */
  name: string;
  /** Offsets of the whole mention, sign included; `end` is exclusive. */
  start: number;
  end: number;
  /** Ends in a slash, so it names a folder. */
  folder: boolean;
  /**
   * Its form shows that it is a mention: quoted, a path, a file extension. Others (`@Override`, `@ann`) count only if
   * such a thing exists.
   */
  sure: boolean;
};

/** Paths may be this long. */
const longestName = 1000;

// Runs are matched as a whole and judged afterwards, so that no text is scanned twice.
const opening =
  /@(?:"([^"\n]{1,1000})"|“([^”\n]{1,1000})”|'([^'\n]{1,1000})'|([\p{L}\p{N}\p{M}_.~/\\-][\p{L}\p{N}\p{M}_.~+#=%&()[\]:/\\@-]*))/gu;

/** Punctuation that ends a sentence or closes a bracket and is not part of a name. */
const trailing = ".,;:!?)]}'\"&=#%+-";

/** Every possible mention in a text, in order. An e-mail address is none: the sign must follow nothing or a space. */
export function findMentions(text: string): Mention[] {
  const mentions: Mention[] = [];
  for (const match of text.matchAll(opening)) {
    const start = match.index;
    if (start > 0 && /[\p{L}\p{N}\p{M}_.+%@/\\-]/u.test(text[start - 1]!)) continue;
    const quoted = match[1] ?? match[2] ?? match[3];
    if (quoted !== undefined) {
      const name = quoted.trim();
      if (name !== "") {
        mentions.push({ name: bare(name), start, end: start + match[0].length, folder: isFolder(name), sure: true });
      }
      continue;
    }
    const name = unquoted(match[4]!);
    if (name === "" || name.length > longestName) continue;
    mentions.push({
      name: bare(name),
      start,
      end: start + 1 + name.length,
      folder: isFolder(name),
      sure: isPath(name),
    });
  }
  return mentions.filter(({ name }) => name !== "");
}

/** Without trailing punctuation of the sentence; a closing bracket stays when it was opened inside. */
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

/** Scans backwards: a regular expression anchored at the end would restart at each of many such characters. */
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

/** How a mention of this name is written: quoted where it would otherwise end too early. */
export function mentionOf(name: string): string {
  const plain = `@${name}`;
  const [parsed] = findMentions(plain);
  if (parsed && parsed.end === plain.length && `${parsed.name}${parsed.folder ? "/" : ""}` === name) return plain;
  if (!name.includes('"')) return `@"${name}"`;
  return name.includes("'") ? `@“${name}”` : `@'${name}'`;
}

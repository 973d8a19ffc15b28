/**
 * The parts of a question that deserve different trust. A title says what the matter is. A pasted traceback mostly
 * names innocent frames. The environment section of a bug report says nothing about the code.
 */
export type Zone = {
  kind: "title" | "prose" | "quoted" | "code" | "traceback" | "url" | "circumstance";
  text: string;
};

const fence = /^\s*(```+|~~~+)/;
const tracebackLine =
  /^\s*(Traceback \(most recent|File "[^"]+", line \d+|at [^(]{1,200}\([^()]{1,300}:\d+\)|at \S{1,300}:\d+:\d+\s*$|\S+\.go:\d+ \+0x|goroutine \d+ \[|thread '.*' panicked|\d+: +0x|from \S+:\d+:in |Caused by:|#\d+ +0x)/;
const codeLine = /^( {4,}|\t|>>> |\.\.\. |\$ )\S/;
const environmentLine =
  /^\s*(?:[-*]\s*)?\**(python|django|node|npm|yarn|os|operating system|platform|version|system|browser|environment|arch|kernel|compiler|numpy|pandas|scipy|matplotlib|macos|windows|linux|ubuntu)( version)?\**\s*[:=]/i;
const templateLine =
  /^\s*(<!--|-->|- \[[ x]\]|_No response_\s*$|#{1,6}\s*(environment|system info|versions?|checklist|additional (context|information)|expected (behaviou?r|results?)|actual (behaviou?r|results?)|steps? (to|for) reproduc\w*|bug summary|describe the bug|description|code for reproduction)\s*:?\s*$)/i;
/** A heading on a line of its own: Markdown, bold, or the summary of a folded part. */
const heading = /^\s*(?:#{1,6}\s+(.{1,80})|\*\*([^*]{1,80})\*\*:?|(?:<details>)?\s*<summary>(.{1,80})<\/summary>)\s*$/;
// A report that ends in the output of `show_versions`, 40 lines of library names, was matched by those more than by
// its subject. Of 11 such issues, the changed function ranks higher in 6 without these lines and lower in one.
const circumstance = /\b(environments?|system info(?:rmation)?|(?:show_)?versions?|platforms?|installed packages)\b/i;
const endOfFold = /^\s*<\/details>\s*$/;
const url = /\bhttps?:\/\/[^\s)>\]"']+/g;
const quoted = /`([^`\n]{1,120})`/g;

/** Lines of a log that report success. */
const quietLogLine =
  /^\s*(?:[[(]?\d{4}[-/]\d\d[-/]\d\d[T ]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:)[^\n]{0,120}?\b(?:TRACE|DEBUG|INFO|NOTICE)\b|^\s*\[?(?:TRACE|DEBUG|INFO|NOTICE)\b[\]:]/i;

/**
 * Text beyond this is a dump, not a question: pasted logs of megabytes must not slow the answer. Its end is read too,
 * where a log says what went wrong.
 */
export const longestQuery = 100_000;
const longestLine = 4_000;

/** In a pasted code block, the frames of a traceback are separated from the rest. */
export function readZones(text: string): Zone[] {
  const lines = withoutQuietLog(
    withoutColours(bothEnds(unwrapCommit(text)))
      .split(/\r?\n/)
      .map((line) => line.slice(0, longestLine)),
  );
  const { zones } = lines.reduce((reader, line) => reader.read(line), new ZoneReader());
  // "node: stream.c:456: Assertion failed" looks like the version of a bug report, but it is all that was asked.
  if (zones.length === 0) for (const line of lines) if (line.trim() !== "") addSpoken(line, "title", zones);
  return zones;
}

class ZoneReader {
  readonly zones: Zone[] = [];
  /** The mark that ends the open code block. */
  #fence: string | undefined;
  #inTraceback = false;
  #inCircumstances = false;
  #titleSeen = false;

  read(line: string): this {
    if (this.#passesFence(line)) return this;
    if (this.#fence === undefined && this.#titleSeen) this.#passHeading(line);
    if (this.#inCircumstances) {
      this.zones.push({ kind: "circumstance", text: line });
      return this;
    }
    const kind = this.#tracebackPart(line);
    this.#inTraceback = kind === "traceback";
    if (kind !== undefined) this.zones.push({ kind, text: line });
    else if (this.#fence !== undefined || codeLine.test(line)) this.zones.push({ kind: "code", text: line });
    else if (line.trim() !== "" && !environmentLine.test(line) && !templateLine.test(line)) {
      addSpoken(line, this.#titleSeen ? "prose" : "title", this.zones);
      this.#titleSeen = true;
    }
    return this;
  }

  #passesFence(line: string): boolean {
    const mark = fence.exec(line)?.[1];
    if (!mark || (this.#fence !== undefined && !mark.startsWith(this.#fence))) return false;
    this.#fence = this.#fence === undefined ? mark : undefined;
    this.#inTraceback = false;
    return true;
  }

  #passHeading(line: string): void {
    const headed = headingOf(line);
    if (headed !== undefined) this.#inCircumstances = isCircumstance(headed);
    else if (endOfFold.test(line)) this.#inCircumstances = false;
  }

  /** The last line of a traceback states the error: it is prose. */
  #tracebackPart(line: string): "traceback" | "prose" | undefined {
    if (tracebackLine.test(line)) return "traceback";
    if (!this.#inTraceback) return undefined;
    if (/^\s/.test(line)) return "traceback";
    return /^[\w.]*(Error|Exception|Warning|Fault|panic)\b/.test(line) ? "prose" : undefined;
  }
}

/** Without the escape sequences that a terminal shows as colours. */
export function withoutColours(text: string): string {
  return text.includes("\u001b[") ? text.replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, "") : text;
}

/** The beginning and the end of a text that is too long to be read whole. */
export function bothEnds(text: string): string {
  if (text.length <= longestQuery) return text;
  return `${text.slice(0, longestQuery / 2)}\n${text.slice(-longestQuery / 2)}`;
}

/**
 * Removes lines of a log that report success, unless there is nothing else: hundreds of them would hide the one that
 * reports a failure.
 */
function withoutQuietLog(lines: string[]): string[] {
  const others = lines.filter((line) => !quietLogLine.test(line));
  return others.some((line) => line.trim() !== "") ? others : lines;
}

function headingOf(line: string): string | undefined {
  const match = heading.exec(line);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/**
 * Headings of parts about the environment (machine, versions): seldom about what is to be fixed, and never naming it.
 */
function isCircumstance(headed: string): boolean {
  return circumstance.test(headed) && headed.trim().split(/\s+/).length <= longestCircumstance;
}

const longestCircumstance = 6;

/** The lines that `git log` prints around a message say nothing about the code, and its indentation is not code. */
function unwrapCommit(text: string): string {
  if (!/^commit [0-9a-f]{7,64}\b/.test(text)) return text;
  return text
    .replace(/^(commit [0-9a-f]{7,64}\b|Merge:|Author:|AuthorDate:|Commit:|CommitDate:|Date:).*\n?/gm, "")
    .replace(/^ {4}/gm, "");
}

function addSpoken(line: string, kind: "title" | "prose", zones: Zone[]): void {
  let rest = line;
  for (const [address] of line.matchAll(url)) {
    rest = rest.replace(address, " ");
    zones.push({ kind: "url", text: address.replace(/^https?:\/\/[^/]*/, "").replace(/[?#].*$/, "") });
  }
  zones.push({ kind, text: rest });
  for (const match of rest.matchAll(quoted)) zones.push({ kind: "quoted", text: match[1]! });
}

import { isNodeId } from "./api-responses.ts";
import { linksIn, splitTags } from "./markup.ts";

/**
 * A line of the outline in which the API answers a node:
 *
 *     - [ ] Paint the hall #Task <!-- node-id: a-9uvcjK_9Xi -->
 *       - **Priority**: [P3](tana:jUaTC8QrebSg)
 *       - **Topics**:
 *         - [Colours #topic](tana:Kd8sLmQ1xAbc)
 *       - Buy a brush <!-- node-id: NJdp_0lCn4wt -->
 *       - [The house #project](tana:hg6UQLfpqB4G)
 */
export type OutlineLine = {
  /** Index of the parent line; -1 for none. */
  under: number;
  /** Id of the node on this line. */
  id?: string;
  /** Id of a node that is only listed here and owned elsewhere. */
  listed?: string;
  /** Name of the field whose value follows, on this line or below. */
  field?: string;
  done?: boolean;
  /** The text without id, checkbox, tags and field name; mentions are still links. */
  text: string;
  /** As the outline writes them: `_` for spaces. */
  tags: string[];
};

/** Limit of lines: more than any node that is worth reading at once. */
const mostLines = 20_000;

const idBefore = "<!-- node-id:";
const idAfter = "-->";

/** Every line with content. A line without a bullet continues the line above. */
export function readOutline(markdown: string): OutlineLine[] {
  const lines: OutlineLine[] = [];
  // The open ancestors, with their indentation.
  const open: { indent: number; index: number }[] = [];
  for (const raw of firstLines(markdown, mostLines)) {
    const indent = indentOf(raw);
    const content = raw.trim();
    if (content === "" || isNotice(content)) continue;
    const bullet = /^[-*] (?=\S)|^[-*]$/.test(content);
    if (!bullet && lines.length > 0) {
      lines.at(-1)!.text += `\n${content}`;
      continue;
    }
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
    const under = open.at(-1)?.index ?? -1;
    lines.push({ under, ...readLine(bullet ? content.slice(2) : content.replace(/^#+ /, "")) });
    open.push({ indent, index: lines.length - 1 });
  }
  return lines;
}

function readLine(content: string): Omit<OutlineLine, "under"> {
  const { id, rest } = takeId(content);
  const field = takeField(rest);
  if (field) return { ...(id ? { id } : {}), field: field.name, text: field.value, tags: [] };
  const box = /^\[([ xX])\](?: |$)/.exec(rest);
  const done = box ? { done: box[1] !== " " } : {};
  const body = (box ? rest.slice(box[0].length) : rest).trim();
  const [link] = linksIn(body);
  // A line that is only a link is a node that lives elsewhere; a node's own line has its id.
  if (!id && link && link.start === 0 && link.end === body.length) {
    return { listed: link.id, ...done, ...splitTags(link.label) };
  }
  return { ...(id ? { id } : {}), ...done, ...splitTags(body) };
}

function takeId(content: string): { id?: string; rest: string } {
  const from = content.lastIndexOf(idBefore);
  if (from < 0 || !content.endsWith(idAfter)) return { rest: content };
  const id = content.slice(from + idBefore.length, -idAfter.length).trim();
  return isNodeId(id) ? { id, rest: content.slice(0, from).trimEnd() } : { rest: content };
}

/** `**Name**: value`, and Tana's `Name:: value`. `std::vector` is neither. */
function takeField(content: string): { name: string; value: string } | undefined {
  if (content.startsWith("**")) {
    const to = content.indexOf("**:", 2);
    const name = content.slice(2, Math.max(2, to)).trim();
    return to > 0 && name !== "" && !name.includes("**") ? { name, value: content.slice(to + 3).trim() } : undefined;
  }
  const to = content.indexOf("::");
  const after = content[to + 2];
  if (to < 1 || to > 100 || (after !== undefined && after !== " ")) return undefined;
  const name = content.slice(0, to).trim();
  return name === "" || /[[\]<`]/.test(name) ? undefined : { name, value: content.slice(to + 2).trim() };
}

/** The API's note about omitted lines: `*[... 12 more]*`. */
function isNotice(content: string): boolean {
  return /^(?:[-*] )?\*\[\.\.\./.test(content);
}

function indentOf(line: string): number {
  let indent = 0;
  for (const character of line) {
    if (character === " ") indent++;
    else if (character === "\t") indent += 2;
    else break;
  }
  return indent;
}

function* firstLines(text: string, most: number): Generator<string> {
  let from = 0;
  for (let count = 0; count < most && from <= text.length; count++) {
    const to = text.indexOf("\n", from);
    yield text.slice(from, to < 0 ? undefined : to);
    if (to < 0) return;
    from = to + 1;
  }
}

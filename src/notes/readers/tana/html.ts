import { oneLine } from "../../../text/one-line.ts";
import { isRunning } from "../../../text/safe-links.ts";

/** The small subset of HTML in Tana's names, as Markdown. */

/** The text for an inline reference; `inner`: the content of its element. */
export type ReferenceText = (attributes: string, inner: string) => string;

/**
 * Markdown for formatting elements. Elements that are not listed here or below are text: a name may contain `Map<Key,
 * Value>`.
 */
const marks: Record<string, string> = {
  b: "**",
  strong: "**",
  i: "*",
  em: "*",
  s: "~~",
  strike: "~~",
  del: "~~",
  mark: "==",
  code: "`",
  u: "",
  ins: "",
  sub: "",
  sup: "",
  small: "",
  font: "",
};
const lineBreaks = ["br", "p", "div", "li", "ul", "ol", "pre", "blockquote"];

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

const tagName = /^\/?([a-zA-Z][a-zA-Z0-9]*)(?=[\s/>]|$)/;

/** Deeper formatting is ignored, which also bounds the cost of a hostile name. */
const deepest = 20;

/** `at`: number of pieces written before it opened. */
type Opened = { tag: string; closing: string; at: number };

/** Markdown of a name; line breaks stay line breaks. */
export function inlineMarkdown(html: string, reference: ReferenceText = () => ""): string {
  if (!html.includes("<")) return decoded(html);
  const out: string[] = [];
  const opened: Opened[] = [];
  let at = 0;
  let to = -1;
  while (at < html.length) {
    const from = html.indexOf("<", at);
    // The next search starts behind the last match, so all searches together are linear.
    if (from >= 0 && to < from) to = html.indexOf(">", from);
    if (from < 0 || to < 0) break;
    const inside = html.slice(from + 1, to);
    const tag = tagName.exec(inside)?.[1]?.toLowerCase();
    if (tag === undefined || !isKnown(tag)) {
      out.push(decoded(html.slice(at, from + 1)));
      at = from + 1;
      continue;
    }
    out.push(decoded(html.slice(at, from)));
    at = to + 1;
    if (inside.includes("data-inlineref-")) {
      const end = html.indexOf("</span>", at);
      out.push(reference(inside, end < 0 ? "" : html.slice(at, end)));
      at = end < 0 ? html.length : end + "</span>".length;
    } else if (lineBreaks.includes(tag)) out.push("\n");
    else if (tag === "img") out.push(image(attribute(inside, "alt") ?? "", attribute(inside, "src") ?? ""));
    else if (inside[0] === "/") closeTag(tag, opened, out);
    else openTag(tag, inside, opened, out);
  }
  out.push(decoded(html.slice(at)));
  while (opened.length > 0) closeTag(opened.at(-1)!.tag, opened, out);
  return out.join("");
}

/** The value of an attribute within a tag, decoded. */
export function attribute(inside: string, name: string): string | undefined {
  const from = inside.indexOf(`${name}=`);
  if (from < 0) return undefined;
  const mark = inside[from + name.length + 1]!;
  if (mark !== '"' && mark !== "'") return undefined;
  const to = inside.indexOf(mark, from + name.length + 2);
  return to < 0 ? undefined : decoded(inside.slice(from + name.length + 2, to));
}

function isKnown(tag: string): boolean {
  return Object.hasOwn(marks, tag) || tag === "span" || tag === "a" || tag === "img" || lineBreaks.includes(tag);
}

/** Drops targets that run something (`javascript:`), even with spaces in them; the label stays. */
function safeTarget(target: string | undefined): string | undefined {
  return target !== undefined && isRunning(target) ? undefined : target;
}

function openTag(tag: string, inside: string, opened: Opened[], out: string[]): void {
  if (tag === "span" || inside.endsWith("/") || opened.length >= deepest) return;
  if (tag === "a") {
    const target = safeTarget(attribute(inside, "href"));
    opened.push({ tag, closing: target === undefined ? "" : `](${target})`, at: out.length });
    out.push(target === undefined ? "" : "[");
  } else {
    opened.push({ tag, closing: marks[tag]!, at: out.length });
    out.push(marks[tag]!);
  }
}

/** Empty formatting is removed. */
function closeTag(tag: string, opened: Opened[], out: string[]): void {
  const index = opened.findLastIndex((each) => each.tag === tag);
  if (index < 0) return;
  const [{ closing, at }] = opened.splice(index, 1) as [Opened];
  if (out.slice(at + 1).every((piece) => piece === "")) out[at] = "";
  else out.push(closing);
}

/** Character references are decoded once: `&amp;lt;` is the text `&lt;`. */
export function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (entity, decimal, hex, name) => {
    if (name !== undefined) return entities[(name as string).toLowerCase()] ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}

/** A code block with a fence longer than any inside. */
export function fenced(code: string, language = ""): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${/^[\w+#.-]{1,30}$/.test(language) ? language : ""}\n${code.replace(/\n+$/, "")}\n${fence}`;
}

/** An image with a URL; an inline data image is dropped. */
export function image(name: string, address: string): string {
  if (!/^https?:\/\/\S+$/.test(address)) return "";
  return `![${name.replace(/[[\]]/g, "")}](${/[()<>]/.test(address) ? `<${address.replace(/[<>]/g, "")}>` : address})`;
}

/** The first line of a name, and the rest. Control characters and extra spaces are removed from both. */
export function firstLine(markdown: string): { name: string; rest: string } {
  if (!/[\n\r\u2028\u2029]/.test(markdown)) return { name: oneLine(markdown), rest: "" };
  const clean = markdown.replace(/\r\n?|\u2028|\u2029/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, " ");
  const [name = "", ...lines] = clean.trim().split("\n");
  // A fence starts a block: all of it is text, and none of it a name.
  const fence = /^(?:```+|~~~+)[ \t]*([\w+#.-]{0,30})[ \t]*$/.exec(name);
  if (fence) return { name: fence[1] ? `Code (${fence[1].toLowerCase()})` : "Code", rest: clean.trim() };
  return { name: oneLine(name), rest: lines.join("\n").trim() };
}

/** Emphasis of the whole name is dropped: it would keep the name from being found. */
export function withoutOuterEmphasis(name: string): string {
  for (const mark of ["**", "==", "*"]) {
    const inside = name.slice(mark.length, -mark.length);
    if (name.length > 2 * mark.length && name.startsWith(mark) && name.endsWith(mark) && !inside.includes(mark[0]!)) {
      return inside.trim();
    }
  }
  return name;
}

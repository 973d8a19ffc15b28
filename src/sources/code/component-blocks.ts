/**
 * A part of a Vue or Svelte file: `<script>`, `<style>`, Vue's `<template>` and blocks of other names, or Svelte's
 * markup.
 */
export type ComponentBlock = {
  tag: string;
  /** The attributes after the tag's name. */
  attributes: string;
  start: number;
  /** Offsets of the content between the tags. */
  contentStart: number;
  contentEnd: number;
  end: number;
};

/** The end of a tag that begins before `from`, or -1 if it is not a tag. Attributes may contain `>` in quotes. */
function tagEnd(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < Math.min(text.length, from + longestTag); at++) {
    const character = text[at]!;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === ">") return at + 1;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "<") return -1;
  }
  return -1;
}

const longestTag = 1000;

/** The parts of a Vue file: every top-level element. */
export function vueBlocks(text: string): ComponentBlock[] {
  return blocksOf(text, "[a-z][\\w:-]{0,40}");
}

/** The parts of a Svelte file: scripts, styles, and each range of markup between them. */
export function svelteBlocks(text: string): ComponentBlock[] {
  const blocks: ComponentBlock[] = [];
  let at = 0;
  const markup = (until: number) => {
    const between = text.slice(at, until);
    const lead = leadOf(between);
    const content = between.slice(lead).trimEnd();
    if (content === "") return;
    const start = at + lead;
    const end = start + content.length;
    blocks.push({ tag: "template", attributes: "", start, contentStart: start, contentEnd: end, end });
  };
  for (const block of blocksOf(text, "script|style")) {
    markup(block.start);
    blocks.push(block);
    at = block.end;
  }
  markup(text.length);
  return blocks;
}

/** Length of the leading blanks and comments: a comment before the script describes the file. */
function leadOf(markup: string): number {
  let at = 0;
  for (;;) {
    while (at < markup.length && /\s/.test(markup[at]!)) at++;
    if (!markup.startsWith("<!--", at)) return at;
    const close = markup.indexOf("-->", at);
    if (close === -1) return at;
    // A comment directly above the markup belongs to it.
    if (/^[ \t]*\r?\n?[ \t]*[^\s]/.test(markup.slice(close + 3, close + 200))) return at;
    at = close + 3;
  }
}

function blocksOf(text: string, tags: string): ComponentBlock[] {
  const blocks: ComponentBlock[] = [];
  const opening = new RegExp(`<!--|<(${tags})(?=[\\s/>])`, "gi");
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const tag = match[1]?.toLowerCase();
    if (tag === undefined) {
      const close = text.indexOf("-->", match.index);
      if (close === -1) break;
      opening.lastIndex = close + 3;
      continue;
    }
    const nameEnd = match.index + match[0].length;
    const contentStart = tagEnd(text, nameEnd);
    if (contentStart === -1) continue;
    const attributes = text.slice(nameEnd, contentStart - 1).trim();
    const { contentEnd, end } = attributes.endsWith("/")
      ? { contentEnd: contentStart, end: contentStart }
      : closing(text, tag, contentStart);
    blocks.push({ tag, attributes, start: match.index, contentStart, contentEnd, end });
    opening.lastIndex = end;
  }
  return blocks;
}

/** Scripts and styles end at the first closing tag; templates may be nested. */
function closing(text: string, tag: string, from: number): { contentEnd: number; end: number } {
  const nests = tag !== "script" && tag !== "style";
  const tags = new RegExp(`<(/?)${tag}(?=[\\s/>])`, "gi");
  tags.lastIndex = from;
  let depth = 1;
  for (let match = tags.exec(text); match; match = tags.exec(text)) {
    if (match[1] !== "/" && !nests) continue;
    const end = tagEnd(text, match.index + match[0].length);
    if (end === -1) continue;
    if (match[1] === "/") depth--;
    else if (text[end - 2] !== "/") depth++;
    if (depth === 0) return { contentEnd: match.index, end };
  }
  return { contentEnd: text.length, end: text.length };
}

/** The text with everything outside these ranges blanked, so that a grammar reads them with offsets unchanged. */
export function blankOutside(text: string, ranges: { start: number; end: number }[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    pieces.push(blank(text.slice(at, start)), text.slice(start, end));
    at = end;
  }
  pieces.push(blank(text.slice(at)));
  return pieces.join("");
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

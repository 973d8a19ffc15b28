import { attribute, inlineMarkdown } from "../readers/tana/html.ts";
import { isNodeId } from "./api-responses.ts";

/** Text of the API with what it mentions. */
export type Mentioning = {
  text: string;
  /** Ids in their order, each once. */
  references: string[];
};

/** The name of a node, if it is known. */
export type NodeNameOf = (id: string) => string | undefined;

/**
 * Reads both forms in which the API writes mentions: HTML in names (`<span data-inlineref-node="id">`) and links in
 * outlines (`[Name #tag](tana:id)`). Each is replaced by the name of the node: the known name, else the written one,
 * else the id.
 */
export function readMentions(markup: string, nameOf: NodeNameOf): Mentioning {
  const references = new Set<string>();
  const html = inlineMarkdown(markup, (attributes, inner) => {
    const id = attribute(attributes, "data-inlineref-node");
    if (id === undefined) return dateIn(attribute(attributes, "data-inlineref-date") ?? "") || inner;
    if (!isNodeId(id)) return inner;
    references.add(id);
    return (nameOf(id) ?? inner) || id;
  });
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, id, label } of linksIn(html)) {
    references.add(id);
    parts.push(html.slice(from, start), (nameOf(id) ?? splitTags(label).text) || id);
    from = end;
  }
  parts.push(html.slice(from));
  return { text: parts.join("").trim(), references: [...references] };
}

export type TanaLink = { start: number; end: number; id: string; label: string };

/** Links to nodes, outermost brackets first; linear time. */
export function linksIn(text: string): TanaLink[] {
  const links: TanaLink[] = [];
  if (!text.includes("](tana:")) return links;
  const opened: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "[") opened.push(at);
    if (text[at] !== "]") continue;
    const start = opened.pop();
    const id = start === undefined ? undefined : linkTarget(text, at + 1);
    if (start === undefined || id === undefined) continue;
    const end = at + 1 + "(tana:)".length + id.length;
    // A link inside the label of another belongs to that label.
    while (links.length > 0 && links.at(-1)!.start > start) links.pop();
    links.push({ start, end, id, label: text.slice(start + 1, at) });
    at = end - 1;
  }
  return links;
}

const target = /\(tana:([\w-]{1,80})\)/y;

function linkTarget(text: string, at: number): string | undefined {
  target.lastIndex = at;
  return target.exec(text)?.[1];
}

/** Tags are single words at the end: `Body / Health #Life_Area`. A number after `#` is no tag. */
export function splitTags(text: string): { text: string; tags: string[] } {
  const tags: string[] = [];
  let rest = text.trimEnd();
  for (;;) {
    const from = rest.lastIndexOf(" ") + 1;
    const word = rest.slice(from);
    if (word.length < 2 || word[0] !== "#" || !/^#[^\s#]*\p{L}/u.test(word)) break;
    tags.push(word.slice(1));
    rest = rest.slice(0, from).trimEnd();
  }
  return { text: rest, tags: tags.reverse() };
}

function dateIn(json: string): string {
  if (json === "") return "";
  try {
    const date: unknown = JSON.parse(json);
    const text = (date as { dateTimeString?: unknown } | null)?.dateTimeString;
    return typeof text === "string" ? text : "";
  } catch (error) {
    if (error instanceof SyntaxError) return "";
    throw error;
  }
}

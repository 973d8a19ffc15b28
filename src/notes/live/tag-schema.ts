import type { FieldType } from "../../note.ts";
import { inlineMarkdown } from "../readers/tana/html.ts";
import { isNodeId } from "./api-responses.ts";

/**
 * What the API says of a tag, in Markdown that is meant for people:
 *
 *     # Tag definition: bug (id:b1)
 *     Extends #task (id:oeFfqNwQvwtu), #day (base type) (id:SYS_T124)
 *     ## Template Fields
 *     - **Status** (id:attr1):: Options
 */
export type TagSchema = { above: { id: string; name: string }[]; types: Map<string, FieldType> };

const longest = 200_000;
const parent = /#([^#]{1,200}?)\s*(?:\(base type\)\s*)?\(id:([\w-]{1,80})\)/g;
const field = /^- \*\*(.{1,200}?)\*\*\s*\(id:[\w-]{1,80}\)\s*::\s*(.{0,200})$/;

export function readTagSchema(markdown: string): TagSchema {
  const above: TagSchema["above"] = [];
  const types = new Map<string, FieldType>();
  for (const line of markdown.slice(0, longest).split("\n")) {
    if (/^Extends\s/.test(line)) {
      for (const [, name, id] of line.matchAll(parent)) {
        if (isNodeId(id)) above.push({ id, name: inlineMarkdown(name!).replace(/[*_~]/g, "").trim() });
      }
    }
    const [, name, typeText] = field.exec(line) ?? [];
    const type = typeText === undefined ? undefined : typeOf(typeText);
    if (name !== undefined && type) types.set(name.toLowerCase(), type);
  }
  return { above: above.filter(({ name }) => name !== ""), types };
}

const typeNames: readonly [RegExp, FieldType][] = [
  [/^#?number\b/i, "number"],
  [/^date\b/i, "date"],
  [/^options\b/i, "options"],
  [/^instance\b/i, "reference"],
  [/^checkbox\b/i, "checkbox"],
  [/^url\b/i, "url"],
  [/^e-?mail\b/i, "email"],
  [/^(?:tana )?user\b/i, "user"],
  [/^(?:content|plain|text)\b/i, "text"],
];

function typeOf(text: string): FieldType | undefined {
  return typeNames.find(([pattern]) => pattern.test(text.trim()))?.[1];
}

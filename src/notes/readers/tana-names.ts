import { oneLine } from "../../text/one-line.ts";
import { type Docs, isSystem } from "./tana-docs.ts";
import { attribute, firstLine, inlineMarkdown, withoutOuterEmphasis } from "./tana-html.ts";

/** Names of docs, with the names of what they refer to in them. */
export type TanaNames = {
  /** Its first line, and what follows it. */
  lines(number: number): { name: string; rest: string };
  name(number: number): string;
  description(number: number): string;
};

const marker = "data-inlineref-";

/** Characters of another note's name within a name. Whole paragraphs are notes too; the reference leads to all of them. */
const longestInsert = 500;

/** Dates are ISO 8601: a day, a week, a year, a moment, or two of them with a slash between. */
const dateText = /"?dateTimeString"?\s*:\s*"([^"]{1,100})"/;

/** Ids and dates that a name or a description refers to. */
export function mentionsIn(html: string | undefined): { ids: string[]; dates: string[] } {
  const ids: string[] = [];
  const dates: string[] = [];
  if (html?.includes(marker)) {
    inlineMarkdown(html, (inside) => {
      const id = attribute(inside, `${marker}node`);
      const date = dateIn(inside);
      if (id) ids.push(id);
      if (date) dates.push(date);
      return "";
    });
  }
  return { ids, dates };
}

/** What stands for a note that was thrown away, where another one mentions it. */
export const deleted = "(deleted)";

/** `inTrash`: docs whose names are nobody's to read any more. */
export function resolveNames(docs: Docs, inTrash: (number: number) => boolean = () => false): TanaNames {
  const raw = (number: number) => docs.name[number] ?? "";
  const resolved = afterWhatItNeeds(needed, (number) => rendered(raw(number)));

  function needed(number: number): number[] {
    return mentionsIn(raw(number)).ids.flatMap((id) => {
      const target = docs.numbers.get(id);
      return target !== undefined && raw(target).includes(marker) ? [target] : [];
    });
  }

  function rendered(html: string): string {
    return inlineMarkdown(html, (inside, inner) => {
      const alias = oneLine(inlineMarkdown(inner));
      if (alias !== "") return alias;
      const target = docs.numbers.get(attribute(inside, `${marker}node`) ?? "");
      if (target === undefined) return dateIn(inside) ?? "";
      if (inTrash(target)) return deleted;
      return isSystem(docs, target) ? "" : inserted(withoutOuterEmphasis(oneLine(markdown(target))));
    });
  }

  /** Of a name that is just being resolved, because names refer to each other in a circle, only the text without references. */
  function markdown(number: number): string {
    const html = raw(number);
    return (html.includes(marker) ? resolved(number) : undefined) ?? inlineMarkdown(html);
  }

  function lines(number: number): { name: string; rest: string } {
    const { name, rest } = firstLine(markdown(number));
    return { name: withoutOuterEmphasis(name), rest };
  }

  function description(number: number): string {
    const html = docs.description[number];
    return html === undefined ? "" : rendered(html).trim();
  }

  return { lines, name: (number) => lines(number).name, description };
}

/**
 * Texts that have other texts in them, each made once, after all it needs: a chain of any length without recursion. Undefined for a text
 * that is just being made, because texts need each other in a circle.
 */
export function afterWhatItNeeds<Key>(
  needs: (key: Key) => Key[],
  make: (key: Key) => string,
): (key: Key) => string | undefined {
  const made = new Map<Key, string | undefined>();
  return (key) => {
    const waiting = made.has(key) ? [] : [key];
    while (waiting.length > 0) {
      const next = waiting.at(-1)!;
      if (!made.has(next)) {
        made.set(next, undefined);
        for (const need of needs(next)) if (!made.has(need)) waiting.push(need);
        continue;
      }
      waiting.pop();
      if (made.get(next) === undefined) made.set(next, make(next));
    }
    return made.get(key);
  };
}

/** The date that a tag refers to. */
export function dateIn(inside: string): string | undefined {
  return dateText.exec(attribute(inside, `${marker}date`) ?? "")?.[1];
}

/** The name of another note as a part of a name. */
export function inserted(name: string): string {
  return name.length <= longestInsert ? name : `${name.slice(0, longestInsert).trimEnd()}…`;
}

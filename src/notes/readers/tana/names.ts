import { oneLine } from "../../../text/one-line.ts";
import { type Docs, isSystem } from "./docs.ts";
import { attribute, firstLine, inlineMarkdown, withoutOuterEmphasis } from "./html.ts";

/** Names of docs, with references replaced by names. */
export type TanaNames = {
  /** The first line, and the rest. */
  lines(number: number): { name: string; rest: string };
  name(number: number): string;
  description(number: number): string;
};

const marker = "data-inlineref-";

/**
 * Limit of characters of a name inside another name. Whole paragraphs are notes too; the reference leads to the full
 * text.
 */
const longestInsert = 500;

/** Dates are ISO 8601: a day, a week, a year, a time, or two of them with a slash between. */
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

/** The name of a deleted note in other names. */
export const deleted = "(deleted)";

/** `inTrash`: docs whose names must not be shown. */
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

  /** For a name that is being resolved right now (a cycle of references): the text without references. */
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
 * Texts that contain other texts, each computed once, after its dependencies: any depth without recursion. Undefined
 * for a text that is being computed right now (a cycle).
 */
export function afterWhatItNeeds<Key>(
  needs: (key: Key) => Key[],
  make: (key: Key) => string,
): (key: Key) => string | undefined {
  const texts = new Map<Key, string | undefined>();
  return (key) => {
    const waiting = texts.has(key) ? [] : [key];
    while (waiting.length > 0) {
      const next = waiting.at(-1)!;
      if (!texts.has(next)) {
        texts.set(next, undefined);
        for (const need of needs(next)) if (!texts.has(need)) waiting.push(need);
        continue;
      }
      waiting.pop();
      if (texts.get(next) === undefined) texts.set(next, make(next));
    }
    return texts.get(key);
  };
}

/** The date in a tag. */
export function dateIn(inside: string): string | undefined {
  return dateText.exec(attribute(inside, `${marker}date`) ?? "")?.[1];
}

/** The name of another note as part of a name. */
export function inserted(name: string): string {
  return name.length <= longestInsert ? name : `${name.slice(0, longestInsert).trimEnd()}…`;
}

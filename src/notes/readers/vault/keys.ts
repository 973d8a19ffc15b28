import { hashText } from "../../../text/hash.ts";

/** What may tell a note from the others of its page. */
export type Identity = { heading?: string; id?: string; text: string };

const longestHeading = 120;

/**
 * Keys of the notes in a page, each only once: `page.md#Heading`, `page.md#^id`, `page.md#1k3f…` for what has neither. They do not depend
 * on where in the page a note stands, so that adding one does not rename the others. What follows the last `#` holds no other one and does
 * not end like a file's name, so that no two pages can make the same key.
 */
export function pageKeys(path: string): (identity: Identity) => string {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (identity) => {
    const part = partOf(identity);
    for (;;) {
      const count = (counts.get(part) ?? 0) + 1;
      counts.set(part, count);
      const key = count === 1 ? part : `${part}~${count}`;
      if (used.has(key)) continue;
      used.add(key);
      return `${path}#${key}`;
    }
  };
}

function partOf({ heading, id, text }: Identity): string {
  if (id) return id.replaceAll("#", "-");
  const plain = heading?.replaceAll("#", " ").replace(/\s+/g, " ").trim() ?? "";
  const readable = plain !== "" && plain.length <= longestHeading && !/\.(?:md|markdown)$/i.test(plain);
  return readable ? plain : hashText(text);
}

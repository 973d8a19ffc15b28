import { DossierError } from "../../errors.ts";
import { longestTag, mostTags } from "../memory.ts";

/** Tags as they are kept: lower case, each once, in the order given. */
export function readTags(given: readonly string[]): string[] {
  const tags = new Set<string>();
  for (const one of given) {
    const tag = one.trim().toLowerCase();
    if (tag === "") throw new DossierError("bad-input", "A tag is empty.");
    if (tag.length > longestTag) {
      const shown = JSON.stringify(`${tag.slice(0, 20)}…`);
      throw new DossierError(
        "too-long",
        `The tag ${shown} is ${tag.length} characters long; at most ${longestTag} are kept.`,
      );
    }
    tags.add(tag);
  }
  refuseTooMany(tags.size);
  return [...tags];
}

/** The tags without some and with others. Those that are there already stay as they are: they may have come from elsewhere. */
export function changeTags(
  tags: readonly string[],
  change: { add?: readonly string[]; remove?: readonly string[] },
): string[] {
  const gone = new Set((change.remove ?? []).map((tag) => tag.trim().toLowerCase()));
  const left = tags.filter((tag) => !gone.has(tag.toLowerCase()));
  const had = new Set(left.map((tag) => tag.toLowerCase()));
  const added = readTags(change.add ?? []).filter((tag) => !had.has(tag));
  refuseTooMany(left.length + added.length);
  return [...left, ...added];
}

function refuseTooMany(count: number): void {
  if (count > mostTags) {
    throw new DossierError("too-long", `${count} tags are too many; a memory has at most ${mostTags}.`);
  }
}

import { DossierError } from "../../errors.ts";
import { longestTag, mostTags } from "../memory.ts";

/** Tags as they are stored: lower case, unique, in the order given. */
export function readTags(input: readonly string[]): string[] {
  const tags = new Set<string>();
  for (const one of input) {
    const tag = one.trim().toLowerCase();
    if (tag === "") throw new DossierError("bad-input", "A tag is empty.");
    if (tag.length > longestTag) {
      const excerpt = JSON.stringify(`${tag.slice(0, 20)}…`);
      throw new DossierError(
        "too-long",
        `The tag ${excerpt} is ${tag.length} characters long; at most ${longestTag} are kept.`,
      );
    }
    tags.add(tag);
  }
  refuseTooMany(tags.size);
  return [...tags];
}

/** The tags after removing some and adding others. Existing ones stay unchanged: they may have come from elsewhere. */
export function changeTags(
  tags: readonly string[],
  change: { add?: readonly string[]; remove?: readonly string[] },
): string[] {
  const removed = new Set((change.remove ?? []).map((tag) => tag.trim().toLowerCase()));
  const remaining = tags.filter((tag) => !removed.has(tag.toLowerCase()));
  const existing = new Set(remaining.map((tag) => tag.toLowerCase()));
  const added = readTags(change.add ?? []).filter((tag) => !existing.has(tag));
  refuseTooMany(remaining.length + added.length);
  return [...remaining, ...added];
}

function refuseTooMany(count: number): void {
  if (count > mostTags) {
    throw new DossierError("too-long", `${count} tags are too many; a memory has at most ${mostTags}.`);
  }
}

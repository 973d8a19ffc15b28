import type { OwnText, Reference } from "./extraction.ts";

/** A range that is not code: a literal, or text that another field contains already. */
export type Mark = { kind: "comment" | "string" | "elsewhere"; start: number; end: number };
export type OwnSpan = { start: number; end: number };
export type Owned = { own: OwnText; references: Reference[] };

/** A unit with more references is a registry, whose list of everything says nothing about it. */
const mostReferences = 60;

/**
 * Assigns every character and every reference to the innermost span that contains it, in one sweep. `spans` are nested
 * and ordered by start; the result has one entry for each, and a last one for the text outside all of them.
 */
export function divide(
  text: string,
  spans: OwnSpan[],
  marks: Mark[],
  references: (Reference & { at: number })[],
): Owned[] {
  const parts = Array.from({ length: spans.length + 1 }, () => ({
    comment: [] as string[],
    string: [] as string[],
    code: [] as string[],
  }));
  const referencesOf = Array.from({ length: spans.length + 1 }, () => new Map<string, Reference>());
  const ordered = disjoint(marks);
  const sorted = references.slice().sort((a, b) => a.at - b.at);
  let mark = 0;
  let reference = 0;
  let at = 0;

  const give = (owner: number, to: number) => {
    while (reference < sorted.length && sorted[reference]!.at < to)
      addReference(referencesOf[owner]!, sorted[reference++]!);
    const part = parts[owner]!;
    while (at < to) {
      while (mark < ordered.length && ordered[mark]!.end <= at) mark++;
      const next = ordered[mark];
      if (!next || next.start >= to) {
        part.code.push(text.slice(at, to));
        at = to;
      } else if (next.start > at) {
        part.code.push(text.slice(at, next.start));
        at = next.start;
      } else {
        const end = Math.min(next.end, to);
        if (next.kind !== "elsewhere") part[next.kind].push(text.slice(at, end));
        at = end;
      }
    }
  };

  const open: number[] = [];
  const outside = spans.length;
  spans.forEach((span, index) => {
    while (open.length > 0 && spans[open.at(-1)!]!.end <= span.start) give(open.at(-1)!, spans[open.pop()!]!.end);
    give(open.at(-1) ?? outside, span.start);
    open.push(index);
  });
  while (open.length > 0) give(open.at(-1)!, spans[open.pop()!]!.end);
  give(outside, text.length);

  return parts.map((part, index) => ({
    own: { comment: part.comment.join("\n"), string: part.string.join("\n"), code: joinPieces(part.code) },
    references: firstNames([...referencesOf[index]!.values()]),
  }));
}

function firstNames(references: Reference[]): Reference[] {
  const names = new Set<string>();
  return references.filter(({ name }) => (names.size < mostReferences ? names.add(name) : names).has(name));
}

/** Keeps one kind per name: a name that is extended or called is not also listed as a mention. */
function addReference(references: Map<string, Reference>, { name, kind, receiver }: Reference): void {
  const key = receiver === undefined ? name : `${receiver}.${name}`;
  const existing = references.get(key);
  if (existing === undefined) references.set(key, receiver === undefined ? { kind, name } : { kind, name, receiver });
  else if (rank[kind] < rank[existing.kind]) existing.kind = kind;
}

const rank: Record<Reference["kind"], number> = { extends: 0, implements: 1, calls: 2, references: 3 };

function joinPieces(pieces: string[]): string {
  return pieces
    .filter((piece) => piece.trim() !== "")
    .join(" ")
    .trim();
}

function disjoint(marks: Mark[]): Mark[] {
  const result: Mark[] = [];
  let end = 0;
  // At the same start a range of another field wins over the literal in it.
  const sorted = marks.slice().sort((a, b) => a.start - b.start || b.end - a.end || (a.kind === "elsewhere" ? -1 : 1));
  for (const mark of sorted) {
    if (mark.end <= end) continue;
    result.push(mark.start < end ? { ...mark, start: end } : mark);
    end = mark.end;
  }
  return result;
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowsOf } from "../bench/quality/data/rows.ts";
import { nearDuplicatesOf } from "../src/learned/memory/duplicates.ts";

/**
 * Memories that were written for something else, changed in one place that is drawn: edit similarities of .9 to .98.
 */
const texts = ["briefs", "briefs/library"]
  .flatMap((project) => rowsOf<{ content: string }>(`bench/quality/${project}/memories.jsonl`))
  .map(({ content }) => content)
  .filter((text) => text.split(" ").length >= 12);

/** Changes a text at a place, the `chance`-th of those where it can be; nothing where it cannot. */
type Change = (text: string, chance: number) => string | undefined;

/** What a sentence turns on is not put elsewhere without a change of meaning. */
const turning =
  /^(?:not|never|only|always|must|may|before|after|until|since|all|any|every|each|more|less|most|least|but|unless|once|twice|without|except|instead|even|both|first|last|next|second|other|another|one|two|three|four|five|from|into|over|under|above|below|between|for|when|while|where|than|nobody|anyone|someone|whoever|whichever|own)$/;
const harmless = ["certainly", "usual", "official", "careful", "ordinary", "overall", "really", "actually"];
const binding = /^(?:the|this|that|its|our|their|with|then|also|there|which|has|have|been|was|were|are)$/;
const isPlain = (word = "") => /^[a-z]{3,9}$/.test(word) && !turning.test(word);

const harmlessly: Record<string, Change> = {
  "a word more": (text, chance) => {
    const words = text.split(" ");
    const inside = places(words, (word, at) => at > 1 && /^[a-z]/.test(word) && !words[at - 1]!.endsWith("."));
    return at(inside, chance, (place) => words.toSpliced(place, 0, harmless[chance % harmless.length]!));
  },
  "a word less": (text, chance) => {
    const words = text.split(" ");
    return at(
      places(words, (word, place) => place > 0 && binding.test(word)),
      chance,
      (place) => words.toSpliced(place, 1),
    );
  },
  "two words in each other's place": (text, chance) => {
    const words = text.split(" ");
    const neighbours = places(words, (word, place) => place > 1 && isPlain(word) && isPlain(words[place + 1]));
    return at(neighbours, chance, (place) => words.toSpliced(place, 2, words[place + 1]!, words[place]!));
  },
};

const decisively: Record<string, Change> = {
  "a number": (text, chance) => changed(text, /\d+/g, chance, (number) => String(Number(number) + 1 + (chance % 7))),
  "a negation": (text, chance) => changed(text, / (?:is|are|must|was|were|can|may) /g, chance, (verb) => `${verb}not `),
  "a negation less": (text, chance) => changed(text, / (?:not|never) /g, chance, () => " "),
  "a unit": (text, chance) =>
    changed(text, /\b(?:hours|minutes|days|seconds|months|euros|cents)\b/g, chance, () => "weeks"),
  "a day": (text, chance) => changed(text, /\b(?:Mon|Tues|Wednes|Thurs|Fri|Sun)day\b/g, chance, () => "Saturday"),
  "an order": (text, chance) =>
    changed(text, /\b(?:before|after)\b/g, chance, (word) => (word === "after" ? "before" : "after")),
};

function places(words: readonly string[], is: (word: string, place: number) => boolean): number[] {
  return words.flatMap((word, place) => (is(word, place) ? [place] : []));
}

function at(candidates: readonly number[], chance: number, edit: (place: number) => string[]): string | undefined {
  return candidates.length > 0 ? edit(candidates[chance % candidates.length]!).join(" ") : undefined;
}

function changed(text: string, what: RegExp, chance: number, to: (found: string) => string): string | undefined {
  const matches = [...text.matchAll(what)];
  const match = matches[chance % Math.max(1, matches.length)];
  return match && text.slice(0, match.index) + to(match[0]) + text.slice(match.index + match[0].length);
}

const isOffered = (a: string, b: string) => nearDuplicatesOf(a, [{ id: "x", text: b }]).length > 0;
const drawn = fc.tuple(fc.constantFrom(...texts), fc.nat());

describe("a memory with one change, wherever it is", () => {
  it.each(Object.entries(harmlessly))("is offered as the same, 95 of 100: %s", (_kind, change) => {
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 300, maxLength: 300 }), (draws) => {
        const pairs = draws.flatMap(([text, chance]) => {
          const other = change(text, chance);
          return other === undefined || other === text ? [] : [[text, other] as const];
        });
        const missed = pairs.filter(([a, b]) => !(isOffered(a, b) && isOffered(b, a)));
        expect(missed.length / pairs.length, missed.map(([, b]) => b).join("\n")).toBeLessThanOrEqual(0.05);
      }),
      { numRuns: 2, endOnFailure: true },
    );
  });

  it.each(Object.entries(decisively))("is never offered as the same: %s", (_kind, change) => {
    fc.assert(
      fc.property(drawn, ([text, chance]) => {
        const other = change(text, chance);
        if (other === undefined || other === text) return;
        expect([isOffered(text, other), isOffered(other, text)], `${text}\n${other}`).toEqual([false, false]);
      }),
      { numRuns: 300 },
    );
  });
});

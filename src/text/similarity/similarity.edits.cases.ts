/**
 * Changes that keep a text the same: those that people make when they copy, retype or tidy it. They are the same on
 * every run.
 */
export type Edit = (text: string, index: number) => string;

/** A small generator of numbers, so that the same texts are made on every run. */
function numbers(seed: number): (below: number) => number {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Words that may be mistyped: lower-case letters only, no part of a name or path. */
const plainWord = /(?<=^|[\s("])[A-Z]?[a-z]+(?=[\s.,;:!?)"]|$)(?!\.\w)/g;

/** Adds typing errors as long as at least `share` of the characters stay the same. */
function mistype(share: number): Edit {
  return (text, index) => {
    const random = numbers(index * 31 + Math.round(share * 100));
    const most = Math.floor(text.length * (1 - share));
    let spent = 0;
    let edited = text;
    for (let tries = 0; tries < 400 && spent < most; tries++) {
      const places = [...edited.matchAll(plainWord)].filter(([word]) => word.length > 3);
      const place = places[random(places.length)];
      if (place === undefined) break;
      const at = place.index + random(place[0].length);
      const letter = String.fromCharCode(97 + random(26));
      // No character is inserted before a capital, since an inner capital marks a name.
      const kind = /[A-Z]/.test(edited[at]!) ? 1 : random(4);
      const [before, after] = [edited.slice(0, at), edited.slice(at + 1)];
      if (kind === 0) edited = before + letter + after;
      else if (kind === 1) edited = before + after;
      else if (kind === 2) edited = before + letter + edited[at] + after;
      else if (at + 1 < place.index + place[0].length && spent + 2 <= most) {
        edited = before + after[0] + edited[at] + after.slice(1);
        spent++;
      } else continue;
      spent++;
    }
    return edited;
  };
}

export const edits: Record<"any" | "prose" | "code", Record<string, Edit>> = {
  any: {
    "upper case": (text) => text.toUpperCase(),
    "lower case": (text) => text.toLowerCase(),
    "other white space": (text) => text.replace(/ /g, "  ").replace(/\n/g, "\n\n  "),
    "one line": (text) => text.replace(/\s+/g, " "),
  },
  prose: {
    "no punctuation": (text) => text.replace(/[,;:"]|[.!?](?=\s|$)/g, ""),
    "more punctuation": (text, index) => {
      const words = text.split(" ");
      const at = numbers(index)(words.length);
      words[at] = ["“", "(", "*", "- "][index % 4] + words[at]! + ["”", ")", "*", ","][index % 4];
      return `${words.join(" ")}!!`;
    },
    "as a list item": (text) => `- ${text.replace(/, /g, " – ")}`,
    "typing errors, 97 %": mistype(0.97),
    "typing errors, 94 %": mistype(0.94),
    "typing errors, 90 %": mistype(0.9),
    "articles dropped": (text) => text.replace(/(?<=\s)(?:the|a|an) /g, ""),
    "small words added": (text) => text.replace(/ (?=to |of |in )/, " really ").replace(/^/, "Please "),
    "case, typing errors and punctuation": (text, index) =>
      mistype(0.95)(text, index + 7)
        .toLowerCase()
        .replace(/[,;:]/g, " "),
  },
  code: {
    "other indentation": (text) => text.replace(/^[ \t]+/gm, (indent) => "\t".repeat(Math.max(1, indent.length))),
    "other quotes": (text) => text.replace(/'/g, '"'),
    "closed up": (text) => text.replace(/ ?([=+*(){};,]) ?/g, "$1"),
  },
};

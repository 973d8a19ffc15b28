import type { Part } from "../components/bar.tsx";

/** Parts of the score that add up to it: a factor on the whole (a cap, an age) scales each of them. */
export function scoreParts(because: Readonly<Record<string, number>>, score: number): Part[] {
  const parts = signalParts(because);
  const sum = parts.reduce((all, { amount }) => all + amount, 0);
  return sum > score ? parts.map((part) => ({ ...part, amount: (part.amount * score) / sum })) : parts;
}

/** Signals by how much of the score they are. A colour belongs to a name, in every item and in every answer. */
export function signalParts(because: Readonly<Record<string, number>>): Part[] {
  return Object.entries(because)
    .filter(([, amount]) => amount > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([name, amount]) => ({ name, amount, colour: `signal-${colourOf(name)}` }));
}

const fixedColours = ["text", "name", "file", "share", "similar", "spelling", "called", "graph", "recency", "history"];
const colours = 12;

function colourOf(name: string): number {
  const at = fixedColours.indexOf(name);
  if (at >= 0) return at;
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 997;
  return fixedColours.length + (sum % (colours - fixedColours.length));
}

const sentences: Record<string, string> = {
  text: "its words match the question's",
  name: "it is called what the question says",
  file: "its file matches the question",
  share: "it holds a large share of the question's words",
  body: "its body has the question's words",
  similar: "it means something alike",
  spelling: "words are spelled alike",
  called: "much calls it",
  graph: "it is linked to what was found",
  recency: "it changed lately",
  history: "commits that match touched it",
  usage: "it was used before",
};

export function meaningOf(signal: string): string {
  return sentences[signal] ?? "";
}

import { isProse } from "../../item.ts";
import type { Unique } from "../unique.ts";

const optionLine = /^\s*--?[a-z0-9][\w-]*(?:[\s,=[<|/]|$)/i;
const fewOptions = 8;
const leastShare = 0.12;

/**
 * Whether an item is a help output. It describes every option in a few words: it contains some words of any question
 * about usage, but answers none.
 */
export function isHelpOutput({ item, lines }: Pick<Unique, "item" | "lines">): boolean {
  if (!isProse(item)) return false;
  const written = lines.filter((line) => line.trim() !== "");
  const options = written.filter((line) => optionLine.test(line)).length;
  return options >= fewOptions && options >= leastShare * written.length;
}

/** If a help output leads, an item about the subject comes before it if its score is at least this share. */
const nearlyAsGood = 0.85;

export function withHelpOutputLater(all: readonly Unique[]): readonly Unique[] {
  const [best] = all;
  if (!best || best.signals.named !== undefined || best.pinned || !isHelpOutput(best)) return all;
  const isBetter = (unique: Unique) => unique.score >= nearlyAsGood * best.score && !isHelpOutput(unique);
  return [...all.filter(isBetter), ...all.filter((unique) => !isBetter(unique))];
}

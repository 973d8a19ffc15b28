import type { Candidate, Scored, Signals } from "../item.ts";
import type { ChatRanking, Recipe } from "../recipes/recipe.ts";
import type { Finding } from "./1-resolve.ts";
import { scoreTerms, weighQuery } from "./bm25.ts";
import { messageRelevance } from "./measure-messages.ts";
import type { Measured } from "./signals.ts";

const hour = 60 * 60 * 1000;
/** Of an item whose time is not known. */
const unknownRecency = 0.5;
const noTerms = new Uint8Array(0);

/** Matches that meet less of the question are chance: such an item is there only for being recent, or not at all. */
const leastMet = 0.2;

type Band = keyof ChatRanking["bands"];

/**
 * Ranks what may help with the next message by five signals: how alike the texts are, how many of the question's words it has, how new it
 * is, where it comes from, and how often it proved useful. Each kind has its band of scores, so that what was named by hand is above what
 * was found, and that above what was merely said.
 */
export function scoreChat(
  { ask, source, query, candidates, evidence }: Finding,
  measured: Measured,
  recipe: Recipe & { chat: ChatRanking },
  newest: number,
): Scored[] {
  const { weights, bands, sources, recencyHours } = recipe.chat;
  const keywords = weighQuery(
    query.terms.map(({ term }) => ({ term, weight: 1 })),
    evidence.units,
  );
  const inThread = source.shelf === "message";
  const texts = inThread ? messageRelevance(measured) : (measured.columns.text ?? []);
  return candidates.flatMap((candidate, i): Scored[] => {
    const explicit = ask.certain === true;
    const met = measured.certainty[i]!;
    const band = bandOf(candidate, explicit, met);
    if (!band) return [];
    const terms = evidence.unitTerms.get(candidate.item.id) ?? noTerms;
    const values: Signals = {
      text: texts[i] ?? 0,
      // What was said just before counts as said: a reply seldom repeats the question's words.
      keywords: inThread ? met : share(scoreTerms(terms, keywords, recipe.records.model).matched, query.terms.length),
      recency: recency(candidate, newest, recencyHours),
      source: explicit ? sources.explicit : sources[kindOf(candidate)],
      usage: candidate.signals.usage ?? 0,
    };
    const [low, high] = bands[band];
    const because: Signals = { [band]: low };
    let score = low;
    for (const name in weights) {
      const part = weights[name as keyof typeof weights] * values[name]! * (high - low);
      if (part > 0) because[name] = part;
      score += part;
    }
    const signals = { ...candidate.signals, ...values };
    const placed = ask.section === undefined ? {} : { section: ask.section };
    return [{ ...candidate, ...placed, signals, score, because }];
  });
}

function bandOf({ item, signals }: Candidate, explicit: boolean, met: number): Band | undefined {
  if (explicit) return "explicit";
  if (item.source === "message") return met >= leastMet || signals.recent ? "message" : undefined;
  return met >= leastMet ? "document" : signals.recent ? "recent" : undefined;
}

function kindOf({ item }: Candidate): "file" | "chunk" | "message" {
  if (item.source === "message") return "message";
  return item.source === "document" ? "chunk" : "file";
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Counted from the newest of them, not from a clock: the same question has the same answer later. */
function recency({ item }: Candidate, newest: number, scale: number): number {
  if (item.changed === undefined) return unknownRecency;
  return Math.exp(-Math.max(0, newest - item.changed) / (scale * hour));
}

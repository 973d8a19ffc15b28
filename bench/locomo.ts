import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rank } from "../src/assemble.ts";
import { refreshMessages } from "../src/indexing/messages.ts";
import { searchInput } from "../src/options.ts";
import { auto } from "../src/recipes/auto.ts";
import type { Recipe } from "../src/recipes/recipe.ts";
import type { NewMessage } from "../src/stores/library.ts";
import { analyse } from "../src/text/analyse.ts";
import { tokenCounter } from "../src/text/tokens.ts";
import { openWorkspace, type Workspace } from "../src/workspace.ts";
import { percentile } from "./figures.ts";

/**
 * Long conversations (LoCoMo, in the folder of public data): every question is asked inside its own thread, and the turns that answer it
 * are known. Recall of turns by rank and within a budget of tokens, by category, with plain BM25 over the same terms beside it.
 */
const ranks = [5, 10, 25, 50];
const budgets = [500, 1000, 2000];
const deepest = 300;
const categories: Record<number, string> = {
  1: "several turns",
  2: "time",
  3: "inference",
  4: "one turn",
  5: "adversarial",
};

type TurnRow = {
  conv: string;
  dia_id: string;
  session: number;
  date_time: string;
  speaker: string;
  text: string;
  image_caption?: string;
};
type QuestionRow = { conv: string; query: string; category: number; gold_turns: string[] };

/** Shares of 0..1 by name: `@10`, `within 1000`. */
export type Recall = Record<string, number>;
export type LocomoFigures = {
  questions: number;
  recall: Recall;
  baseline: Recall;
  categories: Record<string, Recall & { questions: number }>;
  milliseconds: { p50: number; p95: number };
};

export async function measureLocomo(data: string): Promise<LocomoFigures> {
  const turns = rowsOf<TurnRow>(join(data, "locomo", "turns.jsonl"));
  const questions = rowsOf<QuestionRow>(join(data, "locomo", "queries.jsonl")).filter(
    ({ gold_turns }) => gold_turns.length > 0,
  );
  const folder = mkdtempSync(join(tmpdir(), "dossier-locomo-"));
  const workspace = await openWorkspace(folder);
  try {
    const threads = await putThreads(workspace, turns);
    const figures = await ask(workspace, questions, turns, threads);
    print(figures);
    return figures;
  } finally {
    await workspace.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf<Row>(path: string): Row[] {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

type Thread = { id: string; byMessage: Map<string, TurnRow> };

async function putThreads(workspace: Workspace, turns: TurnRow[]): Promise<Map<string, Thread>> {
  const library = await workspace.library();
  const threads = new Map<string, Thread>();
  for (const conversation of new Set(turns.map(({ conv }) => conv))) {
    const rows = turns.filter(({ conv }) => conv === conversation);
    const { id } = await library.createThread(workspace.owner, { title: conversation, at: 0 });
    const stored = await library.addMessages(workspace.owner, id, rows.map(asMessage));
    threads.set(conversation, { id, byMessage: new Map(stored.map((message, i) => [message.id, rows[i]!])) });
  }
  await refreshMessages(workspace);
  return threads;
}

function asMessage({ dia_id, session, date_time, speaker, text, image_caption }: TurnRow): NewMessage {
  return {
    id: dia_id,
    role: "user",
    speaker,
    session: String(session),
    at: timeOf(date_time),
    blocks: [
      { type: "text", text },
      ...(image_caption ? [{ type: "image" as const, description: image_caption }] : []),
    ],
  };
}

/** "1:56 pm on 8 May, 2023", without a time zone. */
function timeOf(text: string): number {
  const [, hour, minute, half, date] = /^(\d+):(\d+) ([ap]m) on (.+)$/.exec(text) ?? [];
  const day = Date.parse(`${date?.replace(",", "")} UTC`);
  if (Number.isNaN(day)) throw new Error(`${text} is no time as this data has them.`);
  return day + (((Number(hour) % 12) + (half === "pm" ? 12 : 0)) * 60 + Number(minute)) * 60_000;
}

const onlyMessages: Recipe = { ...auto, asks: [{ source: "message", deadline: 10_000, limit: deepest }] };

async function ask(
  workspace: Workspace,
  questions: QuestionRow[],
  turns: TurnRow[],
  threads: Map<string, Thread>,
): Promise<LocomoFigures> {
  const baseline = bm25(turns);
  const all: Answer[] = [];
  const plain: Answer[] = [];
  const times: number[] = [];
  for (const { conv, query, category, gold_turns } of questions) {
    const { id, byMessage } = threads.get(conv)!;
    const request = searchInput.parse({ query, thread: id, limit: deepest, minScore: 0 });
    const start = performance.now();
    const { ordered } = await rank(workspace, request, onlyMessages);
    times.push(performance.now() - start);
    const found = ordered.map(({ item }) => byMessage.get(item.id)!);
    all.push({ category, gold: gold_turns, found });
    plain.push({ category, gold: gold_turns, found: baseline(conv, query) });
  }
  const byCategory = Object.entries(categories).map(([category, name]) => {
    const answers = all.filter((each) => each.category === Number(category));
    return [name, { questions: answers.length, ...recallOf(answers) }] as const;
  });
  return {
    questions: all.length,
    recall: recallOf(all),
    baseline: recallOf(plain),
    categories: Object.fromEntries(byCategory),
    milliseconds: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
  };
}

/** Turns in rank order. */
type Answer = { category: number; gold: string[]; found: TurnRow[] };

function recallOf(answers: Answer[]): Recall {
  const mean = (chosen: (answer: Answer) => TurnRow[]) => {
    const shares = answers.map((answer) => {
      const ids = new Set(chosen(answer).map(({ dia_id }) => dia_id));
      return answer.gold.filter((id) => ids.has(id)).length / answer.gold.length;
    });
    return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
  };
  return Object.fromEntries([
    ...ranks.map((rank) => [`@${rank}`, mean(({ found }) => found.slice(0, rank))]),
    ...budgets.map((budget) => [`within ${budget}`, mean(({ found }) => packed(found, budget))]),
  ]);
}

/** In rank order, without those that do not fit. */
function packed(turns: TurnRow[], budget: number): TurnRow[] {
  const counter = tokenCounter("o200k_base");
  let left = budget;
  return turns.filter(({ speaker, text, image_caption }) => {
    const cost = counter.count(`${speaker}: ${text}${image_caption ? `\n[image: ${image_caption}]` : ""}\n`);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

/** Plain BM25 over the product's own terms, speaker and pictures in the text, statistics of the question's own conversation. */
function bm25(turns: TurnRow[]): (conversation: string, query: string) => TurnRow[] {
  const indexes = new Map<string, { turn: TurnRow; counts: Map<string, number>; length: number }[]>();
  for (const turn of turns) {
    const terms = analyse(`${turn.speaker}: ${turn.text} ${turn.image_caption ?? ""}`);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    indexes.set(turn.conv, [...(indexes.get(turn.conv) ?? []), { turn, counts, length: terms.length }]);
  }
  return (conversation, query) => {
    const index = indexes.get(conversation)!;
    const average = index.reduce((sum, { length }) => sum + length, 0) / index.length;
    const rarity = new Map(
      [...new Set(analyse(query))].map((term) => {
        const df = index.filter(({ counts }) => counts.has(term)).length;
        return [term, Math.log(1 + (index.length - df + 0.5) / (df + 0.5))];
      }),
    );
    const scored = index.map(({ turn, counts, length }, place) => {
      let score = 0;
      for (const [term, idf] of rarity) {
        const tf = counts.get(term) ?? 0;
        score += (idf * tf * 2.2) / (tf + 1.2 * (0.25 + (0.75 * length) / average));
      }
      return { turn, score, place };
    });
    return scored.sort((a, b) => b.score - a.score || a.place - b.place).map(({ turn }) => turn);
  };
}

function print({ questions, recall, baseline, categories: byCategory, milliseconds }: LocomoFigures): void {
  const columns = Object.keys(recall);
  const line = (name: string, figures: Recall) =>
    console.log(name.padEnd(28) + columns.map((column) => (figures[column]! * 100).toFixed(1).padStart(13)).join(""));
  console.log(`${questions} questions`.padEnd(28) + columns.map((column) => column.padStart(13)).join(""));
  line("dossier", recall);
  line("plain BM25", baseline);
  for (const [name, figures] of Object.entries(byCategory)) line(`  ${name} (${figures.questions})`, figures);
  console.log(
    `a question: p50 ${milliseconds.p50.toFixed(1)} ms, p95 ${milliseconds.p95.toFixed(1)} ms, nothing repeated`,
  );
}

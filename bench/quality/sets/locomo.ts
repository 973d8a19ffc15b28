import { join } from "node:path";
import { context, openWorkspace, say, search, thread, tokenCounter, type Workspace } from "../../../src/index.ts";
import { inPlace } from "../data/place.ts";
import { lacking, rowsOf, sampleOf } from "../data/rows.ts";
import { makeVectors } from "../data/vectors.ts";
import { bm25Ranking } from "../measures/bm25.ts";
import { packed, recall } from "../measures/metrics.ts";
import type { Asked, QualitySet, Scores } from "../set.ts";

/**
 * Long conversations: every question is asked inside its own thread, and the turns that answer it are known. Turns are
 * counted by rank, in rank order as far as they fit into a budget (`turns within`), and as a document of that size
 * prints them (`context within`).
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
type QuestionRow = { id: string; conv: string; query: string; category: number; gold_turns: string[] };

export const locomo: QualitySet = {
  name: "locomo",
  about: "questions about long conversations, and the turns that answer them",
  lacks: ({ data }) => lacking(data, "locomo", "turns.jsonl"),
  async measure(run) {
    const { data, sample, tell } = run;
    const turns = rowsOf<TurnRow>(join(data, "locomo", "turns.jsonl"));
    const all = rowsOf<QuestionRow>(join(data, "locomo", "queries.jsonl"));
    const questions = sampleOf(
      all.filter(({ gold_turns }) => gold_turns.length > 0),
      sample,
    );
    tell?.(`locomo: ${turns.length} turns`);
    // A thread is made anew for every run: what is said twice would be there twice.
    return inPlace({}, "locomo", async (folder) => {
      const workspace = await openWorkspace(folder);
      try {
        const conversations = await converse(workspace, folder, turns);
        await makeVectors(run, folder, workspace);
        const milliseconds: number[] = [];
        const asked: Asked[] = [];
        for (const question of questions) {
          const conversation = conversations.get(question.conv)!;
          const start = performance.now();
          const evidence = await find(workspace, folder, conversation, question.query);
          milliseconds.push(performance.now() - start);
          const scores = { ...scoresOf(evidence, conversation, question) };
          for (const budget of run.budgets ?? budgets) {
            const shown = await show(workspace, folder, conversation, question.query, budget);
            scores[`context within ${budget}`] = recall(shown, question.gold_turns);
          }
          asked.push({
            id: question.id,
            group: categories[question.category] ?? "other",
            dossier: scores,
            bm25: scoresOf(conversation.plain(question.query), conversation, question),
          });
        }
        const partial = run.budgets !== undefined;
        return { set: "locomo", texts: turns.length, asked, milliseconds, ...(partial && { partial }) };
      } finally {
        await workspace.close();
      }
    });
  },
};

type Conversation = {
  thread: string;
  /** The data's name of a turn by the message's id. */
  turnOf: Map<string, string>;
  /** What a turn says and what it costs to print, by the data's name. */
  said: Map<string, string>;
  cost: Map<string, number>;
  /** Names of turns, best first. */
  plain: (query: string) => string[];
};

async function converse(workspace: Workspace, path: string, turns: TurnRow[]): Promise<Map<string, Conversation>> {
  const counter = tokenCounter("o200k_base");
  const conversations = new Map<string, Conversation>();
  for (const title of new Set(turns.map(({ conv }) => conv))) {
    const rows = turns.filter(({ conv }) => conv === title);
    const made = await thread({ step: "create", title, path }, { workspace });
    const messages = JSON.stringify(rows.map(asMessage));
    const stored = await say({ thread: made.thread.id, messages, path }, { workspace });
    conversations.set(title, {
      thread: made.thread.id,
      turnOf: new Map(stored.messages.map(({ id, given }) => [id, given!])),
      said: new Map(rows.map(({ dia_id, text }) => [dia_id, text])),
      cost: new Map(rows.map((turn) => [turn.dia_id, counter.count(`${printed(turn)}\n`)])),
      plain: bm25Ranking(rows.map((turn) => ({ id: turn.dia_id, text: printed(turn) }))),
    });
  }
  return conversations;
}

function printed({ speaker, text, image_caption }: TurnRow): string {
  return `${speaker}: ${text}${image_caption ? `\n[image: ${image_caption}]` : ""}`;
}

function asMessage({ dia_id, session, date_time, speaker, text, image_caption }: TurnRow) {
  return {
    id: dia_id,
    role: "user",
    speaker,
    session: String(session),
    at: timeOf(date_time),
    content: [{ type: "text", text }, ...(image_caption ? [{ type: "image", description: image_caption }] : [])],
  };
}

/** "1:56 pm on 8 May, 2023", without a time zone. */
export function timeOf(text: string): string {
  const [, hour, minute, half, date] = /^(\d+):(\d+) ([ap]m) on (.+)$/.exec(text) ?? [];
  const day = Date.parse(`${date?.replace(",", "")} UTC`);
  if (Number.isNaN(day)) throw new Error(`${text} is no time as this data has them.`);
  const minutes = ((Number(hour) % 12) + (half === "pm" ? 12 : 0)) * 60 + Number(minute);
  return new Date(day + minutes * 60_000).toISOString();
}

async function find(workspace: Workspace, path: string, { thread, turnOf }: Conversation, query: string) {
  const asked = { query, path, thread, sources: ["message" as const], limit: deepest, minScore: 0 };
  const { results } = await search(asked, { workspace });
  return results.map(({ id }) => turnOf.get(id)!);
}

/** Turns whose text is in the document: items, and the questions that stand whole before a short reply. */
async function show(
  workspace: Workspace,
  path: string,
  { thread, turnOf, said }: Conversation,
  query: string,
  maxTokens: number,
): Promise<string[]> {
  const asked = { query, path, thread, sources: ["message" as const], maxTokens, minScore: 0, refresh: false };
  const { items } = await context(asked, { workspace });
  return items.flatMap(({ id, level, text, facts }) => {
    if (level === "pointer") return [];
    const question = turnOf.get(String(facts?.answers));
    const own = turnOf.get(id)!;
    return question !== undefined && text.includes(said.get(question)!) ? [own, question] : [own];
  });
}

function scoresOf(found: string[], { cost }: Conversation, { gold_turns }: QuestionRow): Scores {
  return Object.fromEntries([
    ...ranks.map((rank) => [`@${rank}`, recall(found.slice(0, rank), gold_turns)]),
    ...budgets.map((budget) => [
      `turns within ${budget}`,
      recall(
        packed(found, (turn) => cost.get(turn)!, budget),
        gold_turns,
      ),
    ]),
  ]);
}

import { existsSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, primeContext, type Workspace } from "../../../src/index.ts";
import { inPlace } from "../data/place.ts";
import { rowsOf, sampleOf } from "../data/rows.ts";
import { bagOf, bm25 as bm25Of, type Vocabulary } from "../measures/bm25.ts";
import type { Asked, Run } from "../set.ts";
import { scored } from "./absent.ts";
import { chatQuestions, openChatUser } from "./chat-library.ts";
import { cranfieldTexts, scifactTexts } from "./text-sets.ts";

/**
 * Whether a chat knows that it has nothing to say: a library is asked its own questions and as many of others. The
 * three users of the set are asked each other's; where the data is there, claims of SciFact, questions of Cranfield and
 * of LoCoMo are asked of each other. 200 of each together.
 */
const perSet = { user: 20, scifact: 50, cranfield: 40, locomo: 50 };

type Library = {
  name: string;
  questions: string[];
  open<T>(
    work: (opened: { path: string; workspace: Workspace; thread?: string; texts: string[] }) => Promise<T>,
  ): Promise<T>;
};

export async function toldApartInChats(run: Run): Promise<Asked[]> {
  const users = userLibraries();
  const others = dataLibraries(run);
  const asked: Asked[] = [];
  for (const library of [...users, ...others]) {
    run.tell?.(`chat, absent: ${library.name}`);
    const among = users.includes(library) ? users : others.length > 1 ? others : users;
    const strangers = among.filter((each) => each !== library).flatMap(({ questions }) => questions);
    const count = Math.min(run.sample ?? Number.POSITIVE_INFINITY, library.questions.length);
    const own = sampleOf(library.questions, count);
    const questions = [
      ...own.map((query) => ({ query, present: true })),
      ...sampleOf(strangers, own.length).map((query) => ({ query, present: false })),
    ];
    await library.open(async ({ path, workspace, thread, texts }) => {
      const vocabulary: Vocabulary = new Map();
      const rank = bm25Of(
        texts.map((text) => bagOf(text, vocabulary)),
        vocabulary,
      );
      const answers = [];
      for (const { query, present } of questions) {
        const input = { message: query, path, ...(thread === undefined ? {} : { thread }) };
        const { confidence, tokens } = await primeContext(input, { workspace });
        const plain = (rank(query)[0]?.score ?? 0) / Math.max(1, bagOf(query, new Map()).length);
        answers.push({ query, present, unsure: confidence < sureFrom, best: confidence, tokens: tokens.used, plain });
      }
      asked.push(...scored(library.name, answers).map((each) => ({ ...each, way: "answerable or absent" })));
    });
  }
  return asked;
}

/** Below this confidence nothing is certain. */
const sureFrom = 1 / 3;

function userLibraries(): Library[] {
  const questions = chatQuestions();
  return [...new Set(questions.map(({ user }) => user))].map((user) => ({
    name: user,
    questions: questions.filter((each) => each.user === user).map(({ message }) => message),
    open: (work) =>
      inPlace({}, "chat", async (path) => {
        const { workspace, thread, texts } = await openChatUser(path, user);
        try {
          return await work({ path, workspace, thread, texts: texts.map(({ text }) => text) });
        } finally {
          await workspace.close();
        }
      }),
  }));
}

function dataLibraries({ data }: Run): Library[] {
  const documents = [scifactTexts, cranfieldTexts].flatMap((set): Library[] => {
    if (!existsSync(join(data, set.name, "corpus.jsonl"))) return [];
    const { texts, questions } = set.read(data);
    const most = perSet[set.name as "scifact" | "cranfield"];
    return [
      {
        name: set.name,
        questions: sampleOf(questions, most).map(({ query }) => query),
        open: (work) =>
          opened(async (workspace, path) => {
            const library = await workspace.library();
            for (const { name, text } of texts) {
              await library.putDocument(workspace.owner, { path: name, content: text, at: 0 });
            }
            return work({ path, workspace, texts: texts.map(({ text }) => text) });
          }),
      },
    ];
  });
  return [...documents, ...conversations(data)];
}

type TurnRow = { conv: string; speaker: string; text: string };
type QuestionRow = { conv: string; query: string; category: number; gold_turns: string[] };

/** The first conversation of LoCoMo, as one thread; questions that nobody can answer are left out. */
function conversations(data: string): Library[] {
  if (!existsSync(join(data, "locomo", "turns.jsonl"))) return [];
  const turns = rowsOf<TurnRow>(join(data, "locomo", "turns.jsonl"));
  const first = turns[0]!.conv;
  const turnsOfFirst = turns.filter(({ conv }) => conv === first);
  const questions = rowsOf<QuestionRow>(join(data, "locomo", "queries.jsonl")).filter(
    ({ conv, category, gold_turns }) => conv === first && category !== 5 && gold_turns.length > 0,
  );
  return [
    {
      name: "locomo",
      questions: sampleOf(questions, perSet.locomo).map(({ query }) => query),
      open: (work) =>
        opened(async (workspace, path) => {
          const library = await workspace.library();
          const { id } = await library.createThread(workspace.owner, { title: "Talk", at: 0 });
          const messages = turnsOfFirst.map(({ speaker, text }, at) => ({
            role: "user" as const,
            speaker,
            blocks: [{ type: "text" as const, text }],
            at,
          }));
          await library.addMessages(workspace.owner, id, messages);
          return work({ path, workspace, thread: id, texts: turnsOfFirst.map(({ text }) => text) });
        }),
    },
  ];
}

function opened<T>(work: (workspace: Workspace, path: string) => Promise<T>): Promise<T> {
  return inPlace({}, "chat", async (path) => {
    const workspace = await openWorkspace(path);
    try {
      return await work(workspace, path);
    } finally {
      await workspace.close();
    }
  });
}

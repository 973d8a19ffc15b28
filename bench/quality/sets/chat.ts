import { primeContext, tokenCounter } from "../../../src/index.ts";
import { inPlace } from "../data/place.ts";
import { sampleOf } from "../data/rows.ts";
import { bm25Ranking } from "../measures/bm25.ts";
import { packed } from "../measures/metrics.ts";
import type { Asked, QualitySet, Scores } from "../set.ts";
import { toldApartInChats } from "./chat-absent.ts";
import { type ChatQuestion, type ChatUser, chatQuestions, openChatUser } from "./chat-library.ts";
import { isPartial } from "./questions.ts";

/**
 * The next message of a thread, among 200 documents and 92 turns of its user: whether what answers it is printed with
 * its text. Written before anything was measured with it; half of the questions are kept aside. `told apart`: see
 * chat-absent.ts.
 */
const budget = 3500;

export const chat: QualitySet = {
  name: "chat",
  about: "questions in a thread, and the document or message of its user that answers them",
  lacks: () => undefined,
  async measure(run) {
    const questions = chatQuestions().filter(({ part }) => run.only?.includes(part) ?? true);
    const asked: Asked[] = [];
    const milliseconds: number[] = [];
    let texts = 0;
    for (const user of new Set(questions.map((each) => each.user))) {
      run.tell?.(`chat: ${user}`);
      await inPlace({}, "chat", async (path) => {
        const open = await openChatUser(path, user);
        try {
          texts += open.texts.length;
          const plain = plainContext(open);
          await primeContext({ message: "index", path, thread: open.thread }, open);
          const own = sampleOf(questions, run.sample).filter((each) => each.user === user);
          for (const question of own) {
            const start = performance.now();
            const { items } = await primeContext({ message: question.message, path, thread: open.thread }, open);
            milliseconds.push(performance.now() - start);
            const printed = items.map(({ content }) => content);
            asked.push({
              id: question.id,
              part: question.part,
              group: question.kind,
              dossier: scoresOf(question, printed),
              bm25: scoresOf(question, plain(question.message)),
            });
          }
        } finally {
          await open.workspace.close();
        }
      });
    }
    asked.push(...(await toldApartInChats(run)));
    return { set: "chat", texts, asked, milliseconds, partial: isPartial(run) };
  },
};

function scoresOf({ gold }: ChatQuestion, printed: readonly string[]): Scores {
  return { printed: Number(printed.some((text) => text.includes(gold))) };
}

/** Sections of documents and turns, best first, as many as fit. */
function plainContext({ texts }: ChatUser): (query: string) => string[] {
  const counter = tokenCounter("o200k_base");
  const parts = texts.flatMap(({ id, text }) =>
    text.split(/\n(?=## )/).map((section, i) => ({ id: `${id} ${i}`, text: section })),
  );
  const textOf = new Map(parts.map(({ id, text }) => [id, text]));
  const rank = bm25Ranking(parts);
  return (query) =>
    packed(rank(query), (id) => counter.count(`${textOf.get(id)}\n`), budget).map((id) => textOf.get(id)!);
}

import { context, search } from "../../../src/index.ts";
import { sampleOf } from "../data/rows.ts";
import { type Bag, bagOf, bm25, type Vocabulary } from "../measures/bm25.ts";
import type { Asked, QualitySet } from "../set.ts";
import { areUnrelated, type Opened, placesOf } from "./absent-places.ts";

/**
 * Whether "nothing relevant" is said when it is true. A workspace is asked its own questions, which it can answer, and as
 * many of other workspaces, which it cannot. An empty result with the operation's defaults counts as "nothing".
 * - `nothing, recall`: share of the questions it cannot answer that are answered "nothing".
 * - `nothing, precision`: share of the answers "nothing" that are to such questions.
 * - `answered`: share of the questions it can answer that are answered at all.
 * - `told apart`: area under the curve, how often a question it can answer has a better best score than one it cannot,
 *   whatever the threshold. For BM25 the score is the best text's, for each word of the query.
 */
const perPlace = 60;

export const absent: QualitySet = {
  name: "absent",
  about: "questions that a workspace cannot answer, among those that it can",
  lacks: (run) => (placesOf(run).length > 1 ? undefined : "the data has less than two sets of texts"),
  async measure(run) {
    const places = placesOf(run);
    const asked: Asked[] = [];
    const milliseconds: number[] = [];
    let texts = 0;
    for (const place of places) {
      run.tell?.(`absent: ${place.name}`);
      const own = sampleOf(place.questions, run.sample ?? perPlace);
      const others = places.filter((other) => areUnrelated(place, other)).flatMap(({ questions }) => questions);
      if (others.length === 0) continue;
      const questions = [
        ...own.map((query) => ({ query, present: true })),
        ...sampleOf(others, own.length).map((query) => ({ query, present: false })),
      ];
      await place.open(async (opened) => {
        const answers: Answer[] = [];
        await search({ query: "index", path: opened.path }, { workspace: opened.workspace });
        const plain = await plainScores(opened);
        texts += plain.texts;
        for (const question of questions) {
          const start = performance.now();
          const answer = await ask(opened, question.query);
          milliseconds.push(performance.now() - start);
          answers.push({ ...question, ...answer, plain: plain.best(question.query) });
        }
        asked.push(...scored(place.name, answers));
      });
    }
    return { set: "absent", texts, asked, milliseconds };
  },
};

/** `best`: how sure the product is. `plain`: score of the baseline's best result. `tokens`: size of the document. */
export type Answer = { query: string; present: boolean; unsure: boolean; best: number; tokens: number; plain: number };

/** Below this confidence the answer says that little is certain. */
const sureFrom = 1 / 3;

async function ask({ path, workspace }: Opened, query: string): Promise<Pick<Answer, "unsure" | "best" | "tokens">> {
  const { confidence, tokens } = await context({ query, path, refresh: false }, { workspace });
  return { unsure: confidence < sureFrom, best: confidence, tokens: tokens.used };
}

export function scored(place: string, answers: readonly Answer[]): Asked[] {
  return answers.map((answer) => {
    const { query, present, unsure, tokens } = answer;
    const others = answers.filter((other) => other.present !== present);
    return {
      id: `${place}: ${query}`,
      group: place,
      dossier: {
        "unsure, recall": present ? undefined : Number(unsure),
        "unsure, precision": unsure ? Number(!present) : undefined,
        sure: present ? Number(!unsure) : undefined,
        "told apart": toldApart(answer, others, ({ best }) => best),
        "tokens, absent": present ? undefined : tokens,
        "tokens, present": present ? tokens : undefined,
      },
      bm25: { "told apart": toldApart(answer, others, ({ plain }) => plain) },
    };
  });
}

/** How often an answer is on its right side of the others; a tie is half right. */
function toldApart(answer: Answer, others: readonly Answer[], scoreOf: (answer: Answer) => number): number {
  let right = 0;
  for (const other of others) {
    const difference = (scoreOf(answer) - scoreOf(other)) * (answer.present ? 1 : -1);
    right += difference > 0 ? 1 : difference === 0 ? 0.5 : 0;
  }
  return right / others.length;
}

/** Over every file that the workspace has indexed. */
async function plainScores({ workspace }: Opened): Promise<{ texts: number; best: (query: string) => number }> {
  const { store, owner } = workspace;
  const vocabulary: Vocabulary = new Map();
  const bags: Bag[] = [];
  for (const { path } of await store.files(owner)) {
    bags.push(bagOf((await store.file(owner, path))?.text ?? "", vocabulary));
  }
  const ranking = bm25(bags, vocabulary);
  return {
    texts: bags.length,
    best: (query) => (ranking(query)[0]?.score ?? 0) / Math.max(1, bagOf(query, new Map()).length),
  };
}

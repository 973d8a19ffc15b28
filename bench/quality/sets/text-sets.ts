import { ndcg, reciprocalRank } from "../measures/metrics.ts";
import { corpusOf, queriesOf, type Text, type TextSet, textSet } from "./texts.ts";

/** Functions of Python and what people asked the web for when they wanted one of them. */
export const cosqaTexts: TextSet = {
  name: "cosqa",
  about: "what people asked the web for, and the Python function that does it",
  read(data) {
    return {
      texts: corpusOf<{ id: number; code: string }>(data, "cosqa").map(({ id, code }) => ({
        id: String(id),
        name: `f${id}.py`,
        text: `${code}\n`,
      })),
      questions: queriesOf<{ id: string; query: string; gold: number }>(data, "cosqa").map(({ id, query, gold }) => ({
        id,
        query,
        grades: new Map([[String(gold), 1]]),
      })),
    };
  },
  score: (found, { grades }) => ({ MRR: reciprocalRank(found, new Set(grades.keys())) }),
};

/** Claims, and abstracts of papers that bear on them. */
export const scifactTexts: TextSet = {
  name: "scifact",
  about: "claims, and the abstracts of papers that bear on them",
  read: (data) => ({
    texts: corpusOf<Abstract>(data, "scifact").map(asText),
    questions: queriesOf<{ id: string; query: string; gold: string[] }>(data, "scifact").map(({ id, query, gold }) => ({
      id,
      query,
      grades: new Map(gold.map((each) => [each, 1])),
    })),
  }),
  score: (found, { grades }) => ({ "nDCG@10": ndcg(found, grades, 10) }),
  asDocuments: true,
};

/** Questions of engineers, and abstracts graded by how well they answer: 4 wholly, 1 hardly, 0 not. */
export const cranfieldTexts: TextSet = {
  name: "cranfield",
  about: "questions of aeronautical engineers, and abstracts graded by how well they answer",
  read: (data) => ({
    texts: corpusOf<Abstract>(data, "cranfield").map(asText),
    questions: queriesOf<{ id: number; query: string; gold_graded: [id: number, grade: number][] }>(
      data,
      "cranfield",
    ).map(({ id, query, gold_graded }) => ({
      id: String(id),
      query,
      grades: new Map(gold_graded.map(([text, grade]) => [String(text), grade])),
    })),
  }),
  score: (found, { grades }) => ({ "nDCG@10": ndcg(found, grades, 10) }),
  asDocuments: true,
};

type Abstract = { id: string | number; title: string; text: string };

/** Some abstracts begin with their title again: it is said once. */
function asText({ id, title, text }: Abstract): Text {
  const rest = title !== "" && text.startsWith(title) ? text.slice(title.length).trimStart() : text;
  return { id: String(id), name: `${id}.md`, text: `# ${title}\n\n${rest}\n` };
}

export const cosqa = textSet(cosqaTexts);
export const scifact = textSet(scifactTexts);
export const cranfield = textSet(cranfieldTexts);

import { join } from "node:path";
import { openWorkspace, putDocument, search, type Workspace } from "../../../src/index.ts";
import { inPlace, putFiles } from "../data/place.ts";
import { lacking, rowsOf, sampleOf } from "../data/rows.ts";
import { makeVectors } from "../data/vectors.ts";
import { bm25Ranking } from "../measures/bm25.ts";
import type { Asked, QualitySet, Run, Scores } from "../set.ts";

/** Many short texts and questions with the texts that answer them. */
export type TextSet = {
  name: string;
  about: string;
  /** As a file and as the baseline reads it; `name` is the file's. */
  read(data: string): Texts;
  /** What an answer is worth: ids of texts, best first. */
  score(found: string[], question: Question): Scores;
  /** Also asked with the texts as documents of the library. */
  asDocuments?: boolean;
};

type Texts = { texts: Text[]; questions: Question[] };
export type Text = { id: string; name: string; text: string };
/** `grades`: how right each text is, more for better; 0 for wrong. */
type Question = { id: string; query: string; grades: ReadonlyMap<string, number> };

/** Items that are asked for: several may be of one text. */
const most = 100;

export function textSet(set: TextSet): QualitySet {
  return {
    name: set.name,
    about: set.about,
    lacks: ({ data }) => lacking(data, set.name, "corpus.jsonl"),
    async measure(run) {
      const { texts, questions: all } = set.read(run.data);
      const questions = sampleOf(all, run.sample);
      const plain = bm25Ranking(texts);
      const baseline = new Map(questions.map((each) => [each.id, set.score(plain(each.query), each)]));
      const milliseconds: number[] = [];
      const ask = async (find: Find, way?: string): Promise<Asked[]> => {
        const asked: Asked[] = [];
        for (const question of questions) {
          const start = performance.now();
          const ranked = await find(question.query);
          milliseconds.push(performance.now() - start);
          const scores = { dossier: set.score(ranked, question), bm25: baseline.get(question.id)! };
          asked.push({ id: question.id, ...(way !== undefined && { way }), ...scores });
        }
        return asked;
      };
      run.tell?.(`${set.name}: ${texts.length} files`);
      const asked = await withFiles(run, set.name, texts, (find) => ask(find));
      if (set.asDocuments) {
        run.tell?.(`${set.name}: ${texts.length} documents`);
        asked.push(...(await withDocuments(run, set.name, texts, (find) => ask(find, "as documents"))));
      }
      return { set: set.name, texts: texts.length, asked, milliseconds };
    },
  };
}

/** Ids of texts, best first. */
type Find = (query: string) => Promise<string[]>;

/** Texts as files of a folder, indexed and ready to be asked. */
async function withFiles<T>(
  run: Run,
  name: string,
  texts: Text[],
  work: (find: Find, workspace: Workspace) => Promise<T>,
): Promise<T> {
  return inPlace(run, name, async (folder) => {
    putFiles(folder, new Map(texts.map((each) => [each.name, each.text])));
    const ids = new Map(texts.map((each) => [each.name, each.id]));
    return withWorkspace(run, folder, ["code", "file"], work, ({ path }) => ids.get(path));
  });
}

async function withDocuments<T>(run: Run, name: string, texts: Text[], work: (find: Find) => Promise<T>): Promise<T> {
  return inPlace(run, `${name}-documents`, async (folder) => {
    const workspace = await openWorkspace(folder);
    try {
      for (const { name, text } of texts) {
        await putDocument({ document: name, content: text, path: folder }, { workspace });
      }
    } finally {
      await workspace.close();
    }
    const ids = new Map(texts.map((each) => [each.name, each.id]));
    return withWorkspace(run, folder, ["document"], work, ({ qualifiedName }) =>
      ids.get(qualifiedName.split("::")[0]!),
    );
  });
}

type Result = Awaited<ReturnType<typeof search>>["results"][number];

async function withWorkspace<T>(
  run: Run,
  folder: string,
  sources: ("code" | "file" | "document")[],
  work: (find: Find, workspace: Workspace) => Promise<T>,
  idOf: (result: Result) => string | undefined,
): Promise<T> {
  const workspace = await openWorkspace(folder);
  const ask = (query: string, refresh: boolean) =>
    search({ query, path: folder, sources, limit: most, minScore: 0, refresh }, { workspace });
  try {
    // The first question brings the index up to date; nothing changes afterwards.
    await ask("index", true);
    await makeVectors(run, folder, workspace);
    const find: Find = async (query) => {
      const { results } = await ask(query, false);
      return [...new Set(results.flatMap((result) => idOf(result) ?? []))];
    };
    return await work(find, workspace);
  } finally {
    await workspace.close();
  }
}

export function corpusOf<Row>(data: string, set: string): Row[] {
  return rowsOf<Row>(join(data, set, "corpus.jsonl"));
}

export function queriesOf<Row>(data: string, set: string): Row[] {
  return rowsOf<Row>(join(data, set, "queries.jsonl"));
}

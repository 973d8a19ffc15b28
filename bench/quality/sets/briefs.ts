import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  assembleContext,
  experience,
  openWorkspace,
  remember,
  tokenCounter,
  type Workspace,
} from "../../../src/index.ts";
import { inPlace } from "../data/place.ts";
import { rowsOf, sampleOf } from "../data/rows.ts";
import { makeVectors } from "../data/vectors.ts";
import { bm25Ranking } from "../measures/bm25.ts";
import { packed, recall } from "../measures/metrics.ts";
import type { Asked, Measured, Part, QualitySet, Run, Scores } from "../set.ts";
import { isPartial } from "./questions.ts";

/**
 * Tasks as people give them to an agent, and what it should have been told before it began: memories and experiences of
 * two projects. All of it is invented and written by hand, before anything was measured with it. The second project is
 * held aside as a whole: its words are others, so it tells whether a ranking that was chosen by the first holds
 * elsewhere.
 */
type Memory = { id: string; category: string; tags: string[]; content: string };
type Experience = { id: string } & Record<string, string>;
type Task = { id: string; part: Part; relevant: string[]; query: string };

const projects = {
  ferries: fileURLToPath(new URL("../briefs", import.meta.url)),
  library: fileURLToPath(new URL("../briefs/library", import.meta.url)),
};
type Project = keyof typeof projects;
const budgets = [2000, 4000];
const usualBudget = 4000;
const contextTypes = ["memories", "experiences"];
const few = 5;

export const briefs: QualitySet = {
  name: "briefs",
  about: "tasks, and the memories and experiences that an agent should know of before it begins",
  lacks: () => undefined,
  async measure(run) {
    const tasks = Object.entries(projects).flatMap(([project, fixture]) =>
      rowsOf<Task>(join(fixture, "tasks.jsonl"))
        .filter(({ part }) => run.only?.some((only) => only === part || only === project) ?? true)
        .map((task) => ({ project, task })),
    );
    const chosen = sampleOf(tasks, run.sample);
    const measured = [];
    for (const name of Object.keys(projects) as Project[]) {
      const own = chosen.filter(({ project }) => project === name).map(({ task }) => task);
      measured.push(await measureProject(name, own, run));
    }
    return {
      set: "briefs",
      texts: measured.reduce((sum, { texts }) => sum + texts, 0),
      asked: measured.flatMap(({ asked }) => asked),
      milliseconds: measured.flatMap(({ milliseconds }) => milliseconds),
      partial: isPartial(run),
    };
  },
};

async function measureProject(
  project: Project,
  tasks: readonly Task[],
  run: Run,
): Promise<Pick<Measured, "texts" | "asked" | "milliseconds">> {
  const fixture = projects[project];
  const memories = rowsOf<Memory>(join(fixture, "memories.jsonl"));
  const experiences = rowsOf<Experience>(join(fixture, "experiences.jsonl"));
  const plain = plainBriefs(memories, experiences);
  const asked: Asked[] = [];
  const milliseconds: number[] = [];
  await inPlace(run, `briefs-${hashOf(fixture, ["memories.jsonl", "experiences.jsonl"])}`, async (folder) => {
    const workspace = await openWorkspace(folder);
    try {
      const ids = await written(folder, workspace, memories, experiences);
      // The first question brings the index up to date; nothing changes afterwards.
      await assembleContext({ query: "index", path: folder, contextTypes }, { workspace });
      await makeVectors(run, folder, workspace);
      const ask = asker(folder, workspace, ids, run);
      for (const task of tasks) {
        for (const budget of run.budgets ?? budgets) {
          const start = performance.now();
          const answer = await ask(task.query, budget);
          if (budget === usualBudget) milliseconds.push(performance.now() - start);
          asked.push({
            id: task.id,
            part: task.part,
            group: project,
            ...(budget !== usualBudget && { way: `${budget} tokens` }),
            dossier: { ...scoresOfBrief(answer, task), refused: Number(answer.records.length === 0) },
            bm25: scoresOfBrief(plain(task.query, budget), task),
          });
        }
      }
    } finally {
      await workspace.close();
    }
  });
  return { texts: memories.length + experiences.length, asked, milliseconds };
}

/** Ids of the fixture, in the order of print, each once. */
type Brief = { records: string[]; used: number };

export function scoresOfBrief({ records, used }: Brief, { relevant }: Pick<Task, "relevant">): Scores {
  const amongFirst = records.slice(0, few).filter((id) => relevant.includes(id)).length;
  return {
    relevant: recall(records, relevant),
    "among the first five": amongFirst / Math.min(few, relevant.length),
    precision: records.length === 0 ? undefined : recall(relevant, records),
    tokens: used,
  };
}

function asker(folder: string, workspace: Workspace, ids: ReadonlyMap<string, string>, { minScore }: Run) {
  const options = { path: folder, contextTypes, refresh: false };
  return async (query: string, maxTokens: number): Promise<Brief> => {
    const request = { ...options, query, maxTokens, ...(minScore !== undefined && { minScore }) };
    const { items, tokens } = await assembleContext(request, { workspace });
    const records = items.filter(({ level }) => level !== "pointer").flatMap(({ id }) => ids.get(id) ?? []);
    return { records: [...new Set(records)], used: tokens.used };
  };
}

/** Writes the records once; the ids that they got lead back to those of the fixture. */
async function written(
  folder: string,
  workspace: Workspace,
  memories: readonly Memory[],
  experiences: readonly Experience[],
): Promise<Map<string, string>> {
  const file = join(folder, ".ids.json");
  if (existsSync(file)) return new Map(JSON.parse(readFileSync(file, "utf8")) as [string, string][]);
  const ids = new Map<string, string>();
  for (const { id, ...memory } of memories) {
    const input = { ...memory, path: folder, force: true } as Parameters<typeof remember>[0];
    const { memory: stored } = await remember(input, { workspace });
    ids.set(stored!.id, id);
  }
  for (const { id, ...each } of experiences) {
    const input = { ...each, step: "record", path: folder } as Parameters<typeof experience>[0];
    const result = await experience(input, { workspace });
    ids.set(result.experience!.id, id);
  }
  writeFileSync(file, JSON.stringify([...ids]));
  return ids;
}

function plainBriefs(memories: readonly Memory[], experiences: readonly Experience[]) {
  const texts = [
    ...memories.map(({ id, content, tags }) => ({ id, text: `${content} ${tags.join(" ")}` })),
    ...experiences.map(({ id, ...rest }) => ({ id, text: Object.values(rest).join("\n") })),
  ];
  const counter = tokenCounter("o200k_base");
  const costs = new Map(texts.map(({ id, text }) => [id, counter.count(`- ${text}\n`)]));
  const rank = bm25Ranking(texts);
  return (query: string, budget: number): Brief => {
    const records = packed(rank(query), (id) => costs.get(id)!, budget);
    return { records, used: records.reduce((sum, id) => sum + costs.get(id)!, 0) };
  };
}

function hashOf(fixture: string, names: readonly string[]): string {
  const hash = createHash("sha256");
  for (const name of names) hash.update(readFileSync(join(fixture, name)));
  return hash.digest("hex").slice(0, 12);
}

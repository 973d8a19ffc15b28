import { existsSync } from "node:fs";
import { join } from "node:path";
import { evaluate, index, status } from "../../../src/index.ts";
import { checkOut, headOf, mirrorOf, mirrorsIn } from "../data/mirrors.ts";
import { inPlace } from "../data/place.ts";
import type { Line } from "../measures/summary.ts";
import type { QualitySet, Run } from "../set.ts";

/**
 * Repositories of any language: messages of their commits, and the files that these changed, mined and measured by
 * `dossier eval` in a work tree of each mirror's newest commit. The intervals and the baseline are its own.
 */
const perRepository = 100;
const budget = 8000;

export const commits: QualitySet = {
  name: "commits",
  about: "messages of commits, and the files that they changed, in repositories of any language",
  lacks: ({ repos }) => (repos === undefined ? "no --repos are given" : undefined),
  async measure(run) {
    const lines: Line[] = [];
    const milliseconds: number[] = [];
    let texts = 0;
    for (const repo of run.names ?? mirrorsIn(run.repos!)) {
      run.tell?.(`commits: ${repo}`);
      await inTree(run, repo, async (path) => {
        await index({ path });
        texts += (await status({ path })).files;
        const start = performance.now();
        const kinds = ["commit" as const];
        const limit = run.sample ?? perRepository;
        const { figures, cases } = await evaluate({ path, kinds, limit, maxTokens: budget, refresh: false });
        const asked = cases.reduce((sum, each) => sum + each.cases, 0);
        if (asked > 0) milliseconds.push((performance.now() - start) / asked);
        const group = repo.slice(repo.indexOf("/") + 1);
        lines.push(...figures.map((figure) => lineOf(figure, group)));
      });
    }
    return { set: "commits", texts, asked: [], lines, milliseconds, partial: run.names !== undefined };
  },
};

type Figures = Awaited<ReturnType<typeof evaluate>>["figures"][number];

function lineOf({ measure, dossier, bm25, difference }: Figures, group: string): Line {
  const figure = ({ mean, low, high }: Figures["dossier"]) => ({ value: mean, low, high });
  return {
    measure,
    group,
    questions: dossier.count,
    dossier: figure(dossier),
    bm25: figure(bm25),
    gain: figure(difference),
  };
}

/** The tree is kept while the mirror's newest commit is the same. */
async function inTree(run: Run, repo: string, work: (path: string) => Promise<void>): Promise<void> {
  const mirror = mirrorOf(run.repos!, repo);
  const commit = headOf(mirror);
  await inPlace(run, `commits-${repo.replace("/", "+")}-${commit.slice(0, 12)}`, async (path) => {
    if (!existsSync(join(path, ".git"))) checkOut(mirror, commit, path);
    await work(path);
  });
}

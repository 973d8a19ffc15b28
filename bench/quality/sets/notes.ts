import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { context, openWorkspace, type Workspace } from "../../../src/index.ts";
import { inPlace } from "../data/place.ts";
import { lacking, rowsOf, sampleOf } from "../data/rows.ts";
import { bm25Ranking } from "../measures/bm25.ts";
import type { Asked, Part, QualitySet, Run, Scores } from "../set.ts";
import { isPartial } from "./questions.ts";

/**
 * Whether a note that is asked for comes first: by its title, by a part of its title or another wording of it, and by a
 * question that one of its fields answers. Both origins, a Tana export and a Logseq vault, are connected to one
 * workspace. The questions were written by hand, before anything was ranked by them; of every two the first is of the
 * part `tuning`, the second is `held` aside.
 */
type Case = {
  id: string;
  part: Part;
  group: "title" | "partial" | "field";
  /** Of the note that is asked for, at its origin; `or`: another one that may be meant. */
  key: string;
  or?: string;
  /** Absent where the title is asked for. */
  query?: string;
  /** What the field says, or the part of it that must be there. */
  answer?: string;
};

type Page = { id: string; title: string; text: string };

const cases = fileURLToPath(new URL("../notes/cases.jsonl", import.meta.url));
const budget = 4000;

export const notes: QualitySet = {
  name: "notes",
  about: "notes asked for by title, by a part or another wording of it, and by what their fields say",
  lacks: ({ data }) => lacking(data, "tana", "workspace.json") ?? lacking(data, "notes", "logseq.jsonl"),
  async measure(run) {
    const pages = rowsOf<Page>(join(run.data, "notes", "logseq.jsonl"));
    const nodes = nodesOf(join(run.data, "tana", "workspace.json"));
    const titles = new Map([...pages, ...nodes].map(({ id, title }) => [id, title]));
    const chosen = rowsOf<Case>(cases).filter(({ part, group }) =>
      run.only ? run.only.some((name) => name === part || name === group) : true,
    );
    const plain = bm25Ranking([...pages, ...nodes].map(({ id, title, text }) => ({ id, text: `${title}\n${text}` })));
    const asked: Asked[] = [];
    const milliseconds: number[] = [];
    await inVaultAndExport(run, pages, async (root, workspace) => {
      for (const one of sampleOf(chosen, run.sample)) {
        const query = one.query ?? titles.get(one.key);
        if (query === undefined) throw new Error(`${one.id}: there is no ${one.key}.`);
        const start = performance.now();
        const dossier = await scoresOf(query, one, root, workspace);
        milliseconds.push(performance.now() - start);
        const [best] = plain(query);
        const bm25 = { first: Number(isMeant(best, one)) };
        asked.push({ id: one.id, part: one.part, group: one.group, dossier, bm25 });
      }
    });
    return { set: "notes", texts: titles.size, asked, milliseconds, partial: isPartial(run) };
  },
};

function isMeant(key: string | undefined, { key: wanted, or }: Case): boolean {
  return key === wanted || (key !== undefined && key === or);
}

/**
 * `first`: it is the best of the result and stands first in the document.
 * `printed`: more of it than its name. Of a field: what the field says.
 */
async function scoresOf(query: string, one: Case, root: string, workspace: Workspace): Promise<Scores> {
  const { items, text } = await context(
    { query, path: root, recipe: "graph", maxTokens: budget, refresh: false },
    { workspace },
  );
  const best = items.reduce((a, b) => (b.score > a.score ? b : a), items[0]!);
  const [top] = items;
  const first = isMeant(keyOf(top), one) && isMeant(keyOf(best), one);
  const meant = items.find((item) => isMeant(keyOf(item), one));
  const shown = meant !== undefined && meant.level !== "pointer";
  const hasAnswer = one.answer === undefined || text.toLowerCase().includes(one.answer.toLowerCase());
  return { first: Number(first), "first and printed": Number(first && shown && hasAnswer) };
}

function keyOf(item: { facts?: Record<string, unknown> } | undefined): string | undefined {
  return item?.facts?.id === undefined ? undefined : String(item.facts.id);
}

/** The nodes of an export with a name, read without the product's readers. */
function nodesOf(path: string): Page[] {
  const { docs } = JSON.parse(readFileSync(path, "utf8")) as {
    docs: { id: string; props?: { name?: string; description?: string } }[];
  };
  return docs.flatMap(({ id, props }) =>
    props?.name ? [{ id, title: props.name, text: props.description ?? "" }] : [],
  );
}

async function inVaultAndExport(
  run: Run,
  pages: Page[],
  work: (root: string, workspace: Workspace) => Promise<void>,
): Promise<void> {
  await inPlace({ ...run, cache: undefined }, "notes", async (root) => {
    for (const { id, text } of pages) {
      mkdirSync(dirname(join(root, "vault", id)), { recursive: true });
      writeFileSync(join(root, "vault", id), text);
    }
    mkdirSync(join(root, "vault", "logseq"), { recursive: true });
    writeFileSync(join(root, "vault", "logseq", "config.edn"), "{}\n");
    copyFileSync(join(run.data, "tana", "workspace.json"), join(root, "export.json"));
    const origins = [
      { name: "tana", from: "export.json" },
      { name: "logseq", from: "vault" },
    ];
    writeFileSync(join(root, "dossier.json"), JSON.stringify({ notes: origins }));
    const workspace = await openWorkspace(root);
    try {
      // The first question reads everything; nothing changes afterwards.
      await context({ query: "notes", path: root, recipe: "graph" }, { workspace });
      await work(root, workspace);
    } finally {
      await workspace.close();
    }
  });
}

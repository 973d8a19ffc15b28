import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { context, openWorkspace, search, type Workspace } from "../../../src/index.ts";
import { lacking, rowsOf, sampleOf } from "../data/rows.ts";
import { makeVectors } from "../data/vectors.ts";
import { bm25Ranking } from "../measures/bm25.ts";
import { recall, reciprocalRank } from "../measures/metrics.ts";
import type { Asked, QualitySet, Run, Scores } from "../set.ts";

/**
 * What a sentence of a note is about: links of a vault are hidden, a tenth of them at a time, and each is looked for
 * with the sentence it stood in. Asked of the notes graph, of the graph without following links, and of the same notes
 * as files.
 */
const folds = 10;
const fewestWords = 3;
const considered = 5;
/** Notes and files that are ranked for each question. */
const most = 500;

type Page = { id: string; title: string; text: string };
type Hidden = { id: string; from: string; to: string; line: string; sentence: string };

export const noteLinks: QualitySet = {
  name: "note-links",
  about: "sentences of a vault's notes, and the notes that they linked to",
  lacks: ({ data }) => lacking(data, "notes", "logseq.jsonl"),
  async measure(run) {
    const { data, sample, tell } = run;
    const pages = rowsOf<Page>(join(data, "notes", "logseq.jsonl"));
    const links = rowsOf<{ from: string; to: string }>(join(data, "notes", "logseq-links.jsonl"));
    const cases = sampleOf(hiddenLinks(pages, links), sample);
    const milliseconds: number[] = [];
    const asked: Asked[] = [];
    for (let fold = 0; fold < folds; fold++) {
      const hidden = cases.filter((_, index) => index % folds === fold);
      if (hidden.length === 0) continue;
      tell?.(`note-links: part ${fold + 1} of ${folds}`);
      const texts = textsWithout(pages, hidden);
      const plain = bm25Ranking(pages.map(({ id }) => ({ id, text: `${titleIn(id)}\n${texts.get(id)}` })));
      await inVault(run, texts, async (root, workspace) => {
        for (const each of hidden) {
          const { id, sentence } = each;
          const bm25 = scoresOf(plain(sentence), each);
          const start = performance.now();
          const walked = scoresOf(await notesFor(sentence, root, true, workspace), each);
          milliseconds.push(performance.now() - start);
          asked.push(
            { id, dossier: walked, bm25 },
            {
              id,
              way: "without links",
              dossier: scoresOf(await notesFor(sentence, root, false, workspace), each),
              bm25,
            },
            { id, way: "as files", dossier: scoresOf(await filesFor(sentence, root, workspace), each), bm25 },
          );
        }
      });
    }
    return { set: "note-links", texts: pages.length, asked, milliseconds };
  },
};

/** The page that the sentence stands on is no answer. */
function scoresOf(found: string[], { from, to }: Hidden): Scores {
  const others = found.filter((page) => page !== from);
  return {
    [`recall@${considered}`]: recall(others.slice(0, considered), [to]),
    MRR: reciprocalRank(others, new Set([to])),
  };
}

/** A page is called by its file, for the baseline as for the product. */
function titleIn(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1).replace(/\.md$/, "");
}

async function notesFor(query: string, path: string, expand: boolean, workspace: Workspace): Promise<string[]> {
  const asked = { query, path, recipe: "graph" as const, expand, maxTokens: 200_000, minScore: 0, limit: most };
  const { items, dropped } = await context(asked, { workspace });
  if (dropped.some(({ reason }) => reason === "over-budget")) throw new Error("Not everything was ranked.");
  const ranked = [...items].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return [...new Set(ranked.map(({ facts }) => String(facts?.place ?? "").replace(/:\d+$/, "")))];
}

async function filesFor(query: string, path: string, workspace: Workspace): Promise<string[]> {
  const { results } = await search({ query, path, sources: ["file"], minScore: 0, limit: most }, { workspace });
  return [...new Set(results.map((result) => result.path))];
}

/** Links in running text, with the line they stand in and what is left of it without them. */
export function hiddenLinks(pages: Page[], links: { from: string; to: string }[]): Hidden[] {
  const byId = new Map(pages.map((page) => [page.id, page]));
  return links.flatMap(({ from, to }): Hidden[] => {
    const link = `[[${byId.get(to)!.title}]]`.toLowerCase();
    const line = byId
      .get(from)!
      .text.split("\n")
      .find((each) => each.toLowerCase().includes(link) && !/^\s*(?:-\s*)?[\w-]+::/.test(each));
    if (line === undefined) return [];
    const sentence = hideIn(line, link)
      .replace(/\[\[|\]\]|^[\s\-*#>]+/g, "")
      .trim();
    const words = sentence.match(/\p{L}{3,}/gu) ?? [];
    return words.length < fewestWords ? [] : [{ id: `${from} -> ${to}`, from, to, line, sentence }];
  });
}

function hideIn(line: string, link: string): string {
  let text = line;
  for (let at = text.toLowerCase().indexOf(link); at >= 0; at = text.toLowerCase().indexOf(link)) {
    text = text.slice(0, at) + text.slice(at + link.length);
  }
  return text;
}

/** The pages' texts by id, with these links gone from their lines. */
function textsWithout(pages: Page[], hidden: Hidden[]): Map<string, string> {
  const titles = new Map(pages.map(({ id, title }) => [id, title]));
  return new Map(
    pages.map(({ id, text }) => {
      const gone = hidden.filter(({ from }) => from === id);
      const lines = text.split("\n").map((line) => {
        let shown = line;
        for (const each of gone) {
          if (each.line === line) shown = hideIn(shown, `[[${titles.get(each.to)}]]`.toLowerCase());
        }
        return shown;
      });
      return [id, lines.join("\n")];
    }),
  );
}

async function inVault(
  run: Run,
  texts: ReadonlyMap<string, string>,
  work: (root: string, workspace: Workspace) => Promise<void>,
): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "dossier-links-"));
  try {
    for (const [id, text] of texts) {
      mkdirSync(dirname(join(root, id)), { recursive: true });
      writeFileSync(join(root, id), text);
    }
    // What tells a vault from a folder that happens to hold Markdown.
    mkdirSync(join(root, "logseq"), { recursive: true });
    writeFileSync(join(root, "logseq", "config.edn"), "{}\n");
    const workspace = await openWorkspace(root);
    try {
      await makeVectors(run, root, workspace);
      await work(root, workspace);
    } finally {
      await workspace.close();
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

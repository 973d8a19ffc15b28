import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { context, openWorkspace } from "../src/index.ts";
import { row } from "./figures.ts";

/**
 * Whether the graph helps to find what a sentence is about: links of a vault are hidden, a tenth of them at a time, and each is looked for
 * with the sentence it stood in. `npm run bench -- --note-links --data <folder with notes/logseq.jsonl and notes/logseq-links.jsonl>`.
 */
const folds = 10;
const fewestWords = 3;
const considered = 5;

type Page = { id: string; title: string; text: string };
type Case = { from: string; to: string; line: string; sentence: string };

export async function measureNoteLinks(data: string): Promise<void> {
  const pages = read<Page>(join(data, "notes/logseq.jsonl"));
  const cases = casesOf(pages, read<{ from: string; to: string }>(join(data, "notes/logseq-links.jsonl")));
  const hits = { without: 0, with: 0 };
  const reciprocal = { without: 0, with: 0 };
  for (let fold = 0; fold < folds; fold++) {
    const hidden = cases.filter((_, index) => index % folds === fold);
    const root = vaultWithout(pages, hidden);
    const workspace = await openWorkspace(root);
    try {
      for (const each of hidden) {
        for (const way of ["without", "with"] as const) {
          const found = await pagesFor(each, root, way === "with", workspace);
          const place = found.indexOf(each.to);
          if (place >= 0 && place < considered) hits[way]++;
          if (place >= 0) reciprocal[way] += 1 / (place + 1);
        }
      }
    } finally {
      await workspace.close();
      rmSync(root, { recursive: true, force: true });
    }
  }
  console.log(`${cases.length} hidden links of ${pages.length} notes\n`);
  for (const way of ["without", "with"] as const) {
    const share = (value: number) => (value / cases.length).toFixed(3);
    row(`${way} traversal`, share(hits[way]), `recall@${considered}; MRR ${share(reciprocal[way])}`);
  }
}

async function pagesFor(
  { sentence, from }: Case,
  root: string,
  expand: boolean,
  workspace: Awaited<ReturnType<typeof openWorkspace>>,
): Promise<string[]> {
  const { items, dropped } = await context(
    { query: sentence, path: root, recipe: "graph", expand, maxTokens: 200_000, minScore: 0, limit: 500 },
    { workspace },
  );
  if (dropped.some(({ reason }) => reason === "over-budget")) throw new Error("Not everything was ranked.");
  const ranked = [...items].sort((a, b) => b.score - a.score);
  const found = ranked.map(({ facts }) => String(facts?.place ?? "").replace(/:\d+$/, ""));
  return [...new Set(found)].filter((page) => page !== from);
}

/** Links in running text, with the line they stand in and what is left of it without them. */
function casesOf(pages: Page[], links: { from: string; to: string }[]): Case[] {
  const byId = new Map(pages.map((page) => [page.id, page]));
  return links.flatMap(({ from, to }): Case[] => {
    const link = `[[${byId.get(to)!.title}]]`.toLowerCase();
    const line = byId
      .get(from)!
      .text.split("\n")
      .find((each) => each.toLowerCase().includes(link) && !/^\s*(?:-\s*)?[\w-]+::/.test(each));
    if (line === undefined) return [];
    const sentence = hideIn(line, link)
      .replace(/\[\[|\]\]|^[\s\-*#>]+/g, "")
      .trim();
    return (sentence.match(/\p{L}{3,}/gu) ?? []).length < fewestWords ? [] : [{ from, to, line, sentence }];
  });
}

function hideIn(line: string, link: string): string {
  let text = line;
  for (let at = text.toLowerCase().indexOf(link); at >= 0; at = text.toLowerCase().indexOf(link)) {
    text = text.slice(0, at) + text.slice(at + link.length);
  }
  return text;
}

function vaultWithout(pages: Page[], hidden: Case[]): string {
  const root = mkdtempSync(join(tmpdir(), "dossier-links-"));
  const titles = new Map(pages.map(({ id, title }) => [id, title]));
  for (const { id, text } of pages) {
    const gone = hidden.filter(({ from }) => from === id);
    const lines = text.split("\n").map((line) => {
      let shown = line;
      for (const each of gone) {
        if (each.line === line) shown = hideIn(shown, `[[${titles.get(each.to)}]]`.toLowerCase());
      }
      return shown;
    });
    mkdirSync(dirname(join(root, id)), { recursive: true });
    writeFileSync(join(root, id), lines.join("\n"));
  }
  mkdirSync(join(root, "logseq"), { recursive: true });
  writeFileSync(join(root, "logseq", "config.edn"), "{}\n");
  return root;
}

function read<T>(path: string): T[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Note } from "../../src/note.ts";
import { vault } from "../../src/notes/readers/vault/vault.ts";
import { folder } from "../workspace.ts";

/** Public data sets, where the folder named by DOSSIER_DATA has them; they are not part of the product. */
const data = join(process.env.DOSSIER_DATA ?? "", "notes");
const rows = <Row>(name: string): Row[] =>
  readFileSync(join(data, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

type Page = { id: string; text: string };
type Link = { from: string; to: string };

describe.runIf(process.env.DOSSIER_DATA && existsSync(join(data, "logseq.jsonl")))(
  "the documentation of Logseq",
  () => {
    const pages = (): Page[] => rows<Page>("logseq.jsonl");
    const listed = (): Link[] => rows<Link>("logseq-links.jsonl");

    it("has every link that is listed, but for those that are only shown as code", async () => {
      const notes = await readAll(pages());
      const linksFound = linksOf(notes);
      const missing = listed().filter(({ from, to }) => !linksFound.has(`${from} -> ${to}`));
      const met = listed().length - missing.length;
      console.log(
        `links between pages: ${listed().length} listed, ${met} of them found, ${linksFound.size} found in all`,
      );
      const text = new Map(pages().map((page) => [page.id, page.text]));
      const names = namesOf(notes);
      for (const { from, to } of missing) {
        const mentions = [...withoutCode(text.get(from)!).matchAll(/\[\[([^[\]]+)\]\]/g)].map((match) => match[1]!);
        expect(mentions.filter((name) => names.get(to)!.has(`[[${name.toLowerCase()}]]`))).toEqual([]);
      }
      expect(missing.length).toBeLessThanOrEqual(5);
    });

    it("has every page, bullet, block id and property that simple patterns count", async () => {
      const notes = await readAll(pages());
      const lines = new Map(pages().map(({ id, text }) => [id, text.split("\n")]));
      const bullet = /^[ \t]*-[ \t]+\S/;
      const counted = (pattern: RegExp): number =>
        pages().reduce((sum, { text }) => sum + [...withoutCode(text).matchAll(pattern)].length, 0);
      const having = (field: string): number =>
        notes.filter(({ fields }) => fields.some(({ name }) => name === field)).length;
      const counts: Record<string, [number, number]> = {
        pages: [pages().length, notes.filter(({ parent }) => parent === undefined).length],
        "bullets with text": [
          counted(new RegExp(bullet, "gm")),
          notes.filter(({ parent, place }) => parent && bullet.test(lines.get(place!.path)![place!.line - 1]!)).length,
        ],
        "block ids": [
          counted(/^[ \t]*(?:- )?id:: \S/gm),
          notes.filter(({ aliases }) => aliases?.some((alias) => alias.startsWith("(("))).length,
        ],
        ...Object.fromEntries(
          ["type", "platforms", "description", "url", "parent"].map((name) => [
            name,
            [counted(new RegExp(`^[ \\t]*(?:- )?${name}:: \\S`, "gm")), having(name)],
          ]),
        ),
      };
      const shown = Object.entries(counts).map(([name, [expected, found]]) => `${name} ${expected} / ${found}`);
      console.log(`counted / read: ${shown.join(", ")}`);
      for (const [name, [expected, found]] of Object.entries(counts))
        expect(`${name} ${found}`).toBe(`${name} ${expected}`);
    });
  },
);

async function readAll(pages: Page[]): Promise<Note[]> {
  const root = folder(Object.fromEntries(pages.map(({ id, text }) => [id, text])));
  expect(await vault.recognises(root)).toBe(true);
  const sheets = (await vault.list(root)).map(({ name }) => name);
  const notes: Note[] = [];
  for await (const batch of vault.read(root, sheets, { warn: (sentence) => expect.unreachable(sentence) })) {
    notes.push(...batch.notes);
  }
  return notes;
}

/** Links between pages: mentions and values of all that stands in them. */
function linksOf(notes: Note[]): Set<string> {
  const byAlias = new Map<string, Set<string>>();
  for (const { aliases = [], place } of notes) {
    for (const alias of aliases) byAlias.set(alias, (byAlias.get(alias) ?? new Set()).add(place!.path));
  }
  const links = new Set<string>();
  for (const { references, fields, place } of notes) {
    const values = fields.flatMap((field) => field.values.flatMap(({ note }) => note ?? []));
    for (const reference of [...references, ...values]) {
      for (const to of byAlias.get(reference) ?? []) if (to !== place!.path) links.add(`${place!.path} -> ${to}`);
    }
  }
  return links;
}

function namesOf(notes: Note[]): Map<string, Set<string>> {
  const pages = notes.filter(({ parent }) => parent === undefined);
  return new Map(pages.map(({ key, aliases = [] }) => [key, new Set(aliases)]));
}

/** With a word in the place of code, and other blocks on one line. */
function withoutCode(text: string): string {
  const code = /^(?:SRC|EXAMPLE)$/i;
  return text
    .replace(/```.*?```/gs, "code")
    .replace(/#\+BEGIN_(\w+).*?#\+END_\1/gis, (block, kind: string) =>
      code.test(kind) ? "code" : block.replace(/\n\s*/g, " "),
    )
    .replace(/`[^`\n]*`/g, "code");
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directoryOf } from "../../chat/directory.ts";
import { refreshDocuments } from "../../indexing/library/documents.ts";
import type { Candidate } from "../../item.ts";
import type { LibraryStore } from "../../stores/library.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { editDistance } from "../../text/similarity/levenshtein.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import type { SourceSearch } from "../source.ts";
import { document } from "./document.ts";
import { excerptOf } from "./excerpt.ts";
import { phrasesOf } from "./find-chunks.ts";
import { differingLetters, lettersOf, typosBetween } from "./letter-mask.ts";
import { placesAt } from "./named-document.ts";
import { correctionsOf, withCorrections } from "./spelling.ts";

const strategies = ["text", "name", "path", "similar", "graph"];
const filler = "Nothing in this sentence matters to anybody at all. ".repeat(40);
const texts: Record<string, string> = {
  "docs/setup.md": `# Guide\n\n${filler}\n\n## Setup\n\nInstall the knowledge base first. ${filler}\n\n## Usage\n\nCall process_payment to pay. ${filler}\n`,
  "docs/billing.md": "# Billing\n\nInvoices are sent on the first day of the month. Payments are due in thirty days.\n",
  "docs/guide/faq.md": "# Questions\n\nOn the day of the first invoice the month is sent.\n",
  "team/people.txt": "Ada wrote the billing engine. Grace wrote the compiler.\n",
  "team/.env": "KNOWLEDGE=zanzibar\n",
};

describe("the source of documents", () => {
  let root: string;
  let workspace: Workspace;
  let library: LibraryStore;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "dossier-test-"));
    workspace = await openWorkspace(root, { owner: "ada" });
    library = await workspace.library();
    let at = 1_700_000_000_000;
    for (const [path, content] of Object.entries(texts)) {
      ids[path] = (await library.putDocument("ada", { path, content, type: "text/markdown", at: at++ })).id;
    }
    await library.putDocument("bob", { path: "docs/bob.md", content: "Bob's knowledge of billing", at });
    await refreshDocuments(workspace);
    await refreshDocuments({ ...workspace, owner: "bob" });
  });
  afterAll(async () => {
    await workspace.close();
    rmSync(root, { recursive: true, force: true });
  });

  const find = async (query: string, search: Partial<SourceSearch> = {}): Promise<Candidate[]> =>
    document.find(analyseQuery(query), { limit: 10, filter: {}, strategies, ...search }, workspace);
  const named = (candidates: Candidate[], signal: string) =>
    candidates.filter(({ signals }) => signals[signal] !== undefined).map(({ item }) => item.qualifiedName);

  it("finds by text, and says so", async () => {
    expect(named(await find("when are payments due"), "matched")).toContain("docs/billing.md::Billing");
  });

  it("finds knowledge for knowlege, and ranking can count it", async () => {
    const candidates = await find("knowlege");
    expect(named(candidates, "fuzzy")).toEqual(["docs/setup.md::Guide > Setup"]);
    const [alone] = candidates;
    const among = (await find("knowlege of invoices and billing")).find(({ item }) => item.id === alone!.item.id)!;
    expect(alone!.signals.fuzzy).toBe(1);
    expect(among.signals.fuzzy).toBeLessThan(0.5);
    const query = analyseQuery("knowlege billing");
    const corrections = await correctionsOf(query, workspace);
    expect(corrections.map(({ term, instead }) => [term, instead])).toEqual([["knowleg", "knowledg"]]);
    const terms = withCorrections(query, corrections).terms;
    expect(terms.map(({ term }) => term).sort()).toEqual(["bill", "knowledg"]);
    expect(terms.find(({ term }) => term === "knowledg")!.weight).toBeLessThan(
      terms.find(({ term }) => term === "bill")!.weight,
    );
  });

  it("takes a quoted phrase to the letter", async () => {
    const candidates = await find('what is "first day of the month" about');
    expect(named(candidates, "phrase")).toEqual(["docs/billing.md::Billing"]);
    expect(named(candidates, "matched")).toContain("docs/guide/faq.md::Questions");
    expect(phrasesOf('say "one two" and “three four” and `five()` but not "x"')).toEqual([
      "one two",
      "three four",
      "five()",
    ]);
  });

  it("takes a name of code to the letter", async () => {
    expect(named(await find("how does process_payment work"), "identifier")).toEqual(["docs/setup.md::Guide > Usage"]);
    expect(named(await find("how does process_invoice work"), "identifier")).toEqual([]);
  });

  it("finds each keyword's own best hits", async () => {
    const candidates = await find("compiler knowledge invoices");
    const keyworded = named(candidates, "keyword");
    expect(keyworded).toContain("team/people.txt");
    expect(keyworded).toContain("docs/setup.md::Guide > Setup");
  });

  it("finds by path, by name and by the line that is asked for", async () => {
    expect(named(await find("look into docs/billing.md"), "named")).toEqual(["docs/billing.md::Billing"]);
    expect(named(await find("what do people say"), "named")).toEqual(["team/people.txt"]);
    const candidates = await find("docs/setup.md:7");
    const best = candidates.sort((a, b) => (b.signals.named ?? 0) - (a.signals.named ?? 0))[0]!;
    expect(best.item.qualifiedName).toBe("docs/setup.md::Guide > Setup");
  });

  it("brings what was opened last, whatever is asked", async () => {
    await library.touchDocuments("ada", [ids["team/people.txt"]!], 1_700_000_100_000);
    const before = await find("invoices");
    expect(before.find(({ item }) => item.qualifiedName === "team/people.txt")!.signals).toEqual({ recent: 1 });
    await library.touchDocuments("ada", [ids["docs/billing.md"]!, ids["team/.env"]!], 1_700_000_200_000);
    const after = await find("invoices");
    expect(after.find(({ item }) => item.name === "Billing")!.signals).toMatchObject({
      matched: expect.any(Number),
      recent: expect.any(Number),
    });
  });

  it("never finds what is secret, deleted or another owner's", async () => {
    const everything = async () => [
      ...(await find("zanzibar knowledge billing .env team/.env bob docs/bob.md")),
      ...(await find('"zanzibar" knowlege')),
    ];
    const paths = (candidates: Candidate[]) => new Set(candidates.map(({ item }) => item.qualifiedName.split("::")[0]));
    expect([...paths(await everything())].filter((path) => /env|bob/.test(path!))).toEqual([]);
    expect(paths(await everything())).toContain("docs/billing.md");
    // Deleted, and not yet taken off the shelf.
    await library.removeDocument("ada", ids["docs/billing.md"]!, 1_700_000_300_000);
    expect(paths(await everything())).not.toContain("docs/billing.md");
    expect(placesAt(await directoryOf(library, "ada"), "docs/billing.md")).toEqual([]);
    await library.restoreDocument("ada", ids["docs/billing.md"]!);
    await refreshDocuments(workspace);
    expect(paths(await everything())).toContain("docs/billing.md");
  });

  it("keeps to a filter of paths, kinds or ids", async () => {
    const candidates = await find("billing invoices payment knowledge", { filter: { paths: ["docs/*.md"] } });
    expect(new Set(candidates.map(({ item }) => item.qualifiedName.split("::")[0]))).toEqual(
      new Set(["docs/billing.md", "docs/setup.md"]),
    );
    expect(await find("billing", { filter: { kinds: ["function"] } })).toEqual([]);
    const { item } = candidates[0]!;
    expect(
      (await find("billing team/people.txt", { filter: { ids: [item.id] } })).every((each) => each.item.id === item.id),
    ).toBe(true);
  });

  it("reads the exact text of a chunk with its facts", async () => {
    const candidates = await find("knowledge base");
    const chunk = candidates.find(({ item }) => item.name === "Setup")!;
    const read = (await document.read!([chunk.item], workspace)).get(chunk.item.id)!;
    const lines = texts["docs/setup.md"]!.split("\n").slice(chunk.item.startLine - 1, chunk.item.endLine);
    expect(read.lines.join("\n")).toBe(lines.join("\n").trimEnd());
    expect(read.facts).toMatchObject({
      id: ids["docs/setup.md"],
      path: "docs/setup.md",
      heading: "Guide > Setup",
      version: 1,
      type: "text/markdown",
      chunk: "2/3",
    });
  });

  it("reads a document that changed since it was indexed, and nothing that is gone", async () => {
    const [setup] = (await find("knowledge base")).filter(({ item }) => item.name === "Setup");
    const [usage] = (await find("process_payment")).filter(({ item }) => item.name === "Usage");
    const changed = texts["docs/setup.md"]!.replace("Install the knowledge base first.", "Install nothing.").replace(
      /## Usage.*/s,
      "",
    );
    await library.putDocument("ada", { path: "docs/setup.md", content: changed, at: 1_700_000_400_000 });
    const read = await document.read!([setup!.item, usage!.item], workspace);
    expect(read.get(setup!.item.id)!.lines.join("\n")).toContain("Install nothing.");
    expect(read.has(usage!.item.id)).toBe(false);
    await library.putDocument("ada", {
      path: "docs/setup.md",
      content: texts["docs/setup.md"]!,
      at: 1_700_000_500_000,
    });
    await refreshDocuments(workspace);
  });

  it("tells what a path means", async () => {
    const directory = await directoryOf(library, "ada");
    const at = async (target: string) =>
      placesAt(directory, target).map(({ id, how }) => `${how} ${directory.documents.get(id)!.path}`);
    expect(await at(ids["docs/setup.md"]!)).toEqual(["id docs/setup.md"]);
    expect(await at("@docs/setup.md")).toEqual(["path docs/setup.md"]);
    expect(await at("./Docs\\Setup.md")).toEqual(["path docs/setup.md"]);
    expect(await at("guide/faq.md")).toEqual(["suffix docs/guide/faq.md"]);
    expect(await at("faq")).toEqual(["name docs/guide/faq.md"]);
    expect(await at("docs/")).toEqual(["folder docs/billing.md", "folder docs/guide/faq.md", "folder docs/setup.md"]);
    expect(await at("guide/")).toEqual(["folder docs/guide/faq.md"]);
    expect(await at("biling.md")).toEqual(["spelling docs/billing.md"]);
    expect(await at("docs/biling")).toEqual(["spelling docs/billing.md"]);
    for (const nothing of ["", "@", "nowhere.md", "zzz/", "docs/bob.md", "x".repeat(5000), "/"])
      expect(await at(nothing)).toEqual([]);
  });

  it("answers any query without failing, and the same query alike", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 80 }), async (query) => {
        expect(await find(query)).toEqual(await find(query));
      }),
      { numRuns: 40 },
    );
  });
});

describe("typosBetween", () => {
  it("counts as the plain distance does", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(typosBetween(a, b)).toBe(distance);
        expect(differingLetters(lettersOf(a), lettersOf(b))).toBeLessThanOrEqual(2 * distance);
      }),
    );
  });
});

describe("excerptOf", () => {
  const terms = analyseQuery("payment due").terms;
  it("brings the sentences that say most, in their order", () => {
    const text = `${"A sentence on other things. ".repeat(20)}Payments are due in May. ${"More words follow. ".repeat(20)}A late payment costs more.`;
    expect(excerptOf(text, terms)).toBe("Payments are due in May. … A late payment costs more.");
  });

  it("cuts a long sentence around the first word that was asked for, and begins at the beginning when none was", () => {
    const text = `${"word ".repeat(200)}payment ${"word ".repeat(200)}`;
    expect(excerptOf(text, terms)).toContain("payment");
    expect(excerptOf("Nothing here.\n\nAt all.", terms)).toBe("Nothing here. At all.");
  });

  it("is never longer than asked, and all of it is in the text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("payment ", "due. ", "lorem ", "x".repeat(400), "\n\n", "漢字。", "😀"), {
          maxLength: 60,
        }),
        (parts) => {
          const text = parts.join("");
          const excerpt = excerptOf(text, terms);
          expect(excerpt.length).toBeLessThanOrEqual(300);
          const flat = text.replace(/\s+/g, "");
          for (const part of excerpt.split("…")) expect(flat).toContain(part.replace(/\s+/g, ""));
        },
      ),
    );
  });
});

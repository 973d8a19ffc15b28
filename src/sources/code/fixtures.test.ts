import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { extract } from "../extract.ts";
import type { Extraction, Reference, Unit } from "./extraction.ts";
import { rulesOf } from "./languages/all.ts";
import { languages } from "./languages.ts";

const folder = fileURLToPath(new URL("../../../fixtures/languages/", import.meta.url));
const names = readdirSync(folder).filter((name) => name !== "expected");
const samples = names.map((name) => ({ name, text: readFileSync(folder + name, "utf8") }));

describe.each(samples)("fixtures/languages/$name", ({ name, text }) => {
  it("yields exactly the units, imports and references written down for it", async () => {
    const extraction = await extract(name, text);
    await expect(described(extraction)).toMatchFileSnapshot(`${folder}expected/${name}.txt`);
  });

  it("loses no identifier: each is in a unit's text, signature or doc, or in the rest", async () => {
    const extraction = await extract(name, text);
    const indexed = wordsOf(
      [
        ...Object.values(extraction.rest),
        extraction.doc,
        ...extraction.units.flatMap((unit) => [...Object.values(unit.own), unit.signature, unit.doc]),
      ].join("\n"),
    );
    const lost = [...wordsOf(withoutDocTags(text))].filter((word) => !indexed.has(word));
    expect(lost).toEqual([]);
  });
});

it("has a sample for every language with a grammar", async () => {
  const sampled = new Set(
    await Promise.all(samples.map(async ({ name, text }) => (await extract(name, text)).language)),
  );
  expect(Object.keys(rulesOf).filter((id) => !sampled.has(id))).toEqual([]);
  expect(
    languages
      .filter((language) => language.grammar)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(Object.keys(rulesOf).sort());
  expect(Object.keys(rulesOf).length).toBeGreaterThanOrEqual(20);
});

function described(extraction: Extraction): string {
  const lines = [`${extraction.language} ${extraction.kind}: ${extraction.doc?.split("\n")[0] ?? "-"}`];
  for (const { startLine, endLine, module, names: brought } of extraction.imports)
    lines.push(`import ${startLine}-${endLine} ${module} (${brought.join(", ")})`);
  for (const unit of extraction.units) lines.push(...describedUnit(unit));
  lines.push(`rest: ${describedReferences(extraction.references)}`);
  return `${lines.join("\n")}\n`;
}

function describedUnit(unit: Unit): string[] {
  const lines = [
    `${unit.startLine}-${unit.endLine} ${unit.kind} ${unit.qualified}${unit.parent === undefined ? "" : ` in ${unit.parent}`}${unit.unsearched ? " (not searched)" : ""}${unit.test ? " (test)" : ""}`,
  ];
  if (unit.signature !== undefined) lines.push(...unit.signature.split("\n").map((line) => `  | ${line}`));
  if (unit.doc !== undefined) lines.push(`  doc: ${unit.doc.split("\n")[0]}`);
  const references = describedReferences(unit.references, unit.name);
  if (references !== "") lines.push(`  ${references}`);
  return lines;
}

/**
 * Each name once as it is written, whatever it is called on (receivers.test.ts has that), and without what is called
 * like the unit itself.
 */
function describedReferences(references: Reference[], unit?: string): string {
  const rank = ["extends", "implements", "calls", "references"];
  const kinds = new Map<string, string>();
  for (const { kind, name: original, receiver } of references) {
    const name = receiver?.startsWith("=") && !receiver.includes(".") ? receiver.slice(1) : original;
    const expected = kinds.get(name);
    if (expected === undefined || rank.indexOf(kind) < rank.indexOf(expected)) kinds.set(name, kind);
  }
  if (unit !== undefined && ["calls", "references"].includes(kinds.get(unit) ?? "")) kinds.delete(unit);
  return [...kinds].map(([name, kind]) => `${kind} ${name}`).join(", ");
}

function wordsOf(text: string): Set<string> {
  return new Set(text.match(/[\p{L}_][\p{L}\p{N}_]*/gu));
}

/** `<see cref="x"/>` in a doc comment is markup; what it names is kept. */
function withoutDocTags(text: string): string {
  return text.replace(/^(\s*\/\/\/.*)$/gm, (line) => line.replace(/<\/?(?:summary|see)\b( cref=)?/g, ""));
}

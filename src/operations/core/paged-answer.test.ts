import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenCounter } from "../../text/tokens/tokens.ts";
import { type AnswerForms, type AnswerPage, nextPage } from "./paged-answer.ts";

const { count } = tokenCounter("o200k_base");

function allPages(faces: AnswerForms, limit: number): AnswerPage[] {
  const pages: AnswerPage[] = [];
  for (let rest: AnswerForms | undefined = faces; rest; rest = pages.at(-1)!.rest) {
    pages.push(nextPage(rest, limit));
    if (pages.length > 10_000) throw new Error("There is no end to it.");
  }
  return pages;
}

const line = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: "grapheme", maxLength: 80 }), fc.constant(""));
const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));
const entry = fc.record({ id: fc.string({ maxLength: 12 }), content: text, score: fc.double({ noNaN: true }) });

describe("an answer in pages", () => {
  it("is one page when it fits", () => {
    const faces = { text: "short", data: { a: 1, list: ["x"] } };
    expect(nextPage(faces, 1000)).toEqual(faces);
  });

  it("never costs more than the limit on either face, and loses no letter of the text", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 250, max: 600 }), (whole, limit) => {
        const pages = allPages({ text: whole, data: { given: whole } }, limit);
        for (const page of pages) {
          expect(count(page.text)).toBeLessThanOrEqual(limit);
          expect(count(JSON.stringify(page.data))).toBeLessThanOrEqual(limit);
        }
        expect(pages.map((page) => page.text).join("")).toBe(whole);
        expect(pages.map(({ data }) => data.given ?? "").join("")).toBe(whole);
      }),
      { numRuns: 60 },
    );
  });

  it("gives every entry of a list once and in order, the long ones in pieces", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), fc.integer({ min: 400, max: 900 }), (entries, limit) => {
        const list = entries.map((each, index) => ({ ...each, id: `${index}` }));
        const pages = allPages({ text: "", data: { query: "q", list } }, limit);
        const contents = new Map<string, string>();
        const order: string[] = [];
        for (const { data } of pages) {
          expect(count(JSON.stringify(data))).toBeLessThanOrEqual(limit);
          expect(data.query).toBe("q");
          for (const { id, content } of (data.list ?? []) as typeof list) {
            if (!contents.has(id)) order.push(id);
            contents.set(id, (contents.get(id) ?? "") + (content ?? ""));
          }
        }
        expect(order).toEqual(list.map(({ id }) => id));
        expect([...contents.values()]).toEqual(list.map(({ content }) => content));
      }),
      { numRuns: 60 },
    );
  });

  it("cuts a text between lines", () => {
    const lines = Array.from({ length: 400 }, (_, number) => `line ${number} of the file`);
    const pages = allPages({ text: lines.join("\n"), data: {} }, 600);
    expect(pages.length).toBeGreaterThan(2);
    for (const { text } of pages.slice(0, -1)) expect(text.endsWith("\n")).toBe(true);
  });

  it("cuts a line that is longer than a page, but no character", () => {
    const pages = allPages({ text: "😀".repeat(3000), data: {} }, 500);
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) expect(page.text).not.toMatch(/\p{Surrogate}/u);
  });

  it("takes the time of what it reads, not of what is left", () => {
    const entries = Array.from({ length: 200_000 }, (_, number) => ({ id: number, content: `entry ${number}` }));
    const { data, rest } = nextPage({ text: "", data: { entries } }, 2000);
    expect((data.entries as unknown[]).length + (rest!.data.entries as unknown[]).length).toBe(entries.length);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compatible, contradicting, type StatementPair } from "./contradictions.cases.ts";
import { type Contradiction, contradictions } from "./contradictions.ts";

const shown = ([older, newer]: StatementPair) => `${older} | ${newer}`;

function compared(older: string, newer: string) {
  return contradictions([
    { id: "old", text: older, at: 1 },
    { id: "new", text: newer, at: 2 },
  ]);
}

describe("contradictions", () => {
  it("marks no pair that can both be true, whichever is the newer", () => {
    expect(compatible.length).toBeGreaterThanOrEqual(120);
    const wrong = compatible.filter(([a, b]) => compared(a, b).length + compared(b, a).length > 0);
    expect(wrong.map(shown)).toEqual([]);
  });

  it("finds most of those that cannot", () => {
    expect(contradicting.length).toBeGreaterThanOrEqual(60);
    const missed = contradicting.filter(([older, newer]) => compared(older, newer).length === 0);
    expect(1 - missed.length / contradicting.length, missed.map(shown).join("\n")).toBeGreaterThanOrEqual(0.9);
  });

  it("finds each of them with the texts in the other order, and says so the other way round", () => {
    for (const [older, newer] of contradicting) {
      const [forth] = compared(older, newer);
      const [back] = compared(newer, older);
      expect(back === undefined, older).toBe(forth === undefined);
      if (!forth || !back) continue;
      const [here, there] = forth.why.replace(/ there$/, "").split(" here, ");
      expect(back.why).toBe(`${there} here, ${here} there`);
    }
  });

  it("marks no two statements from different pairs, save those that speak of the same", () => {
    const texts = compatible.map(([text]) => text).filter((text) => !/timeout|listens on port|upload size/i.test(text));
    const marked = contradictions(texts.map((text, at) => ({ id: text, text, at })));
    expect(marked).toEqual([]);
  });

  it("says what each of the two says", () => {
    const why = (older: string, newer: string) => compared(older, newer)[0]?.why;
    expect(why("The API listens on port 8080", "The API listens on port 9090")).toBe("port 9090 here, port 8080 there");
    expect(why("We use PostgreSQL for storage", "We use SQLite for storage")).toBe("SQLite here, PostgreSQL there");
    expect(why("timeout = 30s", "The timeout is 60 seconds")).toBe("60 seconds here, 30s there");
    expect(why("always run migrations by hand", "never run migrations by hand")).toBe("denied here, said there");
    expect(why("indent with tabs", "indent with 2 spaces")).toBe("2 spaces here, tabs there");
  });

  it("takes the later one for the newer, and of two at the same time the one that comes later", () => {
    const tabs = { id: "tabs", text: "prefers tabs" };
    const spaces = { id: "spaces", text: "prefers spaces" };
    const newer = (...memories: Parameters<typeof contradictions>[0]) => contradictions(memories)[0]?.newer;
    expect(newer({ ...tabs, at: 9 }, { ...spaces, at: 3 })).toBe("tabs");
    expect(newer({ ...tabs, at: 3 }, { ...spaces, at: 9 })).toBe("spaces");
    expect(newer({ ...tabs, at: 3 }, { ...spaces, at: 3 })).toBe("spaces");
  });

  it("names every pair of three that differ, and none of those that agree", () => {
    const ports = ["8080", "9090", "8080"].map((port, at) => ({
      id: `m${at}`,
      text: `The API listens on port ${port}`,
      at,
    }));
    const pairs = contradictions(ports).map(({ newer, older }) => `${newer}>${older}`);
    expect(pairs).toEqual(["m1>m0", "m2>m1"]);
  });

  it("finds a contradiction among many memories that use the same words", () => {
    const memories = Array.from({ length: 60 }, (_, at) => ({
      id: `m${at}`,
      text: `The API of tenant${at} listens on port ${8000 + at}`,
      at,
    }));
    expect(contradictions(memories)).toEqual([]);
    const again = { id: "again", text: "The API of tenant7 listens on port 9999", at: 99 };
    expect(contradictions([...memories, again])).toEqual([
      { newer: "again", older: "m7", why: "port 9999 here, port 8007 there" },
    ]);
  });

  it("reads a statement inside a longer memory only when it says itself what it is about", () => {
    expect(
      compared("Payments were rewritten. The API listens on port 8080.", "The API listens on port 9090"),
    ).toHaveLength(1);
    expect(compared("Notes on payments. The port is 8080.", "Notes on search. The port is 9090.")).toEqual([]);
  });

  it("never contradicts a text by itself, and gives each pair once", () => {
    const word = fc.constantFrom(
      ..."the API port is 8080 9090 not never uses Redis npm tabs spaces for on 30s timeout = always `x` src/a.ts é 日本 \u0000 \ud800".split(
        " ",
      ),
    );
    const text = fc.oneof(
      fc.array(word, { maxLength: 12 }).map((words) => words.join(" ")),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const memories = texts.map((each, at) => ({ id: String(at), text: each, at }));
        const result = contradictions(memories);
        const pairs = new Set(result.map(({ newer, older }) => `${newer} ${older}`));
        const isSound = ({ newer, older }: Contradiction) =>
          Number(newer) > Number(older) && texts[Number(newer)] !== texts[Number(older)];
        return pairs.size === result.length && result.every(isSound);
      }),
      { numRuns: 60 },
    );
  });

  it("leaves long documents and endless words alone", () => {
    const long = "The API listens on port 8080. ".repeat(2000);
    expect(compared(long, "The API listens on port 9090")).toEqual([]);
    expect(compared("a".repeat(100_000), "a".repeat(100_001))).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packTerms } from "../text/analysis/terms.ts";
import { hashTerm } from "../text/hash.ts";
import { decodeModel, encodeModel, foldItem, foldQuery, forEachWeightedTerm, type TermModel } from "./term-model.ts";
import { dimensions, trainModel } from "./train.ts";

describe("a model as bytes", () => {
  it("comes back as it was, wherever the bytes begin in their buffer", () => {
    const model = twoTerms();
    const bytes = encodeModel(model);
    for (let offset = 0; offset < 4; offset++) {
      const larger = new Uint8Array(bytes.length + offset + 3);
      larger.set(bytes, offset);
      expect(decodeModel(larger.subarray(offset, offset + bytes.length))).toEqual(model);
    }
  });

  it("is refused when it is cut, extended or something else", () => {
    const bytes = encodeModel(twoTerms());
    for (let length = 0; length < bytes.length; length++) expect(decodeModel(bytes.slice(0, length))).toBeUndefined();
    expect(decodeModel(Uint8Array.of(...bytes, 0))).toBeUndefined();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => decodeModel(noise) === undefined));
  });
});

describe("folding in", () => {
  it("adds the directions of the terms it knows, by their weight", () => {
    const sum = foldQuery(twoTerms(), [
      { term: "alpha", weight: 2 },
      { term: "beta", weight: 1 },
      { term: "unheard", weight: 9 },
    ]);
    expect([...sum]).toEqual([2 * 0.5 * 100, -1 * 0.25 * 40]);
  });

  it("counts a term once over all fields of an item, a name four times a body", () => {
    const weights = new Map<number, number>();
    forEachWeightedTerm(packTerms({ name: ["alpha"], code: ["alpha", "alpha", "beta"] }), (hash, weight) => {
      expect(weights.has(hash)).toBe(false);
      weights.set(hash, weight);
    });
    expect(weights.get(hashTerm("alpha"))).toBeCloseTo(Math.log(1 + 4 + 2));
    expect(weights.get(hashTerm("beta"))).toBeCloseTo(Math.log(1 + 1));
  });

  it("gives zeros for an item without terms", () => {
    expect([...foldItem(twoTerms(), new Uint8Array())]).toEqual([0, 0]);
  });
});

describe("training", () => {
  it("keeps terms of two items or more, and leaves out what most items have", async () => {
    const items = Array.from({ length: 12 }, (_, i) => ["everywhere", `topic${i % 4}`, `alone${i}`]);
    const model = (await trainModel(items.map((code) => packTerms({ code }))))!;
    expect([...model.hashes]).toEqual([0, 1, 2, 3].map((i) => hashTerm(`topic${i}`)).sort((a, b) => a - b));
    expect(model.dimensions).toBe(dimensions);
  });

  it("learns nothing from nothing", async () => {
    expect(await trainModel([])).toBeUndefined();
    expect(await trainModel([new Uint8Array(), new Uint8Array()])).toBeUndefined();
    expect(await trainModel([packTerms({ code: ["a"] }), packTerms({ code: ["b"] })])).toBeUndefined();
  });

  it("learns no direction from items that are all the same", async () => {
    const same = packTerms({ code: ["a", "b"] });
    expect(await trainModel(Array.from({ length: 60 }, () => same))).toBeUndefined();
  });

  it("gives the same bytes for the same items", async () => {
    const items = Array.from({ length: 80 }, (_, i) => packTerms({ code: [`a${i % 7}`, `b${i % 11}`, `c${i % 13}`] }));
    expect(encodeModel((await trainModel(items))!)).toEqual(encodeModel((await trainModel(items))!));
  });
});

function twoTerms(): TermModel {
  const terms = [
    { hash: hashTerm("alpha"), scale: 0.5, direction: [100, 0] },
    { hash: hashTerm("beta"), scale: 0.25, direction: [0, -40] },
  ].sort((a, b) => a.hash - b.hash);
  return {
    dimensions: 2,
    hashes: Uint32Array.from(terms, (term) => term.hash),
    scales: Float32Array.from(terms, (term) => term.scale),
    directions: Int8Array.from(terms.flatMap((term) => term.direction)),
  };
}

import { describe, expect, it } from "vitest";
import { knownModel } from "./known-models.ts";

const bge = "Represent this sentence for searching relevant passages: ";

describe("knownModel", () => {
  it("knows a model by the name of its folder, its hub and its server", () => {
    for (const name of [
      "bge-small-en-v1.5",
      "BAAI/bge-small-en-v1.5",
      "Xenova/bge-small-en-v1.5",
      "bge-small-en-v15-q",
      "/models/BGE_small_en_v1.5/",
    ]) {
      expect(knownModel(name), name).toMatchObject({
        pooling: "cls",
        queryPrefix: bge,
        dimensions: 384,
        licence: "MIT",
      });
    }
    expect(knownModel("nomic-embed-text:latest")).toMatchObject({
      queryPrefix: "search_query: ",
      passagePrefix: "search_document: ",
      dimensions: 768,
    });
  });

  it("tells models apart whose names contain one another", () => {
    expect(knownModel("intfloat/multilingual-e5-large")).toMatchObject({ dimensions: 1024, queryPrefix: "query: " });
    expect(knownModel("e5-small-v2")).toMatchObject({ dimensions: 384, passagePrefix: "passage: ", pooling: "mean" });
    expect(knownModel("snowflake-arctic-embed-m-v2.0").queryPrefix).toBe("query: ");
    expect(knownModel("snowflake-arctic-embed-m").queryPrefix).toBe(bge);
    expect(knownModel("text-embedding-3-large").dimensions).toBe(3072);
    expect(knownModel("text-embedding-3-small").dimensions).toBe(1536);
    expect(knownModel("minishlab/potion-retrieval-32M").dimensions).toBe(512);
    expect(knownModel("minishlab/potion-base-8M").dimensions).toBe(256);
    expect(knownModel("sentence-transformers/all-MiniLM-L6-v2")).toMatchObject({ pooling: "mean", dimensions: 384 });
    expect(knownModel("all-MiniLM-L6-v2").queryPrefix).toBeUndefined();
  });

  it("has defaults for a name nobody knows, and a weight for every model", () => {
    expect(knownModel("my-own-model")).toEqual({ pooling: "mean", weight: expect.any(Number) });
    expect(knownModel("")).toEqual(knownModel("my-own-model"));
    expect(knownModel("potion-base-8M").weight).toBeGreaterThan(0);
  });
});

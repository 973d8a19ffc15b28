import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../stores/sqlite/engine/open.ts";
import type { IndexedItem, Store } from "../stores/store.ts";
import { packTerms } from "../text/analysis/terms.ts";
import { hashTerm } from "../text/hash.ts";
import { builtinEmbedder, builtinId, updateVectors, writeState } from "./builtin.ts";
import { cosineOf } from "./embedder.ts";

const owner = "someone";

describe("updateVectors", () => {
  it("brings items close that use related words and share none", async () => {
    const store = await emptyStore();
    const texts = topics(120);
    // Neither of the two shares a word with the other: only what the other items say connects them.
    texts.set("login", ["password", "credential", "login"]);
    texts.set("hash", ["hash", "salt", "digest"]);
    texts.set("smtp", ["smtp", "recipient", "attachment"]);
    await write(store, texts);
    await updateVectors(store, owner, { changedIds: [...texts.keys()], total: texts.size });

    const hits = await ask(store, ["password", "credential", "login"], texts.size);
    expect(hits.get("hash")).toBeGreaterThan(0.5);
    expect(hits.get("hash")).toBeGreaterThan(hits.get("smtp")! + 0.3);
  });

  it("makes vectors of length one, and the same for the same text", async () => {
    const store = await emptyStore();
    const texts = topics(60).set("twin-a", ["salt", "hash", "smtp"]).set("twin-b", ["salt", "hash", "smtp"]);
    await write(store, texts);
    await updateVectors(store, owner, { changedIds: [...texts.keys()], total: texts.size });

    const embedder = (await builtinEmbedder(store, owner))!;
    const [a, b] = await embedder.embedItems([item(texts.get("twin-a")!), item(texts.get("twin-b")!)]);
    expect(a).toEqual(b);
    expect(Math.abs(Math.hypot(...a!) - 127)).toBeLessThan(4);
    const hits = await store.searchVectors(owner, { vector: a!, limit: 2 });
    expect(hits.map((hit) => hit.item.id).sort()).toEqual(["twin-a", "twin-b"]);
    expect(cosineOf(hits[0]!.score)).toBeCloseTo(1, 1);
  });

  it("learns the same from the same items, in whatever order they were written", async () => {
    const texts = topics(90);
    const [forwards, backwards] = [await emptyStore(), await emptyStore()];
    await write(forwards, texts);
    await write(backwards, new Map([...texts].reverse()));
    for (const store of [forwards, backwards]) {
      await updateVectors(store, owner, { changedIds: [...texts.keys()], total: texts.size });
    }
    expect(await forwards.metadata(owner, "embedder.model")).toEqual(await backwards.metadata(owner, "embedder.model"));
  });

  it("folds in a few changes without learning anew, and learns anew after a fifth has changed", async () => {
    const store = await emptyStore();
    const texts = topics(100);
    await write(store, texts);
    await updateVectors(store, owner, { changedIds: [...texts.keys()], total: 100 });
    const first = (await builtinEmbedder(store, owner))!.revision;

    await write(store, new Map([["topic-0", ["smtp", "recipient"]]]));
    await updateVectors(store, owner, { changedIds: ["topic-0"], total: 100 });
    expect((await builtinEmbedder(store, owner))!.revision).toBe(first);
    expect((await ask(store, ["smtp", "recipient"], 3)).get("topic-0")).toBeCloseTo(1, 1);

    // 1 and 19 are a fifth; one more is too many.
    await updateVectors(store, owner, { changedIds: [...texts.keys()].slice(0, 19), total: 100 });
    expect((await builtinEmbedder(store, owner))!.revision).toBe(first);
    await updateVectors(store, owner, { changedIds: ["topic-1"], total: 100 });
    expect((await builtinEmbedder(store, owner))!.revision).not.toBe(first);
  });

  it("goes on with what it learned when the workspace has become too small to learn from", async () => {
    const store = await emptyStore();
    const texts = topics(60);
    await write(store, texts);
    await updateVectors(store, owner, { changedIds: [...texts.keys()], total: 60 });
    const first = (await builtinEmbedder(store, owner))!.revision;
    await store.write(owner, { files: [], removed: [...texts.keys()].slice(3).map((id) => `${id}.txt`) });
    await write(store, new Map([["topic-0", ["smtp", "recipient"]]]));
    await updateVectors(store, owner, { changedIds: ["topic-0"], total: 3 });
    expect((await builtinEmbedder(store, owner))!.revision).toBe(first);
    expect((await ask(store, ["smtp", "recipient"], 1)).has("topic-0")).toBe(true);
  });

  it("does not embed again what was written together with vectors of the same training", async () => {
    const store = await emptyStore();
    const texts = topics(100);
    await write(store, texts);
    await updateVectors(store, owner, { changedIds: [...texts.keys()], total: 100 });
    const embedder = (await builtinEmbedder(store, owner))!;
    const [vector] = await embedder.embedItems([item(["smtp", "recipient"])]);
    await write(store, new Map([["topic-0", ["salt", "hash"]]]), vector);

    await updateVectors(store, owner, { changedIds: ["topic-0"], total: 100, embeddedBy: embedder.revision });
    expect((await ask(store, ["smtp", "recipient"], 3)).has("topic-0")).toBe(true);
    await updateVectors(store, owner, { changedIds: ["topic-0"], total: 100, embeddedBy: "an older one" });
    expect((await ask(store, ["smtp", "recipient"], 3)).has("topic-0")).toBe(false);
  });

  it("leaves a workspace of few items, or of items without words, without vectors", async () => {
    const store = await emptyStore();
    await write(store, topics(49));
    await updateVectors(store, owner, { changedIds: ["topic-0"], total: 49 });
    expect(await builtinEmbedder(store, owner)).toBeUndefined();

    const silent = await emptyStore();
    const texts = new Map(Array.from({ length: 60 }, (_, i) => [`silent-${i}`, [] as string[]]));
    await write(silent, texts);
    await updateVectors(silent, owner, { changedIds: [...texts.keys()], total: 60 });
    expect(await builtinEmbedder(silent, owner)).toBeUndefined();
  });

  it("gives every item a vector, also one of unknown words, and ignores ids that are gone", async () => {
    const store = await emptyStore();
    const texts = topics(60).set("strange", ["neverheard", "otherwise"]);
    await write(store, texts);
    await updateVectors(store, owner, { changedIds: [...texts.keys(), "gone"], total: 61 });
    expect((await store.statistics(owner)).vectors).toBe(61);
    expect((await ask(store, ["salt"], 61)).get("strange")).toBe(0);
    await updateVectors(store, owner, { changedIds: ["gone"], total: 61 });
  });

  it("keeps one owner's words from another", async () => {
    const store = await emptyStore();
    const texts = topics(60);
    await write(store, texts);
    await updateVectors(store, owner, { changedIds: [...texts.keys()], total: 60 });
    expect(await builtinEmbedder(store, "another")).toBeUndefined();
  });

  it("stops when it is interrupted, and the next run makes it whole", async () => {
    const store = await emptyStore();
    const texts = topics(60);
    await write(store, texts);
    const change = { changedIds: [...texts.keys()], total: 60 };
    for (const stage of ["reading", "learning", "embedding"]) {
      const controller = new AbortController();
      const run = updateVectors(store, owner, change, {
        signal: controller.signal,
        progress: (progress) => progress.stage === stage && controller.abort(),
      });
      // The last batch is the only one here, so stopping after it has nothing left to stop.
      if (stage === "embedding") await run;
      else await expect(run).rejects.toMatchObject({ code: "interrupted" });
    }
    expect((await ask(store, ["salt"], 60)).size).toBe(60);
  });

  it("has no embedder between two trainings, so that vectors of both are never compared", async () => {
    const store = await emptyStore();
    const texts = topics(60);
    await write(store, texts);
    const change = { changedIds: [...texts.keys()], total: 60 };
    await updateVectors(store, owner, change);
    const full: Store = {
      ...store,
      writeVectors: async () => {
        throw new Error("database or disk is full");
      },
    };
    await expect(updateVectors(full, owner, change)).rejects.toThrow("disk is full");
    expect(await builtinEmbedder(store, owner)).toBeUndefined();
    await updateVectors(store, owner, { changedIds: [], total: 60 });
    expect(await builtinEmbedder(store, owner)).toBeDefined();
  });
});

describe("builtinEmbedder", () => {
  it("has no vector for a query of unknown words", async () => {
    const store = await emptyStore();
    const texts = topics(60);
    await write(store, texts);
    await updateVectors(store, owner, { changedIds: [...texts.keys()], total: 60 });
    const embedder = (await builtinEmbedder(store, owner))!;
    expect(await embedder.embedQuery({ text: "", terms: [] })).toBeUndefined();
    expect(await embedder.embedQuery({ text: "zzz", terms: [{ term: "zzz", weight: 1 }] })).toBeUndefined();
    expect(await builtinEmbedder(store, owner)).toBe(embedder);
  });

  it("refuses vectors that another embedder made", async () => {
    const store = await emptyStore();
    await write(store, topics(60));
    const other = { provider: "http", model: "text-large", dimensions: 256, revision: "1", changedSince: 0 };
    await writeState(store, owner, other);
    const mismatch = {
      code: "embedder-mismatch",
      message: expect.stringContaining("http/text-large (256 dimensions)"),
    };
    await expect(builtinEmbedder(store, owner)).rejects.toMatchObject(mismatch);
    await expect(updateVectors(store, owner, { changedIds: ["topic-0"], total: 60 })).rejects.toMatchObject(mismatch);
  });

  it("refuses an older version of itself until the next update, which learns anew", async () => {
    const store = await emptyStore();
    await write(store, topics(60));
    await writeState(store, owner, { ...builtinId, model: "lsa-0", revision: "1", changedSince: 0 });
    await expect(builtinEmbedder(store, owner)).rejects.toMatchObject({ code: "embedder-mismatch" });
    await updateVectors(store, owner, { changedIds: [], total: 60 });
    expect((await builtinEmbedder(store, owner))!.id).toEqual(builtinId);
  });

  it("names a damaged model, and the next update replaces it", async () => {
    const store = await emptyStore();
    const texts = topics(60);
    await write(store, texts);
    await updateVectors(store, owner, { changedIds: [...texts.keys()], total: 60 });
    await store.writeMetadata(owner, "embedder.model", Uint8Array.of(1, 2, 3));
    await expect(builtinEmbedder(store, owner)).rejects.toMatchObject({ code: "store-damaged" });
    await updateVectors(store, owner, { changedIds: [], total: 60 });
    expect(await builtinEmbedder(store, owner)).toBeDefined();
  });
});

/** Items of three topics: each has a few words of its topic, and all have one in common. */
function topics(count: number): Map<string, string[]> {
  const vocabularies = [
    ["password", "credential", "login", "hash", "salt", "digest", "session", "account"],
    ["smtp", "recipient", "attachment", "subject", "mailbox", "sender", "inbox", "bounce"],
    ["pixel", "canvas", "colour", "brush", "layer", "palette", "stroke", "gradient"],
  ];
  const texts = new Map<string, string[]>();
  for (let i = 0; i < count; i++) {
    const vocabulary = vocabularies[i % 3]!;
    const words = vocabulary.filter((word) => hashTerm(word + i) % 3 === 0);
    texts.set(`topic-${i}`, [...words, vocabulary[i % 8]!, "return"]);
  }
  return texts;
}

async function emptyStore(): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), "dossier-embed-"));
  const store = await openSqliteStore(join(folder, "index.db"));
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

/** Every text a file of its own, so that one can be replaced. */
async function write(store: Store, texts: Map<string, string[]>, vector?: Int8Array): Promise<void> {
  const files = [...texts].map(([id, words]) => ({
    path: `${id}.txt`,
    hash: id,
    size: 1,
    modified: 0,
    text: words.join(" "),
    imports: [],
    items: [indexed(id, words, vector)],
    links: [],
  }));
  await store.write(owner, { files, removed: [] });
}

function indexed(id: string, words: string[], vector?: Int8Array): IndexedItem {
  return {
    item: {
      id,
      source: "file",
      kind: "document",
      name: id,
      qualifiedName: `${id}.txt`,
      path: `${id}.txt`,
      startLine: 1,
      endLine: 1,
      hash: id,
    },
    unit: {
      terms: packTerms({ code: words }),
      length: words.length,
    },
    vector,
  };
}

function item(words: string[]): { terms: Uint8Array; text: string } {
  return { terms: packTerms({ code: words }), text: words.join(" ") };
}

/** Cosine by item id. */
async function ask(store: Store, words: string[], limit: number): Promise<Map<string, number>> {
  const embedder = await builtinEmbedder(store, owner);
  const terms = words.map((term) => ({ term, weight: 1 }));
  const vector = await embedder!.embedQuery({ text: words.join(" "), terms });
  const hits = await store.searchVectors(owner, { vector: vector!, limit });
  return new Map(hits.map((hit) => [hit.item.id, cosineOf(hit.score)]));
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { golden, needsModel, realModel, temporaryFolder } from "../model.cases.ts";
import { openTokenizer, type TokenizerJson } from "./tokenizer.ts";
import type { WordPieceJson } from "./wordpiece.ts";

const noLimit = 10_000;

describe("openTokenizer", () => {
  for (const kind of ["wordpiece", "unigram", "bpe"] as const) {
    it(`gives the ids that Hugging Face's tokenizers gives, for ${kind}`, async () => {
      const { tokenizer: json, ids, marked } = golden[kind];
      const tokenizer = await open(json);
      for (const [i, text] of golden.texts.entries()) {
        expect(tokenizer.encode(text, noLimit), JSON.stringify(text)).toEqual(ids[i]);
      }
      expect([...tokenizer.before, ...tokenizer.encode("budget", noLimit), ...tokenizer.after]).toEqual(marked);
    });
  }

  for (const [name, ids] of [
    ["all-minilm-l6-v2-q", golden.bert.ids],
    ["wordllama-l2-supercat-256", golden.llama.ids],
  ] as const) {
    const folder = realModel(name);
    it.skipIf(!folder)(
      `gives the same ids with the tokenizer of ${name} ${folder ? "" : needsModel(name)}`,
      async () => {
        const tokenizer = await openTokenizer(folder!);
        for (const [i, text] of golden.texts.entries()) {
          expect(tokenizer.encode(text, noLimit), JSON.stringify(text)).toEqual(ids[i]);
        }
      },
    );
  }

  it("cuts to the limit, and what it gives is the beginning of the whole", async () => {
    for (const kind of ["wordpiece", "unigram", "bpe"] as const) {
      const tokenizer = await open(golden[kind].tokenizer);
      const text = "Ask a question, get the best evidence. ".repeat(40);
      const whole = tokenizer.encode(text, noLimit);
      expect(tokenizer.encode(text, 7)).toEqual(whole.slice(0, 7));
      expect(tokenizer.encode(text, 100)).toEqual(whole.slice(0, 100));
    }
  });

  it("gives ids of its vocabulary for any text, the same each time", async () => {
    const tokenizer = await open(golden.wordpiece.tokenizer);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.integer({ min: 1, max: 64 }), (text, limit) => {
        const ids = tokenizer.encode(text, limit);
        expect(ids.length).toBeLessThanOrEqual(limit);
        expect(ids.every((id) => id >= 0 && id < tokenizer.size)).toBe(true);
        expect(tokenizer.encode(text, limit)).toEqual(ids);
      }),
    );
  });

  it("separates words where Unicode has a space, not where JavaScript sees one", async () => {
    const { tokenizer: json } = golden.wordpiece as { tokenizer: WordPieceJson };
    const tokenizer = await open({ ...json, normalizer: { ...json.normalizer, clean_text: false } } as TokenizerJson);
    const [budget, token] = ["budget", "token"].map((word) => tokenizer.encode(word, noLimit));
    expect(tokenizer.encode("budget\u0085token", noLimit)).toEqual([...budget!, ...token!]);
    expect(tokenizer.encode("budget\ufefftoken", noLimit)).toEqual([tokenizer.unknown]);
  });

  it("takes no more time for a text of megabytes than for its beginning", async () => {
    const tokenizer = await open(golden.wordpiece.tokenizer);
    expect(tokenizer.encode("budget ".repeat(2_000_000), 16)).toEqual(tokenizer.encode("budget ".repeat(20), 16));
  });

  it("names a file that is missing, is not JSON, or is no tokenizer", async () => {
    const folder = temporaryFolder();
    await expect(openTokenizer(folder)).rejects.toMatchObject({
      code: "model-damaged",
      message: expect.stringContaining("There is no"),
    });
    for (const [content, sentence] of [
      ["not json", "is not JSON"],
      ["{}", "holds no vocabulary"],
      ["null", "holds no vocabulary"],
      [JSON.stringify({ model: { type: "Unheard", vocab: { a: 0 } } }), "is of a kind that is not supported"],
    ] as const) {
      writeFileSync(join(folder, "tokenizer.json"), content);
      await expect(openTokenizer(folder)).rejects.toMatchObject({
        code: "model-damaged",
        message: expect.stringContaining(sentence),
      });
    }
  });
});

function open(json: TokenizerJson) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(json));
  return openTokenizer(folder);
}

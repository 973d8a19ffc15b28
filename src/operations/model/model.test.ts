import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { wordServer } from "../../../tests/word-server.ts";
import { folder } from "../../../tests/workspace.ts";
import { search } from "../ask/search.ts";
import { call } from "../core/call.ts";
import { index } from "../index/index-workspace.ts";
import { status } from "../index/status.ts";
import { model } from "./model.ts";

const words = ["how", "are", "orders", "combined", "batch", "price", "def", "login"];

/** A static model of a few words, as model2vec keeps them: `combined` and `batch` mean the same. */
function staticModel(): Record<string, Buffer | string> {
  const vocabulary = ["[PAD]", "[UNK]", ...words];
  const table = new Float32Array(vocabulary.length * 8);
  words.forEach((word, i) => {
    const axis = word === "combined" ? words.indexOf("batch") : i;
    table[(i + 2) * 8 + (axis % 8)] = 1;
  });
  const header = JSON.stringify({
    embeddings: { dtype: "F32", shape: [vocabulary.length, 8], data_offsets: [0, table.byteLength] },
  });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  return {
    "model.safetensors": Buffer.concat([length, Buffer.from(header), Buffer.from(table.buffer)]),
    "tokenizer.json": JSON.stringify({
      version: "1.0",
      added_tokens: [],
      normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, lowercase: true },
      pre_tokenizer: { type: "BertPreTokenizer" },
      post_processor: null,
      model: {
        type: "WordPiece",
        unk_token: "[UNK]",
        vocab: Object.fromEntries(vocabulary.map((word, i) => [word, i])),
      },
    }),
    "config.json": JSON.stringify({ model_type: "model2vec" }),
  };
}

const code = {
  "orders.py": "def batch(parcels):\n    groups = split(parcels)\n    return groups\n",
  "users.py": "def login(name):\n    user = find(name)\n    return user\n",
};

beforeEach(() => {
  const before = process.env.DOSSIER_HOME;
  process.env.DOSSIER_HOME = folder({});
  onTestFinished(() => {
    if (before === undefined) delete process.env.DOSSIER_HOME;
    else process.env.DOSSIER_HOME = before;
  });
});

type Given = Parameters<typeof call<typeof model.input, typeof model.output>>[1];
const run = async (path: string, more: Given = {}) => {
  const { output, input } = await call(model, { path, ...more });
  return { ...output, text: model.text!(output, input, false) };
};

describe("dossier model", () => {
  it("says that only the built-in vectors are used where nothing is configured", async () => {
    const { text, answering, model: none } = await run(folder(code));
    expect(none).toBeUndefined();
    expect(answering).toBe("builtin");
    expect(text).toContain("Only the built-in vectors are used");
  });

  it("adds a folder with its checksums, makes its vectors with the index, and finds by meaning", async () => {
    const root = folder(code);
    const weights = folder(staticModel() as Record<string, string>);
    await call(index, { path: root });
    const added = await run(root, { step: "add", name: weights, model: "tiny" });
    expect(added.files?.map(({ name }) => name).sort()).toEqual(["model.safetensors", "tokenizer.json"]);
    expect(added.files?.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256))).toBe(true);
    expect(added).toMatchObject({ answering: "builtin", complete: false, model: { name: "tiny", provider: "static" } });
    expect(JSON.parse(readFileSync(join(root, "dossier.json"), "utf8"))).toEqual({
      model: { provider: "static", folder: weights, model: "tiny" },
    });
    await call(index, { path: root });
    expect(await run(root)).toMatchObject({ answering: "tiny", complete: true });
    const { output: state } = await call(status, { path: root });
    expect(state.model).toMatchObject({ name: "tiny", answers: true, made: state.model!.items });
    expect(status.text!(state, { path: root } as never, false)).toMatch(
      /model +tiny \(\d+ of \d+ vectors; it answers\)/,
    );
    const { output } = await call(search, { path: root, query: "how are orders combined", minScore: 0 });
    expect(output.results.find(({ name }) => name === "batch")?.because.meaning).toBeGreaterThan(0);
  });

  it("goes back to the built-in vectors and to the model again without making any anew, and removes it with them", async () => {
    const root = folder(code);
    await run(root, { step: "add", name: folder(staticModel() as Record<string, string>), model: "tiny" });
    await call(index, { path: root });
    expect(await run(root, { step: "use", name: "builtin" })).toMatchObject({ answering: "builtin" });
    expect(JSON.parse(readFileSync(join(root, "dossier.json"), "utf8"))).toEqual({});
    const again = await run(root, { step: "use", name: "tiny" });
    expect(again).toMatchObject({ answering: "tiny", complete: true });
    const removed = await run(root, { step: "remove" });
    expect(removed).toMatchObject({ answering: "builtin", others: [] });
    await expect(run(root, { step: "use", name: "tiny" })).rejects.toMatchObject({ code: "not-found" });
  });

  it("refuses what is no model, and says what to give", async () => {
    const root = folder(code);
    await expect(run(root, { step: "add" })).rejects.toThrow("name is missing; it takes a folder");
    await expect(run(root, { step: "add", name: folder({ "a.txt": "a" }) })).rejects.toMatchObject({
      code: "model-damaged",
    });
    await expect(run(root, { step: "add", name: "no/such-model" })).rejects.toThrow("add --download");
    await expect(run(root, { step: "add", name: "http://localhost:1/v1" })).rejects.toThrow("--model");
    await expect(run(root, { step: "add", name: "http://user:key@localhost:1/v1", model: "x" })).rejects.toMatchObject({
      code: "bad-input",
    });
    await expect(run(root, { step: "use", name: "nothing" })).rejects.toMatchObject({ code: "not-found" });
    await expect(run(root, { step: "remove" })).rejects.toMatchObject({ code: "not-found" });
    expect(existsSync(join(root, "dossier.json"))).toBe(false);
  });

  it("writes no server down that is not there, wants a key, or has no such model", async () => {
    const root = folder(code);
    const server = await wordServer();
    server.fault = { status: 401 };
    await expect(run(root, { step: "add", name: server.url, model: "words" })).rejects.toMatchObject({
      code: "model-refused",
    });
    expect(existsSync(join(root, "dossier.json"))).toBe(false);
    server.fault = undefined;
    expect(await run(root, { step: "add", name: `${server.url}/embeddings`, model: "words" })).toMatchObject({
      model: { name: "words", provider: "http", place: server.url },
    });
  });

  it("asks before texts are sent to another machine", async () => {
    const root = folder(code);
    const input = { step: "add" as const, name: "https://models.example.org/v1", model: "words" };
    await expect(run(root, input)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("sent to models.example.org"),
    });
  });
});

describe("a model of a hub", () => {
  async function hub(files: Record<string, Buffer | string>, listed: string[] = Object.keys(files)) {
    const requests: string[] = [];
    let cut = 0;
    const server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? "");
      requests.push(path);
      if (path === "/api/models/maker/tiny") {
        const siblings = listed.map((rfilename) => ({ rfilename }));
        response.end(
          JSON.stringify({ sha: "0123abcd", siblings, library_name: "model2vec", cardData: { license: "mit" } }),
        );
        return;
      }
      const file = files[path.replace("/maker/tiny/resolve/0123abcd/", "")];
      if (file === undefined) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "content-length": Buffer.byteLength(file) });
      if (cut > 0) {
        cut--;
        response.write(Buffer.from(file).subarray(0, 3));
        setTimeout(() => response.destroy(), 20);
      } else response.end(file);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, asked: requests, breakOff: (times: number) => void (cut = times) };
  }

  it("is fetched only where its user says so, with licence and checksums", async () => {
    const root = folder(code);
    const { url, asked: requests } = await hub(staticModel());
    await expect(run(root, { step: "add", name: "maker/tiny", hub: url })).rejects.toThrow("--download");
    expect(requests).toEqual([]);
    const added = await run(root, { step: "add", name: "maker/tiny", hub: url, download: true });
    expect(added.model).toMatchObject({ name: "tiny", licence: "mit" });
    expect(added.files?.length).toBe(2);
    expect(added.text).toMatch(/licence mit/);
    expect(added.text).toMatch(/model\.safetensors .* sha256 [0-9a-f]{64}/);
    const before = requests.length;
    await run(root, { step: "add", name: "maker/tiny", hub: url, download: true });
    expect(requests.slice(before)).toEqual(["/api/models/maker/tiny"]);
  });

  it("that breaks off leaves nothing half, and is fetched anew", async () => {
    const root = folder(code);
    const { url, breakOff } = await hub(staticModel());
    breakOff(1);
    const add = () => run(root, { step: "add", name: "maker/tiny", hub: url, download: true });
    await expect(add()).rejects.toMatchObject({ code: "model-unavailable" });
    const left = readdirSync(process.env.DOSSIER_HOME!, { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => name.endsWith(".part"))).toEqual([]);
    expect(await add()).toMatchObject({ model: { name: "tiny" } });
  });

  it("that lists names outside of its folder is not followed there", async () => {
    const root = folder(code);
    const files = { ...staticModel(), "../../../evil.txt": "evil" };
    const { url, asked: requests } = await hub(files);
    await run(root, { step: "add", name: "maker/tiny", hub: url, download: true });
    expect(requests.join()).not.toContain("evil");
    await expect(run(root, { step: "add", name: "../tiny", hub: url, download: true })).rejects.toMatchObject({
      code: "not-a-folder",
    });
  });

  it("that is not there, or has no weights we can run, is said as such", async () => {
    const root = folder(code);
    const { url } = await hub(staticModel(), ["tokenizer.json", "pytorch_model.bin"]);
    const add = (name: string) => run(root, { step: "add", name, hub: url, download: true });
    await expect(add("maker/tiny")).rejects.toMatchObject({ code: "model-damaged" });
    await expect(add("maker/none")).rejects.toMatchObject({ code: "not-found" });
  });
});

import { type AddressInfo, createServer } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DossierError } from "../../errors.ts";
import { cosine, itemsOf } from "../model.cases.ts";
import type { HttpModelConfig, ModelEmbedder } from "../model-config.ts";
import {
  type EmbeddingEntry,
  type Fault,
  json,
  servedModel,
  startEmbeddingsServer,
} from "./embeddings-server.cases.ts";
import { type HttpPatience, openHttpModel } from "./http.ts";
import { retryAfter } from "./request.ts";

const quick: HttpPatience = {
  batch: { attempts: 4, timeout: 2_000, firstPause: 5, longestPause: 2_000 },
  question: { attempts: 2, timeout: 1_000, firstPause: 5, longestPause: 100 },
};
const key = "sk-very-secret-1234567890";

let served: ModelEmbedder;
beforeAll(async () => {
  served = await servedModel();
});
afterAll(() => served.close());

describe("a model behind a server", () => {
  it("gives the vectors that the model itself gives, in batches and in order", async () => {
    const { model, server } = await start({ batchSize: 3, concurrency: 2 });
    const texts = Array.from({ length: 10 }, (_, i) => `item ${"limit ".repeat(i)} requests`);
    const vectors = await model.embedItems(itemsOf(...texts));
    const own = await served.embedItems(itemsOf(...texts));
    for (const [i, vector] of vectors.entries()) expect(cosine(vector, own[i]!)).toBeGreaterThan(0.98);
    // The first request asked how long vectors are.
    expect(
      server.requests
        .slice(1)
        .map(({ body }) => body.input.length)
        .sort(),
    ).toEqual([1, 3, 3, 3]);
    expect(server.requests[0]).toMatchObject({
      path: "/v1/embeddings",
      body: { model: "small", encoding_format: "float" },
    });
    expect(model.id).toEqual({ provider: "http", model: "small", dimensions: served.id.dimensions });
  });

  it("has as many requests under way as it may, and no more", async () => {
    const { model, server } = await start({ dimensions: 3, batchSize: 1, concurrency: 3 }, () => true);
    const embedding = model.embedItems(itemsOf("limit", "cake", "zero", "item", "requests")).catch((error) => error);
    await expect.poll(() => server.requests.length).toBe(3);
    await model.close();
    expect(await embedding).toMatchObject({ code: "interrupted" });
    expect(server.requests).toHaveLength(3);
  });

  it("sends one text at a time where batches or requests of none are configured", async () => {
    const { model } = await start({ dimensions: 3, batchSize: 0, concurrency: 0 });
    expect(await model.embedItems(itemsOf("limit", "cake"))).toHaveLength(2);
  });

  it("sets the prefixes of known models, or those that are configured", async () => {
    const { model, server } = await start({ model: "nomic-embed-text", dimensions: 2 });
    expect(model.id.prefix).toBe("search_query: ");
    await model.embedItems(itemsOf("limit"));
    await model.embedQuery({ text: "requests", terms: [] });
    expect(server.requests.map(({ body }) => body.input)).toEqual([
      ["search_document: limit"],
      ["search_query: requests"],
    ]);
    const own = await start({ queryPrefix: "Q ", passagePrefix: "P ", dimensions: 2 });
    await own.model.embedItems(itemsOf("limit"));
    await own.model.embedQuery({ text: "requests", terms: [] });
    expect(own.server.requests.map(({ body }) => body.input)).toEqual([["P limit"], ["Q requests"]]);
  });

  it("asks for the dimensions, and cuts where the server gives more", async () => {
    const { model, server } = await start({ dimensions: 2 });
    expect((await model.embedItems(itemsOf("limit")))[0]!.length).toBe(2);
    expect(server.requests[0]!.body.dimensions).toBe(2);
  });

  it("sends no blank text, and gives it zeros", async () => {
    const { model, server } = await start({ dimensions: 3 });
    const [blank, filled] = await model.embedItems(itemsOf(" \n", "limit"));
    expect(blank).toEqual(new Int8Array(3));
    expect(filled!.some((component) => component !== 0)).toBe(true);
    expect(server.requests.map(({ body }) => body.input)).toEqual([["limit"]]);
    expect(await model.embedQuery({ text: "  ", terms: [] })).toBeUndefined();
  });

  it("puts vectors in the order of the texts, whatever the order of the answer, also in base64", async () => {
    const straight = await start({});
    const shuffled = await start({}, () => (entries) => ({
      data: entries.reverse().map(({ index, embedding }) => {
        const floats = Float32Array.from(embedding as number[]);
        return { index, embedding: Buffer.from(floats.buffer).toString("base64") };
      }),
    }));
    const texts = itemsOf("limit", "cake", "requests limit");
    expect(await shuffled.model.embedItems(texts)).toEqual(await straight.model.embedItems(texts));
  });
});

describe("a server that is busy", () => {
  it("is asked again after the time it names, by all requests", async () => {
    const times: number[] = [];
    const { model, server } = await start({ dimensions: 3, batchSize: 1, concurrency: 2 }, (_, response, count) => {
      times.push(Date.now());
      return count <= 2 ? json(response, 429, '{"error":{"message":"slow down"}}', { "retry-after": "1" }) : undefined;
    });
    expect(await model.embedItems(itemsOf("limit", "cake"))).toHaveLength(2);
    expect(server.requests).toHaveLength(4);
    // Never sooner than asked; how much later is the machine's affair.
    expect(times[2]! - times[0]!).toBeGreaterThanOrEqual(950);
  });

  it("is asked again after failures of its own, and after broken connections", async () => {
    const { model, server } = await start({ dimensions: 3 }, (_, response, count) => {
      if (count === 1) return json(response, 500, "oops");
      if (count === 2) return json(response, 503, "");
      if (count > 3) return undefined;
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" }).write('{"data":[');
      setTimeout(() => response.destroy(), 20);
      return true;
    });
    expect(await model.embedItems(itemsOf("limit"))).toHaveLength(1);
    expect(server.requests).toHaveLength(4);
  });

  it("is given up after a few attempts, in a sentence with what it said", async () => {
    const { model, server } = await start({ dimensions: 3 }, (_, response) =>
      json(response, 503, '{"error":"the model is loading."}'),
    );
    await expect(model.embedItems(itemsOf("limit"))).rejects.toMatchObject({
      code: "model-unavailable",
      message: `The model's server at ${server.url}/embeddings answered with status 503: the model is loading.`,
    });
    expect(server.requests).toHaveLength(4);
  });

  it("is not waited for by a question longer than a question may wait", async () => {
    const { model, server } = await start({ dimensions: 3 }, (_, response) =>
      json(response, 429, "", { "retry-after": "30" }),
    );
    await expect(model.embedQuery({ text: "limit", terms: [] })).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringMatching(/has too many requests and asks to wait \d+ s/),
    });
    expect(server.requests).toHaveLength(1);
  });

  it("may name the time in seconds or as a date", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(retryAfter("3", now)).toBe(3_000);
    expect(retryAfter("Thu, 01 Jan 2026 00:00:07 GMT", now)).toBe(7_000);
    expect(retryAfter("Thu, 01 Jan 2020 00:00:00 GMT", now)).toBe(0);
    for (const header of [null, "", "soon"]) expect(retryAfter(header, now)).toBeUndefined();
  });
});

describe("a server that does not take what it is sent", () => {
  it("is asked without the fields it does not know", async () => {
    const { model, server } = await start({ dimensions: 2 }, ({ body }, response) =>
      body.encoding_format ? json(response, 400, '{"detail":"encoding_format is not supported"}') : undefined,
    );
    expect(await model.embedItems(itemsOf("limit", "cake"))).toHaveLength(2);
    expect(server.requests[1]!.body).toEqual({ model: "small", input: ["limit", "cake"] });
  });

  it("gets smaller batches and shorter texts", async () => {
    const { model } = await start({ dimensions: 3 }, ({ body }, response) =>
      body.input.length > 2 || body.input.some((text) => text.length > 600)
        ? json(response, 413, '{"error":"batch too large"}')
        : undefined,
    );
    const vectors = await model.embedItems(itemsOf("limit", "cake ".repeat(1_000), "requests", "limit", "zero"));
    expect(vectors).toHaveLength(5);
    for (const vector of vectors) expect(vector.some((component) => component !== 0)).toBe(true);
  });

  it("is not asked many times when it takes nothing at all", async () => {
    const { model, server } = await start({ dimensions: 3 }, (_, response) =>
      json(response, 400, '{"error":{"message":"no model is loaded"}}'),
    );
    await expect(model.embedItems(itemsOf("limit", "cake"))).rejects.toMatchObject({
      message: expect.stringContaining("answered with status 400: no model is loaded"),
    });
    expect(server.requests).toHaveLength(3);
  });
});

describe("a server that answers wrongly", () => {
  const wrong: [string, Fault, string][] = [
    [
      "fewer vectors than texts",
      () => (entries) => ({ data: entries.slice(1) }),
      "answered with 1 vectors for 2 texts",
    ],
    ["more vectors than texts", () => (entries) => ({ data: [...entries, entries[0]] }), "3 vectors for 2 texts"],
    ["vectors of another length", () => embeddings(() => [1, 2]), "vectors of 2 components where small should have 5"],
    ["null for a number", () => embeddings(() => [1, 2, null, 4, 5]), "vectors that hold no numbers"],
    ["a number too large for a float", () => embeddings(() => [1, 2, 1e300, 4, 5]), "vectors that hold no numbers"],
    ["NaN", () => () => '{"data":[{"index":0,"embedding":[NaN]}]}', "vectors that hold no numbers"],
    ["no numbers at all", () => embeddings(() => "none"), "vectors that hold no numbers"],
    ["an empty vector", () => embeddings(() => []), "vectors that hold no numbers"],
    [
      "one number twice",
      () => (entries) => ({ data: entries.map((entry) => ({ ...entry, index: 0 })) }),
      "no clear order",
    ],
    [
      "a number out of range",
      () => (entries) => ({ data: entries.map((entry) => ({ ...entry, index: 7 })) }),
      "no clear order",
    ],
    ["no list", () => () => ({ embeddings: [] }), "answered without a list of vectors"],
    ["nothing", () => () => "", "answered with nothing"],
    ["a page", () => () => "<html>Welcome</html>", "something that is not JSON"],
    ["half an answer", () => (entries) => JSON.stringify({ data: entries }).slice(0, 40), "something that is not JSON"],
    [
      "a redirect",
      (_, response) => json(response, 307, "", { location: "http://127.0.0.1:9/v1/embeddings" }),
      "redirect, which is not followed",
    ],
    [
      "not found",
      (_, response) => json(response, 404, '{"error":"model \\"small\\" not found"}'),
      'status 404: model "small" not found',
    ],
  ];
  for (const [what, fault, sentence] of wrong) {
    it(`with ${what} is said in a sentence`, async () => {
      const { model, server } = await start({}, (request, response, count) => {
        // Vectors have five components for the first request, whatever the model that is served.
        return count === 1 ? embeddings(() => [1, 2, 3, 4, 5]) : fault(request, response, count);
      });
      await expect(model.embedItems(itemsOf("limit", "cake"))).rejects.toMatchObject({
        code: "model-unavailable",
        message: expect.stringContaining(sentence),
      });
      expect(server.requests.length).toBe(2);
    });
  }

  it("that hangs, or drips, is given up in time", async () => {
    const patience = { ...quick, batch: { ...quick.batch, timeout: 300 } };
    const hanging = await start({ dimensions: 3 }, () => true, patience);
    const dripping = await start(
      { dimensions: 3 },
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const timer = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(timer));
        return true;
      },
      patience,
    );
    for (const { model } of [hanging, dripping]) {
      await expect(model.embedItems(itemsOf("limit"))).rejects.toMatchObject({
        code: "model-unavailable",
        message: expect.stringContaining("did not answer within 300 ms"),
      });
    }
  });

  it("without an end is cut off", async () => {
    const { model } = await start(
      { dimensions: 3 },
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const block = Buffer.alloc(1 << 20, " ");
        const pour = () => {
          while (!response.destroyed && response.write(block));
          if (!response.destroyed) response.once("drain", pour);
        };
        pour();
        return true;
      },
      { ...quick, batch: { ...quick.batch, timeout: 30_000 } },
    );
    await expect(model.embedItems(itemsOf("limit"))).rejects.toMatchObject({
      message: expect.stringContaining("sent more than 64 MB in one answer"),
    });
  });

  it("that is not there is said at once", async () => {
    const open = (url: string) => openHttpModel({ provider: "http", url, model: "small" }, {}, quick);
    const free = await freePort();
    await expect(open(`http://127.0.0.1:${free}/v1`)).rejects.toMatchObject({
      code: "model-unavailable",
      message: `The model's server at http://127.0.0.1:${free}/v1/embeddings cannot be reached: nothing listens there.`,
    });
    // A port that no browser speaks HTTP to.
    await expect(open("http://127.0.0.1:9/v1")).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringContaining("cannot be reached (bad port)"),
    });
    for (const url of ["localhost", "ftp://localhost/v1", "http://user:secret@localhost/v1"]) {
      const failure = await open(url).catch((error) => error);
      expect(failure).toMatchObject({ code: "bad-input" });
      expect(inspect(failure)).not.toContain("secret");
    }
  });
});

describe("the key of a server", () => {
  it("is read from the variable and sent with each request", async () => {
    const { model, server } = await start({ keyVariable: "MODEL_KEY" });
    await model.embedQuery({ text: "limit", terms: [] });
    for (const { headers } of server.requests) expect(headers.authorization).toBe(`Bearer ${key}`);
    const without = await start({});
    expect(without.server.requests[0]!.headers.authorization).toBeUndefined();
  });

  it("is said to be refused, at once", async () => {
    for (const status of [401, 403]) {
      const { model, server } = await start({ keyVariable: "MODEL_KEY", dimensions: 3 }, (_, response) =>
        json(response, status, `{"error":{"message":"Incorrect API key provided: ${key}"}}`),
      );
      await expect(model.embedItems(itemsOf("limit"))).rejects.toMatchObject({
        code: "model-refused",
        message: `The model's server at ${server.url}/embeddings refused the key in MODEL_KEY (status ${status}).`,
      });
      expect(server.requests).toHaveLength(1);
    }
  });

  it("is in no error, whatever the server says", async () => {
    for (const status of [400, 401, 404, 429, 500]) {
      const { model } = await start({ keyVariable: "MODEL_KEY", dimensions: 3 }, (_, response) =>
        json(response, status, `{"error":"your key ${key} is bad"}`),
      );
      const failure = await model.embedItems(itemsOf("limit")).catch((error) => error);
      expect(failure).toBeInstanceOf(DossierError);
      expect(inspect(failure, { depth: 10 })).not.toContain(key);
    }
  });

  it("is asked for where it is missing, and refused where it cannot be one", async () => {
    const open = (environment: Record<string, string>) =>
      openHttpModel(
        { provider: "http", url: "http://127.0.0.1:9", model: "m", keyVariable: "MODEL_KEY" },
        { environment },
      );
    await expect(open({})).rejects.toMatchObject({
      code: "model-refused",
      message: expect.stringContaining("is not set"),
    });
    const failure = await open({ MODEL_KEY: `${key}\nX-Other: 1` }).catch((error) => error);
    expect(failure).toMatchObject({ code: "model-refused" });
    expect(inspect(failure, { depth: 10 })).not.toContain(key);
  });
});

describe("a model behind a server that is not wanted any more", () => {
  it("stops when it is interrupted, also in a pause", async () => {
    const { model, server } = await start({ dimensions: 3 }, (_, response) =>
      json(response, 429, "", { "retry-after": "2" }),
    );
    const controller = new AbortController();
    const embedding = model.embedItems(itemsOf("limit"), controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    await expect(embedding).rejects.toMatchObject({ code: "interrupted" });
    expect(server.requests).toHaveLength(1);
  });

  it("is closed: what is under way ends", async () => {
    const { model, server } = await start({ dimensions: 3 }, () => true);
    const embedding = model.embedItems(itemsOf("limit"));
    await expect.poll(() => server.requests.length).toBe(1);
    await Promise.all([model.close(), expect(embedding).rejects.toMatchObject({ code: "interrupted" })]);
  });

  it("sends no further batch after one failed", async () => {
    const { model, server } = await start({ dimensions: 3, batchSize: 1, concurrency: 2 }, (_, response) =>
      json(response, 404, ""),
    );
    await expect(model.embedItems(itemsOf(...Array.from({ length: 50 }, () => "limit")))).rejects.toThrow();
    expect(server.requests.length).toBeLessThanOrEqual(4);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

function embeddings(embedding: () => unknown) {
  return (entries: EmbeddingEntry[]) => ({ data: entries.map((entry) => ({ ...entry, embedding: embedding() })) });
}

async function start(config: Partial<HttpModelConfig>, fault?: Fault, patience = quick) {
  const server = await startEmbeddingsServer(served, fault);
  const options = { environment: { MODEL_KEY: key } };
  const model = await openHttpModel(
    { provider: "http", url: server.url, model: "small", ...config },
    options,
    patience,
  );
  onTestFinished(() => model.close());
  return { model, server };
}

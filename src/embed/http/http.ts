import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { DossierError } from "../../errors.ts";
import { knownModel } from "../known-models.ts";
import type { HttpModelConfig, ModelEmbedder } from "../model-config.ts";
import type { OpenModelOptions } from "../open-model.ts";
import { embedPassages, isBlank } from "../passages.ts";
import { EmbeddingsClient } from "./embeddings-client.ts";
import { openPoster, type RequestLimits } from "./request.ts";

/** Some 2,000 tokens: a text's subject is at its beginning, and every server has a limit. */
const longestText = 8_000;

/** Limits for batches, which may run on a slow processor, and for questions, for which a user waits. */
export type HttpPatience = { batch: RequestLimits; question: RequestLimits };
const usualPatience: HttpPatience = {
  batch: { attempts: 6, timeout: 120_000, firstPause: 500, longestPause: 60_000 },
  question: { attempts: 2, timeout: 15_000, firstPause: 200, longestPause: 2_000 },
};

/** A model behind OpenAI's `/v1/embeddings`: Ollama, LM Studio, vLLM, TEI, OpenAI, Voyage, Jina. */
export async function openHttpModel(
  config: HttpModelConfig,
  { signal, environment = process.env }: OpenModelOptions = {},
  patience: HttpPatience = usualPatience,
): Promise<ModelEmbedder> {
  const { model } = config;
  const traits = knownModel(model);
  const { queryPrefix = traits.queryPrefix ?? "", passagePrefix = traits.passagePrefix ?? "" } = config;
  const url = endpointOf(config.url);
  const client = new EmbeddingsClient(config, url, openPoster(url, keyOf(config, environment)));
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const stopBy = (callerSignal?: AbortSignal) =>
    callerSignal ? AbortSignal.any([callerSignal, closing.signal]) : closing.signal;
  const ask = async (text: string, callerSignal?: AbortSignal) => {
    const [vector] = await client.vectors([text], patience.question, stopBy(callerSignal));
    return vector!;
  };
  const dimensions = config.dimensions ?? traits.dimensions ?? (await ask("word", signal)).length;
  return {
    id: { provider: "http", model, dimensions, ...(queryPrefix && { prefix: queryPrefix }) },
    // The address is not part of the revision: the same model on another server makes the same vectors.
    revision: createHash("sha256")
      .update(JSON.stringify([model, dimensions, passagePrefix]))
      .digest("hex")
      .slice(0, 16),
    embedItems(items, itemsSignal) {
      const stop = stopBy(itemsSignal);
      return embedPassages(items, { prefix: passagePrefix, dimensions }, (texts) => {
        const cut = texts.map((text) => text.slice(0, longestText));
        return client.embed(cut, { dimensions, limits: patience.batch, stop });
      });
    },
    async embedQuery({ text }, querySignal) {
      if (isBlank(text)) return undefined;
      const vector = await ask((queryPrefix + text).slice(0, longestText), querySignal);
      return client.quantised(vector, dimensions);
    },
    async close() {
      closing.abort();
    },
  };
}

/** The address that texts are sent to, built from the configured one. */
function endpointOf(configured: string): URL {
  let url: URL;
  try {
    url = new URL(configured);
  } catch (error) {
    throw new DossierError("bad-input", `${configured} is not an address of a server (http://localhost:11434/v1).`, {
      cause: error,
    });
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new DossierError(
      "bad-input",
      `The address of a model's server begins with http:// or https://, not ${url.protocol}`,
    );
  }
  if (url.username || url.password) {
    throw new DossierError(
      "bad-input",
      `The address of the model's server at ${url.host} holds a password: name the variable that holds the key instead.`,
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, "").replace(/\/embeddings$/, "")}/embeddings`;
  url.hash = "";
  return url;
}

function keyOf({ keyVariable, url }: HttpModelConfig, environment: Record<string, string | undefined>) {
  if (keyVariable === undefined) return undefined;
  const value = environment[keyVariable]?.trim() ?? "";
  const refused = (problem: string) =>
    new DossierError(
      "model-refused",
      `The variable ${keyVariable}, for the key of the model's server at ${url}, ${problem}.`,
    );
  if (value === "") throw refused("is not set");
  // Any other character is illegal in a header, and the resulting error would print the key.
  if (!/^[\x21-\x7e]+$/.test(value)) throw refused("holds characters that no key has");
  return { value, variable: keyVariable };
}

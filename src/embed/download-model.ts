import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DossierError } from "../errors.ts";

/** Models of a hub that works like huggingface.co. Nothing is downloaded unless the user asked for it by name. */

const usualHub = "https://huggingface.co";

export type HubOptions = {
  /** The address of the hub. */
  hub?: string;
  /** Models are kept in folders below this one. */
  into: string;
  signal?: AbortSignal;
  progress?: (progress: { done: number; total?: number; detail: string }) => void;
};

/** `owner/name`, or a name alone. No part may begin with a dot, so that no id leads out of its folder. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,95}(?:\/[A-Za-z0-9][A-Za-z0-9._-]{0,95})?$/;

export function isHubId(text: string): boolean {
  return idPattern.test(text) && !text.includes("..");
}

/** Files that a model may need besides its weights. */
const otherFiles = [
  "tokenizer.json",
  "config.json",
  "tokenizer_config.json",
  "1_Pooling/config.json",
  "config_sentence_transformers.json",
];
/** Weights that can be run, in order of preference. A safetensors file is a static model only if its config says so. */
const graphs = [
  "onnx/model_quantized.onnx",
  "model_quantized.onnx",
  "onnx/model_int8.onnx",
  "onnx/model.onnx",
  "model.onnx",
];
const table = "model.safetensors";

const mostBytes = 2 * 1024 ** 3;
/** Most characters of the hub's list of files. */
const mostListed = 5_000_000;
/** Milliseconds without a byte, after which the download fails. */
const patience = 30_000;

type Listing = {
  sha?: string;
  siblings?: { rfilename?: string }[];
  cardData?: { license?: string };
  library_name?: string;
};

/**
 * Downloads a model into its own folder and returns that folder. A partial file is downloaded again; a complete file is
 * kept.
 */
export async function downloadModel(id: string, options: HubOptions): Promise<{ folder: string; licence?: string }> {
  if (!isHubId(id))
    throw new DossierError("bad-input", `${JSON.stringify(id)} is no id of a model on a hub, such as owner/name.`);
  const hub = (options.hub ?? usualHub).replace(/\/+$/, "");
  const { sha, siblings = [], cardData, library_name: library } = await listingOf(hub, id, options);
  if (sha === undefined || !/^[0-9a-f]{7,64}$/.test(sha)) throw damaged(id, "the hub names no version of it");
  const available = new Set(siblings.map(({ rfilename }) => rfilename));
  const weights =
    graphs.find((name) => available.has(name)) ?? (library === "model2vec" && available.has(table) ? table : undefined);
  if (weights === undefined || !available.has("tokenizer.json")) {
    throw damaged(id, "it has no tokenizer.json with model.onnx, model_quantized.onnx or a static model.safetensors");
  }
  const folder = join(options.into, id.replace("/", "--"), sha);
  let bytes = 0;
  for (const name of [...otherFiles.filter((each) => available.has(each)), weights]) {
    const url = `${hub}/${id}/resolve/${sha}/${name}`;
    bytes += await fetchFile(url, join(folder, name), mostBytes - bytes, name, options);
  }
  const licence = cardData?.license;
  // The licence that the model card states is stored with the model, as in a hub's own copy.
  if (licence && /^[\w.-]{1,60}$/.test(licence)) {
    writeFileSync(join(folder, "README.md"), `---\nlicense: ${licence}\n---\n`);
  }
  return { folder, ...(licence ? { licence } : {}) };
}

function damaged(id: string, why: string): DossierError {
  return new DossierError("model-damaged", `The model ${id} cannot be used: ${why}.`);
}

async function listingOf(hub: string, id: string, { signal }: HubOptions): Promise<Listing> {
  const response = await get(`${hub}/api/models/${id}`, signal);
  const text = await response.text();
  if (text.length > mostListed) throw damaged(id, "the hub lists too many files");
  try {
    return JSON.parse(text) as Listing;
  } catch (error) {
    throw new DossierError("model-unavailable", `${hub} did not answer as a hub does.`, { cause: error });
  }
}

async function get(url: string, signal: AbortSignal | undefined): Promise<Response> {
  const { host } = new URL(url);
  let response: Response;
  const stop = new AbortController();
  // The timeout covers the time until the server answers; the download itself continues as long as bytes arrive.
  const timer = setTimeout(() => stop.abort(), patience);
  try {
    response = await fetch(url, { signal: any([signal, stop.signal]) });
  } catch (error) {
    if (signal?.aborted) throw new DossierError("interrupted", "Interrupted.", { cause: error });
    throw new DossierError("model-unavailable", `${host} cannot be reached: ${reasonOf(error)}.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
  if (response.ok && response.body) return response;
  await response.body?.cancel();
  const { pathname } = new URL(url);
  if (response.status === 401 || response.status === 403) {
    throw new DossierError("model-refused", `${host} does not give ${pathname} to everybody (${response.status}).`);
  }
  throw new DossierError(
    response.status === 404 ? "not-found" : "model-unavailable",
    `${host} answered ${response.status} for ${pathname}.`,
  );
}

function any(signals: (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

async function fetchFile(url: string, path: string, room: number, name: string, options: HubOptions): Promise<number> {
  if (existsSync(path)) return statSync(path).size;
  const { signal, progress } = options;
  const response = await get(url, signal);
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  const total = Number.isFinite(length) ? length : undefined;
  if (total !== undefined && total > room) {
    await response.body?.cancel();
    throw tooLarge(name);
  }
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  let done = 0;
  const stop = new AbortController();
  let timer = setTimeout(() => stop.abort(), patience);
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), patience);
      done += chunk.length;
      progress?.({ done, ...(total === undefined ? {} : { total }), detail: name });
      next(done > room ? tooLarge(name) : null, chunk);
    },
  });
  try {
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(body, counting, createWriteStream(part), { signal: any([signal, stop.signal]) });
    if (total !== undefined && done !== total) {
      throw new DossierError("model-unavailable", `${name} ended after ${done} of ${total} bytes.`);
    }
    renameSync(part, path);
    return done;
  } catch (error) {
    rmSync(part, { force: true });
    if (error instanceof DossierError) throw error;
    if (signal?.aborted) throw new DossierError("interrupted", "Interrupted.", { cause: error });
    throw new DossierError("model-unavailable", `${name} broke off after ${done} bytes: ${reasonOf(error)}.`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(name: string): DossierError {
  return new DossierError("too-large", `${name} is larger than a model may be (${mostBytes / 1024 ** 3} gigabytes).`);
}

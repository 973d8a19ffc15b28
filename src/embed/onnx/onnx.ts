import { join } from "node:path";
import { stopIfAborted } from "../../errors.ts";
import type { LocalModelConfig, ModelEmbedder } from "../model-config.ts";
import { graphOf, localModel, requireFolder, revisionOf } from "../model-folder.ts";
import { embedPassages, isBlank } from "../passages.ts";
import { charactersPerPiece } from "../tokenizer/wordpiece.ts";
import { openModelProcess } from "./model-process.ts";

/**
 * Size of one job in texts and characters: one long function or some short ones, since a question waits for the job
 * before it.
 */
const mostOfJob = { texts: 8, characters: 1000 };
/**
 * Tokens at which a text is cut. One function in nine is longer; all of their 512 tokens would cost a third more time,
 * and small models were trained on 128 to 256.
 */
const mostPieces = 256;

/** A transformer in ONNX format, in a separate process. */
export async function openOnnxModel(config: LocalModelConfig, signal?: AbortSignal): Promise<ModelEmbedder> {
  const { folder } = config;
  requireFolder(folder);
  stopIfAborted(signal);
  const folderModel = localModel(config);
  const model = { ...folderModel, maxTokens: Math.min(folderModel.maxTokens, mostPieces) };
  const modelProcess = openModelProcess({ folder, model, dimensions: config.dimensions });
  const stop = () => void modelProcess.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const { dimensions } = await modelProcess.start();
    const revision = revisionOf([graphOf(folder)!, join(folder, "tokenizer.json")], model);
    const { queryPrefix, passagePrefix } = model;
    return {
      id: { provider: "onnx", model: model.model, dimensions, ...(queryPrefix && { prefix: queryPrefix }) },
      revision,
      embedItems: (items, itemsSignal) =>
        embedPassages(items, { prefix: passagePrefix, dimensions }, async (texts) => {
          const vectors: Int8Array[] = [];
          for (const job of jobsOf(texts.map(beginning))) {
            stopIfAborted(itemsSignal);
            const batch = await modelProcess.embed(job, { isUrgent: false, signal: itemsSignal });
            for (let i = 0; i < job.length; i++) vectors.push(batch.slice(i * dimensions, (i + 1) * dimensions));
          }
          return vectors;
        }),
      async embedQuery({ text }, querySignal) {
        if (isBlank(text)) return undefined;
        stopIfAborted(querySignal);
        const vector = await modelProcess.embed([beginning(queryPrefix + text)], {
          isUrgent: true,
          signal: querySignal,
        });
        return vector.some((component) => component !== 0) ? vector : undefined;
      },
      close: () => modelProcess.close(),
    };
  } catch (error) {
    await modelProcess.close();
    stopIfAborted(signal);
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** The texts in order, with as many in each job as it may have. */
export function jobsOf(texts: readonly string[]): string[][] {
  const jobs: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const last = jobs.at(-1);
    room -= text.length;
    if (last && last.length < mostOfJob.texts && room >= 0) last.push(text);
    else {
      jobs.push([text]);
      room = mostOfJob.characters - text.length;
    }
  }
  return jobs;
}

/** The part that the tokenizer reads, so that the rest of a large file is not sent. */
function beginning(text: string): string {
  return text.slice(0, mostPieces * charactersPerPiece);
}

import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { fullScale } from "../embedder.ts";
import { hasRuntime, itemsOf, realModel, writeStaticModel } from "../model.cases.ts";
import type { ModelEmbedder } from "../model-config.ts";
import { openModel } from "../open-model.ts";

/**
 * A server with OpenAI's `/v1/embeddings` over real HTTP. It serves a local model, with the faults that a test sets.
 */

type EmbeddingsRequest = {
  path: string;
  headers: IncomingMessage["headers"];
  body: { model: string; input: string[]; encoding_format?: string; dimensions?: number };
};
export type EmbeddingEntry = { object: "embedding"; index: number; embedding: unknown };
/** Sends its own answer and returns true; or changes the entries of the good answer; or does nothing. */
export type Fault = (
  request: EmbeddingsRequest,
  response: ServerResponse,
  count: number,
) => true | ((entries: EmbeddingEntry[]) => unknown) | undefined;

export type EmbeddingsServer = {
  url: string;
  requests: EmbeddingsRequest[];
};

/** The smallest real model if it is available; otherwise a static one of a few words. */
export async function servedModel(): Promise<ModelEmbedder> {
  const real = realModel("all-minilm-l6-v2-q");
  if (real && hasRuntime()) return openModel({ provider: "onnx", folder: real });
  const folder = mkdtempSync(join(tmpdir(), "dossier-model-"));
  writeStaticModel(folder, {
    limit: [1, 0, 0.2],
    requests: [0.9, 0.1, 0],
    cake: [0, 1, 0],
    zero: [0, 0, 1],
    item: [0.5, 0.5, 1],
  });
  const model = await openModel({ provider: "static", folder });
  return {
    ...model,
    async close() {
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startEmbeddingsServer(
  model: ModelEmbedder,
  fault: Fault = () => undefined,
): Promise<EmbeddingsServer> {
  const requests: EmbeddingsRequest[] = [];
  const server = createServer(async (incoming, response) => {
    let text = "";
    for await (const piece of incoming.setEncoding("utf8")) text += piece;
    const request = { path: incoming.url!, headers: incoming.headers, body: JSON.parse(text) };
    requests.push(request);
    const change = fault(request, response, requests.length);
    if (change === true) return;
    const vectors = await model.embedItems(itemsOf(...request.body.input));
    const entries = vectors.map((vector, index) => ({
      object: "embedding" as const,
      index,
      embedding: Array.from(vector, (component) => component / fullScale),
    }));
    const body = change ? change(entries) : { object: "list", data: entries, model: request.body.model };
    json(response, 200, typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests };
}

export function json(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  return true;
}

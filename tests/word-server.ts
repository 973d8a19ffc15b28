import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/**
 * A small deterministic embedder behind OpenAI's `/v1/embeddings`, for tests of what is done with vectors: each word
 * has a direction made from its letters, and words of one group have the same. It knows no language.
 */
export type WordServer = {
  url: string;
  /** Texts that were embedded, in the order they came. */
  texts: string[];
  headers: Record<string, string | string[] | undefined>[];
  /** What happens to the next requests instead of an answer. */
  fault?: WordServerFault;
  close(): Promise<void>;
};

export type WordServerFault =
  | "hang"
  | "wrong-size"
  | "nan"
  | { status: number }
  | { after: number; fault: WordServerFault };

export type WordServerOptions = { groups?: string[][]; dimensions?: number; delay?: number };

export async function wordServer({
  groups = [],
  dimensions = 32,
  delay = 0,
}: WordServerOptions = {}): Promise<WordServer> {
  const group = new Map(groups.flatMap((words) => words.map((word) => [word, words[0]!])));
  const state: Omit<WordServer, "url" | "close"> = { texts: [], headers: [] };
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", async () => {
      const { input } = JSON.parse(body) as { input: string[] | string };
      const texts = typeof input === "string" ? [input] : input;
      let { fault } = state;
      if (typeof fault === "object" && "after" in fault)
        fault = state.texts.length >= fault.after ? fault.fault : undefined;
      if (fault === "hang") return;
      state.headers.push(request.headers);
      if (typeof fault === "object" && "status" in fault) {
        response.writeHead(fault.status, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: { message: "no" } }));
        return;
      }
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      state.texts.push(...texts);
      const size = fault === "wrong-size" ? dimensions + 1 : dimensions;
      const data = texts.map((text, index) => ({
        index,
        embedding: vectorOf(text, group, size).map((value) => (fault === "nan" ? Number.NaN : value)),
      }));
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return Object.assign(state, { url, close });
}

function vectorOf(text: string, group: ReadonlyMap<string, string>, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0.001);
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    let hash = 2166136261;
    for (const letter of group.get(word) ?? word) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0;
    vector[hash % dimensions]! += hash & 4096 ? 1 : -1;
    vector[(hash >>> 8) % dimensions]! += hash & 8192 ? 1 : -1;
  }
  return vector;
}

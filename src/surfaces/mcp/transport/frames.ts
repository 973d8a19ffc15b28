import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { nestedDeeper } from "../../json-depth.ts";
import { errorCodes, type Id, isRequest, refusal, refusalOf } from "./json-rpc.ts";

/** Longer than any honest frame; the rest of a longer one is skipped. */
const longestFrame = 16_000_000;
/** Arguments are flat; a frame that is nested deeper is an attack. */
const deepest = 64;

type Batch = { waiting: Set<Id>; answers: unknown[] };

/**
 * JSON-RPC messages, one a line. The protocol's own transport drops what it cannot read. Here every broken frame gets
 * JSON-RPC's error for it, and a batch, which one revision allows, gets a batch of answers.
 */
export function frames(input: Readable, output: Pick<Writable, "write">): Transport {
  let chunks: Buffer[] = [];
  let length = 0;
  let closed = false;
  const batches = new Map<Id, Batch>();

  const write = (message: unknown): Promise<void> =>
    new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  // If the client no longer reads, it has gone, which the writer notices.
  const answer = (message: unknown) => void write(message).catch((error: Error) => transport.onerror?.(error));

  function take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      const frame = length > longestFrame ? undefined : Buffer.concat(chunks).toString("utf8");
      chunks = [];
      length = 0;
      from = end + 1;
      if (frame === undefined) answer(refusal(null, errorCodes.noMessage, "A frame is too long."));
      else if (frame.trim() !== "") read(frame);
    }
    add(chunk.subarray(from));
  }

  function add(piece: Buffer): void {
    length += piece.length;
    if (length > longestFrame) chunks = [];
    else if (piece.length > 0) chunks.push(piece);
  }

  function read(frame: string): void {
    if (nestedDeeper(frame, deepest)) {
      answer(refusal(null, errorCodes.noMessage, `A frame is nested deeper than ${deepest} levels.`));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(frame);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      answer(refusal(null, errorCodes.notJson, "A frame is not valid JSON."));
      return;
    }
    if (Array.isArray(value) && value.length > 0) deliverAll(value);
    else deliver(value);
  }

  function deliver(value: unknown): void {
    const refused = refusalOf(value);
    if (refused) answer(refused);
    else transport.onmessage?.(value as JSONRPCMessage);
  }

  function deliverAll(values: unknown[]): void {
    const refused = values.flatMap((value) => refusalOf(value) ?? []);
    const valid = values.filter((value) => !refusalOf(value));
    const batch: Batch = { waiting: new Set(valid.filter(isRequest).map(({ id }) => id)), answers: refused };
    for (const id of batch.waiting) batches.set(id, batch);
    if (batch.waiting.size === 0 && refused.length > 0) answer(refused);
    for (const message of valid) transport.onmessage?.(message as JSONRPCMessage);
  }

  const close = async () => {
    if (closed) return;
    closed = true;
    input.off("data", take);
    input.pause();
    transport.onclose?.();
  };

  const transport: Transport = {
    async start() {
      input.on("data", take);
      for (const end of ["end", "close", "error"]) input.on(end, () => void close());
      if (input.readableEnded || input.destroyed) setImmediate(() => void close());
    },
    async send(message) {
      const id = "method" in message ? undefined : message.id;
      const batch = id === undefined ? undefined : batches.get(id);
      if (!batch || id === undefined) return write(message);
      batches.delete(id);
      batch.waiting.delete(id);
      batch.answers.push(message);
      if (batch.waiting.size === 0) await write(batch.answers);
    },
    close,
  };
  return transport;
}

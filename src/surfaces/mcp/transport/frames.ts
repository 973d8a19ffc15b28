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
  return new LineTransport(input, output);
}

class LineTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onclose?: Transport["onclose"];
  readonly #input: Readable;
  readonly #output: Pick<Writable, "write">;
  readonly #batches = new Map<Id, Batch>();
  /** The pieces of the frame that is being read, and their length in bytes. */
  #chunks: Buffer[] = [];
  #length = 0;
  #isClosed = false;

  constructor(input: Readable, output: Pick<Writable, "write">) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#take);
    for (const end of ["end", "close", "error"]) this.#input.on(end, () => void this.close());
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(() => void this.close());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const id = "method" in message ? undefined : message.id;
    const batch = id === undefined ? undefined : this.#batches.get(id);
    if (!batch || id === undefined) return this.#write(message);
    this.#batches.delete(id);
    batch.waiting.delete(id);
    batch.answers.push(message);
    if (batch.waiting.size === 0) await this.#write(batch.answers);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off("data", this.#take);
    this.#input.pause();
    this.onclose?.();
  }

  readonly #take = (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      const frame = this.#length > longestFrame ? undefined : Buffer.concat(this.#chunks).toString("utf8");
      this.#chunks = [];
      this.#length = 0;
      from = end + 1;
      if (frame === undefined) this.#answer(refusal(null, errorCodes.noMessage, "A frame is too long."));
      else if (frame.trim() !== "") this.#read(frame);
    }
    this.#add(chunk.subarray(from));
  };

  #add(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > longestFrame) this.#chunks = [];
    else if (piece.length > 0) this.#chunks.push(piece);
  }

  #read(frame: string): void {
    if (nestedDeeper(frame, deepest)) {
      this.#answer(refusal(null, errorCodes.noMessage, `A frame is nested deeper than ${deepest} levels.`));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(frame);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#answer(refusal(null, errorCodes.notJson, "A frame is not valid JSON."));
      return;
    }
    if (Array.isArray(value) && value.length > 0) this.#deliverAll(value);
    else this.#deliver(value);
  }

  #deliver(value: unknown): void {
    const refused = refusalOf(value);
    if (refused) this.#answer(refused);
    else this.onmessage?.(value as JSONRPCMessage);
  }

  #deliverAll(values: unknown[]): void {
    const refused = values.flatMap((value) => refusalOf(value) ?? []);
    const valid = values.filter((value) => !refusalOf(value));
    const batch: Batch = { waiting: new Set(valid.filter(isRequest).map(({ id }) => id)), answers: refused };
    for (const id of batch.waiting) this.#batches.set(id, batch);
    if (batch.waiting.size === 0 && refused.length > 0) this.#answer(refused);
    for (const message of valid) this.onmessage?.(message as JSONRPCMessage);
  }

  /** If the client no longer reads, it has gone, which the writer notices. */
  #answer(message: unknown): void {
    void this.#write(message).catch((error: Error) => this.onerror?.(error));
  }

  #write(message: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}

import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { isRequest, type RpcRequest } from "./json-rpc.ts";

/**
 * Milliseconds of silence before the rest is loaded. Clients greet and list in one go, and must not wait for the
 * loading.
 */
const silence = 50;

export type EarlyAnswers = {
  /** The result of a request that needs no further module; undefined for every other request. */
  known(request: RpcRequest, isGreeted: boolean): Promise<object> | undefined;
  /** Loads the rest, which then speaks over this transport. */
  load(transport: Transport): Promise<void>;
};

/**
 * The protocol's package takes longer to load than everything else together. So a client's greeting and its request for
 * the tools are answered before. Once loaded, the package gets the greeting as well, because it must know the agreed
 * revision; its answer to that is dropped.
 */
export function answerEarly(wire: Transport, { known, load }: EarlyAnswers): void {
  let greeting: RpcRequest | undefined;
  /** Messages that the package has not received yet, in order. */
  const undelivered: JSONRPCMessage[] = [];
  let loading = false;
  let loaded = false;
  let timer: NodeJS.Timeout | undefined;

  const inner: Transport = {
    // The transport was started before.
    start: () => Promise.resolve(),
    send: async (message, options) => {
      if (greeting && !("method" in message) && message.id === greeting.id) greeting = undefined;
      else await wire.send(message, options);
    },
    close: () => wire.close(),
  };

  async function begin(): Promise<void> {
    clearTimeout(timer);
    if (loading) return;
    loading = true;
    await load(inner);
    loaded = true;
    for (const message of undelivered.splice(0)) inner.onmessage?.(message);
  }

  const fail = (error: Error) => wire.onerror?.(error);

  async function answer(request: RpcRequest, result: Promise<object>): Promise<void> {
    await wire.send({ jsonrpc: "2.0", id: request.id, result: { ...(await result) } });
    timer?.refresh();
  }

  wire.onmessage = (message) => {
    if (loaded) {
      inner.onmessage?.(message);
      return;
    }
    const result = !loading && isRequest(message) ? known(message, greeting !== undefined) : undefined;
    if (result && isRequest(message)) {
      if (message.method === "initialize") {
        greeting = message;
        undelivered.push(message);
      }
      timer ??= setTimeout(() => void begin().catch(fail), silence);
      answer(message, result).catch(fail);
      return;
    }
    undelivered.push(message);
    if (isRequest(message)) void begin().catch(fail);
  };
  wire.onclose = () => {
    clearTimeout(timer);
    inner.onclose?.();
  };
  wire.onerror = (error) => inner.onerror?.(error);
}

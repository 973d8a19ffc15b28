import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { CallTarget } from "../call-target.ts";
import { greetingFor } from "../greeting.ts";
import { ownOffer } from "../offer.ts";
import { createServer } from "../server.ts";
import { createCursors } from "../tools/cursors.ts";
import { answerEarly } from "./early-handshake.ts";

const target: CallTarget = {
  from: "local",
  caller: { owner: "local", scope: "admin" },
  run: () => Promise.reject(new Error("Nothing is called here.")),
  others: () => [],
};
const offer = () => ownOffer({ target, tools: "default", cursors: createCursors() });
const agent = () => createServer({ offer: offer(), folders: async () => ["."] });
const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
const clientInfo = { name: "test", version: "1" };
const initialize = (params: Record<string, unknown>) => ({
  jsonrpc: "2.0" as const,
  id: 1,
  method: "initialize",
  params,
});

/** What the protocol's package itself answers. */
async function answered(message: JSONRPCMessage): Promise<Record<string, unknown>> {
  const [client, server] = InMemoryTransport.createLinkedPair();
  const reply = new Promise<JSONRPCMessage>((resolve) => {
    client.onmessage = resolve;
  });
  await client.start();
  await agent().connect(server);
  await client.send(message);
  return (await reply) as Record<string, unknown>;
}

describe("the greeting", () => {
  it("is what the protocol's package answers to every revision that it knows", async () => {
    for (const protocolVersion of revisions) {
      const params = { protocolVersion, capabilities: { roots: { listChanged: true } }, clientInfo };
      expect(greetingFor(params)).toEqual((await answered(initialize(params))).result);
    }
  });

  it("is left to the protocol's package where anything is unusual", () => {
    const good = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    expect(greetingFor(good)).toBeDefined();
    const unusual = [
      undefined,
      {},
      { ...good, protocolVersion: "1999-01-01" },
      { ...good, protocolVersion: 7 },
      { ...good, capabilities: undefined },
      { ...good, capabilities: { roots: true } },
      { ...good, clientInfo: { name: "test" } },
      { ...good, _meta: {} },
      { ...good, more: 1 },
    ];
    expect(unusual.map(greetingFor)).toEqual(unusual.map(() => undefined));
  });
});

describe("an opening", () => {
  it("answers what is known at once, and passes on the rest in order when it is loaded, with the greeting before it", async () => {
    const [client, wire] = InMemoryTransport.createLinkedPair();
    const answers: unknown[] = [];
    const methods: string[] = [];
    client.onmessage = (message) => void answers.push((message as { id: unknown }).id);
    let load: (() => void) | undefined;
    const loaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    answerEarly(wire, {
      known: ({ method }, isGreeted) =>
        method === "initialize" || (isGreeted && method === "tools/list")
          ? Promise.resolve({ known: true })
          : undefined,
      async load(transport) {
        transport.onmessage = (message) => {
          const { id, method } = message as { id?: number; method: string };
          methods.push(method);
          if (id !== undefined) void transport.send({ jsonrpc: "2.0", id, result: { loaded: true } });
        };
        await loaded;
      },
    });
    await Promise.all([client.start(), wire.start()]);
    const send = (id: number, method: string) => client.send({ jsonrpc: "2.0", id, method });
    await send(1, "initialize");
    await client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await send(2, "tools/list");
    await expect.poll(() => answers).toEqual([1, 2]);
    expect(methods).toEqual([]);
    await send(3, "tools/call");
    await send(4, "ping");
    load?.();
    await expect.poll(() => answers).toEqual([1, 2, 3, 4]);
    expect(methods).toEqual(["initialize", "notifications/initialized", "tools/call", "ping"]);
    await send(1, "ping");
    await expect.poll(() => answers).toEqual([1, 2, 3, 4, 1]);
  });
});

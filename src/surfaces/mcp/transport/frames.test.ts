import { PassThrough } from "node:stream";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from "@modelcontextprotocol/server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frames } from "./frames.ts";
import { refusalOf } from "./json-rpc.ts";

type Message = Record<string, unknown>;

/** What is heard and what is answered when this is written. */
async function written(
  ...chunks: (string | Buffer)[]
): Promise<{ heard: Message[]; answered: Message[]; send: (message: Message) => void }> {
  const input = new PassThrough();
  const received: Message[] = [];
  const answered: Message[] = [];
  const output = {
    write(line: string, done: () => void) {
      answered.push(JSON.parse(line) as Message);
      done();
      return true;
    },
  };
  const transport = frames(input, output as never);
  transport.onmessage = (message) => void received.push(message as Message);
  await transport.start();
  for (const chunk of chunks) input.write(chunk);
  await new Promise((resolve) => setImmediate(resolve));
  return { heard: received, answered, send: (message) => void transport.send(message as never) };
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const line = (value: unknown) => `${JSON.stringify(value)}\n`;

describe("frames", () => {
  it("are put together from pieces, also inside a character", async () => {
    const bytes = Buffer.from(line({ ...ping, params: { word: "größe 😀" } }));
    const pieces = [...bytes].map((byte) => Buffer.from([byte]));
    expect((await written(...pieces)).heard).toEqual([{ ...ping, params: { word: "größe 😀" } }]);
  });

  it("that are broken are answered with the error of JSON-RPC, and the next one is heard", async () => {
    const { heard: received, answered } = await written(
      "{not json\n",
      line(7),
      line([]),
      line({ jsonrpc: "1.0", id: 3, method: "ping" }),
      line({ jsonrpc: "2.0", id: 4, method: "ping", params: [1] }),
      `${"[".repeat(1000)}\n`,
      "\r\n\n",
      line(ping),
    );
    expect(answered.map(({ id, error }) => [id, (error as { code: number }).code])).toEqual([
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [3, -32600],
      [4, -32602],
      [null, -32600],
    ]);
    expect(received).toEqual([ping]);
  });

  it("that are too long are passed over without being kept", async () => {
    const piece = Buffer.alloc(1_000_000, 97);
    const { heard: received, answered } = await written(...Array.from({ length: 20 }, () => piece), "\n", line(ping));
    expect(answered).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(received).toEqual([ping]);
  });

  it("that are lists are answered by a list, when the last of it is", async () => {
    const {
      heard: received,
      answered,
      send,
    } = await written(line([ping, { ...ping, id: 2 }, { jsonrpc: "2.0", method: "x" }, 7]));
    expect(received).toHaveLength(3);
    send({ jsonrpc: "2.0", id: 2, result: {} });
    expect(answered).toEqual([]);
    send({ jsonrpc: "2.0", id: 1, result: {} });
    expect(answered).toHaveLength(1);
    expect((answered[0] as unknown as Message[]).map(({ id }) => id)).toEqual([null, 2, 1]);
  });
});

const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("2.0", "ping", {}, { _meta: {} }, 1));
const message = fc.record(
  {
    jsonrpc: fc.constantFrom("2.0", "2.0", "1.0", 2),
    id: member,
    method: member,
    params: member,
    result: member,
    error: member,
    more: member,
  },
  { requiredKeys: [] },
);

describe("a message", () => {
  it("is let pass only where the protocol's package takes it", () => {
    const takes = [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse];
    fc.assert(
      fc.property(message, (value) => {
        if (refusalOf(value) === undefined) expect(takes.some((takes) => takes(value as never))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("is let pass where it is what clients send", () => {
    const good = [
      ping,
      { jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "x", _meta: { progressToken: 3 } } },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 0, result: { roots: [] } },
      { jsonrpc: "2.0", id: 1, error: { code: -1, message: "no" } },
    ];
    expect(good.map(refusalOf)).toEqual(good.map(() => undefined));
  });
});

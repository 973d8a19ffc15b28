import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClientMessage, encode, messageReader } from "./protocol.ts";

/** All that a reader makes of bytes that come in pieces. */
function read(bytes: Buffer, sizes: readonly number[], most = 1_000_000): { messages: unknown[]; broken: number } {
  const messages: unknown[] = [];
  let broken = 0;
  const reader = messageReader(
    () => most,
    (message) => messages.push(message),
    () => broken++,
  );
  let at = 0;
  for (let piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length]!;
    reader.take(bytes.subarray(at, at + size));
    at += size;
  }
  return { messages, broken };
}

describe("messages between a client and an engine", () => {
  it("arrive whole and in order, whatever pieces they come in", () => {
    const text = fc.string({ unit: "binary" });
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(fc.array(text)), sizes, (all, pieces) => {
        const sent = all.map((args) => ({ type: "run", args }) as ClientMessage);
        // JSON has no lone halves of characters: they come back as they went in.
        expect(read(Buffer.concat(sent.map(encode)), pieces)).toEqual({ messages: sent, broken: 0 });
      }),
    );
  });

  it("that say they are larger than allowed are refused before they have come, and nothing after them is read", () => {
    const huge = Buffer.alloc(4);
    huge.writeUInt32BE(0xffffffff, 0);
    const bytes = Buffer.concat([encode({ type: "status" }), huge, encode({ type: "stop" })]);
    expect(read(bytes, [3])).toEqual({ messages: [{ type: "status" }], broken: 1 });
  });

  it("of any bytes at all end in messages or in one refusal, never in an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { messages, broken } = read(Buffer.from(bytes), [7], 100);
        expect(broken).toBeLessThanOrEqual(1);
        for (const message of messages) expect(typeof message).toBe("object");
      }),
    );
  });

  it("are JSON objects: numbers, texts and null are refused", () => {
    for (const body of ["1", '"text"', "null", "{", ""]) {
      const frame = Buffer.concat([Buffer.from([0, 0, 0, body.length]), Buffer.from(body)]);
      expect(read(frame, [100]), body).toEqual({ messages: [], broken: 1 });
    }
  });
});

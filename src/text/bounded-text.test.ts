import { describe, expect, it } from "vitest";
import { boundedText } from "./bounded-text.ts";

async function* bytes(text: string, size: number): AsyncIterable<Uint8Array> {
  const all = new TextEncoder().encode(text);
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

describe("text of bounded length", () => {
  it("is whole however the bytes of a character are torn apart", async () => {
    for (const size of [1, 2, 3, 100])
      expect(await boundedText(bytes("Grüße, 世界 🎉", size), 100)).toBe("Grüße, 世界 🎉");
  });

  it("is empty without a body, and nothing when it is longer than it may be", async () => {
    expect(await boundedText(null, 10)).toBe("");
    expect(await boundedText(bytes("ten bytes.", 3), 10)).toBe("ten bytes.");
    expect(await boundedText(bytes("ten bytes..", 3), 10)).toBeUndefined();
  });
});

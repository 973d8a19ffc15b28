import { expect, it } from "vitest";
import { definitionRank } from "./targets.ts";

it("ranks a type before what adds to it, and both before fields", () => {
  const type = { kind: "class", signature: "public struct ByteBuffer" };
  for (const signature of [
    "extension ByteBuffer",
    "public extension ByteBuffer: Sendable",
    "impl Display for ArgAction",
    "unsafe impl Send for Pool",
  ])
    expect(definitionRank({ kind: "class", signature })).toBeGreaterThan(definitionRank(type));
  expect(definitionRank({ kind: "class", signature: "class ExtensionPoint" })).toBe(0);
  expect(definitionRank({ kind: "field", signature: "x" })).toBe(2);
});

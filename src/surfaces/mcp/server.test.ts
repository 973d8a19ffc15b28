import { describe, expect, it } from "vitest";
import { sessionIn } from "./server.ts";

describe("the session that a client says with a call", () => {
  it("is taken from _meta, with or without a prefix", () => {
    expect(sessionIn({ sessionId: "a1" })).toBe("a1");
    expect(sessionIn({ "example.com/session_id": "0b9c-11" })).toBe("0b9c-11");
    expect(sessionIn({ progressToken: 1 })).toBeUndefined();
    expect(sessionIn(undefined)).toBeUndefined();
  });

  it("is passed over where it is no plain name", () => {
    for (const value of ["", "a b", "x".repeat(101), "\u001b[0m", 7, null, { a: 1 }]) {
      expect(sessionIn({ sessionId: value })).toBeUndefined();
    }
  });
});

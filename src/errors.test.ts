import { describe, expect, it } from "vitest";
import { DossierError } from "./errors.ts";

describe("the message of an error", () => {
  it("is short whatever it quotes, and its end still says what it is about", () => {
    const { message } = new DossierError("not-found", `There is no item "${"🌍x".repeat(50_000)}" in the index.`);
    expect(message.length).toBeLessThan(2_000);
    expect(message).toMatch(/^There is no item "🌍x.* … .*" in the index\.$/u);
    expect(Buffer.from(message, "utf8").toString("utf8")).toBe(message);
  });
});

import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { asDossierError, DossierError } from "./errors.ts";

describe("the message of an error", () => {
  it("is short whatever it quotes, and its end still says what it is about", () => {
    const { message } = new DossierError("not-found", `There is no item "${"🌍x".repeat(50_000)}" in the index.`);
    expect(message.length).toBeLessThan(2_000);
    expect(message).toMatch(/^There is no item "🌍x.* … .*" in the index\.$/u);
    expect(Buffer.from(message, "utf8").toString("utf8")).toBe(message);
  });
});

describe("a NUL in a path", () => {
  it("is the caller's mistake", () => {
    try {
      statSync("a\0b");
    } catch (error) {
      expect(asDossierError(error)).toMatchObject({ code: "bad-input", message: expect.stringContaining("NUL") });
    }
    expect.assertions(1);
  });
});

describe("a part of the program that is gone", () => {
  it("was updated in place, and a missing package is another matter", async () => {
    const thrownBy = (name: string) => import(/* @vite-ignore */ name).catch((error: unknown) => error);
    const part = Object.assign(new Error("Cannot find module '/lib/dossier/dist/chunk-A.js' imported from /lib/a.js"), {
      code: "ERR_MODULE_NOT_FOUND",
    });
    expect(asDossierError(part).code).toBe("program-replaced");
    expect(asDossierError(await thrownBy("no-such-package-at-all")).code).toBe("internal");
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { bearer, post, type Running, start } from "./http-server.ts";

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe("patterns that a caller sends", () => {
  it("cannot stop the server, however many stars they have", async () => {
    // A matcher that goes back for another try takes longer than this test may for the second of them.
    running = await start({ settings: { timeout: 600 } });
    const { url, key } = running;
    const [writer, reader] = [await key("ada", "write"), await key("ada", "read")];
    for (let number = 0; number < 5; number++) {
      const document = `notes/${"quarterly-figures-".repeat(4)}${number}.md`;
      await post(`${url}/v1/put_document`, { document, content: "Revenue grew." }, bearer(writer));
    }
    for (const stars of [7, 40]) {
      const paths = [`**/${"*?".repeat(stars)}Z`];
      const { status, json } = await post(`${url}/v1/search`, { query: "revenue", paths }, bearer(reader));
      expect([status, json.results]).toEqual([200, []]);
    }
  }, 60_000);

  it("are limited in length and in number, with a sentence that says so", async () => {
    running = await start({ files: { "a.md": "Revenue grew." } });
    const { url } = running;
    const refusals = [
      [["a".repeat(501)], 413],
      [Array.from({ length: 201 }, () => "a"), 400],
      [["{1..99999}"], 400],
      [["b!(a)"], 400],
    ] as const;
    for (const [paths, expected] of refusals) {
      const { status, json } = await post(`${url}/v1/search`, { query: "revenue", paths });
      expect([paths[0], status, json.error?.message]).toEqual([paths[0], expected, expect.stringContaining("path")]);
    }
  });
});

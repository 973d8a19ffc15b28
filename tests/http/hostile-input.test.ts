import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { bearer, post, type RunningServer, start } from "./http-server.ts";

let running: RunningServer | undefined;
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

describe("a question or a message", () => {
  it("has a greatest length", async () => {
    running = await start();
    const long = "x".repeat(250_001);
    for (const [path, input] of [
      ["/v1/search", { query: long }],
      ["/v1/context", { query: long }],
      ["/v1/prime_context", { message: long }],
      ["/context/build", { message: long }],
    ] as const) {
      const { status, json } = await post(`${running.url}${path}`, input);
      expect([path, status, json.error?.code]).toEqual([path, 413, "too-long"]);
    }
  });
});

describe("the signs in a message", () => {
  it.each(["-", ".", "(", "@", "/", '"', "“", "[["])(
    "cannot stop the server: @ and 200,000 times %s",
    async (sign) => {
      running = await start({ settings: { timeout: 600 } });
      const message = `see @${sign.repeat(200_000 / sign.length)}x`;
      const { status } = await post(`${running.url}/v1/prime_context`, { message });
      expect(status).toBe(200);
    },
    60_000,
  );
});

describe("a body that is too large", () => {
  it.each(["Content-Length", "Transfer-Encoding"])(
    "is answered with 413 to a client that sends all of it first (%s)",
    async (how) => {
      running = await start({ settings: { maxBody: 1000 } });
      const { hostname, port } = new URL(running.url);
      const body = Buffer.alloc(8_000_000, "x");
      const chunked = how === "Transfer-Encoding";
      const size = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`;
      for (let attempt = 0; attempt < 5; attempt++) {
        const socket = connect(Number(port), hostname);
        let received = "";
        let failure: Error | undefined;
        socket.on("error", (error) => (failure = error));
        socket.write(
          `POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${size}\r\n\r\n`,
        );
        if (chunked) socket.write(`${body.length.toString(16)}\r\n`);
        // As a simple client does: first everything is sent, then the answer is read.
        await new Promise<void>((resolve) => socket.write(body, () => resolve()));
        if (chunked) socket.write("\r\n0\r\n\r\n");
        socket.on("data", (chunk) => (received += chunk));
        await Promise.race([once(socket, "close"), sleep(3000)]);
        socket.destroy();
        expect([received.slice(0, 12), failure]).toEqual(["HTTP/1.1 413", undefined]);
      }
    },
  );
});

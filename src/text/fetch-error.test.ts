import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { brokenConnections, fetchError } from "./fetch-error.ts";

describe("the error of a failed fetch", () => {
  it("is the system's where nothing listens", async () => {
    const error = await fetch("http://127.0.0.1:1").catch((thrown: unknown) => thrown);
    expect(fetchError(error).message).not.toBe("");
    expect(brokenConnections.has(fetchError(error).code ?? "")).toBe(false);
  });

  it("is that of a broken connection where the server hangs up", async () => {
    const server = createServer((socket) => socket.once("data", () => socket.destroy()));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as { port: number };
    const error = await fetch(`http://127.0.0.1:${port}`).catch((thrown: unknown) => thrown);
    server.close();
    expect(brokenConnections).toContain(fetchError(error).code);
  });

  it("has a message and no code where there is none", () => {
    expect(fetchError(new TypeError("bad port"))).toEqual({ message: "bad port" });
    expect(fetchError(undefined)).toEqual({ message: "" });
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { hostileFrames } from "../../bench/mcp/hostile-frames.ts";
import { folder } from "../workspace.ts";
import { ledger, raw } from "./agent.ts";

let root: string;
beforeEach(() => {
  root = folder(ledger);
});

describe("a server that is sent nonsense", () => {
  it("answers every request in it, with errors of the protocol or of the operation, and lives", async () => {
    const client = raw({ cwd: root, args: ["--tools", "all"] });
    await client.greet();
    const frames = hostileFrames(20_261_116, 250);
    for (const { line } of frames) client.write(line);
    client.write({ jsonrpc: "2.0", id: "last", method: "ping" });
    await client.answer("last");
    await Promise.all(frames.flatMap(({ ids }) => ids).map((id) => client.answer(id)));
    expect(client.child.exitCode).toBe(null);
    for (const { error, result } of client.heard()) {
      if (error) expect([-32700, -32600, -32601, -32602]).toContain(error.code);
      expect(JSON.stringify(error ?? result ?? {})).not.toMatch(/\\n {4}at |node_modules|\.ts:\d+:\d+/);
    }
    const answer = await client.call(1_000_001, "context_query", { query: "how is an amount booked?" });
    expect(JSON.stringify(answer.result)).toContain("bookAmount");
  });
});

import { appendFileSync, existsSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ClientMessage, type EngineMessage, encode, messageReader } from "../../src/engine/protocol.ts";
import { prepareToken } from "../../src/engine/token.ts";
import { guardsOf } from "../../src/engine/write-guards.ts";
import { type EngineWorkspace, engineWorkspace, until } from "./engine-process.ts";

/** The built command line against an engine of the test's own, which breaks wherever it is told to. */

let workspace: EngineWorkspace;
let server: Server | undefined;

beforeEach(async () => {
  workspace = await engineWorkspace();
});

afterEach(async () => {
  server?.close();
  server = undefined;
  await workspace.remove();
});

type Conduct = (message: ClientMessage, say: (message: EngineMessage) => void, socket: Socket) => void;

async function listenWith(conduct: Conduct): Promise<void> {
  prepareToken(workspace.place);
  server = createServer((socket) => {
    const say = (message: EngineMessage) => void socket.write(encode(message));
    const reader = messageReader<ClientMessage>(
      () => 1e9,
      (message) => conduct(message, say, socket),
      () => undefined,
    );
    socket.on("data", (chunk: Buffer) => reader.take(chunk));
    socket.on("error", () => undefined);
  });
  const before = process.umask(0o077);
  await new Promise<void>((done) => server!.listen(workspace.place.address, done));
  process.umask(before);
}

const welcome: EngineMessage = { type: "welcome", variables: ["HOME"] };
const question = ["search", "login"];
const fact = ["memory", "add", "Sessions end after an hour of silence."];

/** Greets, and then does as it is told. */
function afterGreeting(conduct: Conduct): Conduct {
  return (message, say, socket) => (message.type === "hello" ? say(welcome) : conduct(message, say, socket));
}

async function memories(): Promise<unknown[]> {
  return JSON.parse((await workspace.alone(["memory", "list", "--json"])).stdout).memories as unknown[];
}

describe("an engine that breaks", () => {
  const middle: [string, Conduct][] = [
    ["says nothing at all", () => undefined],
    ["hangs up on the greeting", (_message, _say, socket) => socket.destroy()],
    ["answers with nonsense", (_message, _say, socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n")],
    ["says that a message is endless", (_message, _say, socket) => socket.write(Buffer.alloc(64, 0xff))],
    ["dies when it is asked", afterGreeting((_message, _say, socket) => socket.destroy())],
    [
      "dies in the middle of an answer",
      afterGreeting((_message, say, socket) => {
        say({ type: "accepted", guards: [] });
        say({ type: "text", to: "stdout", text: "half an answer\n" });
        say({ type: "text", to: "stderr", text: "half a warning\n" });
        socket.end();
      }),
    ],
    [
      "dies in the middle of a message",
      afterGreeting((_message, _say, socket) =>
        socket.end(encode({ type: "text", to: "stdout", text: "x" }).subarray(0, 9)),
      ),
    ],
    ["declines", afterGreeting((_message, say) => say({ type: "declined" }))],
    ["is of another version", (_message, say) => say({ type: "refused", why: "version" })],
    ["is about to leave", (_message, say) => say({ type: "refused", why: "leaving" })],
  ];
  it("leaves a question to be answered alone, and nothing is printed twice", async () => {
    const expected = await workspace.alone(question);
    for (const [what, conduct] of middle) {
      await listenWith(conduct);
      expect(await workspace.run(question, { env: { CI: "1" } }), what).toEqual(expected);
      await new Promise((done) => server!.close(done));
    }
  });

  it("leaves a write to be done alone, once, when it has written nothing", async () => {
    await workspace.alone(["memory", "add", "Passwords have more than eight letters."]);
    const guards = guardsOf([join(workspace.folder, ".dossier", "memory.db")]);
    await listenWith(
      afterGreeting((_message, say, socket) => {
        say({ type: "accepted", guards });
        socket.end();
      }),
    );
    const { status, stdout } = await workspace.run(fact);
    expect(status).toBe(0);
    expect(stdout).not.toBe("");
    expect(await memories()).toHaveLength(2);
  });

  it("has a write not done again that it may have done: the user is told", async () => {
    const database = join(workspace.folder, "written.db");
    const guards = guardsOf([database]);
    await listenWith(
      afterGreeting((_message, say, socket) => {
        say({ type: "accepted", guards });
        appendFileSync(database, "written");
        socket.end();
      }),
    );
    const { status, stdout, stderr } = await workspace.run(fact);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("The engine ended while it wrote");
    expect(await memories()).toHaveLength(0);
  });
});

describe("a client that is interrupted", () => {
  it("has the engine stop, and prints what the engine makes of that", async () => {
    const heard: string[] = [];
    await listenWith(
      afterGreeting((message, say) => {
        heard.push(message.type);
        if (message.type === "run") say({ type: "accepted", guards: [] });
        if (message.type !== "cancel") return;
        say({ type: "text", to: "stderr", text: "error: Interrupted.\n" });
        say({ type: "exit", status: 130 });
      }),
    );
    const running = workspace.run(question, {
      started: (child) =>
        void until(
          async () => heard.length,
          (said) => said > 0,
        ).then(() => child.kill("SIGINT")),
    });
    expect(await running).toEqual({ status: 130, stdout: "", stderr: "error: Interrupted.\n" });
    expect(heard).toEqual(["run", "cancel"]);
  });

  it("twice ends at once, though the engine goes on", async () => {
    const heard: string[] = [];
    await listenWith(afterGreeting((message) => void heard.push(message.type)));
    const running = workspace.run(question, {
      started: (child) =>
        void (async () => {
          await until(
            async () => heard.includes("run"),
            (said) => said,
          );
          child.kill("SIGINT");
          await until(
            async () => heard.includes("cancel"),
            (said) => said,
          );
          child.kill("SIGINT");
        })(),
    });
    expect((await running).status).toBe(130);
  });

  it("draws the engine's progress, and wipes it before the answer", async () => {
    await listenWith(
      afterGreeting((_message, say) => {
        say({ type: "accepted", guards: [] });
        say({ type: "progress", text: "indexing 3/4" });
        say({ type: "text", to: "stdout", text: "the answer\n" });
        say({ type: "exit", status: 3 });
      }),
    );
    const expected = { status: 3, stdout: "the answer\n", stderr: "indexing 3/4\r\u001b[K" };
    expect(await workspace.run(question)).toEqual(expected);
    expect(existsSync(workspace.place.address)).toBe(true);
  });
});

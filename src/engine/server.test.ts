import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tellEngine } from "./client.ts";
import { untilEngineEnds } from "./lifetime.ts";
import { type EnginePlace, enginePlace, identityOf } from "./place.ts";
import { type ClientMessage, type EngineMessage, encode, messageReader } from "./protocol.ts";
import { type EngineHost, type Listening, listen } from "./server.ts";

let folder: string;
let place: EnginePlace;
const open: Listening[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dossier-engine-"));
  place = enginePlace("/work", { XDG_RUNTIME_DIR: folder })!;
});

afterEach(async () => {
  for (const listening of open.splice(0)) await listening.close();
  rmSync(folder, { recursive: true, force: true });
});

const host: EngineHost = {
  root: "/work",
  version: "1",
  name: "a test",
  variables: async () => ["HOME"],
  async perform({ args }, answer) {
    answer.accepted([]);
    answer.text("stdout", `${args.join(" ")}\n`);
    return { status: 0 };
  },
};

async function engine(own: Partial<EngineHost> = {}, onLeave: () => void = () => undefined): Promise<Listening> {
  const listening = await listen(place, { ...host, ...own }, onLeave);
  if (!listening) throw new Error("It does not listen.");
  open.push(listening);
  return listening;
}

const hello = () => ({
  type: "hello" as const,
  version: "1",
  token: readFileSync(place.tokenFile, "utf8"),
  root: "/work",
});
const screen = { isTTY: false };
const runRequest = (...args: string[]) =>
  ({ type: "run", args, folder: "/", variables: {}, stdout: screen, stderr: screen }) satisfies ClientMessage;

/** A client of the test's own, that says what it likes. */
function dial(): { socket: Socket; heard: EngineMessage[]; say(message: ClientMessage): void; closed: Promise<void> } {
  const socket = connect(place.address);
  const heard: EngineMessage[] = [];
  const reader = messageReader<EngineMessage>(
    () => 1e9,
    (message) => heard.push(message),
    () => undefined,
  );
  socket.on("data", (chunk: Buffer) => reader.take(chunk));
  socket.on("error", () => undefined);
  const closed = new Promise<void>((done) => socket.on("close", () => done()));
  return { socket, heard, say: (message) => socket.write(encode(message)), closed };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((next) => setTimeout(next, 5));
}

describe("an engine", () => {
  it("greets who has the token, does one command and ends the connection", async () => {
    await engine();
    const { heard, say, closed } = dial();
    say(hello());
    await until(() => heard.length === 1);
    say(runRequest("how", "so?"));
    await closed;
    expect(heard).toEqual([
      { type: "welcome", variables: ["HOME"] },
      { type: "accepted", guards: [] },
      { type: "text", to: "stdout", text: "how so?\n" },
      { type: "exit", status: 0 },
    ]);
  });

  it("does nothing for who has no token, says nonsense, or a command before the greeting", async () => {
    let performed = 0;
    await engine({
      async perform() {
        performed++;
        return { status: 0 };
      },
    });
    const wrong = [
      { ...hello(), token: "0".repeat(64) },
      { ...hello(), token: 7 },
      runRequest("x"),
      { type: "stop" },
      {},
    ];
    for (const message of wrong) {
      const { heard, say, closed } = dial();
      say(message as ClientMessage);
      say(runRequest("x"));
      await closed;
      expect(heard).toEqual([{ type: "refused", why: "token" }]);
    }
    const { socket, closed, heard } = dial();
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await closed;
    expect([heard, performed]).toEqual([[], 0]);
  });

  it("refuses a greeting that is larger than any, however slowly it comes", async () => {
    await engine();
    const { socket, closed } = dial();
    const frame = Buffer.alloc(4);
    frame.writeUInt32BE(100_000, 0);
    for (const byte of frame) socket.write(Buffer.from([byte]));
    await closed;
  });

  it("answers while a hundred strangers hold connections open", async () => {
    await engine();
    const strangers = Array.from({ length: 100 }, dial);
    await until(() => strangers.filter(({ socket }) => socket.destroyed).length >= 30);
    const { heard, say, closed } = dial();
    say(hello());
    await until(() => heard.length === 1);
    say(runRequest("x"));
    await closed;
    expect(heard.at(-1)).toEqual({ type: "exit", status: 0 });
  });

  it("ends a connection that never says anything", async () => {
    await engine();
    const { closed } = dial();
    await closed;
  });

  it("stops the work of a client that cancels or goes away", async () => {
    const stopped: string[] = [];
    const perform: EngineHost["perform"] = ({ args }, answer, signal) =>
      new Promise((done) => {
        answer.accepted([]);
        signal.addEventListener("abort", () => {
          stopped.push(args[0]!);
          done({ status: 130 });
        });
      });
    await engine({ perform });
    const cancels = dial();
    cancels.say(hello());
    cancels.say(runRequest("cancels"));
    await until(() => cancels.heard.length === 2);
    cancels.say({ type: "cancel" });
    await cancels.closed;
    expect(cancels.heard.at(-1)).toEqual({ type: "exit", status: 130 });
    const leaves = dial();
    leaves.say(hello());
    leaves.say(runRequest("leaves"));
    await until(() => leaves.heard.length === 2);
    leaves.socket.destroy();
    await until(() => stopped.length === 2);
    expect(stopped).toEqual(["cancels", "leaves"]);
  });

  it("does all that is asked at once, some of it later", async () => {
    let [running, most] = [0, 0];
    await engine({
      async perform({ args }, answer) {
        most = Math.max(most, ++running);
        await new Promise((next) => setTimeout(next, 10));
        running--;
        answer.text("stdout", args[0]!);
        return { status: 0 };
      },
    });
    const clients = Array.from({ length: 60 }, (_, at) => ({ at, ...dial() }));
    for (const { at, say } of clients) {
      say(hello());
      say(runRequest(String(at)));
    }
    await Promise.all(clients.map(({ closed }) => closed));
    for (const { at, heard } of clients) expect(heard).toContainEqual({ type: "text", to: "stdout", text: String(at) });
    expect(most).toBeLessThanOrEqual(9);
  });

  it("leaves the connection without an answer when the host fails: the client does it then", async () => {
    await engine({
      async perform() {
        throw new Error("broken");
      },
    });
    const { heard, say, closed } = dial();
    say(hello());
    say(runRequest("x"));
    await closed;
    expect(heard.map(({ type }) => type)).toEqual(["welcome"]);
  });

  it("is left by, and leaves for, a client of another version, and on demand", async () => {
    let left = 0;
    await engine({}, () => left++);
    const other = dial();
    other.say({ ...hello(), version: "2" });
    await other.closed;
    expect([other.heard, left]).toEqual([[{ type: "refused", why: "version" }], 1]);
    const late = dial();
    late.say(hello());
    await late.closed;
    expect(late.heard).toEqual([{ type: "refused", why: "leaving" }]);
  });

  it("answers for its own workspace only", async () => {
    await engine();
    const { heard, say, closed } = dial();
    say({ ...hello(), root: "/another" });
    say(runRequest("x"));
    await closed;
    expect(heard).toEqual([{ type: "refused", why: "root" }]);
  });

  it("takes the place of a socket that nobody listens at any more, and of a file", async () => {
    const first = await engine();
    expect(await listen(place, host, () => undefined)).toBeUndefined();
    await first.close();
    writeFileSync(place.address, "not a socket");
    await engine();
    const answer = await tellEngine(place, hello(), { type: "status" });
    expect(answer).toMatchObject({ type: "status", status: { root: "/work", answered: 0 } });
  });

  it("sees that another has taken its place, or that its socket is gone", async () => {
    const listening = await engine();
    expect(listening.isInPlace()).toBe(true);
    rmSync(place.address);
    expect(listening.isInPlace()).toBe(false);
    writeFileSync(place.address, "");
    expect(listening.isInPlace()).toBe(false);
    await listening.close();
    // What is not its own stays.
    expect(identityOf(place.address)).toBeDefined();
  });
});

describe("an engine's life", () => {
  const quick = { every: 10 };
  const listening = { isInPlace: () => true, idleSeconds: () => 0 };

  it("ends when nobody has asked for long enough", async () => {
    let idle = 0;
    const ending = untilEngineEnds(folder, { ...listening, idleSeconds: () => idle }, new AbortController().signal, {
      ...quick,
      idleSeconds: 600,
    });
    expect(await Promise.race([ending, new Promise((done) => setTimeout(done, 60, "lives"))])).toBe("lives");
    idle = 600;
    expect(await ending).toBe("idle");
  });

  it("ends when its workspace's folder is gone, or another folder is there instead", async () => {
    const root = join(folder, "workspace");
    for (const isReplaced of [false, true]) {
      mkdirSync(root);
      const ending = untilEngineEnds(root, listening, new AbortController().signal, quick);
      rmSync(root, { recursive: true });
      if (isReplaced) {
        // Its number may be given again, its birth is not.
        writeFileSync(join(folder, "other"), "");
        mkdirSync(root);
      }
      expect(await ending).toBe("workspace gone");
      rmSync(root, { recursive: true, force: true });
    }
  });

  it("ends when its place is taken, and when it is asked to", async () => {
    const ending = untilEngineEnds(
      folder,
      { ...listening, isInPlace: () => false },
      new AbortController().signal,
      quick,
    );
    expect(await ending).toBe("place taken");
    expect(await untilEngineEnds(folder, listening, AbortSignal.abort(), quick)).toBe("asked to");
  });
});

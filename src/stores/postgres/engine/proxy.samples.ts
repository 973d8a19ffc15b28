import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A network between a client and a server that can be made to fail. */
export type TestProxy = {
  /** The URL with this proxy in the server's place. */
  url: string;
  /** From now on nothing passes, and nothing is said: a network that hangs. */
  stall(): void;
  /** Breaks every connection, and refuses new ones until `resume`: a server that is restarted. */
  cut(): void;
  resume(): void;
  /** Called with what the client sends, before it is passed on. */
  onSend?: (data: Buffer) => void;
  close(): Promise<void>;
};

export async function openProxy(url: string): Promise<TestProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let state: "passing" | "stalled" | "cut" = "passing";
  const server = createServer((client) => {
    const remote = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, remote],
      [remote, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => {
        if (from === client) proxy.onSend?.(data);
        if (state === "passing") to.write(data);
      });
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on("error", () => to.destroy());
    }
    if (state === "cut") client.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  own.hostname = "127.0.0.1";
  const proxy: TestProxy = {
    url: own.href,
    stall() {
      state = "stalled";
    },
    cut() {
      state = "cut";
      for (const socket of sockets) socket.destroy();
    },
    resume() {
      state = "passing";
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

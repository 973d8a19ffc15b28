import type { Server } from "node:http";
import type { Socket } from "node:net";

export type ConnectionLimits = {
  /** Held at once, in all. */
  connections: number;
  /** Held at once by one address, so that others find room. */
  perAddress: number;
};

/** `underWay`: requests that are not answered yet; there may be several on one connection. */
type Connection = { address: string; spoke: boolean; underWay: number };

/**
 * Keeps room for whoever speaks. Where a limit is reached, a connection that has never sent a request makes room, the oldest first, then one
 * that waits for its next request; where all of them work, the new one is refused.
 */
export function limitConnections(
  server: Server,
  { connections, perAddress }: ConnectionLimits,
  changed: (change: 1 | -1) => void,
): void {
  // In the order they came, or fell silent.
  const held = new Map<Socket, Connection>();
  const perAddressHeld = new Map<string, number>();

  const leave = (socket: Socket) => {
    const connection = held.get(socket);
    if (!connection) return;
    held.delete(socket);
    const count = perAddressHeld.get(connection.address)! - 1;
    if (count === 0) perAddressHeld.delete(connection.address);
    else perAddressHeld.set(connection.address, count);
    changed(-1);
  };

  const close = (socket: Socket) => {
    leave(socket);
    // With a reset: a peer that never answers an end would keep the place.
    socket.resetAndDestroy();
  };

  /** Whether there is room now. */
  const makeRoom = (mayGo: (connection: Connection) => boolean): boolean => {
    for (const spoke of [false, true]) {
      for (const [socket, connection] of held) {
        if (connection.spoke !== spoke || connection.underWay > 0 || !mayGo(connection)) continue;
        close(socket);
        return true;
      }
    }
    return false;
  };

  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    const count = perAddressHeld.get(address) ?? 0;
    const hasRoom =
      (count < perAddress || makeRoom((each) => each.address === address)) &&
      (held.size < connections || makeRoom(() => true));
    if (!hasRoom) {
      socket.resetAndDestroy();
      return;
    }
    held.set(socket, { address, spoke: false, underWay: 0 });
    perAddressHeld.set(address, (perAddressHeld.get(address) ?? 0) + 1);
    changed(1);
    socket.once("close", () => leave(socket));
  });

  server.prependListener("request", ({ socket }, response) => {
    const connection = held.get(socket);
    if (!connection) return;
    connection.spoke = true;
    connection.underWay++;
    response.once("close", () => {
      connection.underWay--;
      if (!held.has(socket)) return;
      // Behind those that wait for longer.
      held.delete(socket);
      held.set(socket, connection);
    });
  });
}

import type { Server } from "node:http";
import type { Socket } from "node:net";

export type ConnectionLimits = {
  /** Most open connections of all clients together. */
  connections: number;
  /** Most open connections from one address, so that others find room. */
  perAddress: number;
};

/** `underWay`: the number of requests without an answer yet; one connection may have several. */
type Connection = { address: string; spoke: boolean; underWay: number };

/**
 * Keeps room for clients that send requests. At a limit a connection is closed: the oldest that has never sent a
 * request, else one that waits for its next request. If all are busy, the new connection is refused.
 */
export function limitConnections(
  server: Server,
  { connections, perAddress }: ConnectionLimits,
  changed: (change: 1 | -1) => void,
): void {
  // Connections in the order in which they came or became idle.
  const openConnections = new Map<Socket, Connection>();
  const openByAddress = new Map<string, number>();

  const leave = (socket: Socket) => {
    const connection = openConnections.get(socket);
    if (!connection) return;
    openConnections.delete(socket);
    const count = openByAddress.get(connection.address)! - 1;
    if (count === 0) openByAddress.delete(connection.address);
    else openByAddress.set(connection.address, count);
    changed(-1);
  };

  const close = (socket: Socket) => {
    leave(socket);
    // Closed with a reset, because a peer that never answers a FIN would keep the slot.
    socket.resetAndDestroy();
  };

  /** Whether there is room now. */
  const makeRoom = (mayGo: (connection: Connection) => boolean): boolean => {
    for (const spoke of [false, true]) {
      for (const [socket, connection] of openConnections) {
        if (connection.spoke !== spoke || connection.underWay > 0 || !mayGo(connection)) continue;
        close(socket);
        return true;
      }
    }
    return false;
  };

  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    const count = openByAddress.get(address) ?? 0;
    const hasRoom =
      (count < perAddress || makeRoom((each) => each.address === address)) &&
      (openConnections.size < connections || makeRoom(() => true));
    if (!hasRoom) {
      socket.resetAndDestroy();
      return;
    }
    openConnections.set(socket, { address, spoke: false, underWay: 0 });
    openByAddress.set(address, (openByAddress.get(address) ?? 0) + 1);
    changed(1);
    socket.once("close", () => leave(socket));
  });

  server.prependListener("request", ({ socket }, response) => {
    const connection = openConnections.get(socket);
    if (!connection) return;
    connection.spoke = true;
    connection.underWay++;
    response.once("close", () => {
      connection.underWay--;
      if (!openConnections.has(socket)) return;
      // Moved behind the connections that have been idle longer.
      openConnections.delete(socket);
      openConnections.set(socket, connection);
    });
  });
}

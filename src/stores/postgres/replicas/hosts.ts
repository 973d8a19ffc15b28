import type { DatabaseAddress } from "../engine/address.ts";
import type { DatabaseConnection, Driver } from "../engine/connection.ts";
import { openServer } from "../engine/driver.ts";
import { isConnectionLost } from "../engine/failures.ts";

/**
 * Connections to the host that accepts writes: the last one that did, else the next that does. So after a fail-over the
 * next connection finds the new primary.
 */
export async function openHosts(address: DatabaseAddress, failed: (error: Error) => void): Promise<Driver> {
  const urls = [address.url, ...(address.otherUrls ?? [])];
  const drivers = await Promise.all(urls.map((url) => openServer({ ...address, url }, failed)));
  if (drivers.length === 1) return drivers[0]!;
  let primary = 0;
  // Checked once per connection: a primary that steps down closes its connections.
  const verified = new WeakSet<DatabaseConnection>();
  const connect = async (): Promise<DatabaseConnection> => {
    let reason: unknown;
    for (const place of [primary, ...urls.keys()]) {
      try {
        const connection = await drivers[place]!.connect();
        if (verified.has(connection) || (await takesWrites(connection))) {
          verified.add(connection);
          primary = place;
          return connection;
        }
        reason ??= Object.assign(new Error("no host takes writes"), { code: "25006" });
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        reason = error;
      }
    }
    throw reason;
  };
  return {
    connect,
    async beside(on) {
      // Locks and notifications belong to the primary.
      (await connect()).release();
      return drivers[primary]!.beside!(on);
    },
    async close() {
      await Promise.all(drivers.map((driver) => driver.close()));
    },
  };
}

/** False for a standby, whose connection is released. */
async function takesWrites(connection: DatabaseConnection): Promise<boolean> {
  const [settled] = await connection.send([{ sql: "SELECT pg_is_in_recovery() AS standby", values: [] }]);
  if (settled!.status === "rejected") {
    connection.release(true);
    throw settled!.reason;
  }
  const [row] = settled!.value.rows as { standby: boolean }[];
  if (row!.standby) connection.release();
  return !row!.standby;
}

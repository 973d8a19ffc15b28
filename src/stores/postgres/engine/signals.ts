import { randomBytes } from "node:crypto";
import type { DatabaseAddress } from "./address.ts";
import type { Driver, SideConnection } from "./connection.ts";
import { asDatabaseFailure, isConnectionLost } from "./failures.ts";

/**
 * Messages between processes on one database: who is working, and whose rows were written. Locks and notifications use
 * one connection beside the pool, opened on first use. They only affect how soon a change is seen: every read checks
 * revisions.
 */
export type ProcessSignals = {
  /** A lock over all processes, until it is released or this process ends; undefined while another has it. */
  tryLock(name: string): Promise<Release | undefined>;
  /** Announces that an owner's rows were written; sent soon, together with other announcements. */
  announce(owner: number): void;
  /**
   * Owners whose rows another process has written; "any" after the connection was lost, when messages may have been
   * missed.
   */
  listen(heard: Heard): void;
  close(): Promise<void>;
};

type Release = () => Promise<void>;
type Heard = (owners: readonly number[] | "any") => void;

/** Delay before listening, milliseconds: a process that answers one question ends before it is useful. */
const untilListening = 500;
/** Pauses between attempts to listen again, and between two announcements. */
const betweenAttempts = 2000;
const betweenAnnouncements = 20;
/** How long the end of a process waits for its last announcement. */
const lastWords = 1000;
/** Owners per message: PostgreSQL takes 8,000 bytes. */
const mostOwners = 400;

/** A machine that vanishes loses its locks after half a minute, instead of the hours of system defaults. */
const keepAlive = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4";

export function openSignals(driver: Driver, address: DatabaseAddress): ProcessSignals | undefined {
  const { schema } = address;
  const { beside } = driver;
  if (!beside) return undefined;
  const self = randomBytes(6).toString("hex");
  const listeners: Heard[] = [];
  const heldLocks = new Set<string>();
  const changedOwners = new Set<number>();
  let side: Promise<SideConnection> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isAnnouncing = false;
  let isListening = false;
  let closed = false;

  const notifyListeners = (owners: readonly number[] | "any") => {
    for (const heard of listeners) heard(owners);
  };
  const notified = (message: string) => {
    const [sender, ...owners] = message.split(" ");
    if (sender !== self) notifyListeners(owners.map(Number));
  };
  const lost = () => {
    side = undefined;
    isListening = false;
    heldLocks.clear();
    if (listeners.length > 0) listenIn(betweenAttempts);
  };
  const connected = () => {
    side ??= (async () => {
      const connection = await beside({ notified, lost });
      await connection.execute(keepAlive);
      return connection;
    })();
    side.catch(() => (side = undefined));
    return side;
  };

  const beginListening = async () => {
    if (isListening || closed) return;
    const connection = await connected();
    await connection.execute(`LISTEN "${schema}"`);
    isListening = true;
    // Announcements from before LISTEN were not heard: any owner may have changed.
    notifyListeners("any");
    announceSoon();
  };
  const listenIn = (milliseconds: number) => {
    if (closed) return;
    clearTimeout(timer);
    // An unreachable server is tried again; until then revisions reveal changes.
    timer = setTimeout(() => void beginListening().catch(() => listenIn(betweenAttempts)), milliseconds).unref();
  };

  const nextMessage = (): [sql: string, values: string[]] => {
    const owners = [...changedOwners].slice(0, mostOwners);
    for (const owner of owners) changedOwners.delete(owner);
    return ["SELECT pg_notify($1, $2)", [schema, [self, ...owners].join(" ")]];
  };
  // Never inside a transaction that writes: all writers of the database would wait for each other.
  const announceAll = async () => {
    while (changedOwners.size > 0 && isListening && !closed) {
      await (await connected()).all(...nextMessage());
      await new Promise((resolve) => setTimeout(resolve, betweenAnnouncements).unref());
    }
  };
  const announceSoon = () => {
    if (isAnnouncing) return;
    isAnnouncing = true;
    // A lost announcement only delays others until they check revisions.
    void announceAll()
      .catch(() => undefined)
      .then(() => {
        isAnnouncing = false;
        if (changedOwners.size > 0 && isListening) announceSoon();
      });
  };
  /** At the end of a process that did not live long enough to listen. */
  const announceLast = async () => {
    while (changedOwners.size > 0) {
      const [sql, values] = nextMessage();
      const connection = await driver.connect();
      const [result] = await connection.send([{ sql, values }]);
      connection.release(result?.status === "rejected" && isConnectionLost(result.reason));
      if (result?.status === "rejected") return;
    }
  };

  return {
    async tryLock(name) {
      if (heldLocks.has(name)) return undefined;
      heldLocks.add(name);
      try {
        const connection = await connected();
        const key = `dossier ${schema} ${name}`;
        const [row] = await connection.all<{ taken: boolean }>(
          "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken",
          [key],
        );
        if (!row?.taken) {
          heldLocks.delete(name);
          return undefined;
        }
        return async () => {
          // Lost with its connection, it is free already.
          if (!heldLocks.delete(name) || (await side) !== connection) return;
          await connection.all("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [key]);
        };
      } catch (error) {
        heldLocks.delete(name);
        throw asDatabaseFailure(error, address);
      }
    },
    announce(owner) {
      changedOwners.add(owner);
      if (isListening) announceSoon();
    },
    listen(heard) {
      listeners.push(heard);
      if (listeners.length === 1) listenIn(untilListening);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      listeners.length = 0;
      const late = new Promise((resolve) => setTimeout(resolve, lastWords).unref());
      await Promise.race([announceLast().catch(() => undefined), late]);
      // Opening it may take as long as an unresponsive server's timeout.
      void side?.then((open) => open.close()).catch(() => undefined);
    },
  };
}

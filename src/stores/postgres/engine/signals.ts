import { randomBytes } from "node:crypto";
import type { DatabaseAddress } from "./address.ts";
import type { Driver, SideConnection } from "./connection.ts";
import { asDatabaseFailure, isConnectionLost } from "./failures.ts";

/**
 * What processes on one database tell each other besides rows: who is at work, and whose rows were written. Locks and what is heard go over one
 * connection beside the pool, which is opened when it is first needed. Nothing depends on what is heard but how soon a change is seen:
 * every read checks revisions.
 */
export type ProcessSignals = {
  /** A lock over all processes, until it is released or this process ends; undefined while another has it. */
  tryLock(name: string): Promise<Release | undefined>;
  /** An owner's rows were written: others are told, soon and together with what comes meanwhile. */
  announce(owner: number): void;
  /** Whose rows another process has written; "any" after the connection was lost, when something may have been missed. */
  listen(heard: Heard): void;
  close(): Promise<void>;
};

type Release = () => Promise<void>;
type Heard = (owners: readonly number[] | "any") => void;

/** A process that answers one question ends before it is worth listening, milliseconds. */
const untilListening = 500;
/** Between attempts to listen again, and between two announcements. */
const betweenAttempts = 2000;
const betweenAnnouncements = 20;
/** How long the end of a process waits for its last announcement. */
const lastWords = 1000;
/** Numbers of owners in one message: PostgreSQL takes 8,000 bytes. */
const mostOwners = 400;

/** A machine that vanishes without a word loses its locks after half a minute, instead of the hours that systems take. */
const keepAlive = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4";

export function openSignals(driver: Driver, address: DatabaseAddress): ProcessSignals | undefined {
  const { schema } = address;
  const { beside } = driver;
  if (!beside) return undefined;
  const self = randomBytes(6).toString("hex");
  const listeners: Heard[] = [];
  const held = new Set<string>();
  const written = new Set<number>();
  let side: Promise<SideConnection> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isAnnouncing = false;
  let isListening = false;
  let closed = false;

  const tell = (owners: readonly number[] | "any") => {
    for (const heard of listeners) heard(owners);
  };
  const notified = (message: string) => {
    const [sender, ...owners] = message.split(" ");
    if (sender !== self) tell(owners.map(Number));
  };
  const lost = () => {
    side = undefined;
    isListening = false;
    held.clear();
    if (listeners.length > 0) listenIn(betweenAttempts);
  };
  const connected = () => {
    side ??= (async () => {
      const made = await beside({ notified, lost });
      await made.execute(keepAlive);
      return made;
    })();
    side.catch(() => (side = undefined));
    return side;
  };

  const beginListening = async () => {
    if (isListening || closed) return;
    const connection = await connected();
    await connection.execute(`LISTEN "${schema}"`);
    isListening = true;
    // What was written before is not told any more.
    tell("any");
    announceSoon();
  };
  const listenIn = (milliseconds: number) => {
    if (closed) return;
    clearTimeout(timer);
    // A server that cannot be reached now is asked again; until then revisions tell what has changed.
    timer = setTimeout(() => void beginListening().catch(() => listenIn(betweenAttempts)), milliseconds).unref();
  };

  const nextMessage = (): [sql: string, values: string[]] => {
    const owners = [...written].slice(0, mostOwners);
    for (const owner of owners) written.delete(owner);
    return ["SELECT pg_notify($1, $2)", [schema, [self, ...owners].join(" ")]];
  };
  // Never inside of a transaction that writes: all writers of the database would wait for each other.
  const announceAll = async () => {
    while (written.size > 0 && isListening && !closed) {
      await (await connected()).all(...nextMessage());
      await new Promise((resolve) => setTimeout(resolve, betweenAnnouncements).unref());
    }
  };
  const announceSoon = () => {
    if (isAnnouncing) return;
    isAnnouncing = true;
    // One that is lost costs others the time until they look at revisions.
    void announceAll()
      .catch(() => undefined)
      .then(() => {
        isAnnouncing = false;
        if (written.size > 0 && isListening) announceSoon();
      });
  };
  /** At the end of a process that did not live long enough to listen. */
  const announceLast = async () => {
    while (written.size > 0) {
      const [sql, values] = nextMessage();
      const connection = await driver.connect();
      const [sent] = await connection.send([{ sql, values }]);
      connection.release(sent?.status === "rejected" && isConnectionLost(sent.reason));
      if (sent?.status === "rejected") return;
    }
  };

  return {
    async tryLock(name) {
      if (held.has(name)) return undefined;
      held.add(name);
      try {
        const connection = await connected();
        const key = `dossier ${schema} ${name}`;
        const [row] = await connection.all<{ taken: boolean }>(
          "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken",
          [key],
        );
        if (!row?.taken) {
          held.delete(name);
          return undefined;
        }
        return async () => {
          // Lost with its connection, it is free already.
          if (!held.delete(name) || (await side) !== connection) return;
          await connection.all("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [key]);
        };
      } catch (error) {
        held.delete(name);
        throw asDatabaseFailure(error, address);
      }
    },
    announce(owner) {
      written.add(owner);
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
      // One that is being opened may take as long as a server that does not answer.
      void side?.then((open) => open.close()).catch(() => undefined);
    },
  };
}

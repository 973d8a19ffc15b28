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

/** Undefined if the driver has a single connection. */
export function openSignals(driver: Driver, address: DatabaseAddress): ProcessSignals | undefined {
  return driver.beside && new SideSignals(driver, driver.beside, address);
}

class SideSignals implements ProcessSignals {
  readonly #driver: Driver;
  readonly #openSide: NonNullable<Driver["beside"]>;
  readonly #address: DatabaseAddress;
  /** Distinguishes this process's announcements from those of others. */
  readonly #self = randomBytes(6).toString("hex");
  readonly #listeners: Heard[] = [];
  readonly #heldLocks = new Set<string>();
  readonly #changedOwners = new Set<number>();
  #side: Promise<SideConnection> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAnnouncing = false;
  #isListening = false;
  #isClosed = false;

  constructor(driver: Driver, openSide: NonNullable<Driver["beside"]>, address: DatabaseAddress) {
    this.#driver = driver;
    this.#openSide = openSide;
    this.#address = address;
  }

  async tryLock(name: string): Promise<Release | undefined> {
    if (this.#heldLocks.has(name)) return undefined;
    this.#heldLocks.add(name);
    try {
      const connection = await this.#connected();
      const key = `dossier ${this.#address.schema} ${name}`;
      const [row] = await connection.all<{ taken: boolean }>(
        "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken",
        [key],
      );
      if (row?.taken) return () => this.#release(name, key, connection);
      this.#heldLocks.delete(name);
      return undefined;
    } catch (error) {
      this.#heldLocks.delete(name);
      throw asDatabaseFailure(error, this.#address);
    }
  }

  announce(owner: number): void {
    this.#changedOwners.add(owner);
    if (this.#isListening) this.#announceSoon();
  }

  listen(heard: Heard): void {
    this.#listeners.push(heard);
    if (this.#listeners.length === 1) this.#listenIn(untilListening);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#listeners.length = 0;
    const late = new Promise((resolve) => setTimeout(resolve, lastWords).unref());
    await Promise.race([this.#announceLast().catch(() => undefined), late]);
    // Opening it may take as long as an unresponsive server's timeout.
    void this.#side?.then((connection) => connection.close()).catch(() => undefined);
  }

  #connected(): Promise<SideConnection> {
    const side = (this.#side ??= this.#connect());
    side.catch(() => (this.#side = undefined));
    return side;
  }

  async #connect(): Promise<SideConnection> {
    const connection = await this.#openSide({
      notified: (message) => this.#onMessage(message),
      lost: () => this.#onLost(),
    });
    await connection.execute(keepAlive);
    return connection;
  }

  #onMessage(message: string): void {
    const [sender, ...owners] = message.split(" ");
    if (sender !== this.#self) this.#notifyListeners(owners.map(Number));
  }

  #onLost(): void {
    this.#side = undefined;
    this.#isListening = false;
    this.#heldLocks.clear();
    if (this.#listeners.length > 0) this.#listenIn(betweenAttempts);
  }

  #notifyListeners(owners: readonly number[] | "any"): void {
    for (const heard of this.#listeners) heard(owners);
  }

  async #release(name: string, key: string, connection: SideConnection): Promise<void> {
    // A lock that was lost with its connection is free already.
    if (!this.#heldLocks.delete(name) || (await this.#side) !== connection) return;
    await connection.all("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [key]);
  }

  #listenIn(milliseconds: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    // An unreachable server is tried again; until then revisions reveal changes.
    const attempt = () => void this.#beginListening().catch(() => this.#listenIn(betweenAttempts));
    this.#timer = setTimeout(attempt, milliseconds).unref();
  }

  async #beginListening(): Promise<void> {
    if (this.#isListening || this.#isClosed) return;
    const connection = await this.#connected();
    await connection.execute(`LISTEN "${this.#address.schema}"`);
    this.#isListening = true;
    // Announcements from before LISTEN were not heard: any owner may have changed.
    this.#notifyListeners("any");
    this.#announceSoon();
  }

  #announceSoon(): void {
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    // A lost announcement only delays others until they check revisions.
    void this.#announceAll()
      .catch(() => undefined)
      .then(() => {
        this.#isAnnouncing = false;
        if (this.#changedOwners.size > 0 && this.#isListening) this.#announceSoon();
      });
  }

  /** Never inside a transaction that writes: all writers of the database would wait for each other. */
  async #announceAll(): Promise<void> {
    while (this.#changedOwners.size > 0 && this.#isListening && !this.#isClosed) {
      await (await this.#connected()).all(...this.#nextMessage());
      await new Promise((resolve) => setTimeout(resolve, betweenAnnouncements).unref());
    }
  }

  /** At the end of a process that did not live long enough to listen. */
  async #announceLast(): Promise<void> {
    while (this.#changedOwners.size > 0) {
      const [sql, values] = this.#nextMessage();
      const connection = await this.#driver.connect();
      const [result] = await connection.send([{ sql, values }]);
      connection.release(result?.status === "rejected" && isConnectionLost(result.reason));
      if (result?.status === "rejected") return;
    }
  }

  #nextMessage(): [sql: string, values: string[]] {
    const owners = [...this.#changedOwners].slice(0, mostOwners);
    for (const owner of owners) this.#changedOwners.delete(owner);
    return ["SELECT pg_notify($1, $2)", [this.#address.schema, [this.#self, ...owners].join(" ")]];
  }
}

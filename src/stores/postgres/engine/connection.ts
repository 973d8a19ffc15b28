import { storable } from "../../rules/stored-text.ts";

/** The engine's interface to a driver: `pg` for a server, PGlite for tests without one. */
export type Driver = {
  /** A connection for exclusive use until it is released. */
  connect(): Promise<DatabaseConnection>;
  /**
   * A further connection for long-lived purposes: locks and notifications. Absent where there is only one, as in
   * PGlite.
   */
  beside?(on: { notified(message: string): void; lost(): void }): Promise<SideConnection>;
  close(): Promise<void>;
};

export type DatabaseConnection = {
  /** The owner that row-level security was last set to on this connection; undefined for none. */
  owner?: number;
  /** True once the session's settings are applied. */
  ready?: boolean;
  /** Sends all statements at once and waits until all have ended: one round trip. */
  send(statements: readonly SqlStatement[]): Promise<PromiseSettledResult<SqlResult>[]>;
  /** Several statements without values, one after the other. */
  execute(sql: string): Promise<void>;
  /** Releases it; a lost one is closed. */
  release(lost?: boolean): void;
};

export type SideConnection = {
  all<Row>(sql: string, values: readonly unknown[]): Promise<Row[]>;
  execute(sql: string): Promise<void>;
  /** Does not wait for a server that may be silent. */
  close(): void;
};

export type SqlStatement = { sql: string; values: readonly unknown[] };
export type SqlResult = { rows: object[]; affected: number };

/** Type numbers of PostgreSQL whose values become JavaScript numbers: int8, never above 2^53 here, and oid. */
export const numberTypes = [20, 26];

export function storableValue(value: unknown): unknown {
  if (typeof value === "string") return storable(value);
  return Array.isArray(value) ? value.map(storableValue) : value;
}

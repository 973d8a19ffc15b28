import { storable } from "../../storable.ts";

/** What the engine needs of a driver: `pg` for a server, PGlite for tests without one. */
export type Driver = {
  /** A connection that nobody else uses until it is released. */
  connect(): Promise<DatabaseConnection>;
  /** A connection beside those, for what lasts: locks and notifications. Absent where there is only one, as in PGlite. */
  beside?(on: { notified(message: string): void; lost(): void }): Promise<SideConnection>;
  close(): Promise<void>;
};

export type DatabaseConnection = {
  /** The owner that row-level security was last told on this connection; undefined for none. */
  owner?: number;
  /** True once the session's settings are made. */
  ready?: boolean;
  /** Sends all statements at once and waits until all have ended: one round trip. */
  send(statements: readonly SqlStatement[]): Promise<PromiseSettledResult<SqlResult>[]>;
  /** Several statements without values, one after the other. */
  execute(sql: string): Promise<void>;
  /** Gives it back; one that is lost is closed. */
  release(lost?: boolean): void;
};

export type SideConnection = {
  all<Row>(sql: string, values: readonly unknown[]): Promise<Row[]>;
  execute(sql: string): Promise<void>;
  /** Does not wait for a server that may say nothing any more. */
  close(): void;
};

export type SqlStatement = { sql: string; values: readonly unknown[] };
export type SqlResult = { rows: object[]; affected: number };

/** PostgreSQL's numbers of types whose values come as JavaScript numbers: int8, never above 2^53 here, and oid. */
export const numberTypes = [20, 26];

export function storableValue(value: unknown): unknown {
  if (typeof value === "string") return storable(value);
  return Array.isArray(value) ? value.map(storableValue) : value;
}

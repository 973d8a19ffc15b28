import { chmodSync, closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { DossierError } from "../../../errors.ts";
import { asStoreFailure, type Holding } from "./failures.ts";

/** One synchronous connection, the same over `node:sqlite` and `libsql`. */
export type Database = {
  /** Driver and SQLite version, used in messages. */
  readonly engine: string;
  readonly path: string;
  readonly readOnly: boolean;
  run(sql: string, values?: SqlValue[]): void;
  get<Row>(sql: string, values?: SqlValue[]): Row | undefined;
  all<Row>(sql: string, values?: SqlValue[]): Row[];
  /** Several statements without values. */
  execute(sql: string): void;
  /** Runs `work` on one consistent snapshot; its writes are applied all or not at all. */
  transaction<Result>(kind: "read" | "write", work: () => Result): Result;
  close(): void;
};

/** Integers beyond 2^53 are never stored, so numbers are enough. BLOBs are Uint8Array both ways. */
export type SqlValue = null | number | string | Uint8Array;

export type DriverName = "node" | "libsql";

/**
 * The common interface of both libraries. Values are passed as one array: libsql takes a single object for named
 * values.
 */
type Engine = {
  execute(sql: string): void;
  prepare(sql: string): EngineStatement;
  close(): void;
};
type EngineStatement = {
  run(values: SqlValue[]): void;
  get(values: SqlValue[]): object | undefined;
  all(values: SqlValue[]): object[];
};

/** Milliseconds that a statement waits for another process's lock before it fails. */
const lockWait = 5000;

export type DriverOptions = { readOnly?: boolean; driver?: DriverName; lockWait?: number; holding?: Holding };

/**
 * Opens the file with the driver that suits this Node: `node:sqlite` where it exists, else `libsql`.
 * `DOSSIER_SQLITE=node|libsql` overrides.
 */
export async function openDatabase(path: string, options: DriverOptions = {}): Promise<Database> {
  const readOnly = options.readOnly ?? false;
  const driverName = options.driver ?? wantedDriver();
  const builtIn = driverName === "libsql" ? undefined : builtInSqlite();
  if (driverName === "node" && !builtIn) {
    throw new DossierError("bad-input", "DOSSIER_SQLITE=node needs a Node with node:sqlite, version 22.16 or newer.");
  }
  try {
    if (!readOnly) closeToOthers(path);
    const engine = builtIn ? openBuiltIn(builtIn, path, readOnly) : await openLibsql(path, readOnly);
    // This comes first: even the next statement may meet a lock, when another process creates the same file.
    engine.execute(`PRAGMA busy_timeout = ${options.lockWait ?? lockWait}`);
    return connection(engine, builtIn ? "node:sqlite" : "libsql", path, readOnly, options.holding);
  } catch (error) {
    throw asStoreFailure(error, path, options.holding);
  }
}

/**
 * SQLite creates files that everyone may read, and gives its other files the mode of the first. So the first is created
 * here with a private mode. An existing file is never opened: closing it again would drop the locks that this process
 * holds on it. SQLite itself reports other problems of the path.
 */
function closeToOthers(path: string): void {
  if (path === ":memory:" || path.startsWith("file:")) return;
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return;
    const { mode, uid } = statSync(path);
    if ((mode & 0o077) === 0 || uid !== process.getuid?.()) return;
    for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
  }
}

function wantedDriver(): DriverName | undefined {
  const setting = process.env.DOSSIER_SQLITE;
  if (setting === undefined || setting === "" || setting === "node" || setting === "libsql")
    return setting || undefined;
  throw new DossierError("bad-input", `DOSSIER_SQLITE is "${setting}"; it may be node or libsql.`);
}

function connection(engine: Engine, name: string, path: string, readOnly: boolean, holding?: Holding): Database {
  const statements = new Map<string, EngineStatement>();
  let inTransaction = false;

  function attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw asStoreFailure(error, path, holding);
    }
  }

  function prepared(sql: string): EngineStatement {
    let statement = statements.get(sql);
    if (!statement) {
      statement = engine.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

  const database: Database = {
    engine: "",
    path,
    readOnly,
    run: (sql, values = []) => attempt(() => prepared(sql).run(values)),
    get: <Row>(sql: string, values: SqlValue[] = []) => attempt(() => prepared(sql).get(values) as Row | undefined),
    all: <Row>(sql: string, values: SqlValue[] = []) => attempt(() => prepared(sql).all(values) as Row[]),
    execute: (sql) => attempt(() => engine.execute(sql)),
    transaction(kind, work) {
      if (inTransaction) return work();
      database.execute(kind === "write" ? "BEGIN IMMEDIATE" : "BEGIN");
      inTransaction = true;
      try {
        const result = work();
        database.execute("COMMIT");
        return result;
      } catch (error) {
        rollBack(engine);
        throw error;
      } finally {
        inTransaction = false;
      }
    },
    close() {
      statements.clear();
      attempt(() => engine.close());
    },
  };
  const version = database.get<{ version: string }>("SELECT sqlite_version() AS version")!.version;
  return Object.assign(database, { engine: `${name}, SQLite ${version}` });
}

function rollBack(engine: Engine): void {
  try {
    engine.execute("ROLLBACK");
  } catch (error) {
    // On a full disk or a damaged page SQLite has already rolled back; the original failure is reported.
    if (!(error instanceof Error && /no transaction is active/i.test(error.message))) throw error;
  }
}

type BuiltInStatement = {
  run(...values: SqlValue[]): unknown;
  get(...values: SqlValue[]): object | undefined;
  all(...values: SqlValue[]): object[];
};
type BuiltIn = {
  DatabaseSync: new (
    path: string,
    options: { readOnly: boolean },
  ) => { exec(sql: string): void; prepare(sql: string): BuiltInStatement; close(): void };
};

/** Loads `node:sqlite` without its ExperimentalWarning; every other warning passes. */
/** Before Node 22.16, `node:sqlite` has no FTS5, which finds misspelt names. */
const firstWithSearch = [22, 16];

function builtInSqlite(): BuiltIn | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < firstWithSearch[0]! || (major === firstWithSearch[0] && minor < firstWithSearch[1]!)) return undefined;
  const original = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (/SQLite is an experimental feature/.test(String(warning))) return;
    (original as (...values: unknown[]) => void).call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return process.getBuiltinModule("node:sqlite") as BuiltIn | undefined;
  } finally {
    process.emitWarning = original;
  }
}

function openBuiltIn({ DatabaseSync }: BuiltIn, path: string, readOnly: boolean): Engine {
  const database = new DatabaseSync(path, { readOnly });
  return {
    execute: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (values) => void statement.run(...values.map(withStorage)),
        get: (values) => statement.get(...values.map(withStorage)),
        all: (values) => statement.all(...values.map(withStorage)),
      };
    },
    close: () => database.close(),
  };
}

// Node 22 binds an empty array without its own storage as NULL.
const emptyBytes = new Uint8Array(new ArrayBuffer(8), 0, 0);

function withStorage(value: SqlValue): SqlValue {
  return value instanceof Uint8Array && value.length === 0 ? emptyBytes : value;
}

async function openLibsql(path: string, readOnly: boolean): Promise<Engine> {
  libsql ??= loadLibsql();
  const Libsql = await libsql;
  const database = new Libsql(path);
  // libsql cannot open a file read-only; this pragma refuses every write on the connection.
  if (readOnly) database.exec("PRAGMA query_only = ON");
  return {
    execute: (sql) => void database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      // get() is twice as fast as all() for one row, but ignores new values on a statement that all() has used. So it
      // has its own statement.
      let single: typeof statement | undefined;
      return {
        run: (values) => void statement.run(values),
        get(values) {
          single ??= database.prepare(sql);
          const row = single.get(values) as Record<string, unknown> | undefined;
          if (row) delete row._metadata;
          return row && withBytes(row);
        },
        all: (values) => (statement.all(values) as Record<string, unknown>[]).map(withBytes),
      };
    },
    close: () => void database.close(),
  };
}

type Libsql = typeof import("libsql");
let libsql: Promise<Libsql> | undefined;

/**
 * libsql reads the name of the C library from Node's report. That takes 6 ms at every start, and longer where the
 * report first resolves host names over the network. The header of Node's program file contains the name as well.
 */
async function loadLibsql(): Promise<Libsql> {
  const { report } = process;
  const loader = process.platform === "linux" ? nameOfLoader() : undefined;
  if (!report || !loader) {
    if (report) Object.assign(report, { excludeNetwork: true });
    return (await import("libsql")).default;
  }
  const { getReport } = report;
  const header = loader.includes("ld-linux") ? { glibcVersionRuntime: "unknown" } : {};
  report.getReport = () => ({ header, sharedObjects: [loader] });
  try {
    return (await import("libsql")).default;
  } finally {
    report.getReport = getReport;
  }
}

const headerBytes = 4096;

/** The dynamic loader that Node was linked for: `ld-linux-x86-64.so.2` of glibc, `ld-musl-x86_64.so.1` of musl. */
function nameOfLoader(): string | undefined {
  try {
    const file = openSync(process.execPath, "r");
    try {
      const bytes = Buffer.alloc(headerBytes);
      const length = readSync(file, bytes, 0, headerBytes, 0);
      return /ld-(?:linux|musl)-[\w.-]+/.exec(bytes.toString("latin1", 0, length))?.[0];
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // The program file may be executable and not readable; the report is used then.
    if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
    return undefined;
  }
}

/** libsql returns BLOBs as Buffer or ArrayBuffer, depending on the call. */
function withBytes(row: Record<string, unknown>): Record<string, unknown> {
  for (const column in row) {
    const value = row[column];
    if (value instanceof ArrayBuffer) row[column] = new Uint8Array(value);
    else if (Buffer.isBuffer(value)) row[column] = new Uint8Array(value.buffer, value.byteOffset, value.length);
  }
  return row;
}

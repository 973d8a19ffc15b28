import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { testDatabaseUrl } from "../engine/server.samples.ts";

/** Servers of a test's own, from the same programs as the one that tests are given: to be stopped, killed, promoted. */
export type TestCluster = {
  port: number;
  /** Where it is: as this process sees it, and as the server does. */
  folder: { outside: string; inside: string };
  /** As the role that owns nothing but its schema. */
  url: string;
  /** As the server's superuser. */
  sql(statement: string, database?: string): string;
  /** Another database for the same role, with the extensions. */
  createDatabase(name: string, more?: string): void;
  start(settings?: Record<string, string | number>): void;
  stop(): void;
  /** With all of its processes, as if the power went. */
  kill(): void;
  promote(): void;
  remove(): void;
};

type Programs = { root: string; folder: string };

const isRoot = process.getuid?.() === 0;

/** Where they are: unpacked by scripts/postgres.ts, which only root can use, or installed. */
function programs(): Programs | undefined {
  const root = join(process.env.DOSSIER_TEST_POSTGRES ?? join(homedir(), ".cache", "dossier-postgres"), "root");
  for (const place of [...(isRoot ? [root] : []), ""]) {
    const folder = "/usr/lib/postgresql";
    if (!existsSync(place + folder)) continue;
    const version = readdirSync(place + folder)
      .map(Number)
      .filter((each) => each >= 16 && existsSync(`${place}/usr/share/postgresql/${each}/extension/vector.control`))
      .sort((a, b) => b - a)[0];
    if (version) return { root: place, folder: `${folder}/${version}/bin` };
  }
  return undefined;
}

const installed = testDatabaseUrl === undefined ? undefined : programs();
/** Whether tests can have servers of their own. */
export const canStartClusters = installed !== undefined;

const [role, database, password] = ["dossier", "dossier_test", "se@cret"];

function run(line: string): string {
  const shell = isRoot ? ["su", "postgres", "-s", "/bin/sh", "-c", line] : ["sh", "-c", line];
  const [program, ...rest] = installed!.root === "" ? shell : ["chroot", installed!.root, ...shell];
  const { status, stdout, stderr } = spawnSync(program!, rest, { encoding: "utf8", cwd: "/" });
  if (status !== 0) throw new Error(`${line}: ${stderr || stdout}`);
  return stdout;
}

/** A folder that the server's user can write, and the same as the server sees it. */
function ownFolder(): { outside: string; inside: string } {
  mkdirSync(`${installed!.root}/tmp`, { recursive: true });
  const outside = mkdtempSync(`${installed!.root}/tmp/dossier-cluster-`);
  if (isRoot) {
    const line = readFileSync(`${installed!.root}/etc/passwd`, "utf8")
      .split("\n")
      .find((each) => each.startsWith("postgres:"));
    const [, , user, group] = line!.split(":");
    spawnSync("chown", [`${user}:${group}`, outside]);
  }
  return { outside, inside: outside.slice(installed!.root.length) };
}

/**
 * A primary with our role, database and extensions. It waits for no disk: what is lost with a process is what is
 * tested.
 */
export async function startPrimary(settings: Record<string, string | number> = {}): Promise<TestCluster> {
  const folder = ownFolder();
  run(`${installed!.folder}/initdb -D ${folder.inside}/data -A trust -E UTF8 --locale=C.UTF-8 -U postgres --no-sync`);
  const cluster = await clusterIn(folder, settings);
  cluster.sql(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  cluster.createDatabase(database);
  return cluster;
}

const connected = "SELECT count(*) FROM pg_stat_wal_receiver WHERE status = 'streaming'";

/** A streaming replica of it, once it streams: on a busy machine it answers before that. */
export async function startReplica(primary: TestCluster): Promise<TestCluster> {
  const folder = ownFolder();
  run(
    `${installed!.folder}/pg_basebackup -h 127.0.0.1 -p ${primary.port} -U postgres -D ${folder.inside}/data -R -X stream -c fast --no-sync`,
  );
  const replica = await clusterIn(folder, {});
  for (let tries = 0; tries < 200 && replica.sql(connected).trim() !== "1"; tries++) await sleep(50);
  return replica;
}

async function clusterIn(
  { inside, outside }: { inside: string; outside: string },
  settings: Record<string, string | number>,
): Promise<TestCluster> {
  const port = await freePort();
  const control = (verb: string) => run(`${installed!.folder}/pg_ctl -D ${inside}/data -w ${verb}`);
  const processes = (): number[] => {
    const file = `${outside}/data/postmaster.pid`;
    if (!existsSync(file)) return [];
    const main = Number(readFileSync(file, "utf8").split("\n")[0]);
    const list = `/proc/${main}/task/${main}/children`;
    return existsSync(list) ? [main, ...readFileSync(list, "utf8").split(" ").filter(Boolean).map(Number)] : [];
  };
  const cluster: TestCluster = {
    port,
    folder: { outside, inside },
    url: `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`,
    sql: (statement, on = "postgres") =>
      run(
        `${installed!.folder}/psql -qAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p ${port} -U postgres -d ${on} -c "${statement}"`,
      ),
    createDatabase(name, more = "") {
      cluster.sql(`CREATE DATABASE ${name} ${more}`);
      cluster.sql(
        `CREATE EXTENSION vector; CREATE EXTENSION pg_trgm; GRANT CREATE ON DATABASE ${name} TO ${role}`,
        name,
      );
    },
    start(more = settings) {
      const all = {
        listen_addresses: "127.0.0.1",
        port,
        unix_socket_directories: inside,
        fsync: "off",
        full_page_writes: "off",
        max_connections: 60,
        shared_buffers: "32MB",
        ...more,
      };
      const options = Object.entries(all).map(([name, value]) => `-c ${name}='${value}'`);
      run(`${installed!.folder}/pg_ctl -D ${inside}/data -l ${inside}/log -w -o "${options.join(" ")}" start`);
    },
    stop: () => void control("-m fast stop"),
    kill() {
      const all = processes();
      for (const each of all) {
        try {
          process.kill(each, "SIGKILL");
        } catch (error) {
          // It ended by itself when the first did.
          if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
        }
      }
      // Their memory is free when the last has ended.
      while (all.some(isAlive)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      // A process that has ended and was not yet waited for looks alive to who starts next.
      const socket = `.s.PGSQL.${port}`;
      for (const file of ["data/postmaster.pid", socket, `${socket}.lock`])
        rmSync(join(outside, file), { force: true });
    },
    promote: () => void control("promote"),
    remove() {
      cluster.kill();
      rmSync(outside, { recursive: true, force: true });
    },
  };
  cluster.start();
  return cluster;
}

/** One that has ended may stay in the list until its parent has seen it. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const listener = createServer().listen(0, "127.0.0.1", () => {
      const { port } = listener.address() as { port: number };
      listener.close(() => resolve(port));
    });
  });
}
